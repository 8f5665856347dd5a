import { createHash, createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { contentOf, der, elements, INTEGER, NULL, OCTETS, oid, SEQUENCE, SET, utcTime } from '../kit/der.ts';

export type Signer = {
  /** The signer's certificate first, then those that vouch for it. */
  readonly certificates: readonly X509Certificate[];
  readonly key: KeyObject;
};

const SHA_256 = '2.16.840.1.101.3.4.2.1';
const RSA = '1.2.840.113549.1.1.1';
const ECDSA_WITH_SHA_256 = '1.2.840.10045.4.3.2';
const DATA = '1.2.840.113549.1.7.1';
const SIGNED_DATA = '1.2.840.113549.1.7.2';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_TIME = '1.2.840.113549.1.9.5';

/** Reads a signer from PEM; throws when key and certificate do not belong together. */
export function parseSigner(certificatesPem: string, keyPem: string): Signer {
  const blocks = certificatesPem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const certificates = blocks.map((block) => new X509Certificate(block));
  const key = createPrivateKey(keyPem);
  if (!certificates[0]?.checkPrivateKey(key)) throw new Error('the key is not that of the first certificate');
  if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ec')
    throw new Error('only RSA and EC keys can sign profiles');
  return { certificates, key };
}

/** The profile with a signature around it (CMS, RFC 5652), as devices show it with the signer's name. */
export function signProfile(profile: string, { certificates, key }: Signer, now: Date): Buffer {
  const content = Buffer.from(profile);
  const attributes = [
    attribute(CONTENT_TYPE, oid(DATA)),
    attribute(SIGNING_TIME, utcTime(now)),
    attribute(MESSAGE_DIGEST, der(OCTETS, createHash('sha256').update(content).digest())),
  ];
  // Signed as the set that they are (RFC 5652, 5.4), sent under a tag of their own.
  const signature = sign('sha256', der(SET, ...attributes), key);
  const signerInfo = der(
    SEQUENCE,
    version(1),
    issuerAndSerial(certificates[0]!),
    digestAlgorithm,
    der(0xa0, ...attributes),
    key.asymmetricKeyType === 'rsa' ? der(SEQUENCE, oid(RSA), der(NULL)) : der(SEQUENCE, oid(ECDSA_WITH_SHA_256)),
    der(OCTETS, signature),
  );
  const signedData = der(
    SEQUENCE,
    version(1),
    der(SET, digestAlgorithm),
    der(SEQUENCE, oid(DATA), der(0xa0, der(OCTETS, content))),
    der(0xa0, ...certificates.map(({ raw }) => raw)),
    der(SET, signerInfo),
  );
  return der(SEQUENCE, oid(SIGNED_DATA), der(0xa0, signedData));
}

const version = (number: number): Buffer => der(INTEGER, Buffer.from([number]));
const digestAlgorithm = der(SEQUENCE, oid(SHA_256));
const attribute = (type: string, value: Buffer): Buffer => der(SEQUENCE, oid(type), der(SET, value));

/** TBSCertificate (RFC 5280, 4.1): an optional version, the serial number, the algorithm, the issuer. */
function issuerAndSerial({ raw }: X509Certificate): Buffer {
  const [body] = elements(contentOf(raw));
  const members = elements(contentOf(body!));
  const from = members[0]![0] === 0xa0 ? 1 : 0;
  return der(SEQUENCE, members[from + 2]!, members[from]!);
}
