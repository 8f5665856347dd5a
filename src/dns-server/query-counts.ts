import type { Answers, Asked } from '../resolver/transport/listener.ts';

/** What became of queries: answered from memory, handed to those who wait for others, or not worth an answer. */
export type QueryCounts = Readonly<Record<Asked['transport'], Readonly<Record<QueryOutcome, number>>>>;
type QueryOutcome = 'at once' | 'later' | 'dropped';

const none = () => ({ 'at once': 0, later: 0, dropped: 0 });

/** The same answers, counted by transport. */
export function countQueries({ atOnce, later }: Answers) {
  const counts = { udp: none(), tcp: none(), dot: none(), doh: none() };
  const answers: Answers = {
    atOnce(asked, into, at, room) {
      const length = atOnce(asked, into, at, room);
      counts[asked.transport][length > 0 ? 'at once' : length < 0 ? 'later' : 'dropped'] += 1;
      return length;
    },
    later,
  };
  return { answers, counts: (): QueryCounts => counts };
}

/** With those of udp threads, by the names of udp-counts.ts. */
export function withUdpThreads(counts: QueryCounts, udp: Readonly<Record<string, number>>): QueryCounts {
  const of = (...names: readonly string[]): number => names.reduce((sum, name) => sum + (udp[name] ?? 0), 0);
  const own = counts.udp;
  return {
    ...counts,
    udp: {
      'at once': own['at once'] + of('answered', 'sendFailed'),
      later: own.later + of('missed'),
      dropped: own.dropped + of('dropped', 'oversized', 'malformed'),
    },
  };
}
