import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import type { ListStatus } from '../filter-lists/list-status.ts';
import { type DnsSources, registerDnsMetrics } from './dns-metrics.ts';

const list = (id: string, namedBy: ListStatus['namedBy'], changes: Partial<ListStatus> = {}): ListStatus => ({
  id,
  source: 'https://lists.example.org/list.txt',
  namedBy,
  isLoaded: true,
  isBuiltIn: false,
  rules: 7,
  fetchedAt: 1000,
  checkedAt: 2000,
  ageSeconds: 60,
  bytes: 100,
  textBytes: 100,
  ignored: 0,
  invalid: 0,
  problem: undefined,
  changes: undefined,
  isHeldBack: false,
  ...changes,
});

const responses: ReturnType<DnsSources['dns']['responseCounts']> = {
  latency: [{ transport: 'udp', outcome: 'blocked', buckets: [3, 0, 1, ...Array<number>(10).fill(0)], sumMs: 4 }],
  rcodes: { NOERROR: 4 },
  cache: { hit: 1, miss: 2, stale: 0 },
  rateLimited: { drop: 5, truncate: 6 },
};

function sources(given: Partial<DnsSources> = {}): DnsSources {
  return {
    dns: {
      status: async () => ({
        upstreams: { upstreams: [], inFlight: 0, refused: 3, shared: 0, recalled: 0, local: 0, loops: 0 },
        cache: { entries: 5, bytes: 500 },
        directory: { accounts: 2, devices: 9 },
        listeners: {
          counts: { tcp: { open: 1, accepted: 4 }, dot: undefined },
          certificates: [
            {
              file: '/etc/weir/ecdsa.pem',
              fingerprint: 'AA:BB',
              domains: ['dns.example.org'],
              issuer: 'Authority',
              keyType: 'ECDSA',
              startsAt: 0,
              expiresAt: 1_800_000_000_000,
              isSelfSigned: false,
            },
          ],
          certificateExpiresAt: 1_800_000_000_000,
        },
        prefetched: 1,
        queries: {
          udp: { 'at once': 0, later: 0, dropped: 0 },
          tcp: { 'at once': 6, later: 1, dropped: 0 },
          dot: { 'at once': 5, later: 2, dropped: 0 },
          doh: { 'at once': 4, later: 3, dropped: 1 },
        },
        identities: { unknown: 3, throttled: 2 },
        automatonBytes: 4096,
        load: { lagMs: 20, collections: 3, collectionMs: 500 },
      }),
      skipped: { of: () => undefined, rules: () => 7 },
      udpCounts: () => ({ received: 10, answered: 8, missed: 2 }),
      responseCounts: () => responses,
    },
    lists: {
      status: () => [
        list('house', 'operator', { problem: { kind: 'failed', why: 'no answer', since: 1, times: 4 } }),
        list('secret', 'account'),
      ],
      checks: () => ({ unchanged: 1, new: 2, 'not used': 0, failed: 4 }),
    },
    records: {
      stats: async () => ({
        written: 12,
        stored: 9,
        load: { lagMs: 30, collections: 1, collectionMs: 250 },
        waiting: 1,
        waitingBytes: 64,
        dropped: {
          'ring full': 2,
          'spool full': 0,
          unknown: 0,
          cleared: 0,
          'switched off': 0,
          'thread lost': 0,
          end: 0,
        },
        lagMs: 1500,
        isReachable: false,
      }),
    },
    stapling: {
      state: () => [
        {
          fingerprint: 'AA:BB',
          isRequired: false,
          status: 'stapled',
          endsAt: 1_900_000_000_000,
          nextAttemptAt: undefined,
          problem: undefined,
        },
      ],
      requests: () => ({ good: 2, revoked: 0, failed: 1 }),
    },
    ...given,
  };
}

async function told(given: DnsSources): Promise<readonly string[]> {
  const registry = new Registry();
  registerDnsMetrics(registry, given);
  await registry.metrics();
  // A second scrape returns the same values: counters are not added to themselves.
  return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

test('values are reported unchanged, with labels that identify no client', async () => {
  const lines = await told(sources());
  for (const line of [
    'weir_dns_up 1',
    'weir_dns_udp_packets_total{outcome="received"} 10',
    'weir_dns_queries_total{transport="udp",outcome="at_once"} 8',
    'weir_dns_queries_total{transport="udp",outcome="later"} 2',
    'weir_dns_queries_total{transport="dot",outcome="at_once"} 5',
    'weir_dns_queries_total{transport="doh",outcome="dropped"} 1',
    'weir_dns_rejected_ids_total{outcome="throttled"} 2',
    'weir_ocsp_response_expiry_timestamp_seconds{key_type="ECDSA"} 1900000000',
    'weir_ocsp_requests_total{outcome="failed"} 1',
    'weir_dns_regex_automaton_bytes 4096',
    'weir_dns_thread_lag_seconds{thread="resolver"} 0.02',
    'weir_dns_thread_lag_seconds{thread="query_log"} 0.03',
    'weir_dns_thread_gc_seconds_total{thread="resolver"} 0.5',
    'weir_dns_thread_gc_seconds_total{thread="query_log"} 0.25',
    'weir_dns_listener_events_total{transport="tcp",event="accepted"} 4',
    'weir_dns_connections{transport="tcp"} 1',
    'weir_dns_response_duration_seconds_bucket{transport="udp",outcome="blocked",le="0.001"} 3',
    'weir_dns_response_duration_seconds_bucket{transport="udp",outcome="blocked",le="0.005"} 4',
    'weir_dns_response_duration_seconds_bucket{transport="udp",outcome="blocked",le="+Inf"} 4',
    'weir_dns_response_duration_seconds_sum{transport="udp",outcome="blocked"} 0.004',
    'weir_dns_response_duration_seconds_count{transport="udp",outcome="blocked"} 4',
    'weir_dns_responses_total{rcode="NOERROR"} 4',
    'weir_dns_cache_requests_total{result="miss"} 2',
    'weir_dns_rate_limited_total{action="drop"} 5',
    'weir_dns_records_written_total 12',
    'weir_dns_records_dropped_total{reason="ring_full"} 2',
    'weir_dns_records_lag_seconds 1.5',
    'weir_query_log_reachable 0',
    'weir_dns_cache_bytes 500',
    'weir_dns_directory{what="devices"} 9',
    'weir_dns_upstream_refused_total 3',
    'weir_dns_certificate_expiry_timestamp_seconds 1800000000',
    'weir_list_rules{list="house"} 7',
    'weir_list_failures{list="house"} 4',
    'weir_list_checks_total{outcome="failed"} 4',
  ])
    assert.ok(lines.includes(line), `${line} is not in\n${lines.join('\n')}`);
});

test('custom lists of accounts do not appear in the metrics', async () => {
  assert.equal((await told(sources())).filter((line) => line.includes('secret')).length, 0);
});

test('a thread without metrics is reported, and the metrics of the others are collected', async () => {
  const dns = {
    status: () => Promise.reject(new Error('lost')),
    skipped: { of: () => undefined, rules: () => 0 },
    udpCounts: () => ({ received: 10 }),
    responseCounts: () => responses,
  };
  const lines = await told(sources({ dns }));
  assert.ok(lines.includes('weir_dns_up 0'));
  assert.ok(lines.includes('weir_dns_records_stored_total 9'));
  assert.deepEqual(
    lines.filter((line) => line.startsWith('weir_dns_cache_bytes')),
    [],
  );
});
