import { HEADER_LENGTH } from '../../dns/numbers.ts';
import { latencyBucket } from '../../kit/latency-buckets.ts';
import type { Libc } from '../../platform/libc.ts';
import { isForAllTypes } from '../cache/cache-entry.ts';
import { type CacheWriter, entryFlags } from '../cache/write-cache.ts';
import type { ArrivedAnswer, QueryContext } from '../pipeline/query-context.ts';
import type { DnsRequest } from '../transport/listener.ts';
import { newForwardedRequest } from '../transport/udp-forwarded.ts';
import { PEER_LENGTH } from '../transport/udp-layout.ts';
import { inFlightLimits } from '../upstream/in-flight.ts';
import type { Random } from '../upstream/random.ts';
import type { SentNames } from '../upstream/sent-names.ts';
import type { Replied } from '../upstream/upstream-query.ts';
import type { Claims } from './claims.ts';
import { createExchangeTable, domainHash } from './exchange-table.ts';
import { createFollowers } from './followers.ts';
import { readReply } from './read-reply.ts';
import type { RecentFailures } from './recent-failures.ts';
import type { Relayed } from './relay-messages.ts';
import { createSocketExchanges } from './socket-exchanges.ts';
import type { SocketPool } from './socket-pool.ts';
import { COUNTERS, counterIndex, FIRST_BUCKET, type ForwardTargets, MAX_TARGETS } from './target.ts';
import { createTargetsInUse, MAX_SOCKETS, type OpenTarget } from './targets-in-use.ts';
import { createWaitingClients } from './waiting-clients.ts';
import { writeQuery } from './write-query.ts';

export type ForwarderDeps = {
  readonly libc: Libc;
  readonly random: Random;
  readonly watch: (fd: number, tag: number) => boolean;
  readonly cache: Pick<CacheWriter, 'put'>;
  /** Monotonic seconds of the cache. */
  readonly seconds: () => number;
  readonly nowMs: () => number;
  readonly counters: Float64Array;
  readonly sent: SentNames;
  readonly claims: Claims;
  readonly failures: RecentFailures;
  /** Names that only the resolver thread can answer: local zones, forwarding rules of the operator. */
  readonly isLocal: (bytes: Uint8Array, at: number, end: number) => boolean;
  /** Answers a waiting client with the `arrived` answer, or from the cache; returns false if its query needs another kind of lookup. */
  readonly answer: (arrived: ArrivedAnswer | undefined, request: DnsRequest, peer: Uint8Array) => boolean;
  /** Passes a waiting client on to the resolver thread. */
  readonly handOver: (record: Uint8Array, replied: Replied) => void;
  /** Sends the first `length` bytes of a query through the resolver thread. */
  readonly relay: (query: Relayed, length: number) => void;
};

const CAPACITY = 16_384;
const MAX_DATAGRAM = 4096;
// Longest query, with padding.
const MAX_QUERY = 512;
const MSG_DONTWAIT = 0x40;
const MAX_MISMATCHES = 3;
// Time to wait for the real reply after a mismatched one with our id. Without another reply, the upstream itself sent the mismatch.
const REAL_REPLY_WITHIN_MS = 150;
const NONE = -1;

/**
 * Sends cache misses to an upstream over UDP, from the thread that received them, and answers the clients when the reply arrives. All other
 * cases (no reply, error, truncation, suspicious reply) are handed over to the resolver thread, which starts again.
 */
export function createForwarder(deps: ForwarderDeps) {
  const { libc, random, cache, seconds, nowMs, counters, sent, claims, failures } = deps;
  const exchanges = createExchangeTable(CAPACITY);
  const waiting = createWaitingClients(CAPACITY);
  const isClaimed = new Uint8Array(CAPACITY);
  const followers = createFollowers({
    waiting,
    claims,
    nowMs,
    resume(record) {
      waiting.read(record, request, peer);
      if (!deps.answer(undefined, request, peer)) deps.handOver(waiting.record(record), { upstream: NONE });
    },
  });
  const suspects: { readonly exchange: number; readonly generation: number }[] = [];
  const sentHash = new Int32Array(CAPACITY);
  const onSocket = createSocketExchanges(MAX_TARGETS * MAX_SOCKETS, CAPACITY);
  const query = new Uint8Array(new ArrayBuffer(MAX_QUERY));
  const datagram = new Uint8Array(new ArrayBuffer(MAX_DATAGRAM));
  const address = { query: libc.addressOf(query), datagram: libc.addressOf(datagram) };
  let queryLength = 0;
  const request = newForwardedRequest();
  const peer = new Uint8Array(PEER_LENGTH);

  const targets = createTargetsInUse({
    libc,
    random,
    watch: deps.watch,
    generationOf: (exchange) => exchanges.generation[exchange]!,
    release({ queue }) {
      for (let first = queue.first(); first !== NONE; first = queue.first()) handOver(first);
    },
  });

  const count = ({ target }: OpenTarget, what: keyof typeof counterIndex, by = 1): void => {
    counters[target.number * COUNTERS + counterIndex[what]]! += by;
  };

  const countLatency = (open: OpenTarget, ms: number): void => {
    count(open, 'answeredMs', ms);
    counters[open.target.number * COUNTERS + FIRST_BUCKET + latencyBucket(ms)]! += 1;
  };

  const tagOf = (exchange: number): number => exchanges.target[exchange]! * MAX_SOCKETS + exchanges.socket[exchange]!;

  const end = (exchange: number): void => {
    const { pool } = targets.slots[exchanges.target[exchange]!]!;
    if (pool) {
      sent.remove(sentHash[exchange]!);
      onSocket.remove(tagOf(exchange), exchange);
      pool.end(exchanges.socket[exchange]!);
    }
    if (isClaimed[exchange] === 1) claims.release(exchanges.keyLow[exchange]!);
    exchanges.remove(exchange);
  };

  const handOver = (exchange: number, reply?: Uint8Array): void => {
    const open = targets.slots[exchanges.target[exchange]!]!;
    const replied = { upstream: open.target.number, ...(reply && { reply }) };
    // The resolver thread counts it.
    count(open, 'sent', -1);
    for (let waiter = exchanges.firstWaiting[exchange]!; waiter !== NONE; ) {
      const next = waiting.next(waiter);
      deps.handOver(waiting.record(waiter), replied);
      waiting.remove(waiter);
      waiter = next;
    }
    end(exchange);
  };
  const handOverAll = (first: number): void => {
    for (let exchange = first; exchange !== NONE; ) {
      const next = onSocket.next(exchange);
      handOver(exchange);
      exchange = next;
    }
  };

  const answerAll = (exchange: number, arrived: ArrivedAnswer): void => {
    for (let waiter = exchanges.firstWaiting[exchange]!; waiter !== NONE; ) {
      const next = waiting.next(waiter);
      waiting.read(waiter, request, peer);
      if (!deps.answer(arrived, request, peer)) deps.handOver(waiting.record(waiter), { upstream: NONE });
      waiting.remove(waiter);
      waiter = next;
    }
    end(exchange);
  };

  const noteMismatch = (open: OpenTarget, exchange: number): void => {
    count(open, 'mismatches');
    if (++exchanges.mismatches[exchange]! >= MAX_MISMATCHES) handOver(exchange);
  };

  const suspect = (exchange: number): void => {
    if (exchanges.suspectAt[exchange] !== 0) return;
    exchanges.suspectAt[exchange] = nowMs() + REAL_REPLY_WITHIN_MS;
    suspects.push({ exchange, generation: exchanges.generation[exchange]! });
  };

  /** Reads a message with the id of this exchange. */
  const read = (exchange: number, packet: Uint8Array): void => {
    const open = targets.slots[exchanges.target[exchange]!]!;
    const question = exchanges.question(exchange);
    const reply = readReply(packet, question, open.style);
    const keyHigh = exchanges.keyHigh[exchange]!;
    const keyLow = exchanges.keyLow[exchange]!;
    switch (reply.kind) {
      case 'mismatch':
        suspect(exchange);
        noteMismatch(open, exchange);
        return;
      case 'hand over':
        if (reply.isFailure) failures.add(keyHigh, keyLow);
        handOver(exchange, reply.reply);
        return;
      case 'answer': {
        const { answer, extendedError } = reply;
        count(open, 'answered');
        countLatency(open, nowMs() - exchanges.sentAt[exchange]!);
        const flags = entryFlags(question.dnssecOk, question.checkingDisabled, false);
        const key = isForAllTypes(answer) ? exchanges.allTypesKey(exchange) : { keyHigh, keyLow };
        if (answer.ttlSeconds > 0)
          cache.put({ ...answer, ...key, now: seconds(), owner: exchanges.owner[exchange]!, flags });
        answerAll(exchange, { keyHigh, keyLow, answer, reason: extendedError });
      }
    }
  };

  /** Reads a datagram from the socket with this tag. */
  const receive = (tag: number): void => {
    const open = targets.slots[Math.floor(tag / MAX_SOCKETS)];
    if (!open?.pool) return;
    const length = libc.recv(open.pool.fdOf(tag % MAX_SOCKETS), address.datagram, MAX_DATAGRAM, MSG_DONTWAIT);
    const first = onSocket.first(tag);
    if (length < 0) {
      // ICMP errors can be forged, so the resolver thread retries.
      if (libc.lastError() !== 'EAGAIN') handOverAll(first);
      return;
    }
    const id = (datagram[0]! << 8) | datagram[1]!;
    let exchange = first;
    while (exchange !== NONE && (exchanges.id[exchange] !== id || length < HEADER_LENGTH))
      exchange = onSocket.next(exchange);
    if (exchange !== NONE) {
      read(exchange, datagram.slice(0, length));
      return;
    }
    for (let other = first; other !== NONE; ) {
      const next = onSocket.next(other);
      noteMismatch(open, other);
      other = next;
    }
  };

  const isIdUsed = (tag: number, id: number): boolean => {
    for (let other = onSocket.first(tag); other !== NONE; other = onSocket.next(other))
      if (exchanges.id[other] === id) return true;
    return false;
  };

  /** Adds the query of `context` as a new exchange without sending it; returns -1 if the table is full. */
  const begin = (open: OpenTarget, context: QueryContext, domain: number, id: number): number => {
    const { request: clientRequest, question } = context;
    const name = { bytes: clientRequest.bytes, at: question.nameAt, end: question.nameEnd };
    queryLength = writeQuery(query, id, name, question, open.style);
    const exchange = exchanges.add(context, query, domain);
    if (exchange === NONE) return NONE;
    exchanges.id[exchange] = id;
    exchanges.target[exchange] = open.slot;
    exchanges.sentAt[exchange] = nowMs();
    return exchange;
  };

  const relay = (open: OpenTarget, context: QueryContext, domain: number): number => {
    const exchange = begin(open, context, domain, 0);
    if (exchange === NONE) return NONE;
    const generation = exchanges.generation[exchange]!;
    deps.relay({ upstream: open.target.number, exchange, generation, message: query }, queryLength);
    return exchange;
  };

  const sendFrom = (open: OpenTarget, pool: SocketPool, context: QueryContext, domain: number): number => {
    const socket = pool.pick(nowMs());
    if (socket === NONE) return NONE;
    const tag = open.slot * MAX_SOCKETS + socket;
    let id = random.short();
    while (isIdUsed(tag, id)) id = random.short();
    const exchange = begin(open, context, domain, id);
    if (exchange === NONE) return NONE;
    exchanges.socket[exchange] = socket;
    onSocket.add(tag, exchange);
    const { nameAt, nameEnd } = context.question;
    sentHash[exchange] = sent.add(query, HEADER_LENGTH, HEADER_LENGTH + nameEnd - nameAt);
    pool.begin(socket);
    isClaimed[exchange] = 0;
    if (libc.send(pool.fdOf(socket), address.query, queryLength, MSG_DONTWAIT) >= 0) return exchange;
    end(exchange);
    return NONE;
  };

  /** Sends the query of `context`; returns the new exchange, or -1 if it cannot be sent. */
  const send = (context: QueryContext, domain: number): number => {
    const open = targets.choose();
    if (!open || open.queue.isFull()) return NONE;
    const exchange = open.pool ? sendFrom(open, open.pool, context, domain) : relay(open, context, domain);
    if (exchange === NONE) return NONE;
    count(open, 'sent');
    open.queue.add(exchange);
    return exchange;
  };

  return {
    use: (published: ForwardTargets): void => targets.use(published),
    /**
     * Sends the query of a client upstream, or makes it wait for an equal one in flight. Returns false if the resolver thread must answer
     * it.
     */
    take(context: QueryContext, peers: Uint8Array, peerAt: number): boolean {
      const { request: clientRequest, question, keyHigh, keyLow, upstreamGroup } = context;
      const { bytes } = clientRequest;
      const { nameAt, nameEnd } = question;
      if (targets.all().length === 0 || upstreamGroup.kind !== 'operator' || !waiting.accepts(clientRequest))
        return false;
      let exchange = exchanges.find({ keyHigh, keyLow }, bytes, nameAt, nameEnd);
      if (exchange === NONE) {
        if (failures.has(keyHigh, keyLow) || deps.isLocal(bytes, nameAt, nameEnd)) return false;
        if (sent.has(bytes, nameAt, nameEnd)) return false;
        const domain = domainHash(bytes, nameAt, nameEnd);
        const isContended = exchanges.count() >= inFlightLimits.contendedFrom;
        if (isContended && exchanges.inDomain(domain) >= inFlightLimits.perDomain) return false;
        const claim = claims.claim(keyHigh, keyLow);
        if (claim === 'followed') {
          followers.add(context, clientRequest, peers, peerAt);
          return true;
        }
        exchange = send(context, domain);
        if (exchange === NONE) {
          if (claim === 'held') claims.release(keyLow);
          return false;
        }
        isClaimed[exchange] = claim === 'held' ? 1 : 0;
      }
      exchanges.firstWaiting[exchange] = waiting.add(clientRequest, peers, peerAt, exchanges.firstWaiting[exchange]!);
      return true;
    },
    isWaiting: (): boolean => exchanges.count() > 0 || !followers.isEmpty(),
    /** Call this when another thread has finished a question. */
    checkFollowed: (): void => followers.check(),
    receive,
    /** Handles a reply that the resolver thread has received; an empty one means that the query failed. */
    receiveRelayed({ exchange, generation, message }: Relayed): void {
      if (exchanges.generation[exchange] !== generation) return;
      if (message.length === 0) handOver(exchange);
      else read(exchange, message);
    },
    /** Hands over the exchanges that have timed out. */
    expire(): void {
      const now = nowMs();
      followers.check();
      for (const open of targets.all())
        for (let first = open.queue.first(); first !== NONE; first = open.queue.first()) {
          if (now - exchanges.sentAt[first]! < open.target.waitMs) break;
          handOver(first);
        }
      while (suspects.length > 0) {
        const { exchange, generation } = suspects[0]!;
        const isOver = exchanges.generation[exchange] !== generation;
        if (!isOver && now < exchanges.suspectAt[exchange]!) break;
        suspects.shift();
        if (!isOver) handOver(exchange);
      }
    },
    closeOld(): void {
      for (const { pool } of targets.all()) pool?.closeOld(nowMs());
    },
  };
}

export type Forwarder = ReturnType<typeof createForwarder>;
