import { FRAME_HEAD, writeFrameHead, writeLong } from './http2-frames.ts';

const SLAB = 16_384;
/** A remainder of the buffer smaller than this is not used. */
const WORTH_KEEPING = 1024;

export type Outbox = {
  /** Buffer, with at least `room` bytes from `at` on after `reserve`. */
  bytes: Buffer;
  /** Write position, which the caller advances. */
  at: number;
  readonly reserve: (room: number) => void;
  /** A frame with a payload of one or two 32-bit numbers. */
  readonly frame: (type: number, flag: number, stream: number, ...words: readonly number[]) => void;
  readonly flush: () => void;
};

/** Collects frames for one write per event-loop turn. Written memory is not reused, because the socket may still refer to it. */
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
