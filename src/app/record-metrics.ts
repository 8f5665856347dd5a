import type { QueryLog } from '../query-log/index.ts';
import { type DnsMetric, one, samplesBy, seconds } from './dns-metric.ts';

type Snapshot = { readonly records: Awaited<ReturnType<QueryLog['stats']>> | undefined };

/** Query records on their way to the log. */
export const recordMetrics: readonly DnsMetric<Snapshot>[] = [
  {
    name: 'weir_dns_records_written_total',
    help: 'Queries written to the log buffer.',
    kind: 'counter',
    read: ({ records }) => one(records?.written),
  },
  {
    name: 'weir_dns_records_stored_total',
    help: 'Queries stored in the query log.',
    kind: 'counter',
    read: ({ records }) => one(records?.stored),
  },
  {
    name: 'weir_dns_records_dropped_total',
    help: 'Queries dropped before they were stored in the query log, by reason.',
    kind: 'counter',
    labels: ['reason'],
    read: ({ records }) => samplesBy('reason', records?.dropped),
  },
  {
    name: 'weir_dns_records_waiting',
    help: 'Queries waiting to be stored in the query log.',
    kind: 'gauge',
    read: ({ records }) => one(records?.waiting),
  },
  {
    name: 'weir_dns_records_waiting_bytes',
    help: 'Size of the queries waiting to be stored, in bytes.',
    kind: 'gauge',
    read: ({ records }) => one(records?.waitingBytes),
  },
  {
    name: 'weir_query_log_reachable',
    help: '0 while the query log cannot be read or written.',
    kind: 'gauge',
    read: ({ records }) => one(records && Number(records.isReachable)),
  },
  {
    name: 'weir_dns_records_lag_seconds',
    help: 'Age of the oldest query waiting to be stored in the query log.',
    kind: 'gauge',
    read: ({ records }) => one(seconds(records?.lagMs)),
  },
];
