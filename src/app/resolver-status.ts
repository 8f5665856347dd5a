import { withoutUrlSecrets, withoutUrlSecretsIn } from '../domain/url-secrets.ts';
import type { ListStatus } from '../filter-lists/list-status.ts';
import type { DnsSources } from './dns-metrics.ts';
import type { DnsService } from './dns-service.ts';
import { explainNothing, explainWith } from './explain-for-api.ts';
import type { ResolverStatus } from './management.ts';

/** The status functions of the resolver for the management API, when DNS is off. */
export const withoutResolver: ResolverStatus = {
  fetchedList: () => undefined,
  listHealth: () => [],
  refreshList: async () => {},
  explain: explainNothing,
  skippedRules: () => undefined,
  dnsState: async () => undefined,
};

export const resolverStatus = (
  { dns, lists, where }: DnsService,
  areSettingsCurrent: () => boolean,
): ResolverStatus => ({
  fetchedList: (id) => lists.fetchedList(id),
  listHealth: lists.status,
  refreshList: lists.check,
  explain: explainWith(dns),
  skippedRules: dns.skipped.of,
  async dnsState() {
    const { upstreams, cache, directory, listeners } = await dns.status();
    const all = lists.status();
    return {
      listeners: Object.entries(where).map(([name, place]) => ({ name, ...place })),
      areSettingsCurrent: areSettingsCurrent(),
      ...directory,
      upstreams: upstreams.upstreams,
      lists: all.filter(({ namedBy }) => namedBy === 'operator'),
      customLists: all.filter(({ namedBy }) => namedBy === 'account').length,
      cache,
      udp: dns.udpCounts(),
      certificateEndsAt: listeners.certificateExpiresAt,
    };
  },
});

/** The text of an error may contain the URL. */
const shownStatus = ({ source, problem, ...status }: ListStatus) => ({
  ...status,
  source: source && withoutUrlSecrets(source),
  problem: problem && { ...problem, why: problem.why.replaceAll(/https?:\/\/[^\s"']+/gi, withoutUrlSecrets) },
});

/** Status pages of the operators' listener. */
export const dnsPages = ({
  dns,
  lists,
  records,
  where,
}: DnsSources & Pick<DnsService, 'where'>): readonly (readonly [path: string, () => unknown])[] => [
  [
    '/dns',
    async () =>
      withoutUrlSecretsIn({
        listens: where,
        udp: dns.udpCounts(),
        ...(await dns.status()),
        records: await records.stats(),
      }),
  ],
  ['/lists', () => ({ lists: lists.status().map(shownStatus), checks: lists.checks() })],
];
