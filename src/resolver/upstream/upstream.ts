import type { SecureContext } from 'node:tls';
import { rcodes } from '../../dns/numbers.ts';
import { writeMessage } from '../../dns/write-message.ts';
import type { UpstreamAddress } from '../../domain/upstream-address.ts';
import type { ForwardVia } from '../forwarder/target.ts';
import { type ClientCookies, clientCookies } from './client-cookies.ts';
import { type DialTarget, dialTcp, dialTls } from './dial.ts';
import { dialFailure } from './dial-error.ts';
import type { Exchange, ExchangeCounters, Exchanged } from './exchange.ts';
import { httpsExchange } from './exchange-https.ts';
import { udpExchange } from './exchange-udp.ts';
import type { HostAddresses } from './host-addresses.ts';
import type { Random } from './random.ts';
import { type ReadAnswer, readAnswer } from './read-answer.ts';
import type { Relay } from './relay.ts';
import { type SentNames, sentNames } from './sent-names.ts';
import { streamPool } from './stream-pool.ts';
import { type UdpSockets, udpSockets } from './udp-sockets.ts';
import { failed, type UpstreamAnswer } from './upstream-answer.ts';
import type { UpstreamQuestion } from './upstream-query.ts';

/** One upstream server. */
export type Upstream = {
  readonly address: UpstreamAddress;
  /** Never rejects. */
  readonly ask: (question: UpstreamQuestion, options: AskOptions) => Promise<UpstreamAnswer>;
  readonly counters: () => Readonly<ExchangeCounters> & { readonly open: number };
  /** How UDP threads can query it; undefined if they cannot. */
  readonly forwardVia: () => ForwardVia | undefined;
  readonly relay?: Relay;
  /** Counts packets to UDP threads that do not answer their queries. */
  readonly addMismatches: (count: number) => void;
  readonly stop: () => void;
};

type AskOptions = {
  /** Total timeout, including other transports and retries. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly fresh?: boolean;
};

export type UpstreamDeps = {
  readonly now: () => number;
  readonly random: Random;
  readonly addresses: HostAddresses;
  readonly isOwn: DialTarget['isOwn'];
  readonly context: () => SecureContext;
  readonly mixesCase?: boolean;
  /** Names in flight, shared by all upstreams. */
  readonly sent?: SentNames;
  /** Whether its AD bit is trusted; never for unauthenticated transports. */
  readonly trusted?: boolean;
  readonly idleMs?: number;
};

type Transport = {
  readonly exchange: Exchange;
  readonly open: () => number;
  readonly forwardVia?: Upstream['forwardVia'];
  readonly relay?: Relay;
  readonly stop: () => void;
};

const IDLE_MS = 10_000;
// Time after which EDNS is tried again with a server that did not support it.
const WITHOUT_EDNS_MS = 900_000;
// Time for which case randomization or cookies are not used with an upstream that does not preserve them.
const WITHOUT_MS = 3_600_000;
const MAX_LOSSES = 3;

export function createUpstream(address: UpstreamAddress, deps: UpstreamDeps): Upstream {
  const counters: ExchangeCounters = { mismatches: 0, malformed: 0, movedToTcp: 0, connections: 0 };
  const transport = transportOf(address, deps, counters);
  const running = new Set<AbortController>();
  let withoutEdnsUntil = Number.NEGATIVE_INFINITY;
  let isStopped = false;

  async function exchange(question: UpstreamQuestion, signal: AbortSignal, fresh: boolean): Promise<Exchanged> {
    const edns = deps.now() >= withoutEdnsUntil;
    const first = await transport.exchange(question, { edns, signal, fresh });
    if (!edns || first.kind !== 'answer' || first.message.rcode !== rcodes.FORMERR) return first;
    const second = await transport.exchange(question, { edns: false, signal, fresh: false });
    if (second.kind === 'answer' && second.message.rcode !== rcodes.FORMERR)
      withoutEdnsUntil = deps.now() + WITHOUT_EDNS_MS;
    return second;
  }

  return {
    address,
    async ask(question, { timeoutMs, signal, fresh = false }) {
      if (isStopped) return stopped;
      const begun = deps.now();
      const limit = new AbortController();
      running.add(limit);
      const stop = (): void => limit.abort();
      const timer = setTimeout(stop, timeoutMs);
      signal?.addEventListener('abort', stop, { once: true });
      if (signal?.aborted) stop();
      try {
        const outcome = await exchange(question, limit.signal, fresh);
        return isStopped ? stopped : finished(outcome, address.text, deps.now() - begun);
      } catch (error) {
        return dialFailure(error);
      } finally {
        running.delete(limit);
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
      }
    },
    counters: () => ({ ...counters, open: transport.open() }),
    forwardVia: () => (deps.now() >= withoutEdnsUntil ? transport.forwardVia?.() : undefined),
    ...(transport.relay && { relay: transport.relay }),
    addMismatches(count) {
      counters.mismatches += count;
    },
    stop() {
      isStopped = true;
      for (const limit of running) limit.abort();
      transport.stop();
    },
  };
}

const stopped = failed('stopped', 'the resolver stops');

function finished(outcome: Exchanged, upstream: string, elapsedMs: number): UpstreamAnswer {
  switch (outcome.kind) {
    case 'answer':
      return { ...outcome, bytes: writeMessage(outcome.message), upstream, elapsedMs };
    case 'failed':
      return outcome;
    case 'truncated':
    case 'suspicious':
      return failed('malformed', 'no complete response');
  }
}

function transportOf(address: UpstreamAddress, deps: UpstreamDeps, counters: ExchangeCounters): Transport {
  const { host, port, path } = address;
  const { now, random, isOwn, addresses, context, idleMs = IDLE_MS, trusted = false } = deps;
  const target: DialTarget = { addresses, port, isOwn };
  const stream = { now, random, counters, idleMs };
  switch (address.kind) {
    case 'udp': {
      const tcp = streamPool({ ...stream, dial: dialTcp(target), padded: false, trusted: false });
      return udpThenTcp(target, deps, counters, tcp);
    }
    case 'tcp':
      return streamPool({ ...stream, dial: dialTcp(target), padded: false, trusted: false });
    case 'tls': {
      const dial = dialTls(target, { serverName: host, protocol: 'dot', context });
      return streamPool({ ...stream, dial, padded: true, trusted });
    }
    case 'https': {
      const dial = dialTls(target, { serverName: host, protocol: 'h2', context });
      const named = host.includes(':') ? `[${host}]` : host;
      const authority = port === 443 ? named : `${named}:${port}`;
      return httpsExchange({ dial, now, idleMs, authority, path, counters, trusted });
    }
  }
}

/** Queries over UDP first, and over TCP if the answer does not fit into a datagram or a spoofing attempt is suspected. */
function udpThenTcp(target: DialTarget, deps: UpstreamDeps, counters: ExchangeCounters, tcp: Transport): Transport {
  const { now, random, mixesCase = true, sent = sentNames() } = deps;
  const byAddress = new Map<string, UdpSockets>();
  const socketsTo = (address: string): UdpSockets => {
    const found = byAddress.get(address) ?? udpSockets({ address, port: target.port, now, random });
    byAddress.set(address, found);
    return found;
  };
  const cookiesByAddress = new Map<string, ClientCookies>();
  const cookiesFor = (address: string): ClientCookies => {
    const found = cookiesByAddress.get(address) ?? clientCookies(random);
    cookiesByAddress.set(address, found);
    return found;
  };
  const randomCase = unlessLost(now, ({ isCaseLost }) => isCaseLost === true);
  const cookies = unlessLost(now, ({ isCookieLost }) => isCookieLost === true);
  return {
    forwardVia() {
      const address = target.addresses.fixed;
      // Excludes addresses with a zone, which need the index of an interface.
      if (address === undefined || address.includes('%') || target.isOwn(address, target.port)) return undefined;
      const { port } = target;
      return {
        kind: 'udp',
        address,
        port,
        mixesCase: mixesCase && randomCase.isUsed(),
        sendsCookies: cookies.isUsed(),
      };
    },
    async exchange(question, how) {
      const address = await unlessAborted(target.addresses.get(), how.signal);
      if (address === undefined) return failed('timeout', 'the lookup of its address timed out');
      if (target.isOwn(address, target.port)) return failed('loop', `${address} is this program itself`);
      const isMixed = mixesCase && randomCase.isUsed();
      const sentCookies = cookies.isUsed() ? cookiesFor(address) : undefined;
      const exchange = udpExchange(socketsTo(address), {
        random,
        counters,
        mixesCase: isMixed,
        cookies: sentCookies,
        sent,
      });
      // The reply to the UDP thread belongs to the query with EDNS; without EDNS, a new query is sent.
      const reply = how.edns ? question.replied?.reply : undefined;
      const outcome = reply
        ? asExchanged(readAnswer(reply, { question, trusted: false }))
        : await exchange(question, how);
      if (isMixed && !reply) randomCase.note(outcome);
      if (sentCookies && !reply) cookies.note(outcome);
      if (outcome.kind === 'failed' && outcome.why !== 'malformed') target.addresses.failed(address);
      if (outcome.kind !== 'truncated' && outcome.kind !== 'suspicious') return outcome;
      counters.movedToTcp++;
      if (outcome.kind === 'truncated') return tcp.exchange(question, how);
      const overTcp = await tcp.exchange(question, how).catch(dialFailure);
      // Not retried: the answer would be the same.
      return overTcp.kind === 'failed' && !how.signal.aborted ? failed('malformed', 'invalid answer') : overTcp;
    },
    open: () => tcp.open() + [...byAddress.values()].reduce((sum, { open }) => sum + open(), 0),
    stop() {
      tcp.stop();
      for (const { stop } of byAddress.values()) stop();
    },
  };
}

/**
 * Tracks a property of queries that some upstreams do not repeat in replies. A single reply without it may be spoofed; if several
 * consecutive queries get no other reply, the upstream does not support it.
 */
function unlessLost(now: () => number, isLost: (outcome: Extract<Exchanged, { kind: 'suspicious' }>) => boolean) {
  let losses = 0;
  let unusedUntil = Number.NEGATIVE_INFINITY;
  return {
    isUsed: (): boolean => now() >= unusedUntil,
    note(outcome: Exchanged): void {
      if (outcome.kind === 'suspicious' && isLost(outcome)) losses++;
      else if (outcome.kind === 'answer' || outcome.kind === 'truncated') losses = 0;
      if (losses < MAX_LOSSES) return;
      losses = 0;
      unusedUntil = now() + WITHOUT_MS;
    },
  };
}

function asExchanged(read: ReadAnswer): Exchanged {
  if (read.kind === 'not it') return { kind: 'suspicious' };
  return read.kind === 'bad' ? failed('malformed', read.why) : read;
}

/** The result, or undefined once aborted. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => resolve(undefined);
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
