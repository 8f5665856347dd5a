import { readUint16, writeUint16 } from './bytes.ts';
import type { EdnsOption } from './message.ts';
import { optionCodes } from './numbers.ts';

/** Extended DNS error codes in use (RFC 8914, 4). */
export const extendedErrors = {
  other: 0,
  staleAnswer: 3,
  forgedAnswer: 4,
  cachedError: 13,
  notReady: 14,
  blocked: 15,
  censored: 16,
  filtered: 17,
  prohibited: 18,
  staleNxdomain: 19,
  notSupported: 21,
  noReachableAuthority: 22,
  networkError: 23,
  invalidData: 24,
} as const;

export type ExtendedError = { readonly code: number; readonly text: string };

/** Padding block size on encrypted transports (RFC 8467, 4.1). */
export const paddingBlocks = { query: 128, answer: 468 } as const;

const MAX_TEXT_LENGTH = 64;

/** The text is truncated to fit a datagram, at a character boundary. */
export function extendedErrorOption({ code, text }: ExtendedError): EdnsOption {
  const data = new Uint8Array(2 + MAX_TEXT_LENGTH);
  writeUint16(data, 0, code);
  const { written } = new TextEncoder().encodeInto(text, data.subarray(2));
  return { code: optionCodes.extendedError, data: data.slice(0, 2 + written) };
}

export function readExtendedError(data: Uint8Array): ExtendedError | undefined {
  if (data.length < 2) return undefined;
  return { code: readUint16(data, 0), text: new TextDecoder().decode(data.subarray(2)).replace(/\0+$/, '') };
}

/** Idle timeout of a connection in units of 100 ms (RFC 7828). Sent over TCP and TLS only. */
export const keepaliveOption = (tenths: number): EdnsOption => ({
  code: optionCodes.keepalive,
  data: Uint8Array.of(tenths >>> 8, tenths),
});

export const findOption = (options: readonly EdnsOption[], code: number): Uint8Array | undefined =>
  options.find((option) => option.code === code)?.data;
