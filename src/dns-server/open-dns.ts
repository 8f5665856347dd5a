import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { LoadedFilters } from '../domain/protection-state.ts';
import { threadFile } from '../platform/thread-file.ts';
import { threadLimits } from '../platform/thread-limits.ts';
import { createRpc, onThreadEnd } from '../platform/worker-rpc.ts';
import { createCacheMemory } from '../resolver/cache/cache-layout.ts';
import { openCacheWriter } from '../resolver/cache/write-cache.ts';
import { createClaimsMemory } from '../resolver/forwarder/claims.ts';
import { createRecentFailuresMemory } from '../resolver/forwarder/recent-failures.ts';
import { createForwardCounters } from '../resolver/forwarder/target.ts';
import type { AccountBlock } from '../resolver/identity/account-block.ts';
import type { ClientActivity } from '../resolver/identity/client-activity.ts';
import { createConfigVersions } from '../resolver/identity/client-updates.ts';
import type { KnownHost } from '../resolver/identity/host-table.ts';
import type { RecordSource } from '../resolver/local-names/record-table.ts';
import {
  createResponseCountsMemory,
  type ResponseCounts,
  readResponseCounts,
} from '../resolver/pipeline/response-counts.ts';
import { clientLimitMemory } from '../resolver/transport/client-limit.ts';
import type { Endpoint } from '../resolver/transport/listener.ts';
import type { Staple } from '../resolver/transport/staples.ts';
import { udpCountNames } from '../resolver/transport/udp-counts.ts';
import { mustBeFree } from '../resolver/transport/udp-dgram.ts';
import { createSentNamesMemory } from '../resolver/upstream/sent-names.ts';
import { collectActivity } from './collect-activity.ts';
import type { AccountsUpdate } from './directory-feed.ts';
import type { DnsSetup } from './dns-setup.ts';
import type { DnsStatus } from './dns-status.ts';
import type { QueryExplanation } from './explain-query.ts';
import { sumSkipped } from './skipped-rules.ts';
import type {
  ActivityMessage,
  AnsweringSetup,
  CertificateChallenges,
  FromDns,
  Listener,
  LiveSettings,
  NumberedTable,
  OperatorSettings,
  ProblemMessage,
  SkippedMessage,
  ToDns,
} from './thread-messages.ts';
import type { UdpSetup } from './udp-messages.ts';

export type OpenDnsOptions = {
  readonly answering: Omit<AnsweringSetup, 'memory' | 'ring' | 'responseCounts'>;
  readonly dns: Omit<DnsSetup, 'answering' | 'clientIdPort'>;
  readonly cacheBytes: number;
  /** 0 if packets cannot be read in batches: then the resolver thread listens itself. */
  readonly udpThreads: number;
  /** One ring buffer per UDP thread and one for the resolver thread. */
  readonly rings: readonly SharedArrayBuffer[];
  readonly clientIdPort: MessagePort;
  /** Changes the store for the resolver thread; false if the change is not allowed. */
  readonly change: (wanted: FromDns) => Promise<boolean>;
  readonly report: (problem: string, error: string | undefined) => void;
  /** A thread has ended unexpectedly. */
  readonly onLost: (error: Error) => void;
};

export type Dns = ReturnType<typeof openDns>;

const YOUNG_MB = { dns: 12, udp: 4 } as const;

/** Starts the answering threads; they have no accounts and no sockets until they receive them. */
export function openDns(options: OpenDnsOptions) {
  const memory = {
    cache: createCacheMemory(options.cacheBytes),
    configVersions: createConfigVersions(),
    clock: new SharedArrayBuffer(4),
    limit: clientLimitMemory(),
    sentNames: createSentNamesMemory(),
    claims: createClaimsMemory(),
    failures: createRecentFailuresMemory(),
    wakeFds: new SharedArrayBuffer(Math.max(1, options.udpThreads) * 4),
  };
  const responseCounts = Array.from({ length: options.udpThreads + 1 }, createResponseCountsMemory);
  let live: LiveSettings = options.answering;
  const answering = (ring: number): AnsweringSetup => ({
    ...options.answering,
    ...live,
    memory,
    ring: options.rings[ring]!,
    responseCounts: responseCounts[ring]!,
  });
  const setup: DnsSetup = {
    ...options.dns,
    answering: answering(options.udpThreads),
    clientIdPort: options.clientIdPort,
  };
  const thread = new Worker(threadFile('dns-server/resolver-thread'), {
    workerData: setup,
    transferList: [options.clientIdPort],
    resourceLimits: threadLimits(YOUNG_MB.dns),
  });
  let isStopping = false;
  const skipped = sumSkipped(Date.now);
  const lost = (error: Error): void => {
    rpc.lost(error);
    if (!isStopping) options.onLost(error);
  };
  const receive = (message: unknown): void => {
    const received = message as ProblemMessage | SkippedMessage | ActivityMessage;
    if (received.kind === 'problem') options.report(received.problem, received.error);
    if (received.kind === 'skipped') skipped.add(received.skipped);
    if (received.kind === 'client activity') activity.reported(received.round, received.activity);
  };
  const rpc = createRpc<ToDns, FromDns>(thread, options.change, receive);
  onThreadEnd(thread, lost);

  const counts = Array.from({ length: options.udpThreads }, () => new SharedArrayBuffer(udpCountNames.length * 8));
  let listeningUdp = 0;
  const activity = collectActivity({
    request: (round) => rpc.call({ kind: 'client activity', round }),
    udpThreads: () => listeningUdp,
  });
  const startUdp = (nth: number) => {
    const [control, forward] = [new MessageChannel(), new MessageChannel()];
    const messageCount = new SharedArrayBuffer(4);
    const forwardCounters = createForwardCounters();
    const link = { messageCount, controlPort: control.port1, forwardPort: forward.port1, forwardCounters };
    const udpSetup: UdpSetup = {
      number: nth,
      answering: answering(nth),
      proxies: options.dns.proxies,
      counts: counts[nth]!,
      messageCount,
      controlPort: control.port2,
      forwardPort: forward.port2,
      forwardCounters,
    };
    // If the resolver thread is lost, `lost` reports it.
    rpc.call({ kind: 'udp thread', link }, { transfer: [link.controlPort, link.forwardPort] }).catch(() => undefined);
    const worker = new Worker(threadFile('dns-server/udp-thread'), {
      workerData: udpSetup,
      transferList: [control.port2, forward.port2],
      resourceLimits: threadLimits(YOUNG_MB.udp),
    });
    const udpRpc = createRpc<Endpoint, never>(worker, () => undefined, receive);
    worker.on('error', (error) => {
      udpRpc.lost(error as Error);
      if (!isStopping) options.onLost(error as Error);
    });
    return { listen: (endpoint: Endpoint) => udpRpc.call<Endpoint>(endpoint), terminate: () => worker.terminate() };
  };
  const startAllUdp = () => counts.map((_, nth) => startUdp(nth));
  let udp = startAllUdp();
  const restartUdp = async (): Promise<void> => {
    listeningUdp = 0;
    await Promise.all(udp.map((worker) => worker.terminate()));
    udp = startAllUdp();
  };

  return {
    useTables: (tables: readonly NumberedTable[]): Promise<void> => rpc.call({ kind: 'tables', tables }),
    /** Resolves when the next query uses them. */
    useAccounts: ({ accounts, ...others }: AccountsUpdate): Promise<void> =>
      rpc.call({ kind: 'accounts', ...others, accounts: accounts.map((account) => JSON.stringify(account)) }),
    /** The same for many accounts, in memory that the threads share. */
    useAccountBlock: ({ lines, index }: AccountBlock, skipped: ReadonlySet<string>): Promise<void> =>
      rpc.call({ kind: 'account block', block: { lines, index }, skipped }),
    /** Resolves when the resolver thread uses them; UDP threads do after the queries that they have. Rejects if upstreams are invalid. */
    async useSettings(next: OperatorSettings): Promise<void> {
      await rpc.call({ kind: 'settings', ...next });
      live = next.settings;
    },
    /** Replaces the records of the operator's hosts file. Resolves when the next query uses them. */
    useHostRecords: (records: readonly RecordSource[]): Promise<void> => rpc.call({ kind: 'host records', records }),
    /** Replaces the MAC addresses and names of the hosts in the local network; the next query uses them. */
    setHosts: (hosts: readonly KnownHost[]): Promise<void> => rpc.call({ kind: 'network hosts', hosts }),
    /** Queries of clients in private networks since the last call, of all threads. */
    clientActivity: (): Promise<readonly ClientActivity[]> => activity.collect(),
    listen: (on: Listener, { host, port }: Endpoint): Promise<Endpoint> => rpc.call({ kind: 'listen', on, host, port }),
    unlisten: (on: Listener): Promise<void> => rpc.call({ kind: 'unlisten', on }),
    /** The next query is sent upstream. False if other threads held the lock for too long. */
    clearCache: (): boolean => openCacheWriter(memory.cache).clear(),
    reloadCertificates: (): Promise<void> => rpc.call({ kind: 'reload certificates' }),
    /** Replaces the pending challenges of a certificate authority. */
    setChallenges: (challenges: CertificateChallenges): Promise<void> =>
      rpc.call({ kind: 'certificate challenges', ...challenges }),
    /** Replaces the OCSP responses that are stapled to handshakes. */
    useStaples: (staples: readonly Staple[]): Promise<void> => rpc.call({ kind: 'staples', staples }),
    /** The port over which the HTTP server gets the requests of the listener for DNS over HTTPS. It may be closed at any time. */
    async openWebPort(): Promise<MessagePort> {
      const { port1, port2 } = new MessageChannel();
      await rpc.call({ kind: 'web port', webPort: port2 }, { transfer: [port2] });
      return port1;
    },
    /** All UDP threads on one port; without UDP threads, the resolver thread. */
    async listenUdp(endpoint: Endpoint): Promise<Endpoint> {
      if (counts.length === 0) return rpc.call({ kind: 'listen', on: 'udp', ...endpoint });
      if (!options.dns.sharePorts) await mustBeFree(endpoint);
      const started = await Promise.allSettled(udp.map(({ listen }) => listen(endpoint)));
      const [first] = started;
      const refused = started.find((result) => result.status === 'rejected');
      if (!refused && first?.status === 'fulfilled') {
        listeningUdp = udp.length;
        return first.value;
      }
      // Only after all replies, because terminating a thread while it loads koffi crashes the process.
      await restartUdp();
      throw Object.assign(refused?.reason as Error, endpoint);
    },
    unlistenUdp: (): Promise<void> => (counts.length === 0 ? rpc.call({ kind: 'unlisten', on: 'udp' }) : restartUdp()),
    explain: (query: Omit<Extract<ToDns, { kind: 'explain' }>, 'kind'>): Promise<QueryExplanation | undefined> =>
      rpc.call({ kind: 'explain', ...query }),
    loadedFilters: (dnsServers: readonly string[]): Promise<ReadonlyMap<string, LoadedFilters>> =>
      rpc.call({ kind: 'loaded filters', dnsServers }),
    /** Sends the meaning of ids, past and future, to a new ingest thread. */
    useClientIdPort: (clientIdPort: MessagePort): Promise<void> =>
      rpc.call({ kind: 'client id port', clientIdPort }, { transfer: [clientIdPort] }),
    status: (): Promise<DnsStatus> => rpc.call({ kind: 'status' }),
    /** Rules skipped by decisions since the start. */
    skipped: { of: skipped.of, rules: skipped.rules },
    /** Sums over the UDP threads, by the names of udp-counts.ts. */
    udpCounts: (): Readonly<Record<string, number>> =>
      Object.fromEntries(
        udpCountNames.map((name, endpoint) => [
          name,
          counts.reduce((sum, ofThread) => sum + new Float64Array(ofThread)[endpoint]!, 0),
        ]),
      ),
    /** Responses since the start, of all threads. */
    responseCounts: (): ResponseCounts => readResponseCounts(responseCounts),
    async stop(): Promise<void> {
      isStopping = true;
      await rpc.call({ kind: 'stop' }).catch(() => undefined);
      await Promise.all([thread, ...udp].map((worker) => worker.terminate()));
    },
  };
}
