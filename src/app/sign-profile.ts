import { createPrivateKey, type KeyObject, type webcrypto, X509Certificate } from 'node:crypto';

export type Signer = {
  /** The signer's certificate first, then those of its issuers. */
  readonly certificates: readonly X509Certificate[];
  readonly key: webcrypto.CryptoKey;
};

const DATA = '1.2.840.113549.1.7.1';
const SIGNED_DATA = '1.2.840.113549.1.7.2';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_TIME = '1.2.840.113549.1.9.5';

const CMS_VERSION = 1;
const SIGNED_ATTRIBUTES = 0;

// The names that OpenSSL and WebCrypto give to the same curve.
const curves: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };

/** Reads a signer from PEM; throws when the key does not belong to the first certificate. */
export function parseSigner(certificatesPem: string, keyPem: string): Signer {
  const blocks = certificatesPem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const certificates = blocks.map((block) => new X509Certificate(block));
  const key = createPrivateKey(keyPem);
  if (!certificates[0]?.checkPrivateKey(key)) throw new Error('the key is not that of the first certificate');
  return { certificates, key: signingKey(key) };
}

function signingKey(key: KeyObject): webcrypto.CryptoKey {
  const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve = '' } = {} } = key;
  const curve = curves[namedCurve];
  if (type === 'rsa') return key.toCryptoKey({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, false, ['sign']);
  if (type === 'ec' && curve) return key.toCryptoKey({ name: 'ECDSA', namedCurve: curve }, false, ['sign']);
  throw new Error('only RSA and EC keys (P-256, P-384, P-521) can sign profiles');
}

/** The profile as signed CMS data (RFC 5652); devices show the name of the signer. */
export async function signProfile(profile: string, { certificates, key }: Signer, now: Date): Promise<Buffer> {
  // Loaded on demand: most installations sign no profiles.
  const [asn1js, pkijs] = await Promise.all([import('asn1js'), import('pkijs')]);
  const content = Buffer.from(profile);
  const chain = certificates.map(({ raw }) => pkijs.Certificate.fromBER(raw));
  const digest = await crypto.subtle.digest('SHA-256', content);
  const attributes = [
    new pkijs.Attribute({ type: CONTENT_TYPE, values: [new asn1js.ObjectIdentifier({ value: DATA })] }),
    new pkijs.Attribute({ type: SIGNING_TIME, values: [new asn1js.UTCTime({ valueDate: now })] }),
    new pkijs.Attribute({ type: MESSAGE_DIGEST, values: [new asn1js.OctetString({ valueHex: digest })] }),
  ];
  const { issuer, serialNumber } = chain[0]!;
  const signedData = new pkijs.SignedData({
    version: CMS_VERSION,
    encapContentInfo: new pkijs.EncapsulatedContentInfo({
      eContentType: DATA,
      eContent: new asn1js.OctetString({ valueHex: content }),
    }),
    certificates: chain,
    signerInfos: [
      new pkijs.SignerInfo({
        version: CMS_VERSION,
        sid: new pkijs.IssuerAndSerialNumber({ issuer, serialNumber }),
        signedAttrs: new pkijs.SignedAndUnsignedAttributes({ type: SIGNED_ATTRIBUTES, attributes }),
      }),
    ],
  });
  await signedData.sign(key, 0, 'SHA-256', content);
  const message = new pkijs.ContentInfo({ contentType: SIGNED_DATA, content: signedData.toSchema(true) });
  return Buffer.from(message.toSchema().toBER());
}
