import type { Failure } from '../kit/retry.ts';

/** A failed download. The message contains no text of the response. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  readonly failure: Failure;

  constructor(url: string, failure: Failure, cause?: unknown) {
    super(messageFor(withoutUserinfo(url), failure), cause === undefined ? undefined : { cause });
    this.failure = failure;
  }
}

/** A forbidden request is not a server failure, so it is not retried and a stale copy is not used. */
export const isRefusal = ({ failure: { kind } }: DownloadError): boolean =>
  kind === 'refused address' || kind === 'refused redirect' || kind === 'bad url';

/** Creates the error for one URL, so that callers need not pass the URL along. */
export type Fail = (failure: Failure, cause?: unknown) => DownloadError;

// Scripts search the log for these two prefixes; they are part of the interface.
const messageFor = (url: string, failure: Failure): string =>
  failure.kind === 'status'
    ? `Response status for url ${url} is invalid: ${failure.status}`
    : `Failed to request url '${url}': ${inWords(failure)}`;

export function inWords(failure: Failure): string {
  switch (failure.kind) {
    case 'status':
      return `status ${failure.status}`;
    case 'timeout':
      return 'it took too long';
    case 'too slow':
      return 'the body arrived too slowly';
    case 'unreachable':
      return unreachable[failure.code] ?? `no connection (${failure.code})`;
    case 'truncated':
      return 'the connection ended before the whole body had arrived';
    case 'too large':
      return 'the body is larger than the limit';
    case 'bad encoding':
      return 'the body cannot be decoded as its Content-Encoding says';
    case 'bad response':
      return 'the answer is not valid HTTP';
    case 'tls':
      return `no secure connection (${failure.code})`;
    case 'too many redirects':
      return 'too many redirects';
    case 'refused redirect':
      return 'it redirects to an address that is not allowed';
    case 'refused address':
      return 'its address or port is not allowed';
    case 'bad url':
      return 'it is not a URL that can be downloaded';
  }
}

const unreachable: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
};

// Removed by pattern, because an invalid URL can also contain a password.
const withoutUserinfo = (url: string): string => url.replace(/^(\s*[a-z][a-z0-9+.-]*:[/\\]*)[^/\\?#]*@/i, '$1');
