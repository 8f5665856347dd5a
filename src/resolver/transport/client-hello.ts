import type { Peeked } from './peek.ts';

// Parses the ClientHello (RFC 8446, 4.1.2; the same in TLS 1.2): server name and status request (RFC 6066, 3 and 8), protocols (RFC 7301),
// versions and signature schemes (RFC 8446, 4.2).

const HANDSHAKE_RECORD = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const STATUS_REQUEST = 5;
const SIGNATURE_SCHEMES = 13;
const PROTOCOLS = 16;
const VERSIONS = 43;
const HOST_NAME = 0;
const OCSP = 1;
const TLS_1_3 = 0x0304;
const RECORD_HEAD = 5;
const MESSAGE_HEAD = 4;
const VERSION_AND_RANDOM = 34;
// Many times the size of a post-quantum key share and a session ticket.
const MAX_BYTES = 16_384;

const malformed = { kind: 'malformed' } as const;

/** The parts of a ClientHello that decide how it is served. */
export type ClientHello = {
  readonly serverName: string | undefined;
  /** Application protocols. */
  readonly protocols: readonly string[];
  /** Whether the client asks for a stapled OCSP response. */
  readonly asksForStatus: boolean;
  readonly offersTls13: boolean;
  readonly signatureSchemes: readonly number[];
};

/** Leaves all bytes in the socket: OpenSSL reads and validates them again. */
export function readClientHello(bytes: Uint8Array): Peeked<ClientHello> {
  const message = handshakeBytes(bytes);
  if (!message || (message.length > 0 && message[0] !== CLIENT_HELLO)) return malformed;
  const length = message.length < MESSAGE_HEAD ? 0 : (message[1]! << 16) | two(message, 2);
  const isWhole = message.length >= MESSAGE_HEAD && message.length >= MESSAGE_HEAD + length;
  if (isWhole) return { kind: 'read', used: 0, value: readExtensions(message, MESSAGE_HEAD, MESSAGE_HEAD + length) };
  return length > MAX_BYTES || bytes.length > MAX_BYTES ? malformed : { kind: 'more' };
}

/** Payload of the records, which may split a message anywhere; undefined if they are not handshake records. */
function handshakeBytes(bytes: Uint8Array): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] !== HANDSHAKE_RECORD || (bytes[at + 1] ?? 3) !== 3) return undefined;
    if (at + RECORD_HEAD > bytes.length) break;
    const end = at + RECORD_HEAD + two(bytes, at + 3);
    parts.push(bytes.subarray(at + RECORD_HEAD, end));
    at = end;
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

function readExtensions(hello: Uint8Array, from: number, end: number): ClientHello {
  const found: { -readonly [Key in keyof ClientHello]: ClientHello[Key] } = {
    serverName: undefined,
    protocols: [],
    asksForStatus: false,
    offersTls13: false,
    signatureSchemes: [],
  };
  let at = from + VERSION_AND_RANDOM;
  at += 1 + (hello[at] ?? 0); // session
  at += 2 + two(hello, at); // ciphers
  at += 1 + (hello[at] ?? 0); // compression
  at += 2; // the length of all extensions, which end with the message
  while (at + 4 <= end) {
    const next = at + 4 + two(hello, at + 2);
    if (next > end) break;
    const extension = two(hello, at);
    if (extension === SERVER_NAME) found.serverName ??= hostName(hello, at + 4, next);
    if (extension === PROTOCOLS) found.protocols = protocolNames(hello, at + 4, next);
    if (extension === STATUS_REQUEST) found.asksForStatus = hello[at + 4] === OCSP;
    if (extension === VERSIONS) found.offersTls13 = numbers(hello, at + 5, next).includes(TLS_1_3);
    if (extension === SIGNATURE_SCHEMES) found.signatureSchemes = numbers(hello, at + 6, next);
    at = next;
  }
  return found;
}

/** Application-layer protocols (RFC 7301, 3.1). */
function protocolNames(hello: Uint8Array, from: number, end: number): readonly string[] {
  const names: string[] = [];
  for (let at = from + 2; at < end; at += 1 + hello[at]!)
    names.push(String.fromCharCode(...hello.subarray(at + 1, Math.min(end, at + 1 + hello[at]!))));
  return names;
}

function numbers(hello: Uint8Array, from: number, end: number): readonly number[] {
  const found: number[] = [];
  for (let at = from; at + 2 <= end; at += 2) found.push(two(hello, at));
  return found;
}

function hostName(hello: Uint8Array, from: number, end: number): string | undefined {
  const nameFrom = from + 5;
  const nameEnd = nameFrom + two(hello, from + 3);
  if (nameEnd > end || hello[from + 2] !== HOST_NAME) return undefined;
  const name = String.fromCharCode(...hello.subarray(nameFrom, nameEnd));
  return /^[\x21-\x7e]{1,255}$/.test(name) ? name : undefined;
}

const two = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
