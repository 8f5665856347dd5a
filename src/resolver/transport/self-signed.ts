import { createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { der, INTEGER, OCTETS, oid, SEQUENCE, SET, utcTime } from '../../kit/der.ts';
import { writeAtomic } from '../../platform/write-atomic.ts';
import { addressBytes } from '../identity/address-key.ts';

const BOOLEAN = 0x01;
const BIT_STRING = 0x03;
const UTF8_STRING = 0x0c;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

const ECDSA_WITH_SHA_256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const KEY_USAGE = '2.5.29.15';
const ALTERNATIVE_NAMES = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';

const DAY_MS = 86_400_000;
// Apple's systems refuse what is valid for more than 825 days.
const VALID_DAYS = 800;
const RENEW_BEFORE_DAYS = 30;

export type SelfSigned = { readonly cert: string; readonly key: string };

/** A certificate that nobody vouches for, to try things out with: EC P-256, for a server and nothing else. */
export function makeSelfSigned(names: readonly string[], addresses: readonly string[], now: number): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, oid(ECDSA_WITH_SHA_256));
  const subject = der(SEQUENCE, der(SET, der(SEQUENCE, oid(COMMON_NAME), der(UTF8_STRING, Buffer.from('Weir')))));
  // A clock that is a little behind ours must not find it in the future.
  const validity = der(SEQUENCE, utcTime(new Date(now - DAY_MS)), utcTime(new Date(now + VALID_DAYS * DAY_MS)));
  // The first bit stays 0, or the number would be negative; the second is 1, or zeros could stand first.
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x3f) | 0x40;
  const content = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, serial),
    algorithm,
    subject,
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, ...extensions(names, addresses))),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', content, privateKey));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(der(SEQUENCE, content, algorithm, signature)),
  };
}

const critical = der(BOOLEAN, Buffer.from([0xff]));
const digitalSignature = der(BIT_STRING, Buffer.from([7, 0x80]));

function extensions(names: readonly string[], addresses: readonly string[]): Buffer[] {
  const alternatives = [
    ...names.map((name) => der(DNS_NAME, Buffer.from(name))),
    ...addresses.map((address) => der(IP_ADDRESS, addressBytes(address) ?? new Uint8Array())),
  ];
  return [
    der(SEQUENCE, oid(BASIC_CONSTRAINTS), critical, der(OCTETS, der(SEQUENCE))),
    der(SEQUENCE, oid(KEY_USAGE), critical, der(OCTETS, digitalSignature)),
    der(SEQUENCE, oid(EXTENDED_KEY_USAGE), der(OCTETS, der(SEQUENCE, oid(SERVER_AUTH)))),
    der(SEQUENCE, oid(ALTERNATIVE_NAMES), der(OCTETS, der(SEQUENCE, ...alternatives))),
  ];
}

const pem = (bytes: Buffer): string => {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
};

export type CertificateFiles = { readonly certFile: string; readonly keyFile: string };
export type SelfSignedWish = {
  readonly folder: string;
  /** The wildcard for devices stands here too: `*.d.example.org`. */
  readonly names: readonly string[];
  readonly addresses: readonly string[];
  readonly now: number;
};

/** The pair in this folder; a new one if there is none, it ends soon, or it was made for other names. */
export async function ensureSelfSigned(wish: SelfSignedWish): Promise<CertificateFiles & { made: boolean }> {
  const { folder, names, addresses, now } = wish;
  const files = { certFile: join(folder, 'self-signed.crt'), keyFile: join(folder, 'self-signed.key') };
  if (await isUsable(files, wish)) return { ...files, made: false };
  const { cert, key } = makeSelfSigned(names, addresses, now);
  await mkdir(folder, { recursive: true });
  await writeAtomic(files.keyFile, key);
  await writeAtomic(files.certFile, cert);
  return { ...files, made: true };
}

async function isUsable({ certFile, keyFile }: CertificateFiles, wish: SelfSignedWish): Promise<boolean> {
  try {
    const certificate = new X509Certificate(await readFile(certFile));
    const isWhole = certificate.checkPrivateKey(createPrivateKey(await readFile(keyFile)));
    const isLasting = certificate.validToDate.getTime() > wish.now + RENEW_BEFORE_DAYS * DAY_MS;
    const listed = certificate.subjectAltName?.split(', ') ?? [];
    const hasNames = wish.names.every((name) => listed.includes(`DNS:${name}`));
    const hasAddresses = wish.addresses.every((address) => certificate.checkIP(address) !== undefined);
    return isWhole && isLasting && hasNames && hasAddresses;
  } catch {
    // Whatever is wrong with it, a new pair mends it.
    return false;
  }
}
