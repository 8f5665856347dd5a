import type { Origin } from './connections.ts';
import { writeJson } from './doh-json.ts';
import { type DohHead, type Form, isQuery, MAX_MESSAGE, type Refusal, readLogin, refusals } from './doh-request.ts';
import { forwardedClient } from './forwarded-for.ts';
import type { Answers, DnsRequest, IsTrusted } from './listener.ts';

export type Reply = {
  readonly status: number;
  readonly type: string;
  /** In seconds. */
  readonly maxAge?: number;
  readonly allow?: string;
  readonly body: Uint8Array;
};

export type ExchangeOptions = {
  readonly answers: Answers;
  /** Seconds for which HTTP caches may store the answer (RFC 8484, 5.1). */
  readonly maxAge: (bytes: Uint8Array, at: number, length: number) => number;
  /** HTTP proxies whose X-Forwarded-For header is trusted. */
  readonly forwarders?: IsTrusted | undefined;
};

type Query = { readonly bytes: Uint8Array; readonly form: Form; readonly element: string | undefined };

export type Sender = { readonly origin: Origin; readonly serverName: string | undefined };

/** `respond` without a reply drops the query. */
export type Exchange = (
  query: Query,
  head: DohHead,
  sender: Sender,
  respond: (reply: Reply | undefined) => void,
) => void;

export const refuse = ({ status, text, allow }: Refusal): Reply => ({
  status,
  type: 'text/plain',
  body: Buffer.from(`${text}\n`),
  ...(allow === undefined ? {} : { allow }),
});

/** Answers a query in wire format with an HTTP reply, for HTTP/1.1 and HTTP/2. */
export function createExchange({ answers, maxAge, forwarders }: ExchangeOptions): Exchange {
  const scratch = Buffer.alloc(MAX_MESSAGE);

  const replyWith = (bytes: Uint8Array, form: Form): Reply => {
    const seconds = maxAge(bytes, 0, bytes.length);
    if (form === 'message') return { status: 200, type: 'application/dns-message', maxAge: seconds, body: bytes };
    const json = writeJson(bytes);
    // Unreachable for well-formed answers; report the error instead of dropping the query.
    if (json === undefined) return refuse({ status: 502, text: 'The answer cannot be shown as JSON.' });
    return { status: 200, type: 'application/dns-json', maxAge: seconds, body: Buffer.from(json) };
  };

  return (query, head, sender, respond) => {
    if (!isQuery(query.bytes)) {
      respond(refuse(refusals.noMessage));
      return;
    }
    const request = requestOf(query, head, sender, forwarders);
    const length = answers.answerSync(request, scratch, 0, MAX_MESSAGE);
    if (length > 0) {
      const bytes = Buffer.allocUnsafe(length);
      scratch.copy(bytes, 0, 0, length);
      respond(replyWith(bytes, query.form));
    } else if (length < 0) answers.answerAsync(request, (bytes) => respond(bytes && replyWith(bytes, query.form)));
    else respond(undefined);
  };
}

function requestOf(
  { bytes, element }: Query,
  head: DohHead,
  { origin, serverName }: Sender,
  forwarders: IsTrusted | undefined,
): DnsRequest {
  const { client, clientPort, local } = origin;
  const request: DnsRequest = { bytes, at: 0, length: bytes.length, transport: 'doh', client, clientPort, local };
  if (serverName !== undefined) request.serverName = serverName;
  if (element !== undefined) request.path = element;
  const login = readLogin(head.authorization);
  if (login) request.login = login;
  // Read for every request, because requests of several clients may share a connection.
  if (forwarders) {
    request.client = forwardedClient(client, head.forwardedFor, forwarders);
    if (request.client !== client) request.clientPort = 0;
  }
  return request;
}
