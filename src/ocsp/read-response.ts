import { verify, X509Certificate } from 'node:crypto';
import { MINUTE_MS } from '../kit/durations.ts';
import { messageOf } from '../kit/message-of.ts';
import { err, ok, type Result } from '../kit/result.ts';

export type Issued = { readonly certificate: X509Certificate; readonly issuer: X509Certificate };

/** Times are epoch milliseconds; a response must not be used after `endsAt`. */
export type OcspResponse = {
  readonly status: 'good' | 'revoked';
  readonly startsAt: number;
  readonly endsAt: number;
};

const BASIC_RESPONSE = '1.3.6.1.5.5.7.48.1.1';
const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9';
const CLOCK_DIFFERENCE_MS = 5 * MINUTE_MS;

// RFC 6960, 4.2.1.
const refusals: Readonly<Record<number, string>> = {
  1: 'malformed request',
  2: 'internal error',
  3: 'try later',
  5: 'signature required',
  6: 'unauthorized',
};
const statuses: readonly (OcspResponse['status'] | undefined)[] = ['good', 'revoked'];

/** Hash algorithm by signature algorithm; null for Ed25519, which has no separate hash. SHA-1 is not accepted. */
const hashes: Readonly<Record<string, 'sha256' | 'sha384' | 'sha512' | null>> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.3.101.112': null,
};

// Loaded on demand: most certificates have no responder.
const load = () => import('pkijs');
type Pki = Awaited<ReturnType<typeof load>>;

/** SHA-1, because responders need not support another hash (RFC 5019, 2.1.1). It is only an identifier. */
const idHash = (pkijs: Pki, issuer: X509Certificate) => ({
  hashAlgorithm: 'SHA-1',
  issuerCertificate: pkijs.Certificate.fromBER(issuer.raw),
});

/** The URL of a GET request for the status (RFC 6960, A.1). It has no nonce, so that responders can answer from a cache. */
export async function requestUrl(responder: string, { certificate, issuer }: Issued): Promise<string> {
  const pkijs = await load();
  const request = new pkijs.OCSPRequest();
  await request.createForCertificate(pkijs.Certificate.fromBER(certificate.raw), idHash(pkijs, issuer));
  const encoded = Buffer.from(request.toSchema(true).toBER()).toString('base64');
  return `${responder.replace(/\/$/, '')}/${encodeURIComponent(encoded)}`;
}

/** Checks that a response is for this certificate, current, and signed by the issuer or its delegate. */
export async function readResponse(
  bytes: Uint8Array,
  issued: Issued,
  now: number,
): Promise<Result<OcspResponse, string>> {
  try {
    return await checkResponse(await load(), bytes, issued, now);
  } catch (error) {
    return err(`the response cannot be read: ${messageOf(error)}`);
  }
}

async function checkResponse(
  pkijs: Pki,
  bytes: Uint8Array,
  { certificate, issuer }: Issued,
  now: number,
): Promise<Result<OcspResponse, string>> {
  const { responseStatus, responseBytes } = pkijs.OCSPResponse.fromBER(bytes);
  const refusal = responseStatus.valueBlock.valueDec;
  if (refusal !== 0) return err(`the responder refuses: ${refusals[refusal] ?? refusal}`);
  if (responseBytes?.responseType !== BASIC_RESPONSE) return err('the response has an unknown type');
  const basic = pkijs.BasicOCSPResponse.fromBER(responseBytes.response.valueBlock.valueHexView);

  const hash = hashes[basic.signatureAlgorithm.algorithmId];
  if (hash === undefined) return err(`unknown signature algorithm ${basic.signatureAlgorithm.algorithmId}`);
  const delegates = (basic.certs ?? [])
    .map((each) => new X509Certificate(Buffer.from(each.toSchema().toBER())))
    .filter((each) => isDelegate(each, issuer, now));
  const isSigned = [issuer, ...delegates].some(({ publicKey }) =>
    isSignature(hash, basic.tbsResponseData.tbsView, publicKey, basic.signature.valueBlock.valueHexView),
  );
  if (!isSigned) return err('the response is not signed by the issuer of the certificate or its delegate');

  const id = await pkijs.CertID.create(pkijs.Certificate.fromBER(certificate.raw), idHash(pkijs, issuer));
  const single = basic.tbsResponseData.responses.find(({ certID }) => certID.isEqual(id));
  if (!single) return err('the response is for another certificate');
  const status = statuses[(single.certStatus as { idBlock: { tagNumber: number } }).idBlock.tagNumber];
  if (!status) return err('the responder does not know the certificate');
  const [startsAt, endsAt] = [single.thisUpdate.getTime(), single.nextUpdate?.getTime()];
  if (endsAt === undefined) return err('the response has no time of its next update');
  if (startsAt > now + CLOCK_DIFFERENCE_MS) return err('the response is not valid yet: check the clock');
  return endsAt <= now ? err('the response has expired') : ok({ status, startsAt, endsAt });
}

/** RFC 6960, 4.2.2.2: the delegate's certificate was issued by the same authority for OCSP signing. */
const isDelegate = (delegate: X509Certificate, issuer: X509Certificate, now: number): boolean =>
  (delegate.keyUsage ?? []).includes(OCSP_SIGNING) &&
  delegate.checkIssued(issuer) &&
  delegate.verify(issuer.publicKey) &&
  delegate.validFromDate.getTime() <= now + CLOCK_DIFFERENCE_MS &&
  delegate.validToDate.getTime() > now;

function isSignature(
  hash: string | null,
  signed: Uint8Array,
  key: X509Certificate['publicKey'],
  signature: Uint8Array,
): boolean {
  try {
    return verify(hash, signed, key, signature);
  } catch {
    // Throws if the key type does not match the algorithm.
    return false;
  }
}
