import { rcodes } from '../../dns/numbers.ts';
import { LATENCY_BUCKETS, type LatencyCounts, latencyBucket } from '../../kit/latency-buckets.ts';
import type { DnsRequest } from '../transport/listener.ts';
import { elapsedMs, type QueryContext } from './query-context.ts';
import type { Status } from './query-recorder.ts';

const transports = ['udp', 'tcp', 'dot', 'doh'] as const satisfies readonly DnsRequest['transport'][];
/** `answered`: no rule matched. `refused`: the client is unknown or has no access, or the query is invalid. */
const responseOutcomes = ['answered', 'allowed', 'blocked', 'rewritten', 'refused'] as const;
const cacheResults = ['hit', 'miss', 'stale'] as const;
/** Actions of the rate limit. */
const rateLimitActions = ['drop', 'truncate'] as const;

// A Map: property access here would be megamorphic.
const outcomeOf: ReadonlyMap<Status, number> = new Map([
  ['NONE', 0],
  ['REQUEST_ALLOWED', 1],
  ['RESPONSE_ALLOWED', 1],
  ['REQUEST_BLOCKED', 2],
  ['RESPONSE_BLOCKED', 2],
  ['MODIFIED', 3],
]);
const REFUSED = 4;

// Per transport and outcome: one count per bucket, and the sum of milliseconds.
const SERIES = LATENCY_BUCKETS + 1;
const MAX_RCODE = 24;
const RCODES = transports.length * responseOutcomes.length * SERIES;
const CACHE = RCODES + MAX_RCODE;
const RATE_LIMIT = CACHE + cacheResults.length;

export const createResponseCountsMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer((RATE_LIMIT + rateLimitActions.length) * Float64Array.BYTES_PER_ELEMENT);

const FLAGS_LOW = 3;

export type ResponseCounter = {
  readonly count: (context: QueryContext) => void;
  readonly countRateLimited: (action: (typeof rateLimitActions)[number]) => void;
};

/** Counts the responses of one thread in shared memory, which the main thread reads. Allocates nothing per response. */
export function openResponseCounter(memory: SharedArrayBuffer): ResponseCounter {
  const counts = new Float64Array(memory);
  const add = (index: number, by: number): void => {
    counts[index] = counts[index]! + by;
  };
  return {
    count(context) {
      const { request, client, status, response, message } = context;
      const outcome = client ? outcomeOf.get(status)! : REFUSED;
      const series = (transports.indexOf(request.transport) * responseOutcomes.length + outcome) * SERIES;
      const ms = elapsedMs(context);
      add(series + latencyBucket(ms), 1);
      add(series + SERIES - 1, ms);
      const code = response === 'code' ? context.code : context.output[context.outputAt + FLAGS_LOW]! & 0xf;
      add(RCODES + Math.min(code, MAX_RCODE - 1), 1);
      const result = cacheResultOf(context, message.staleTtl);
      if (result >= 0) add(CACHE + result, 1);
    },
    countRateLimited: (action) => add(RATE_LIMIT + (action === 'drop' ? 0 : 1), 1),
  };
}

/** -1 for a response for which the cache was not used. */
function cacheResultOf({ response, isMiss, arrived, message }: QueryContext, staleTtl: number): number {
  if (response !== 'message' && response !== 'blocked') return -1;
  if (response === 'message' && staleTtl >= 0) return 2;
  if (isMiss || arrived) return 1;
  return response === 'message' && message.isShared ? 0 : -1;
}

export type ResponseCounts = {
  readonly latency: readonly (LatencyCounts & { readonly transport: string; readonly outcome: string })[];
  readonly rcodes: Readonly<Record<string, number>>;
  readonly cache: Readonly<Record<(typeof cacheResults)[number], number>>;
  readonly rateLimited: Readonly<Record<(typeof rateLimitActions)[number], number>>;
};

const rcodeNames: ReadonlyMap<number, string> = new Map(Object.entries(rcodes).map(([name, code]) => [code, name]));

/** Sums over all threads. */
export function readResponseCounts(memories: readonly SharedArrayBuffer[]): ResponseCounts {
  const all = memories.map((memory) => new Float64Array(memory));
  const sum = (index: number): number => all.reduce((total, counts) => total + counts[index]!, 0);
  const codes = Array.from(
    { length: MAX_RCODE },
    (_, code) => [rcodeNames.get(code) ?? `RCODE${code}`, sum(RCODES + code)] as const,
  );
  return {
    latency: transports.flatMap((transport, t) =>
      responseOutcomes.map((outcome, o) => {
        const series = (t * responseOutcomes.length + o) * SERIES;
        const buckets = Array.from({ length: SERIES - 1 }, (_, bucket) => sum(series + bucket));
        return { transport, outcome, buckets, sumMs: sum(series + SERIES - 1) };
      }),
    ),
    rcodes: Object.fromEntries(codes.filter(([, count]) => count > 0)),
    cache: { hit: sum(CACHE), miss: sum(CACHE + 1), stale: sum(CACHE + 2) },
    rateLimited: { drop: sum(RATE_LIMIT), truncate: sum(RATE_LIMIT + 1) },
  };
}
