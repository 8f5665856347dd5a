import type { DnsSources } from './dns-metrics.ts';
import type { DnsService } from './dns-service.ts';
import { explainNothing, explainWith } from './explain-for-api.ts';
import type { FromResolver } from './management.ts';

// What of the resolver is told outside of it: to the management interface, and to those who run the program.

export const withoutResolver: FromResolver = {
  fetchedList: () => undefined,
  listHealth: () => [],
  explain: explainNothing,
};

export const fromResolver = ({ dns, lists }: Pick<DnsService, 'dns' | 'lists'>): FromResolver => ({
  fetchedList: (id) => lists.fetchedList(id),
  listHealth: lists.status,
  explain: explainWith(dns),
});

/** As JSON on the operators' listener. */
export const dnsPages = ({
  dns,
  lists,
  records,
  where,
}: DnsSources & Pick<DnsService, 'where'>): readonly (readonly [path: string, () => unknown])[] => [
  [
    '/dns',
    async () => ({
      listens: where,
      udp: dns.udpCounts(),
      ...(await dns.status()),
      records: await records.figures(),
    }),
  ],
  ['/lists', () => ({ lists: lists.status(), checks: lists.checks() })],
];
