import { readJsonQuestion } from './doh-json.ts';

export type DohHead = {
  readonly method: string;
  /** Including the query string. */
  readonly path: string;
  readonly contentType?: string | undefined;
  readonly contentLength?: string | undefined;
  readonly authorization?: string | undefined;
  readonly forwardedFor?: string | undefined;
};

export type Refusal = { readonly status: number; readonly text: string; readonly allow?: string };

/** Format of the answer: wire format (RFC 8484) or JSON. */
export type Form = 'message' | 'json';

export type DohRequest =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'query'; readonly bytes: Uint8Array; readonly form: Form; readonly element: string | undefined }
  /** The body is the query. */
  | { readonly kind: 'body'; readonly element: string | undefined };

export const MAX_MESSAGE = 65_535;
const MIN_MESSAGE = 12;
// Length of 65,535 bytes in base64url.
const MAX_ENCODED = 87_380;

const refused = (status: number, text: string, allow?: string): DohRequest => ({
  kind: 'refused',
  refusal: { status, text, ...(allow ? { allow } : {}) },
});

export const refusals = {
  bodyTooLong: { status: 413, text: `A DNS message has at most ${MAX_MESSAGE} bytes.` },
  headTooLong: { status: 431, text: 'The head of the request has too many fields or too long ones.' },
  noMessage: { status: 400, text: 'This is not a DNS query.' },
} as const satisfies Record<string, Refusal>;

/** Parses a request up to its body. */
export function readDohRequest(head: DohHead): DohRequest {
  const mark = head.path.indexOf('?');
  const end = mark < 0 ? head.path.length : mark;
  const slash = head.path.indexOf('/', 1);
  const pathEnd = slash < 0 || slash > end ? end : slash;
  const read = readers.get(head.path.slice(0, pathEnd));
  const element = head.path.slice(pathEnd + 1, end);
  if (!read || element.includes('/'))
    return refused(404, 'Not found. DNS queries are answered at /dns-query and /resolve.');
  const decoded = decode(element);
  if (decoded === undefined) return refused(400, 'The path is not valid percent-encoding.');
  return read(head, head.path.slice(end + 1), decoded === '' ? undefined : decoded);
}

/** Whether DNS queries are answered at this path; other paths may belong to the web interface. */
export function isDohPath(path: string): boolean {
  for (const dohPath of DOH_PATHS) {
    if (!path.startsWith(dohPath)) continue;
    const next = path.charCodeAt(dohPath.length);
    if (path.length === dohPath.length || next === SLASH || next === QUESTION_MARK) return true;
  }
  return false;
}

const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;

type Read = (head: DohHead, search: string, element: string | undefined) => DohRequest;

const readers: ReadonlyMap<string, Read> = new Map([
  ['/dns-query', readMessage],
  ['/resolve', readResolve],
]);
const DOH_PATHS = [...readers.keys()];

function readMessage(head: DohHead, search: string, element: string | undefined): DohRequest {
  if (head.method === 'POST') return readPost(head, element);
  if (head.method !== 'GET') return refused(405, 'Method not allowed: use GET or POST.', 'GET, POST');
  const encoded = dnsParameter(search);
  if (!encoded) return refused(400, 'The parameter dns is missing.');
  // Checked before decoding, to limit the work for long values.
  if (encoded.length > MAX_ENCODED) return refused(414, `The parameter dns has more than ${MAX_ENCODED} characters.`);
  if (!/^[\w-]+$/.test(encoded) || encoded.length % 4 === 1) return refused(400, 'The parameter dns is not base64url.');
  const bytes = Buffer.from(encoded, 'base64url');
  return isQuery(bytes) ? { kind: 'query', bytes, form: 'message', element } : refuseMessage;
}

const refuseMessage: DohRequest = { kind: 'refused', refusal: refusals.noMessage };

/** Long enough for a header, and not a response. All other errors get a DNS response. */
export const isQuery = (bytes: Uint8Array): boolean => bytes.length >= MIN_MESSAGE && (bytes[2]! & 0x80) === 0;

function readPost({ contentType = '', contentLength = '0' }: DohHead, element: string | undefined): DohRequest {
  if (!/^application\/dns-message\s*(?:;|$)/i.test(contentType))
    return refused(415, 'The content type must be application/dns-message.');
  if (Number(contentLength) > MAX_MESSAGE) return { kind: 'refused', refusal: refusals.bodyTooLong };
  return { kind: 'body', element };
}

function readResolve(head: DohHead, search: string, element: string | undefined): DohRequest {
  if (head.method !== 'GET') return refused(405, 'Method not allowed: use GET.', 'GET');
  const question = readJsonQuestion(search);
  return question.ok ? { kind: 'query', ...question.value, element } : refused(400, question.error);
}

function dnsParameter(search: string): string | undefined {
  const start = search.startsWith('dns=') ? 0 : search.indexOf('&dns=') + 1;
  if (start === 0 && !search.startsWith('dns=')) return undefined;
  const end = search.indexOf('&', start);
  const value = search.slice(start + 4, end < 0 ? undefined : end);
  return value.includes('%') && value.length <= 3 * MAX_ENCODED ? decode(value) : value;
}

function decode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** `Authorization: Basic …` (RFC 7617). Malformed credentials match no user, and are not treated as absent. */
export function readLogin(authorization: string | undefined): { user: string; password: string } | undefined {
  if (authorization === undefined) return undefined;
  const encoded = /^basic(?: +(.*))?$/i.exec(authorization);
  if (!encoded) return undefined;
  const text = Buffer.from(encoded[1] ?? '', 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? { user: '', password: '' } : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
