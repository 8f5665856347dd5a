import type { Agent, IncomingMessage, OutgoingHttpHeaders, RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { TcpSocketConnectOpts } from 'node:net';
import { constants } from 'node:os';
import type { Failure } from '../kit/retry.ts';
import { checkedLookup } from './check-target.ts';
import type { Fail } from './download-error.ts';
import type { DownloadSettings } from './download-settings.ts';

// An import of node:http evaluates all its exports, among them undici, which costs 60 ms of CPU in every thread.
const { Agent: HttpAgent, request: requestHttp } = process.getBuiltinModule('node:http');

export type Hop = { url: URL; headers: OutgoingHttpHeaders; signal: AbortSignal };

const MAX_FIELDS = 500;

// A host's addresses are tried in turn. Node's 250 ms for each are less than a slow line needs to reach any of them.
const ADDRESS_TIMEOUT_MS = 1000;

/** Sends one GET and answers as soon as the header is in. Whoever gets the response must read or destroy it. */
export function openResponse(hop: Hop, settings: DownloadSettings, fail: Fail): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const isSecure = hop.url.protocol === 'https:';
  const options: RequestOptions & Pick<TcpSocketConnectOpts, 'autoSelectFamilyAttemptTimeout'> = {
    // A connection of its own, closed with the response: nothing is left that could keep the process alive,
    // and no request can meet a connection that was checked for another name.
    agent: proxyAgent(isSecure, settings) ?? false,
    headers: hop.headers,
    lookup: checkedLookup(hop.url, settings, () => fail({ kind: 'refused address' })),
    signal: hop.signal,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
  };
  const request = (isSecure ? requestHttps : requestHttp)(hop.url, options);

  const tooSlow = setTimeout(() => request.destroy(fail({ kind: 'timeout' })), settings.connectTimeoutMs);
  request.once('socket', (socket) => {
    // A connection through a proxy may be handed over when it stands already.
    if (!socket.connecting && !isHandshaking(socket)) clearTimeout(tooSlow);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(tooSlow));
  });
  let opened: IncomingMessage | undefined;
  request.once('response', (response) => {
    opened = response;
    // Node drops fields past its own, higher limit without a word, and a Content-Encoding may be among them.
    if (response.rawHeaders.length > 2 * MAX_FIELDS) request.destroy(fail({ kind: 'bad response' }));
    else resolve(response);
  });
  request.on('error', (error) => {
    reject(asDownloadError(error, fail));
    // Node takes any end of the connection, also a reset or our own abort, for the good end of a body that is to last
    // until the connection ends.
    opened?.destroy(error);
  });
  request.once('close', () => {
    clearTimeout(tooSlow);
    // To a server that switches protocols unasked Node closes the connection, and tells nobody of an error.
    reject(fail({ kind: 'bad response' }));
  });
  request.end();
  return promise;
}

function proxyAgent(isSecure: boolean, { proxies, endpoints }: DownloadSettings): Agent | undefined {
  if (!proxies || endpoints !== 'any') return undefined;
  const options = { keepAlive: false, proxyEnv: proxies };
  return isSecure ? new HttpsAgent(options) : new HttpAgent(options);
}

const isHandshaking = (socket: object): boolean => 'secureConnecting' in socket && socket.secureConnecting === true;

function asDownloadError(error: Error, fail: Fail): Error {
  const failure = failureOf(error);
  if (!failure) return error;
  // A parser's error holds the bytes it could not parse. Those are not ours to show, so it does not become the cause.
  return failure.kind === 'bad response' ? fail(failure) : fail(failure, error);
}

/** What a connection's error means; nothing for an error that is no connection's, such as one of our own. */
function failureOf(error: Error): Failure | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === undefined || code === 'ABORT_ERR') return undefined;
  if (code.startsWith('HPE_')) return { kind: 'bad response' };
  if (isSystemCode(code)) return { kind: 'unreachable', code };
  // The reasons to distrust a certificate are OpenSSL's and have no common beginning; Node's own errors have.
  return /^ERR_(?!TLS_|SSL_|OSSL_)/.test(code) ? undefined : { kind: 'tls', code };
}

// OpenSSL reports as EPROTO what it could not make sense of.
const isSystemCode = (code: string): boolean =>
  code !== 'EPROTO' && (code in constants.errno || code === 'ENOTFOUND' || code.startsWith('EAI_'));
