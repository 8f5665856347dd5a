import { Readable } from 'node:stream';
import Type from 'typebox';
import { type LogQuery, matchesLogQuery } from '../domain/log-query.ts';
import type { QueryRecord } from '../domain/query-record.ts';
import { err, ok } from '../kit/result.ts';
import type { WatchLog } from './log-deps.ts';
import { type Operation, read } from './operation.ts';
import { rangeParameters } from './time-range.ts';
import { recordToWire } from './wire/log-page.ts';
import { CategoryType, FilteringActionStatus } from './wire/query-log.ts';

const HEARTBEAT_MS = 15_000;
/** Whoever wants more comes again, and is asked again who he is. */
const LONGEST_MS = 15 * 60_000;
const MAX_STREAMS = 8;
const MAX_WAITING = 1000;
const RETRY_SECONDS = 10;

type Filters = Omit<LogQuery, 'from' | 'to' | 'limit' | 'cursor'>;

/** Streams of queries as they happen, so many of an account at most. */
export function createLiveLog(watch: WatchLog) {
  const streams = new Map<string, Set<Readable>>();
  return {
    /** Undefined when the account has as many as it may. */
    open(account: string, filters: Filters): Readable | undefined {
      const own = streams.get(account) ?? new Set();
      if (own.size >= MAX_STREAMS) return undefined;
      const stream = liveStream((told) => watch(account, told), filters);
      streams.set(account, own.add(stream));
      stream.once('close', () => {
        own.delete(stream);
        if (own.size === 0) streams.delete(account);
      });
      return stream;
    },
    /** The program stops: nobody need wait for what never ends. */
    endAll(): void {
      for (const own of streams.values()) for (const stream of own) stream.push(null);
    },
  };
}

export type LiveLog = ReturnType<typeof createLiveLog>;

/** Server-sent events. A reader that is too slow misses some, and is told how many. */
function liveStream(watch: (told: Parameters<WatchLog>[1]) => () => void, filters: Filters): Readable {
  let waiting: QueryRecord[] = [];
  let missed = 0;
  let isWanted = true;
  const stream = new Readable({
    read() {
      isWanted = true;
      send();
    },
  });
  const push = (text: string): void => {
    if (!stream.readableEnded && !stream.destroyed) isWanted = stream.push(text);
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
    const room = MAX_WAITING - waiting.length;
    waiting.push(...wanted.slice(0, room));
    missed += more + Math.max(0, wanted.length - room);
    send();
  });
  const heartbeat = setInterval(() => isWanted && push(': still here\n\n'), HEARTBEAT_MS);
  const end = setTimeout(() => stream.push(null), LONGEST_MS);
  const over = (): void => {
    clearInterval(heartbeat);
    clearTimeout(end);
    stop();
  };
  stream.once('close', over);
  stream.once('end', over);
  stream.push('retry: 3000\n\n');
  return stream;
}

const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

const { devices, dns_servers, countries } = rangeParameters;

export const liveLogOperations: readonly Operation[] = [
  read({
    method: 'GET',
    path: '/api/v1/query_log/live',
    group: 'Query log',
    summary: 'Queries as they happen',
    description:
      'Server-sent events: `query` with a row as the query log has it, `missed` with how many rows a slow reader was not told of.',
    query: Type.Object({
      devices,
      dns_servers,
      countries,
      companies: Type.Optional(
        Type.Array(Type.String({ maxLength: 255 }), { description: 'Only of these companies, by id.' }),
      ),
      statuses: Type.Optional(Type.Array(FilteringActionStatus, { description: 'Only with these outcomes.' })),
      categories: Type.Optional(Type.Array(CategoryType, { description: 'Only of these categories.' })),
      search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the domain.' })),
    }),
    replyWords: 'A stream as `text/event-stream`; it ends after a quarter of an hour, or when the service stops.',
    refusals: [400, 429],
    run: async (_store, { caller, query }, { liveLog }) => {
      const { devices, dns_servers: dnsServers, countries, companies, statuses, categories, search } = query;
      const stream = liveLog?.open(caller.account, {
        ...(devices && { devices }),
        ...(dnsServers && { dnsServers }),
        ...(countries && { countries: countries.map((country) => country.toUpperCase()) }),
        ...(companies && { companies }),
        ...(statuses && { statuses }),
        ...(categories && { categories }),
        ...(search && { search: search.toLowerCase() }),
      });
      if (!stream) return err({ kind: 'slow down', retryAfterSeconds: RETRY_SECONDS });
      // Proxies that collect answers before they pass them on would never pass this one on.
      return ok({ headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }, content: stream });
    },
  }),
];
