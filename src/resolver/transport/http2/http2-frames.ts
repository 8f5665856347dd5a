// HTTP/2 frames (RFC 9113, 4 and 6).
export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const flags = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

export const errorCodes = {
  none: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  streamClosed: 5,
  frameSize: 6,
  refused: 7,
  cancel: 8,
  compression: 9,
  enhanceYourCalm: 11,
} as const;
export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes];

/** Handles a frame whose payload is in `bytes` from `at` to `end`. A returned error is a connection error. */
export type TakeFrame = (flag: number, stream: number, bytes: Buffer, at: number, end: number) => ErrorCode | undefined;

export const settings = {
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindow: 4,
  maxFrame: 5,
  maxHeaderList: 6,
} as const;

export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
export const FRAME_HEAD = 9;
/** Maximum frame length that every peer accepts without a setting. */
export const MAX_FRAME = 16_384;
export const DEFAULT_WINDOW = 65_535;
export const MAX_WINDOW = 2 ** 31 - 1;

/** Writes the frame header of nine bytes. */
export function writeFrameHead(
  { bytes, at }: { readonly bytes: Uint8Array; readonly at: number },
  length: number,
  type: number,
  flag: number,
  stream: number,
): void {
  bytes[at] = length >>> 16;
  bytes[at + 1] = length >>> 8;
  bytes[at + 2] = length;
  bytes[at + 3] = type;
  bytes[at + 4] = flag;
  writeLong(bytes, at + 5, stream);
}

export function writeLong(into: Uint8Array, at: number, value: number): void {
  into[at] = value >>> 24;
  into[at + 1] = value >>> 16;
  into[at + 2] = value >>> 8;
  into[at + 3] = value;
}

/** 31 bits; the first bit is reserved. */
export const readLong = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! & 0x7f) << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;

/** A complete SETTINGS frame. */
export function settingsFrame(entries: readonly (readonly [id: number, value: number])[]): Buffer {
  const frame = Buffer.alloc(FRAME_HEAD + entries.length * 6);
  writeFrameHead({ bytes: frame, at: 0 }, entries.length * 6, frameTypes.settings, 0, 0);
  entries.forEach(([id, value], nth) => {
    frame[FRAME_HEAD + nth * 6 + 1] = id;
    writeLong(frame, FRAME_HEAD + nth * 6 + 2, value);
  });
  return frame;
}
