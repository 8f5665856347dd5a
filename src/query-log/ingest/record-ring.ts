/*
 * Ring buffer in shared memory that carries query records from an answering thread to the ingest thread: one writer,
 * one reader. A record without room is dropped and counted; the writer never waits.
 */
const word = { head: 0, tail: 1, written: 2, dropped: 3 } as const;
const STATE_BYTES = 64;
/** The share of the ring that is used while the reader keeps up. The rest, which takes no memory before, is for when it falls behind. */
const USUAL_PART = 4;

/** A query record in numbers. Reused by the writer and by the reader. */
export type RingRecord = {
  /** Epoch milliseconds. */
  time: number;
  /** Milliseconds from receipt to answer. */
  latencyMs: number;
  /** Client id, assigned by the client registry. */
  clientId: number;
  type: number;
  rcode: number;
  /** Indexes into the tables of domain/query-record. */
  protocol: number;
  status: number;
  /** `NO_SOURCE` if no filter decided. */
  source: number;
  isDnssec: boolean;
  /** Number of the list, and the slot or the text of its rule; `NOTHING` for none. */
  list: number;
  slot: number;
  rule: Uint8Array;
  ruleLength: number;
  client: Uint8Array;
  clientLength: number;
  /** First address of the answer. */
  address: Uint8Array;
  addressLength: number;
  /** In wire format. */
  name: Uint8Array;
  nameAt: number;
  nameLength: number;
};

export const NOTHING = 0xffffffff;
const NO_SOURCE = 0xff;

/**
 * Layout of a record in 32-bit words: size in words, latency, two words of time, the fields below, then name,
 * rule, address and client, each padded with zeros to a word. The reader can compare records by words.
 */
export const field = {
  size: 0,
  latency: 1,
  time: 2,
  clientId: 4,
  list: 5,
  slot: 6,
  /** From the lowest bit: type (16), protocol (8), status (8). */
  kind: 7,
  /** Source (8), response code (8), length of the name (8), DNSSEC (1). */
  answer: 8,
  /** Lengths of rule (16), address (8) and client (8). */
  lengths: 9,
  bytes: 10,
} as const;

export const wordsFor = (bytes: number): number => (bytes + 3) >> 2;

const MAX_RULE = 2048;

export const newRingRecord = (): RingRecord => ({
  time: 0,
  latencyMs: 0,
  clientId: 0,
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
  const words = new Int32Array(memory, STATE_BYTES);
  const times = new Float64Array(memory, STATE_BYTES);
  return { state, words, times, bytes: new Uint8Array(memory, STATE_BYTES), mask: words.length - 1 };
}

export function openRingWriter(memory: SharedArrayBuffer) {
  const { state, words, times, bytes, mask } = viewRing(memory);

  // Published to the reader after the record is written.
  let head = state[word.head]!;
  // Last known value; the reader only advances it.
  let tail = state[word.tail]!;
  // The last continuation at the start, and the words that it left out.
  let [leftAt, leftOut] = [head, 0];
  const usual = (mask + 1) / USUAL_PART;
  let isRestUsed = false;
  const isRoomFor = (needed: number): boolean => ((head + needed - tail) | 0) <= mask + 1;

  /** Whether to continue at the start before the end is reached: memory behind `usual` is only used while the reader is behind. */
  function isEarly(at: number, needed: number): boolean {
    if (at < usual) return false;
    tail = Atomics.load(state, word.tail);
    const isCaughtUp = ((head - tail) | 0) <= usual / 2 && isRoomFor(needed);
    isRestUsed ||= !isCaughtUp;
    return isCaughtUp;
  }

  /** A record does not wrap around the end of the ring: size 0 means "continue at the start". */
  function room(size: number): number {
    const at = head & mask;
    const left = mask + 1 - at;
    const wraps = left < size || isEarly(at, left + size);
    const needed = wraps ? left + size : size;
    if (!isRoomFor(needed)) {
      tail = Atomics.load(state, word.tail);
      if (!isRoomFor(needed)) return -1;
    }
    if (!wraps) return at;
    words[at] = 0;
    [leftAt, leftOut] = [head, left];
    head = (head + left) | 0;
    return 0;
  }

  /** Returns the offset after the bytes. */
  function putBytes(at: number, from: Uint8Array, start: number, length: number): number {
    const end = at + wordsFor(length);
    if (length > 0) words[end - 1] = 0;
    // For short runs a loop is cheaper than `set` on a subarray.
    const first = at * 4;
    for (let i = 0; i < length; i++) bytes[first + i] = from[start + i]!;
    return end;
  }

  return {
    put(record: RingRecord): boolean {
      const { ruleLength, nameLength, clientLength, addressLength } = record;
      const used =
        field.bytes + wordsFor(nameLength) + wordsFor(ruleLength) + wordsFor(addressLength) + wordsFor(clientLength);
      // Times are 8 bytes: keep records 8-byte aligned.
      const size = used + (used & 1);
      const at = room(size);
      if (at === -1) {
        state[word.dropped] = state[word.dropped]! + 1;
        return false;
      }
      words[at + field.size] = size;
      words[at + field.latency] = record.latencyMs;
      times[(at + field.time) >> 1] = record.time;
      words[at + field.clientId] = record.clientId;
      words[at + field.list] = record.list;
      words[at + field.slot] = record.slot;
      words[at + field.kind] = record.type | (record.protocol << 16) | (record.status << 24);
      words[at + field.answer] =
        record.source | (record.rcode << 8) | (nameLength << 16) | (record.isDnssec ? 1 << 24 : 0);
      words[at + field.lengths] = ruleLength | (addressLength << 16) | (clientLength << 24);
      let to = putBytes(at + field.bytes, record.name, record.nameAt, nameLength);
      to = putBytes(to, record.rule, 0, ruleLength);
      to = putBytes(to, record.address, 0, addressLength);
      putBytes(to, record.client, 0, clientLength);
      state[word.written] = state[word.written]! + 1;
      head = (head + size) | 0;
      Atomics.store(state, word.head, head);
      return true;
    },
    /** The share that the reader has not read yet, from 0 to 1. */
    backlog: (): number => {
      const read = Atomics.load(state, word.tail);
      const isLeftOutAhead = ((leftAt - read) | 0) >= 0;
      return ((head - read - (isLeftOutAhead ? leftOut : 0)) | 0) / (mask + 1);
    },
    /** Memory used while the reader was behind; returned once after it has caught up, otherwise undefined. */
    takeUnused(): Uint8Array | undefined {
      if (!isRestUsed || Atomics.load(state, word.tail) !== head) return undefined;
      isRestUsed = false;
      return bytes.subarray(usual * 4);
    },
  };
}

export function openRingReader(memory: SharedArrayBuffer) {
  const { state, words, times, bytes, mask } = viewRing(memory);
  let head = state[word.tail]!;

  /** Reads the position of the writer; records after it are not visible until the next call. */
  function look(): void {
    head = Atomics.load(state, word.head);
  }

  function takeBytes(at: number, into: Uint8Array, length: number): number {
    const first = at * 4;
    for (let i = 0; i < length; i++) into[i] = bytes[first + i]!;
    return at + wordsFor(length);
  }
  function read(at: number, into: RingRecord): void {
    const [kind, answer, lengths] = [words[at + field.kind]!, words[at + field.answer]!, words[at + field.lengths]!];
    into.time = times[(at + field.time) >> 1]!;
    into.latencyMs = words[at + field.latency]!;
    into.clientId = words[at + field.clientId]! >>> 0;
    into.list = words[at + field.list]! >>> 0;
    into.slot = words[at + field.slot]! >>> 0;
    into.type = kind & 0xffff;
    into.protocol = (kind >>> 16) & 0xff;
    into.status = kind >>> 24;
    into.source = answer & 0xff;
    into.rcode = (answer >>> 8) & 0xff;
    into.nameLength = (answer >>> 16) & 0xff;
    into.isDnssec = answer >>> 24 === 1;
    into.ruleLength = lengths & 0xffff;
    into.addressLength = (lengths >>> 16) & 0xff;
    into.clientLength = lengths >>> 24;
    into.nameAt = 0;
    let from = takeBytes(at + field.bytes, into.name, into.nameLength);
    from = takeBytes(from, into.rule, into.ruleLength);
    from = takeBytes(from, into.address, into.addressLength);
    takeBytes(from, into.client, into.clientLength);
  }
  /** Offset of the oldest visible record; -1 in an empty ring. */
  function next(): number {
    let tail = state[word.tail]!;
    if (tail === head) return -1;
    if (words[tail & mask] === 0) {
      tail = (tail + mask + 1 - (tail & mask)) | 0;
      state[word.tail] = tail;
    }
    return tail & mask;
  }
  /** Writes the offsets of the oldest records to `into`; returns their number. */
  function nextOnes(into: Int32Array): number {
    let at = next();
    if (at === -1) return 0;
    let [count, tail] = [0, state[word.tail]!];
    while (count < into.length && tail !== head) {
      if (words[tail & mask] === 0) tail = (tail + mask + 1 - (tail & mask)) | 0;
      at = tail & mask;
      into[count++] = at;
      tail = (tail + words[at + field.size]!) | 0;
    }
    return count;
  }
  /** Releases records up to and including the one at `at`. Their memory must not be read afterwards. */
  function passTo(at: number): void {
    const tail = state[word.tail]!;
    // Also correct after a wrap-around.
    const distance = (at - tail) & mask;
    Atomics.store(state, word.tail, (tail + distance + words[at + field.size]!) | 0);
  }

  return {
    words,
    look,
    nextOnes,
    passTo,
    timeAt: (at: number): number => times[(at + field.time) >> 1]!,
    read,
    /** Removes the oldest record; false for an empty ring. */
    take(into: RingRecord): boolean {
      look();
      const at = next();
      if (at === -1) return false;
      read(at, into);
      passTo(at);
      return true;
    },
    /** Totals; they wrap at 2^32. */
    counts: () => ({
      written: Atomics.load(state, word.written) >>> 0,
      dropped: Atomics.load(state, word.dropped) >>> 0,
    }),
  };
}

export type RingReader = ReturnType<typeof openRingReader>;
