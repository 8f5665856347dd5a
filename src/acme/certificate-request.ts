import { createHash, webcrypto } from 'node:crypto';
import { DAY_MS } from '../kit/durations.ts';

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256' };
const COMMON_NAME = '2.5.4.3';
const ALTERNATIVE_NAMES = '2.5.29.17';
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
/** RFC 8737, 3. */
const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31';
const DNS_NAME = 2;
const UTC_TIME = 0;

// Loaded on demand: most starts request no certificate.
const load = () => Promise.all([import('asn1js'), import('pkijs')]);
const newKeys = () => webcrypto.subtle.generateKey(ECDSA, true, ['sign', 'verify']);

const keyPem = async (key: webcrypto.CryptoKey): Promise<string> =>
  pem('PRIVATE KEY', await webcrypto.subtle.exportKey('pkcs8', key));

/** A new key (EC P-256) and the request for a certificate with these domains. */
export async function makeCertificateRequest(
  domains: readonly string[],
): Promise<{ readonly key: string; readonly request: Uint8Array }> {
  const [, pkijs] = await load();
  const { privateKey, publicKey } = await newKeys();
  // The subject is empty, because the names are in the extension.
  const request = new pkijs.CertificationRequest();
  request.version = 0;
  await request.subjectPublicKeyInfo.importKey(publicKey);
  const altNames = domains.map((value) => new pkijs.GeneralName({ type: DNS_NAME, value }));
  const extension = new pkijs.Extension({
    extnID: ALTERNATIVE_NAMES,
    extnValue: new pkijs.AltName({ altNames }).toSchema().toBER(),
  });
  const extensions = new pkijs.Extensions({ extensions: [extension] });
  request.attributes = [new pkijs.Attribute({ type: EXTENSION_REQUEST, values: [extensions.toSchema()] })];
  await request.sign(privateKey, 'SHA-256');
  return { key: await keyPem(privateKey), request: Buffer.from(request.toSchema(true).toBER()) };
}

/** The self-signed certificate that answers a TLS-ALPN-01 challenge (RFC 8737). */
export async function makeChallengeCertificate(
  domain: string,
  keyAuthorization: string,
  now: number,
): Promise<{ readonly cert: string; readonly key: string }> {
  const [asn1js, pkijs] = await load();
  const { privateKey, publicKey } = await newKeys();
  const certificate = new pkijs.Certificate();
  certificate.version = 2;
  certificate.serialNumber = new asn1js.Integer({ value: 1 });
  for (const name of [certificate.subject, certificate.issuer])
    name.typesAndValues.push(
      new pkijs.AttributeTypeAndValue({ type: COMMON_NAME, value: new asn1js.Utf8String({ value: 'ACME challenge' }) }),
    );
  certificate.notBefore = new pkijs.Time({ type: UTC_TIME, value: new Date(now - DAY_MS) });
  certificate.notAfter = new pkijs.Time({ type: UTC_TIME, value: new Date(now + DAY_MS) });
  const altNames = [new pkijs.GeneralName({ type: DNS_NAME, value: domain })];
  const digest = createHash('sha256').update(keyAuthorization).digest();
  certificate.extensions = [
    new pkijs.Extension({ extnID: ALTERNATIVE_NAMES, extnValue: new pkijs.AltName({ altNames }).toSchema().toBER() }),
    new pkijs.Extension({
      extnID: ACME_IDENTIFIER,
      critical: true,
      extnValue: new asn1js.OctetString({ valueHex: digest }).toBER(),
    }),
  ];
  await certificate.subjectPublicKeyInfo.importKey(publicKey);
  await certificate.sign(privateKey, 'SHA-256');
  return { cert: pem('CERTIFICATE', certificate.toSchema(true).toBER()), key: await keyPem(privateKey) };
}

function pem(label: string, bytes: ArrayBuffer): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
