import type { DnsRequest } from '../transport/listener.ts';
import { FORWARDED_HEADER, readForwardedRecord, writeForwardedRecord } from '../transport/udp-forwarded.ts';

const STRIDE = 512;
/** Longer queries are rare and go to the resolver thread. */
const MAX_MESSAGE = STRIDE - FORWARDED_HEADER;
// Clients with the same address hash share a counter.
const CLIENTS = 16_384;
const MAX_PER_CLIENT = 1_000;

/** Queries of clients that wait for an exchange, in the format of udp-forwarded.ts. */
export function createWaitingClients(capacity: number) {
  const records = new Uint8Array(capacity * STRIDE);
  const lengths = new Uint16Array(capacity);
  const next = new Int32Array(capacity);
  const client = new Uint16Array(capacity);
  const byClient = new Uint16Array(CLIENTS);
  const free = Int32Array.from({ length: capacity }, (_, i) => capacity - 1 - i);
  let freeCount = capacity;

  return {
    /** Whether the table and the limit of the client have room for the query. */
    accepts: ({ length, client: address }: DnsRequest): boolean =>
      freeCount > 0 && length <= MAX_MESSAGE && byClient[clientHash(address)]! < MAX_PER_CLIENT,
    /** Adds the query and returns its index; `before` is the next element in the list of its exchange. */
    add(request: DnsRequest, peers: Uint8Array, peerAt: number, before: number): number {
      const index = free[--freeCount]!;
      lengths[index] = writeForwardedRecord(records, index * STRIDE, request, peers, peerAt);
      client[index] = clientHash(request.client);
      byClient[client[index]!]! += 1;
      next[index] = before;
      return index;
    },
    next: (index: number): number => next[index]!,
    /** Fills `request`, whose bytes stay valid until the record is removed, and copies the peer. */
    read: (index: number, request: DnsRequest, peer: Uint8Array): void =>
      readForwardedRecord(records, index * STRIDE, request, peer),
    record: (index: number): Uint8Array => records.subarray(index * STRIDE, index * STRIDE + lengths[index]!),
    remove(index: number): void {
      byClient[client[index]!]! -= 1;
      free[freeCount++] = index;
    },
  };
}

export type WaitingClients = ReturnType<typeof createWaitingClients>;

function clientHash(address: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < address.length; i++) hash = Math.imul(hash ^ address[i]!, 0x01000193);
  return (hash ^ (hash >>> 15)) & (CLIENTS - 1);
}
