import type { Agent, IncomingMessage, OutgoingHttpHeaders, RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { TcpSocketConnectOpts } from 'node:net';
import { constants } from 'node:os';
import type { Failure } from '../kit/retry.ts';
import { checkedLookup } from './check-target.ts';
import type { Fail } from './download-error.ts';
import type { DownloadSettings } from './download-settings.ts';

// `import` of node:http evaluates all its exports, including undici, which costs 60 ms of CPU time per thread.
const { Agent: HttpAgent, request: requestHttp } = process.getBuiltinModule('node:http');

export type Hop = { url: URL; headers: OutgoingHttpHeaders; signal: AbortSignal };

const MAX_FIELDS = 500;

// A host's addresses are tried in turn. Node's default of 250 ms each is too short for slow connections.
const ADDRESS_TIMEOUT_MS = 1000;

/** Sends one GET and resolves with the response header. The caller must read or destroy the response. */
export function openResponse(hop: Hop, settings: DownloadSettings, fail: Fail): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const isSecure = hop.url.protocol === 'https:';
  const options: RequestOptions & Pick<TcpSocketConnectOpts, 'autoSelectFamilyAttemptTimeout'> = {
    // A separate connection per request: no idle connection keeps the process alive, and none that was checked for
    // another name is reused.
    agent: proxyAgent(isSecure, settings) ?? false,
    headers: hop.headers,
    lookup: checkedLookup(hop.url, settings, () => fail({ kind: 'refused address' })),
    signal: hop.signal,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
  };
  const request = (isSecure ? requestHttps : requestHttp)(hop.url, options);

  const tooSlow = setTimeout(() => request.destroy(fail({ kind: 'timeout' })), settings.connectTimeoutMs);
  request.once('socket', (socket) => {
    // A connection through a proxy may already be established.
    if (!socket.connecting && !isHandshaking(socket)) clearTimeout(tooSlow);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(tooSlow));
  });
  let opened: IncomingMessage | undefined;
  request.once('response', (response) => {
    opened = response;
    // Node silently drops fields beyond its own, higher limit, possibly a Content-Encoding.
    if (response.rawHeaders.length > 2 * MAX_FIELDS) request.destroy(fail({ kind: 'bad response' }));
    else resolve(response);
  });
  request.on('error', (error) => {
    reject(asDownloadError(error, fail));
    // For a body without a length, Node treats any end of the connection as regular, even a reset or our own abort.
    opened?.destroy(error);
  });
  request.once('close', () => {
    clearTimeout(tooSlow);
    // If a server switches protocols without a request, Node closes the connection without an error event.
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
  // A parser error is not used as the cause, because it contains bytes of the response, which must not be shown.
  return failure.kind === 'bad response' ? fail(failure) : fail(failure, error);
}

/** The failure for a connection error; undefined for other errors, such as our own. */
function failureOf(error: Error): Failure | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === undefined || code === 'ABORT_ERR') return undefined;
  if (code.startsWith('HPE_')) return { kind: 'bad response' };
  if (isSystemCode(code)) return { kind: 'unreachable', code };
  // Certificate errors of OpenSSL have no common prefix; Node's own errors have.
  return /^ERR_(?!TLS_|SSL_|OSSL_)/.test(code) ? undefined : { kind: 'tls', code };
}

// OpenSSL reports invalid protocol data as EPROTO.
const isSystemCode = (code: string): boolean =>
  code !== 'EPROTO' && (code in constants.errno || code === 'ENOTFOUND' || code.startsWith('EAI_'));
