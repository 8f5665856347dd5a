/*
 * Answered queries on their way from the thread that answered to the one that keeps them: a ring in shared memory with one
 * writer and one reader. A record that finds no room is dropped and counted; nobody ever waits.
 */
const word = { head: 0, tail: 1, written: 2, dropped: 3 } as const;
const STATE_BYTES = 64;

/** What is known of an answered query, in numbers. Reused by whoever writes or reads. */
export type RingRecord = {
  /** Epoch milliseconds. */
  time: number;
  /** Number of the device's entry, as the directory gives them out. */
  who: number;
  type: number;
  rcode: number;
  /** Places in the tables of domain/query-record. */
  protocol: number;
  status: number;
  /** NOTHING where no filter had a say. */
  source: number;
  isDnssec: boolean;
  /** Number of the list, and which of its rules; or its rule as text. NOTHING where there is none. */
  list: number;
  slot: number;
  rule: Uint8Array;
  ruleLength: number;
  client: Uint8Array;
  clientLength: number;
  /** The first address of the answer. */
  address: Uint8Array;
  addressLength: number;
  /** As on the wire. */
  name: Uint8Array;
  nameAt: number;
  nameLength: number;
};

export const NOTHING = 0xffffffff;
export const NO_SOURCE = 0xff;

const field = {
  size: 0,
  ruleLength: 2,
  time: 8,
  who: 16,
  list: 20,
  slot: 24,
  type: 28,
  protocol: 30,
  status: 31,
  source: 32,
  rcode: 33,
  isDnssec: 34,
  nameLength: 35,
  clientLength: 36,
  addressLength: 37,
  bytes: 40,
} as const;

const ALIGN = 8;
const MAX_RULE = 2048;

export const newRingRecord = (): RingRecord => ({
  time: 0,
  who: 0,
  type: 0,
  rcode: 0,
  protocol: 0,
  status: 0,
  source: NO_SOURCE,
  isDnssec: false,
  list: NOTHING,
  slot: NOTHING,
  rule: new Uint8Array(MAX_RULE),
  ruleLength: 0,
  client: new Uint8Array(16),
  clientLength: 0,
  address: new Uint8Array(16),
  addressLength: 0,
  name: new Uint8Array(255),
  nameAt: 0,
  nameLength: 0,
});

export const createRingMemory = (bytes: number): SharedArrayBuffer =>
  new SharedArrayBuffer(STATE_BYTES + 2 ** Math.ceil(Math.log2(bytes)));

function viewRing(memory: SharedArrayBuffer) {
  const state = new Int32Array(memory, 0, STATE_BYTES / 4);
  const ring = new Uint8Array(memory, STATE_BYTES);
  return { state, ring, view: new DataView(memory, STATE_BYTES), mask: ring.length - 1 };
}

export function openRingWriter(memory: SharedArrayBuffer) {
  const { state, ring, view, mask } = viewRing(memory);

  /** The bytes of a record do not lie across the end of the ring: an empty size there says "from the start again". */
  function room(size: number): number {
    const head = state[word.head]!;
    const at = head & mask;
    const left = mask + 1 - at;
    const needed = left < size ? left + size : size;
    if (((head + needed - Atomics.load(state, word.tail)) | 0) > mask + 1) return -1;
    if (left >= size) return at;
    view.setUint16(at, 0, true);
    state[word.head] = (head + left) | 0;
    return 0;
  }

  return {
    put(record: RingRecord): boolean {
      const { ruleLength, nameLength, clientLength, addressLength } = record;
      const size = (field.bytes + nameLength + clientLength + addressLength + ruleLength + ALIGN - 1) & ~(ALIGN - 1);
      const at = room(size);
      if (at === -1) {
        state[word.dropped] = state[word.dropped]! + 1;
        return false;
      }
      view.setUint16(at + field.size, size, true);
      view.setUint16(at + field.ruleLength, ruleLength, true);
      view.setFloat64(at + field.time, record.time, true);
      view.setUint32(at + field.who, record.who, true);
      view.setUint32(at + field.list, record.list, true);
      view.setUint32(at + field.slot, record.slot, true);
      view.setUint16(at + field.type, record.type, true);
      ring[at + field.protocol] = record.protocol;
      ring[at + field.status] = record.status;
      ring[at + field.source] = record.source;
      ring[at + field.rcode] = record.rcode;
      ring[at + field.isDnssec] = record.isDnssec ? 1 : 0;
      ring[at + field.nameLength] = nameLength;
      ring[at + field.clientLength] = clientLength;
      ring[at + field.addressLength] = addressLength;
      let to = at + field.bytes;
      // Short runs: a loop costs less than a view and a call.
      for (let i = 0; i < nameLength; i++) ring[to++] = record.name[record.nameAt + i]!;
      for (let i = 0; i < clientLength; i++) ring[to++] = record.client[i]!;
      for (let i = 0; i < addressLength; i++) ring[to++] = record.address[i]!;
      for (let i = 0; i < ruleLength; i++) ring[to++] = record.rule[i]!;
      state[word.written] = state[word.written]! + 1;
      Atomics.store(state, word.head, (state[word.head]! + size) | 0);
      return true;
    },
  };
}

export type RingWriter = ReturnType<typeof openRingWriter>;

export function openRingReader(memory: SharedArrayBuffer) {
  const { state, ring, view, mask } = viewRing(memory);

  function read(at: number, into: RingRecord): void {
    into.time = view.getFloat64(at + field.time, true);
    into.who = view.getUint32(at + field.who, true);
    into.list = view.getUint32(at + field.list, true);
    into.slot = view.getUint32(at + field.slot, true);
    into.type = view.getUint16(at + field.type, true);
    into.protocol = ring[at + field.protocol]!;
    into.status = ring[at + field.status]!;
    into.source = ring[at + field.source]!;
    into.rcode = ring[at + field.rcode]!;
    into.isDnssec = ring[at + field.isDnssec] === 1;
    into.nameLength = ring[at + field.nameLength]!;
    into.clientLength = ring[at + field.clientLength]!;
    into.addressLength = ring[at + field.addressLength]!;
    into.ruleLength = view.getUint16(at + field.ruleLength, true);
    into.nameAt = 0;
    let from = at + field.bytes;
    for (let i = 0; i < into.nameLength; i++) into.name[i] = ring[from++]!;
    for (let i = 0; i < into.clientLength; i++) into.client[i] = ring[from++]!;
    for (let i = 0; i < into.addressLength; i++) into.address[i] = ring[from++]!;
    for (let i = 0; i < into.ruleLength; i++) into.rule[i] = ring[from++]!;
  }

  return {
    /** Takes the oldest record out; false when there is none. */
    take(into: RingRecord): boolean {
      let tail = state[word.tail]!;
      if (tail === Atomics.load(state, word.head)) return false;
      if (view.getUint16(tail & mask, true) === 0) tail = (tail + mask + 1 - (tail & mask)) | 0;
      const at = tail & mask;
      read(at, into);
      Atomics.store(state, word.tail, (tail + view.getUint16(at + field.size, true)) | 0);
      return true;
    },
    /** So far, in all; the numbers wrap. */
    counts: () => ({
      written: Atomics.load(state, word.written) >>> 0,
      dropped: Atomics.load(state, word.dropped) >>> 0,
    }),
  };
}
