import { type Fault, FRAME_HEAD, faults, MAX_FRAME, preface, readLong } from './http2-frames.ts';

export type FrameHead = { readonly type: number; readonly flag: number; readonly stream: number };

export type FrameReader = {
  /** Reads a chunk and returns the first error; nothing is read after it. */
  readonly read: (chunk: Buffer) => Fault | undefined;
};

/** Splits the input into the connection preface and frames. Only incomplete frames are copied, and each byte once. */
export function createFrameReader(
  take: (head: FrameHead, bytes: Buffer, at: number, stop: number) => Fault | undefined,
): FrameReader {
  // Reused for every frame.
  const head = { type: 0, flag: 0, stream: 0 };
  let isGreeted = false;
  let held: Buffer | undefined;
  let heldLength = 0;

  const lengthOf = (bytes: Uint8Array, at: number): number =>
    isGreeted ? FRAME_HEAD + ((bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!) : preface.length;

  const takeWhole = (bytes: Buffer, at: number, length: number): Fault | undefined => {
    if (isGreeted) {
      head.type = bytes[at + 3]!;
      head.flag = bytes[at + 4]!;
      head.stream = readLong(bytes, at + 5);
      return take(head, bytes, at + FRAME_HEAD, at + length);
    }
    isGreeted = true;
    return preface.compare(bytes, at, at + length) === 0 ? undefined : faults.protocol;
  };

  /** Copies the bytes of the current incomplete frame; returns their number. */
  const hold = (chunk: Buffer, at: number): number => {
    held ??= Buffer.allocUnsafe(FRAME_HEAD + MAX_FRAME);
    const wanted = heldLength < FRAME_HEAD ? FRAME_HEAD : lengthOf(held, 0);
    const copied = chunk.copy(held, heldLength, at, Math.min(chunk.length, at + wanted - heldLength));
    heldLength += copied;
    return copied;
  };

  const takeHeld = (): Fault | undefined => {
    if (heldLength < FRAME_HEAD || heldLength < lengthOf(held!, 0)) return undefined;
    const bytes = held!;
    const length = heldLength;
    held = undefined;
    heldLength = 0;
    return takeWhole(bytes, 0, length);
  };

  const isTooLong = (bytes: Uint8Array, at: number): boolean => lengthOf(bytes, at) > FRAME_HEAD + MAX_FRAME;

  return {
    read(chunk) {
      let at = 0;
      let fault: Fault | undefined;
      while (at < chunk.length && fault === undefined) {
        const left = chunk.length - at;
        if (heldLength === 0 && left >= FRAME_HEAD && left >= lengthOf(chunk, at)) {
          const length = lengthOf(chunk, at);
          fault = length > FRAME_HEAD + MAX_FRAME ? faults.frameSize : takeWhole(chunk, at, length);
          at += length;
        } else {
          at += hold(chunk, at);
          if (heldLength >= FRAME_HEAD && isTooLong(held!, 0)) return faults.frameSize;
          fault = takeHeld();
        }
      }
      return fault;
    },
  };
}
