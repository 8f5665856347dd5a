import { FRAME_HEAD, writeFrameHead, writeLong } from './http2-frames.ts';

const SLAB = 16_384;
/** Less than this is not worth keeping for the next turn. */
const WORTH_KEEPING = 1024;

export type Outbox = {
  /** Where to write, `room` bytes at least; `wrote` says how many they were. */
  bytes: Buffer;
  at: number;
  readonly reserve: (room: number) => void;
  /** A frame of at most 8 bytes, given as one or two numbers of 32 bits. */
  readonly frame: (type: number, flag: number, stream: number, ...words: readonly number[]) => void;
  readonly flush: () => void;
};

/** Gathers frames, so that all that one turn has to say is one write. What is written must not change any more: memory is not used again. */
export function createOutbox(send: (bytes: Buffer) => void): Outbox {
  let from = 0;
  const outbox: Outbox = {
    bytes: Buffer.alloc(0),
    at: 0,
    reserve(room) {
      if (outbox.at + room <= outbox.bytes.length) return;
      outbox.flush();
      if (outbox.at + room <= outbox.bytes.length) return;
      outbox.bytes = Buffer.allocUnsafeSlow(Math.max(SLAB, room));
      outbox.at = 0;
      from = 0;
    },
    frame(type, flag, stream, ...words) {
      outbox.reserve(FRAME_HEAD + words.length * 4);
      writeFrameHead(outbox, words.length * 4, type, flag, stream);
      outbox.at += FRAME_HEAD;
      for (const word of words) {
        writeLong(outbox.bytes, outbox.at, word);
        outbox.at += 4;
      }
    },
    flush() {
      if (outbox.at === from) return;
      const bytes = outbox.bytes.subarray(from, outbox.at);
      from = outbox.at;
      if (outbox.bytes.length - outbox.at < WORTH_KEEPING) {
        outbox.bytes = Buffer.alloc(0);
        outbox.at = 0;
        from = 0;
      }
      send(bytes);
    },
  };
  return outbox;
}
