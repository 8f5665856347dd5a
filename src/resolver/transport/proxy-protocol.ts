import { v4At } from '../identity/address-key.ts';
import type { DnsRequest } from './listener.ts';

// PROXY protocol, version 2: a proxy sends the address of its client before the bytes it forwards.

export type ProxyHeader =
  /** The header is incomplete. */
  | { readonly kind: 'more' }
  | { readonly kind: 'malformed' }
  /** The proxy itself is the client (a health check), or the header has no usable address. The addresses of the connection apply. */
  | { readonly kind: 'local'; readonly length: number }
  | {
      readonly kind: 'proxied';
      readonly length: number;
      readonly client: Uint8Array;
      readonly clientPort: number;
      readonly local: Uint8Array;
      readonly localPort: number;
    };

const signature = Uint8Array.of(0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a);
const FIXED_LENGTH = 16;
// Many times the size of two IPv6 addresses and common extensions. The maximum of the protocol, 64 KB per connection, would help attackers.
const MAX_LENGTH = 2048;

const commands: Readonly<Record<number, 'local' | 'proxy'>> = { 32: 'local', 33: 'proxy' };
// Address length by the byte for family and protocol. Stream and datagram are treated alike.
const addressLengths: Readonly<Record<number, number>> = { 0: 0, 17: 4, 18: 4, 33: 16, 34: 16 };

const more = { kind: 'more' } as const;
const malformed = { kind: 'malformed' } as const;

/** Parses the header at the start of these bytes. The caller decides whether the sender is trusted. */
export function readProxyHeader(bytes: Uint8Array, at: number, length: number): ProxyHeader {
  for (let i = 0; i < Math.min(length, signature.length); i++) if (bytes[at + i] !== signature[i]) return malformed;
  if (length < FIXED_LENGTH) return more;
  const command = commands[bytes[at + 12]!];
  const addressLength = addressLengths[bytes[at + 13]!];
  const rest = two(bytes, at + 14);
  const totalLength = FIXED_LENGTH + rest;
  if (command === undefined || totalLength > MAX_LENGTH) return malformed;
  // Addresses in a health check are ignored.
  if (command === 'local') return length < totalLength ? more : { kind: 'local', length: totalLength };
  if (addressLength === undefined) return malformed;
  const ports = FIXED_LENGTH + 2 * addressLength;
  const extras = addressLength === 0 ? FIXED_LENGTH : ports + 4;
  if (extras > totalLength) return malformed;
  if (length < totalLength) return more;
  if (!areExtrasWhole(bytes, at + extras, at + totalLength)) return malformed;
  if (addressLength === 0) return { kind: 'local', length: totalLength };
  const from = at + FIXED_LENGTH;
  return {
    kind: 'proxied',
    length: totalLength,
    client: addressAt(bytes, from, addressLength),
    clientPort: two(bytes, at + ports),
    local: addressAt(bytes, from + addressLength, addressLength),
    localPort: two(bytes, at + ports + 2),
  };
}

const two = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!;

/** A copy: the slice of a Buffer shares its memory. */
function addressAt(bytes: Uint8Array, at: number, length: number): Uint8Array {
  const address = new Uint8Array(bytes.subarray(at, at + length));
  return address.subarray(Math.max(0, v4At(address)));
}

/** Extensions are ignored, but a header with wrong lengths is rejected as a whole. */
function areExtrasWhole(bytes: Uint8Array, from: number, end: number): boolean {
  let at = from;
  while (at + 3 <= end) at += 3 + two(bytes, at + 1);
  return at === end;
}

/** For datagrams, which each have a header: the query remains. False if the datagram has none. */
export function stripProxyHeader(request: DnsRequest): boolean {
  const header = readProxyHeader(request.bytes, request.at, request.length);
  if (header.kind === 'malformed' || header.kind === 'more') return false;
  request.at += header.length;
  request.length -= header.length;
  if (header.kind === 'local') return true;
  request.client = header.client;
  request.clientPort = header.clientPort;
  request.local = header.local;
  return true;
}
