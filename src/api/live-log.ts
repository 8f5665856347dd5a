import { Readable } from 'node:stream';
import Type from 'typebox';
import type { AccountId } from '../domain/ids.ts';
import { type LogQuery, matchesLogQuery } from '../domain/log-query.ts';
import type { QueryRecord } from '../domain/query-record.ts';
import { err, ok } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import type { WatchLog } from './log-deps.ts';
import { filterParameters, filtersFromWire } from './log-filters.ts';
import { type Operation, query } from './operation.ts';
import { isStillAllowed } from './still-allowed.ts';
import { rangeParameters } from './time-range.ts';
import { recordToWire } from './wire/log-page.ts';

const HEARTBEAT_MS = 15_000;
const LONGEST_MS = 15 * 60_000;
const MAX_STREAMS = 8;
const MAX_WAITING = 1000;
const RETRY_SECONDS = 10;

type Filters = Omit<LogQuery, 'from' | 'to' | 'limit' | 'cursor'>;

type Reader = {
  readonly account: AccountId;
  /** Expiry time of the credentials. */
  readonly until: number;
  /** Whether the credentials are still valid; called after each change of the account. */
  readonly isAllowed: () => Promise<boolean>;
};
type LiveStream = { readonly stream: Readable; readonly end: () => void };
type OpenStream = LiveStream & Pick<Reader, 'isAllowed'>;

/** Live streams of queries, a limited number per account. Each ends when its credentials become invalid. */
export function createLiveLog(watch: WatchLog, { onCommit }: Pick<Deps['store'], 'onCommit'>, now: () => number) {
  const streams = new Map<AccountId, Set<OpenStream>>();
  const recheck = async ({ end, isAllowed }: OpenStream): Promise<void> => {
    if (!(await isAllowed())) end();
  };
  // Ends streams before the request that revokes their credentials is answered.
  const stop = onCommit(async (changed) => {
    const accounts = changed === 'all' ? [...streams.keys()] : [...changed];
    await Promise.all(accounts.flatMap((account) => Array.from(streams.get(account) ?? [], recheck)));
  }, 'the live query log');
  return {
    /** Undefined if the account has reached its limit. */
    open({ account, until, isAllowed }: Reader, filters: Filters): Readable | undefined {
      const streamsOfAccount = streams.get(account) ?? new Set();
      if (streamsOfAccount.size >= MAX_STREAMS) return undefined;
      const longestMs = Math.max(0, Math.min(LONGEST_MS, until - now()));
      const live = liveStream((listener) => watch(account, listener), filters, longestMs);
      const opened = { ...live, isAllowed };
      streams.set(account, streamsOfAccount.add(opened));
      live.stream.once('close', () => {
        streamsOfAccount.delete(opened);
        if (streamsOfAccount.size === 0) streams.delete(account);
      });
      // The credentials may have been revoked between their check and the registration above.
      recheck(opened).catch(live.end);
      return live.stream;
    },
    endAll(): void {
      stop();
      for (const streamsOfAccount of streams.values()) for (const { end } of streamsOfAccount) end();
    },
  };
}

export type LiveLog = ReturnType<typeof createLiveLog>;

/** Sends server-sent events. Events are dropped for a slow client, which gets their number. */
function liveStream(
  watch: (listener: Parameters<WatchLog>[1]) => () => void,
  filters: Filters,
  longestMs: number,
): LiveStream {
  let waiting: QueryRecord[] = [];
  let missed = 0;
  let isWanted = true;
  let isOver = false;
  const stream = new Readable({
    read() {
      isWanted = true;
      send();
    },
  });
  const push = (text: string): void => {
    if (!isOver) isWanted = stream.push(text);
  };
  const send = (): void => {
    if (!isWanted || (waiting.length === 0 && missed === 0)) return;
    const events = waiting.map((record) => event('query', recordToWire(record)));
    if (missed > 0) events.push(event('missed', { count: missed }));
    waiting = [];
    missed = 0;
    push(events.join(''));
  };
  const stop = watch((records, more) => {
    const wanted = records.filter((record) => matchesLogQuery(record, filters));
    const quota = MAX_WAITING - waiting.length;
    waiting.push(...wanted.slice(0, quota));
    missed += more + Math.max(0, wanted.length - quota);
    send();
  });
  const heartbeat = setInterval(() => isWanted && push(': still here\n\n'), HEARTBEAT_MS);
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(heartbeat);
    clearTimeout(timeout);
    stop();
    stream.push(null);
  };
  const timeout = setTimeout(end, longestMs);
  stream.once('close', end);
  push('retry: 3000\n\n');
  return { stream, end };
}

const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

const { devices, dns_servers, countries } = rangeParameters;

export const liveLogOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/query_log/live',
    group: 'Query log',
    summary: 'Stream queries',
    description:
      'Server-sent events: `query` has an entry of the query log, `missed` the number of entries that were dropped because the client was too slow.',
    query: Type.Object({
      devices,
      dns_servers,
      countries,
      ...filterParameters,
    }),
    replyType: 'text/event-stream',
    responseDescription:
      '`text/event-stream`. The stream ends after 15 minutes, when the credentials expire or lose access, or when the service stops.',
    errors: [400, 429],
    run: async (_store, { caller, query }, deps) => {
      const { devices, dns_servers: dnsServers, countries } = query;
      const filters = filtersFromWire(query);
      if (!filters.ok) return filters;
      const reader = {
        account: caller.account,
        until: 'key' in caller.with ? Infinity : caller.with.expiresAt,
        isAllowed: () => isStillAllowed(deps, caller),
      };
      const stream = deps.liveLog?.open(reader, {
        ...(devices && { devices }),
        ...(dnsServers && { dnsServers }),
        ...(countries && { countries: countries.map((country) => country.toUpperCase()) }),
        ...filters.value,
      });
      if (!stream) return err({ kind: 'slow down', retryAfterSeconds: RETRY_SECONDS });
      // Prevents buffering by proxies, which would not forward the stream.
      return ok({ headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }, content: stream });
    },
  }),
];
