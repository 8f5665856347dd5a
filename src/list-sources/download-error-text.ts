import type { Failure } from '../kit/retry.ts';
import { type DownloadError, isRefusal } from '../net/download-error.ts';
import { SourceProblem } from './source-error-text.ts';

// `import` of node:http evaluates all its exports, including undici, which costs 60 ms of CPU time per thread.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** The error shown to the client for a failed download. */
export function asSourceProblem(error: DownloadError): SourceProblem {
  const { failure } = error;
  if (isRefusal(error) || isLookupFailure(failure)) return notFetched(error);
  if (failure.kind === 'status') return new SourceProblem('failed', statusLine(failure.status), { cause: error });
  return new SourceProblem('failed', `Source failed: ${inPublicWords(failure)}`, { cause: error });
}

/** One message for all of these, because different ones would reveal which internal names and addresses exist. */
export const notFetched = (cause?: Error): SourceProblem =>
  new SourceProblem(
    'not allowed',
    'Source not allowed: its address does not exist or may not be fetched',
    cause && { cause },
  );

// Includes temporary lookup failures: some resolvers answer so for every unknown name.
const isLookupFailure = (failure: Failure): boolean =>
  failure.kind === 'unreachable' && /^(ENOTFOUND|ENODATA|EAI_.*)$/.test(failure.code);

const statusLine = (status: number): string => `HTTP ${status}: ${STATUS_CODES[status] ?? 'Unknown Status'}`;

/** Contains no texts and codes of the system, the TLS library or the server. */
export function inPublicWords(failure: Failure): string {
  switch (failure.kind) {
    case 'status':
      return statusLine(failure.status);
    case 'timeout':
      return 'its server took too long';
    case 'too slow':
      return 'its server sends too slowly';
    case 'unreachable':
      return 'its server could not be reached';
    case 'truncated':
      return 'the connection ended before the whole body had arrived';
    case 'too large':
      return 'it is larger than the limit';
    case 'bad encoding':
      return 'the body cannot be decoded as its Content-Encoding says';
    case 'bad response':
      return 'its server does not answer in valid HTTP';
    case 'tls':
      return certificateFaults[failure.code] ?? 'there is no secure connection to its server';
    case 'too many redirects':
      return 'its server redirects too many times';
    case 'refused redirect':
    case 'refused address':
    case 'bad url':
      return 'it may not be fetched';
  }
}

const certificateFaults: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate of its server has expired',
  CERT_NOT_YET_VALID: 'the certificate of its server is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of its server is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate of its server comes from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate of its server comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate of its server comes from an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of its server is for another name',
};
