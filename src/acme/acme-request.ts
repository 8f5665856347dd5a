import { request as requestHttps } from 'node:https';
import { AcmeError } from './acme-error.ts';

export type AcmeResponse = {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
};

export type AcmeRequest = (
  url: string,
  options?: { readonly method?: 'GET' | 'HEAD' | 'POST'; readonly body?: string },
) => Promise<AcmeResponse>;

const TIMEOUT_MS = 30_000;
const MAX_BODY = 1_048_576;

/** Requests to the authority: HTTPS only, without redirects, limited in time and size. `ca`: additional trusted certificates. */
export const createAcmeRequest =
  (signal: AbortSignal, userAgent: string, ca?: string): AcmeRequest =>
  (url, { method = 'GET', body } = {}) =>
    new Promise((resolve, reject) => {
      const fail = (reason: string): void => reject(new AcmeError('unreachable', `${url}: ${reason}`));
      if (!url.startsWith('https://')) {
        fail('not an https URL');
        return;
      }
      const headers = {
        'user-agent': userAgent,
        ...(body !== undefined && {
          'content-type': 'application/jose+json',
          'content-length': Buffer.byteLength(body),
        }),
      };
      const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const request = requestHttps(url, { method, headers, signal: limit, agent: false, ...(ca && { ca }) });
      request.on('error', (error) =>
        fail(limit.aborted && !signal.aborted ? `no response within ${TIMEOUT_MS / 1000} seconds` : error.message),
      );
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        response.on('data', (chunk: Buffer) => {
          length += chunk.length;
          chunks.push(chunk);
          if (length > MAX_BODY) request.destroy(new Error(`more than ${MAX_BODY} bytes`));
        });
        response.on('error', (error) => fail(error.message));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      });
      request.end(body);
    });
