import { X509Certificate } from 'node:crypto';

/** A certificate with the data needed for its status requests. */
export type ChainStart = {
  readonly certificate: X509Certificate;
  /** Undefined if the file does not contain it. */
  readonly issuer: X509Certificate | undefined;
  /** URL of the OCSP responder; undefined if the certificate has none. */
  readonly responder: string | undefined;
  /** "Must staple" (RFC 7633): clients that support the extension reject the certificate without a stapled response. */
  readonly isStapleRequired: boolean;
};

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads the first certificate of a PEM file and finds its issuer among the others. Throws if the file has no certificate. */
export function readChain(pem: string): ChainStart {
  const [certificate, ...others] = (pem.match(BLOCK) ?? []).map((block) => new X509Certificate(block));
  if (!certificate) throw new Error('the file has no certificate');
  return {
    certificate,
    issuer: others.find((other) => certificate.checkIssued(other)),
    responder: /^OCSP - URI:(https?:\/\/\S+)$/m.exec(certificate.infoAccess ?? '')?.[1],
    isStapleRequired: hasStatusFeature(certificate.raw),
  };
}

const TLS_FEATURES = Buffer.from('06082b06010505070118', 'hex');
const STATUS_REQUEST = Buffer.from('020105', 'hex');

/** Whether the extension (OID, OCTET STRING, SEQUENCE of numbers) contains `status_request`. */
function hasStatusFeature(raw: Buffer): boolean {
  const at = raw.indexOf(TLS_FEATURES);
  if (at < 0) return false;
  const octets = raw.indexOf(0x04, at + TLS_FEATURES.length);
  return raw.subarray(octets + 2, octets + 2 + raw[octets + 1]!).includes(STATUS_REQUEST);
}
