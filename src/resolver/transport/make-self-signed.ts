import { randomBytes, webcrypto } from 'node:crypto';
import { DAY_MS } from '../../kit/durations.ts';
import { addressBytes } from '../identity/address-key.ts';

export type SelfSigned = { readonly cert: string; readonly key: string };

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256' };

const COMMON_NAME = '2.5.4.3';
const KEY_USAGE = '2.5.29.15';
const ALTERNATIVE_NAMES = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';

const DNS_NAME = 2;
const IP_ADDRESS = 7;
const UTC_TIME = 0;

// Apple's systems reject certificates that are valid for more than 825 days.
const VALID_DAYS = 800;

/** Creates a self-signed certificate for a TLS server: EC P-256, signed with SHA-256. */
export async function makeSelfSigned(
  names: readonly string[],
  addresses: readonly string[],
  now: number,
): Promise<SelfSigned> {
  // Loaded on demand, because most starts find a usable certificate.
  const [asn1js, pkijs] = await Promise.all([import('asn1js'), import('pkijs')]);
  const { privateKey, publicKey } = await webcrypto.subtle.generateKey(ECDSA, true, ['sign', 'verify']);

  const extension = (
    extnID: string,
    value: { toBER(): ArrayBuffer },
    isCritical = false,
  ): InstanceType<typeof pkijs.Extension> =>
    new pkijs.Extension({ extnID, critical: isCritical, extnValue: value.toBER() });
  const alternatives = [
    ...names.map((value) => new pkijs.GeneralName({ type: DNS_NAME, value })),
    ...addresses.map((address) => {
      const valueHex = addressBytes(address) ?? new Uint8Array();
      return new pkijs.GeneralName({ type: IP_ADDRESS, value: new asn1js.OctetString({ valueHex }) });
    }),
  ];
  // DER integers are signed and minimal: the first bit is 0, the second 1.
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x3f) | 0x40;

  const certificate = new pkijs.Certificate();
  certificate.version = 2;
  certificate.serialNumber = new asn1js.Integer({ valueHex: serial });
  for (const name of [certificate.subject, certificate.issuer])
    name.typesAndValues.push(
      new pkijs.AttributeTypeAndValue({ type: COMMON_NAME, value: new asn1js.Utf8String({ value: 'Weir' }) }),
    );
  // Clients whose clock is behind must not reject the certificate as not yet valid.
  certificate.notBefore = new pkijs.Time({ type: UTC_TIME, value: new Date(now - DAY_MS) });
  certificate.notAfter = new pkijs.Time({ type: UTC_TIME, value: new Date(now + VALID_DAYS * DAY_MS) });
  certificate.extensions = [
    extension(BASIC_CONSTRAINTS, new pkijs.BasicConstraints().toSchema(), true),
    // digitalSignature is the first bit.
    extension(KEY_USAGE, new asn1js.BitString({ valueHex: Uint8Array.of(0x80), unusedBits: 7 }), true),
    extension(EXTENDED_KEY_USAGE, new pkijs.ExtKeyUsage({ keyPurposes: [SERVER_AUTH] }).toSchema()),
    extension(ALTERNATIVE_NAMES, new pkijs.AltName({ altNames: alternatives }).toSchema()),
  ];
  await certificate.subjectPublicKeyInfo.importKey(publicKey);
  await certificate.sign(privateKey, 'SHA-256');
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', privateKey);
  return { key: pem('PRIVATE KEY', pkcs8), cert: pem('CERTIFICATE', certificate.toSchema(true).toBER()) };
}

function pem(label: string, bytes: ArrayBuffer): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
