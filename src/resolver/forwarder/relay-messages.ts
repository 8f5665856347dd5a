/*
 * Queries for upstreams that only the resolver thread is connected to, and their replies. Format: number of the upstream, exchange and its
 * generation, length, message. An empty reply means that the query failed.
 */
const UPSTREAM = 0;
const EXCHANGE = 2;
const GENERATION = 6;
const LENGTH = 10;
const MESSAGE = 12;

const FIRST_ROOM = 16_384;

export type Relayed = {
  readonly upstream: number;
  readonly exchange: number;
  readonly generation: number;
  readonly message: Uint8Array;
};

/** Collects messages for another thread. */
export function collectRelayed() {
  let room = new Uint8Array(FIRST_ROOM);
  let view = new DataView(room.buffer);
  let used = 0;
  return {
    /** The first `length` bytes of `message`. */
    add({ upstream, exchange, generation, message }: Relayed, length: number = message.length): void {
      if (used + MESSAGE + length > room.length) {
        const larger = new Uint8Array(Math.max(room.length * 2, used + MESSAGE + length));
        larger.set(room);
        room = larger;
        view = new DataView(room.buffer);
      }
      view.setUint16(used + UPSTREAM, upstream);
      view.setUint32(used + EXCHANGE, exchange);
      view.setUint32(used + GENERATION, generation);
      view.setUint16(used + LENGTH, length);
      room.set(length === message.length ? message : message.subarray(0, length), used + MESSAGE);
      used += MESSAGE + length;
    },
    isEmpty: (): boolean => used === 0,
    /** All messages since the last call, in a new buffer that can be transferred. */
    take(): Uint8Array<ArrayBuffer> | undefined {
      if (used === 0) return undefined;
      const taken = room.slice(0, used);
      used = 0;
      return taken;
    },
  };
}

export function readRelayed(packed: Uint8Array, onRelayed: (relayed: Relayed) => void): void {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  for (let at = 0; at < packed.length; ) {
    const end = at + MESSAGE + view.getUint16(at + LENGTH);
    onRelayed({
      upstream: view.getUint16(at + UPSTREAM),
      exchange: view.getUint32(at + EXCHANGE),
      generation: view.getUint32(at + GENERATION),
      message: packed.subarray(at + MESSAGE, end),
    });
    at = end;
  }
}
