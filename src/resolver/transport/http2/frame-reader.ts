import { type ErrorCode, errorCodes, FRAME_HEAD, MAX_FRAME, preface, readLong } from './http2-frames.ts';

export type FrameHead = { readonly type: number; readonly flag: number; readonly stream: number };

export type FrameReader = {
  /** Reads a chunk and returns the first error; nothing is read after it. */
  readonly read: (chunk: Buffer) => ErrorCode | undefined;
};

/** Splits the input into the connection preface and frames. Only incomplete frames are copied, and each byte once. */
export function createFrameReader(
  take: (head: FrameHead, bytes: Buffer, at: number, stop: number) => ErrorCode | undefined,
): FrameReader {
  // Reused for every frame.
  const head = { type: 0, flag: 0, stream: 0 };
  let isGreeted = false;
  let partial: Buffer | undefined;
  let partialLength = 0;

  const lengthOf = (bytes: Uint8Array, at: number): number =>
    isGreeted ? FRAME_HEAD + ((bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!) : preface.length;

  const takeFrame = (bytes: Buffer, at: number, length: number): ErrorCode | undefined => {
    if (isGreeted) {
      head.type = bytes[at + 3]!;
      head.flag = bytes[at + 4]!;
      head.stream = readLong(bytes, at + 5);
      return take(head, bytes, at + FRAME_HEAD, at + length);
    }
    isGreeted = true;
    return preface.compare(bytes, at, at + length) === 0 ? undefined : errorCodes.protocol;
  };

  /** Copies the bytes of the current incomplete frame; returns their number. */
  const copyPartial = (chunk: Buffer, at: number): number => {
    partial ??= Buffer.allocUnsafe(FRAME_HEAD + MAX_FRAME);
    const needed = partialLength < FRAME_HEAD ? FRAME_HEAD : lengthOf(partial, 0);
    const copied = chunk.copy(partial, partialLength, at, Math.min(chunk.length, at + needed - partialLength));
    partialLength += copied;
    return copied;
  };

  const takePartial = (): ErrorCode | undefined => {
    if (partialLength < FRAME_HEAD || partialLength < lengthOf(partial!, 0)) return undefined;
    const bytes = partial!;
    const length = partialLength;
    partial = undefined;
    partialLength = 0;
    return takeFrame(bytes, 0, length);
  };

  const isTooLong = (bytes: Uint8Array, at: number): boolean => lengthOf(bytes, at) > FRAME_HEAD + MAX_FRAME;

  return {
    read(chunk) {
      let at = 0;
      let errorCode: ErrorCode | undefined;
      while (at < chunk.length && errorCode === undefined) {
        const left = chunk.length - at;
        if (partialLength === 0 && left >= FRAME_HEAD && left >= lengthOf(chunk, at)) {
          const length = lengthOf(chunk, at);
          errorCode = length > FRAME_HEAD + MAX_FRAME ? errorCodes.frameSize : takeFrame(chunk, at, length);
          at += length;
        } else {
          at += copyPartial(chunk, at);
          if (partialLength >= FRAME_HEAD && isTooLong(partial!, 0)) return errorCodes.frameSize;
          errorCode = takePartial();
        }
      }
      return errorCode;
    },
  };
}
