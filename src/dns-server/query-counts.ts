import type { Answers, DnsRequest } from '../resolver/transport/listener.ts';

/** Queries by outcome: answered without a lookup, with a lookup, or dropped. */
export type QueryCounts = Readonly<Record<DnsRequest['transport'], Readonly<Record<QueryOutcome, number>>>>;
type QueryOutcome = 'at once' | 'later' | 'dropped';

const none = () => ({ 'at once': 0, later: 0, dropped: 0 });

/** Counts queries by transport. */
export function countQueries({ answerSync, answerAsync }: Answers) {
  const counts = { udp: none(), tcp: none(), dot: none(), doh: none() };
  const answers: Answers = {
    answerSync(request, output, at, room) {
      const length = answerSync(request, output, at, room);
      counts[request.transport][length > 0 ? 'at once' : length < 0 ? 'later' : 'dropped'] += 1;
      return length;
    },
    answerAsync,
  };
  return { answers, counts: (): QueryCounts => counts };
}

/** Adds the counts of UDP threads, which have the names of udp-counts.ts. */
export function withUdpThreads(counts: QueryCounts, udp: Readonly<Record<string, number>>): QueryCounts {
  const of = (...names: readonly string[]): number => names.reduce((sum, name) => sum + (udp[name] ?? 0), 0);
  const resolverCounts = counts.udp;
  return {
    ...counts,
    udp: {
      'at once': resolverCounts['at once'] + of('answered', 'sendFailed'),
      later: resolverCounts.later + of('missed'),
      dropped: resolverCounts.dropped + of('dropped', 'oversized', 'malformed'),
    },
  };
}
