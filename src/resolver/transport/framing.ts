// On a stream, every message has a length prefix of two bytes (RFC 1035, 4.2.2) and may be split anywhere.

const PREFIX = 2;
const MIN_MESSAGE = 12;
const FIRST_ROOM = 512;

/** Result of feeding bytes: all read; paused, because the reader is busy; or not DNS. */
export type Fed = 'read' | 'held' | 'broken';

export type Framing = {
  /**
   * Passes every complete message to `each`, without copying where possible. `each` returns whether to continue; the
   * remaining bytes are held.
   */
  readonly feed: (chunk: Uint8Array) => Fed;
  /** Continues with the held bytes. */
  readonly resume: () => Fed;
  /** Whether a message is incomplete. */
  readonly hasPart: () => boolean;
};

export function createFraming(onMessage: (bytes: Uint8Array, at: number, length: number) => boolean): Framing {
  const nothing = new Uint8Array();
  let part: Uint8Array = nothing;
  let have = 0;
  let held: Uint8Array = nothing;

  /** Appends to the incomplete message; returns the number of bytes that belong to it. */
  const add = (chunk: Uint8Array, at: number): number => {
    const totalLength = have < PREFIX ? PREFIX : PREFIX + two(part, 0);
    const count = Math.min(totalLength - have, chunk.length - at);
    // The buffer grows with the received bytes, not with the announced length, so that a length prefix alone does not allocate 64 KB.
    if (have + count > part.length) {
      const room = Math.min(totalLength, Math.max(FIRST_ROOM, 2 * part.length, have + count));
      part = joined(part, new Uint8Array(room - part.length));
    }
    part.set(chunk.subarray(at, at + count), have);
    have += count;
    return count;
  };

  const feed = (chunk: Uint8Array): Fed => {
    let at = 0;
    while (at < chunk.length) {
      const left = chunk.length - at;
      if (have > 0 || left < PREFIX || left < PREFIX + two(chunk, at)) {
        at += add(chunk, at);
        if (have < PREFIX) continue;
        const length = two(part, 0);
        if (length < MIN_MESSAGE) return 'broken';
        if (have < PREFIX + length) continue;
        const message = part;
        part = nothing;
        have = 0;
        if (onMessage(message, PREFIX, length)) continue;
      } else {
        const length = two(chunk, at);
        if (length < MIN_MESSAGE) return 'broken';
        at += PREFIX + length;
        if (onMessage(chunk, at - length, length)) continue;
      }
      held = chunk.subarray(at);
      return 'held';
    }
    return 'read';
  };

  const release = (): Uint8Array => {
    const released = held;
    held = nothing;
    return released;
  };

  return {
    feed: (chunk) => feed(held.length === 0 ? chunk : joined(release(), chunk)),
    resume: () => feed(release()),
    hasPart: () => have > 0,
  };
}

const two = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!;

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
