import { Counter, Gauge, type Registry } from 'prom-client';
import type { Dns } from '../dns-server/open-dns.ts';
import { withUdpThreads } from '../dns-server/query-counts.ts';
import type { Lists } from '../filter-lists/open-lists.ts';
import type { Stapling } from '../ocsp/open-stapling.ts';
import type { ThreadLoad } from '../platform/thread-load.ts';
import type { QueryLog } from '../query-log/index.ts';
import { type DnsMetric, one, type Sample, samplesBy, seconds, word } from './dns-metric.ts';
import { type HistogramSample, registerHistogram } from './metric-histogram.ts';
import { recordMetrics } from './record-metrics.ts';

/** Sources of the metrics. */
export type DnsSources = {
  readonly dns: Pick<Dns, 'status' | 'udpCounts' | 'skipped' | 'responseCounts'>;
  readonly lists: Pick<Lists, 'status' | 'checks'>;
  readonly records: Pick<QueryLog, 'stats'>;
  readonly stapling: Pick<Stapling, 'state' | 'requests'>;
};

type Snapshot = {
  readonly status: Awaited<ReturnType<Dns['status']>> | undefined;
  readonly udp: Readonly<Record<string, number>>;
  readonly responses: ReturnType<Dns['responseCounts']>;
  readonly skippedRules: number;
  readonly records: Awaited<ReturnType<QueryLog['stats']>> | undefined;
  readonly lists: ReturnType<Lists['status']>;
  readonly checks: ReturnType<Lists['checks']>;
  readonly ocsp: ReturnType<Stapling['state']>;
  readonly ocspRequests: ReturnType<Stapling['requests']>;
};

type Metric = DnsMetric<Snapshot>;

/** Counters of the listeners in the resolver thread; a label names the event. */
const listenerCounts = ({ status }: Snapshot): readonly Sample[] =>
  Object.entries(
    (status?.listeners.counts ?? {}) as Readonly<Record<string, Readonly<Record<string, number>> | undefined>>,
  ).flatMap(([transport, counts]) =>
    Object.entries(counts ?? {}).map(([event, value]) => ({ labels: { transport, event: word(event) }, value })),
  );

const upstreams =
  (read: (upstream: NonNullable<Snapshot['status']>['upstreams']['upstreams'][number]) => number | undefined) =>
  ({ status }: Snapshot): readonly Sample[] =>
    (status?.upstreams.upstreams ?? []).flatMap((upstream) => {
      const value = read(upstream);
      return value === undefined ? [] : [{ labels: { upstream: upstream.upstream }, value }];
    });

/** Threads with an event loop, except the main thread. */
const threads =
  (milliseconds: (load: ThreadLoad) => number) =>
  ({ status, records }: Snapshot): readonly Sample[] =>
    Object.entries({ resolver: status?.load, query_log: records?.load }).flatMap(([thread, load]) =>
      load ? [{ labels: { thread }, value: milliseconds(load) / 1000 }] : [],
    );

// Excludes custom lists of accounts, which are private.
const lists =
  (read: (list: Snapshot['lists'][number]) => number | undefined) =>
  (snapshot: Snapshot): readonly Sample[] =>
    snapshot.lists
      .filter(({ namedBy }) => namedBy === 'operator')
      .flatMap((list) => {
        const value = read(list);
        return value === undefined ? [] : [{ labels: { list: list.id }, value }];
      });

const queries = ({ status, udp }: Snapshot): readonly Sample[] =>
  Object.entries(status ? withUdpThreads(status.queries, udp) : {}).flatMap(([transport, counts]) =>
    Object.entries(counts).map(([outcome, value]) => ({ labels: { transport, outcome: word(outcome) }, value })),
  );

const certificateExpiry = ({ status }: Snapshot): readonly Sample[] =>
  one(seconds(status?.listeners.certificateExpiresAt));

/** For certificates with a responder; 0 without a response, so that alerts on the time include these. */
const ocspExpiry = ({ status, ocsp }: Snapshot): readonly Sample[] =>
  (status?.listeners.certificates ?? []).flatMap(({ fingerprint, keyType }) => {
    const state = ocsp.find((each) => each.fingerprint === fingerprint);
    return state ? [{ labels: { key_type: keyType }, value: (state.endsAt ?? 0) / 1000 }] : [];
  });

const udpPackets = {
  name: 'weir_dns_udp_packets_total',
  help: 'Plain DNS packets over UDP by outcome; missed packets are answered by the resolver thread.',
};

/** Labels never name a client, device or account: metrics have more readers than the log. */
const table: readonly Metric[] = [
  {
    name: 'weir_dns_up',
    help: 'Whether the resolver thread reports its status.',
    kind: 'gauge',
    read: ({ status }) => one(status ? 1 : 0),
  },
  {
    name: 'weir_dns_queries_total',
    help: 'Queries by transport and outcome: answered synchronously, asynchronously, or dropped.',
    kind: 'counter',
    labels: ['transport', 'outcome'],
    read: queries,
  },
  {
    name: 'weir_dns_rejected_ids_total',
    help: 'Queries rejected because of the device id: unknown id or wrong password (unknown), or not looked up because the network sent too many of them (throttled).',
    kind: 'counter',
    labels: ['outcome'],
    read: ({ status }) => samplesBy('outcome', status?.identities),
  },
  { ...udpPackets, kind: 'counter', labels: ['outcome'], read: ({ udp }) => samplesBy('outcome', udp) },
  {
    name: 'weir_dns_listener_events_total',
    help: 'Events on the listeners of the resolver thread, by transport: connections, and packets if no UDP threads run.',
    kind: 'counter',
    labels: ['transport', 'event'],
    read: (snapshot) => listenerCounts(snapshot).filter(({ labels }) => labels?.['event'] !== 'open'),
  },
  {
    name: 'weir_dns_connections',
    help: 'Open connections of clients by transport.',
    kind: 'gauge',
    labels: ['transport'],
    read: (snapshot) =>
      listenerCounts(snapshot)
        .filter(({ labels }) => labels?.['event'] === 'open')
        .map(({ labels, value }) => ({ labels: { transport: labels!['transport']! }, value })),
  },
  {
    name: 'weir_dns_listener_events',
    help: 'Deprecated: use weir_dns_listener_events_total and weir_dns_connections. Removed in the next version.',
    kind: 'gauge',
    labels: ['transport', 'event'],
    read: listenerCounts,
  },
  {
    name: 'weir_dns_responses_total',
    help: 'Responses by response code.',
    kind: 'counter',
    labels: ['rcode'],
    read: ({ responses }) => samplesBy('rcode', responses.rcodes),
  },
  {
    name: 'weir_dns_cache_requests_total',
    help: 'Responses by the result of the cache: hit, miss (an upstream was queried), or stale (expired, because no upstream answered).',
    kind: 'counter',
    labels: ['result'],
    read: ({ responses }) => samplesBy('result', responses.cache),
  },
  {
    name: 'weir_dns_rate_limited_total',
    help: 'Queries over the rate limit by action: dropped, or answered with TC so that the client retries over TCP.',
    kind: 'counter',
    labels: ['action'],
    read: ({ responses }) => samplesBy('action', responses.rateLimited),
  },
  {
    name: 'weir_dns_skipped_rules_total',
    help: 'Wildcard and regular expression rules skipped because the step limit of a decision was reached.',
    kind: 'counter',
    read: ({ skippedRules }) => one(skippedRules),
  },
  {
    name: 'weir_dns_regex_automaton_bytes',
    help: 'Memory of cached regular-expression automata in the resolver thread.',
    kind: 'gauge',
    read: ({ status }) => one(status?.automatonBytes),
  },
  {
    name: 'weir_dns_thread_lag_seconds',
    help: 'Longest delay of the event loop since the last scrape, by thread.',
    kind: 'gauge',
    labels: ['thread'],
    read: threads(({ lagMs }) => lagMs),
  },
  {
    name: 'weir_dns_thread_gc_seconds_total',
    help: 'Time that garbage collections have stopped a thread.',
    kind: 'counter',
    labels: ['thread'],
    read: threads(({ collectionMs }) => collectionMs),
  },
  ...recordMetrics,
  {
    name: 'weir_dns_cache_entries',
    help: 'Entries in the answer cache.',
    kind: 'gauge',
    read: ({ status }) => one(status?.cache.entries),
  },
  {
    name: 'weir_dns_cache_bytes',
    help: 'Size of the answer cache in bytes.',
    kind: 'gauge',
    read: ({ status }) => one(status?.cache.bytes),
  },
  {
    name: 'weir_dns_prefetched_total',
    help: 'Cached answers refreshed before they expired.',
    kind: 'counter',
    read: ({ status }) => one(status?.prefetched),
  },
  {
    name: 'weir_dns_directory',
    help: 'Accounts and devices loaded in the resolver.',
    kind: 'gauge',
    labels: ['what'],
    read: ({ status }) => samplesBy('what', status?.directory as Record<string, number> | undefined),
  },
  {
    name: 'weir_dns_upstream_up',
    help: 'Whether an upstream is in use.',
    kind: 'gauge',
    labels: ['upstream'],
    read: upstreams(({ state }) => (state === 'in' ? 1 : 0)),
  },
  {
    name: 'weir_dns_upstream_latency_seconds',
    help: 'Smoothed response time of an upstream.',
    kind: 'gauge',
    labels: ['upstream'],
    read: upstreams(({ latencyMs }) => seconds(latencyMs)),
  },
  {
    name: 'weir_dns_upstream_failures_total',
    help: 'Queries to an upstream that failed, by reason.',
    kind: 'counter',
    labels: ['upstream', 'reason'],
    read: ({ status }) =>
      (status?.upstreams.upstreams ?? []).flatMap(({ upstream, failed }) =>
        Object.entries(failed).map(([reason, value]) => ({ labels: { upstream, reason: word(reason) }, value })),
      ),
  },
  {
    name: 'weir_dns_upstream_open',
    help: 'Open sockets and connections to an upstream.',
    kind: 'gauge',
    labels: ['upstream'],
    read: upstreams(({ open }) => open),
  },
  {
    name: 'weir_dns_upstream_in_flight',
    help: 'Queries in flight to upstreams.',
    kind: 'gauge',
    read: ({ status }) => one(status?.upstreams.inFlight),
  },
  {
    name: 'weir_dns_upstream_refused_total',
    help: 'Queries rejected because the in-flight limit was reached.',
    kind: 'counter',
    read: ({ status }) => one(status?.upstreams.refused),
  },
  {
    name: 'weir_dns_certificate_expiry_timestamp_seconds',
    help: 'Expiry time of the certificate in seconds since the Unix epoch.',
    kind: 'gauge',
    read: certificateExpiry,
  },
  {
    name: 'weir_dns_certificate_expiry_seconds',
    help: 'Deprecated: use weir_dns_certificate_expiry_timestamp_seconds. Removed in the next version.',
    kind: 'gauge',
    read: certificateExpiry,
  },
  {
    name: 'weir_ocsp_response_expiry_timestamp_seconds',
    help: 'Expiry time of the stapled OCSP response in seconds since the Unix epoch, by type of the key; 0 without a response.',
    kind: 'gauge',
    labels: ['key_type'],
    read: ocspExpiry,
  },
  {
    name: 'weir_ocsp_requests_total',
    help: 'Requests to OCSP responders by outcome: good, revoked, failed.',
    kind: 'counter',
    labels: ['outcome'],
    read: ({ ocspRequests }) => samplesBy('outcome', ocspRequests),
  },
  {
    name: 'weir_list_rules',
    help: 'Rules of a list in use.',
    kind: 'gauge',
    labels: ['list'],
    read: lists(({ rules }) => rules),
  },
  {
    name: 'weir_list_age_seconds',
    help: 'Seconds since the source of a list last confirmed that it is current.',
    kind: 'gauge',
    labels: ['list'],
    read: lists(({ ageSeconds }) => ageSeconds),
  },
  {
    name: 'weir_list_failures',
    help: 'Consecutive failed checks of a list.',
    kind: 'gauge',
    labels: ['list'],
    read: lists(({ problem }) => problem?.times ?? 0),
  },
  {
    name: 'weir_list_checks_total',
    help: 'Checks of lists by outcome.',
    kind: 'counter',
    labels: ['outcome'],
    read: ({ checks }) => samplesBy('outcome', checks),
  },
];

const histograms = [
  {
    name: 'weir_dns_response_duration_seconds',
    help: 'Time from the arrival of a query to its response, by transport and outcome: answered (no rule matched), allowed, blocked, rewritten, or refused.',
    labels: ['transport', 'outcome'],
    read: ({ responses }: Snapshot): readonly HistogramSample[] =>
      responses.latency.map(({ transport, outcome, ...counts }) => ({ labels: { transport, outcome }, ...counts })),
  },
  {
    name: 'weir_dns_upstream_duration_seconds',
    help: 'Time until an upstream answered.',
    labels: ['upstream'],
    read: ({ status }: Snapshot): readonly HistogramSample[] =>
      (status?.upstreams.upstreams ?? []).map(({ upstream, latency }) => ({ labels: { upstream }, ...latency })),
  },
] as const;

/** Values are read when Prometheus scrapes. */
export function registerDnsMetrics(register: Registry, sources: DnsSources): void {
  const snapshot = shared(() => readSnapshot(sources));
  const registers = [register];
  for (const { name, help, labels, read } of histograms)
    registerHistogram(register, { name, help, labels, read: async () => read(await snapshot()) });
  for (const { name, help, kind, labels = [], read } of table) {
    const about = { name, help, labelNames: [...labels], registers };
    if (kind === 'gauge')
      new Gauge({
        ...about,
        async collect() {
          const samples = read(await snapshot());
          // No await from here on, otherwise concurrent scrapes would count twice.
          clearMetric(this, labels);
          for (const sample of samples) this.set(sample.labels ?? {}, sample.value);
        },
      });
    else
      new Counter({
        ...about,
        async collect() {
          const samples = read(await snapshot());
          // No await from here on, otherwise concurrent scrapes would count twice.
          clearMetric(this, labels);
          for (const sample of samples) this.inc(sample.labels ?? {}, sample.value);
        },
      });
  }
}

/** reset() would report zero for unknown values. */
const clearMetric = (metric: { reset(): void; remove(): void }, labels: readonly string[]): void =>
  labels.length > 0 ? metric.reset() : metric.remove();

/** Errors of one thread must not prevent the metrics of others. */
async function readSnapshot({ dns, lists, records, stapling }: DnsSources): Promise<Snapshot> {
  const [status, recordStats] = await Promise.allSettled([dns.status(), records.stats()]);
  return {
    status: status.status === 'fulfilled' ? status.value : undefined,
    udp: dns.udpCounts(),
    responses: dns.responseCounts(),
    skippedRules: dns.skipped.rules(),
    records: recordStats.status === 'fulfilled' ? recordStats.value : undefined,
    lists: lists.status(),
    checks: lists.checks(),
    ocsp: stapling.state(),
    ocspRequests: stapling.requests(),
  };
}

const SHARED_MS = 200;

/** All metrics of one scrape share one read. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at > SHARED_MS) last = { at: now, value: read() };
    return last.value;
  };
}
