import type { Libc } from '../../platform/libc.ts';

// struct sockaddr_in6, msghdr, mmsghdr, iovec and cmsghdr of 64-bit Linux, which x86-64 and aarch64, glibc and musl share.
export const AF_INET = 2;
export const AF_INET6 = 10;
export const SOCKADDR_LENGTH = { v4: 16, v6: 28 } as const;
/** One control message: a header of 16 bytes and in_pktinfo or in6_pktinfo, rounded up. */
const CONTROL_LENGTH = { v4: 32, v6: 40 } as const;

/** A peer: source address of the query (struct sockaddr), then its destination address (a control message). */
export const PEER_LENGTH = 72;
export const CONTROL_AT = 32;

export const BATCH = 64;
// We announce 1232 bytes (RFC 6891); moderately longer queries are still accepted.
export const MAX_QUERY = 4096;
export const MAX_ANSWER = 1232;
// Not a power of two, so that packets do not compete for the same cache lines.
export const QUERY_STRIDE = MAX_QUERY + 64;
export const ANSWER_STRIDE = MAX_ANSWER + 48;

const HEADER_LENGTH = 64;
const IOV_LENGTH = 16;

// Fields of a mmsghdr, in units of four bytes.
const NAME = 0;
const NAME_LENGTH = 2;
const IOV = 4;
const IOV_COUNT = 6;
const CONTROL = 8;
const CONTROL_SIZE = 10;
const FLAGS = 12;
const LENGTH = 14;
const STEP = HEADER_LENGTH / 4;

export type Family = 'v4' | 'v6';

/** Memory that the kernel reads and writes; its address stays valid while this object is referenced. */
export type BatchMemory = {
  readonly queries: Uint8Array<ArrayBuffer>;
  readonly answers: Uint8Array<ArrayBuffer>;
  readonly peers: Uint8Array<ArrayBuffer>;
  readonly receiveHeaders: number;
  /** Address of the header of the n-th answer. */
  readonly sendHeaders: (from: number) => number;
  readonly lengthOf: (index: number) => number;
  readonly flagsOf: (index: number) => number;
  /** Whether the kernel reported the destination address, which the answer needs as its source. */
  readonly hasControl: (index: number) => boolean;
  /** Restores the fields that the kernel changed in a receive header. */
  readonly refresh: (index: number) => void;
  readonly setAnswerLength: (index: number, length: number) => void;
};

export function batchMemory(libc: Libc, family: Family): BatchMemory {
  const queries = new Uint8Array(new ArrayBuffer(BATCH * QUERY_STRIDE));
  const answers = new Uint8Array(new ArrayBuffer(BATCH * ANSWER_STRIDE));
  const peers = new Uint8Array(new ArrayBuffer(BATCH * PEER_LENGTH));
  const received = headers(libc, family, peers, { data: queries, stride: QUERY_STRIDE, length: MAX_QUERY });
  const sent = headers(libc, family, peers, { data: answers, stride: ANSWER_STRIDE, length: 0 });
  const controlLength = CONTROL_LENGTH[family];
  return {
    queries,
    answers,
    peers,
    receiveHeaders: received.address,
    sendHeaders: (from) => sent.address + from * HEADER_LENGTH,
    lengthOf: (index) => received.words[index * STEP + LENGTH]!,
    flagsOf: (index) => received.words[index * STEP + FLAGS]!,
    hasControl: (index) => received.words[index * STEP + CONTROL_SIZE] === controlLength,
    refresh(index) {
      received.words[index * STEP + NAME_LENGTH] = SOCKADDR_LENGTH[family];
      received.words[index * STEP + CONTROL_SIZE] = controlLength;
    },
    setAnswerLength(index, length) {
      sent.iovs[index * (IOV_LENGTH / 4) + 2] = length;
    },
  };
}

type Headers = { readonly address: number; readonly words: Uint32Array; readonly iovs: Uint32Array };

function headers(
  libc: Libc,
  family: Family,
  peers: Uint8Array,
  { data, stride, length }: { readonly data: Uint8Array; readonly stride: number; readonly length: number },
): Headers {
  const words = new Uint32Array(new ArrayBuffer(BATCH * HEADER_LENGTH));
  const iovs = new Uint32Array(new ArrayBuffer(BATCH * IOV_LENGTH));
  const at = {
    words: libc.addressOf(new Uint8Array(words.buffer)),
    iovs: libc.addressOf(new Uint8Array(iovs.buffer)),
    peers: libc.addressOf(peers),
    data: libc.addressOf(data),
  };
  for (let i = 0; i < BATCH; i++) {
    writeAddress(iovs, i * (IOV_LENGTH / 4), at.data + i * stride);
    iovs[i * (IOV_LENGTH / 4) + 2] = length;
    writeHeader(words, i * STEP, family, at.peers + i * PEER_LENGTH, at.iovs + i * IOV_LENGTH);
  }
  return { address: at.words, words, iovs };
}

export function writeHeader(words: Uint32Array, from: number, family: Family, peer: number, iov: number): void {
  writeAddress(words, from + NAME, peer);
  words[from + NAME_LENGTH] = SOCKADDR_LENGTH[family];
  writeAddress(words, from + IOV, iov);
  words[from + IOV_COUNT] = 1;
  writeAddress(words, from + CONTROL, peer + CONTROL_AT);
  words[from + CONTROL_SIZE] = CONTROL_LENGTH[family];
}

export function writeAddress(words: Uint32Array, at: number, address: number): void {
  words[at] = address % 2 ** 32;
  words[at + 1] = Math.floor(address / 2 ** 32);
}
