import { withoutSecretsOfUrls, withoutUrlSecrets, withoutUrlSecretsIn } from '../domain/url-secrets.ts';
import { safetyKinds, safetyListId } from '../filter-lists/list-request.ts';
import type { ListStatus } from '../filter-lists/list-status.ts';
import type { Lists } from '../filter-lists/open-lists.ts';
import { reachableAddresses } from '../platform/own-addresses.ts';
import type { DnsSources } from './dns-metrics.ts';
import type { DnsService } from './dns-service.ts';
import { explainNothing, explainWith } from './explain-for-api.ts';
import type { ResolverStatus } from './management.ts';

/** Status functions for the management API if DNS is off. The lists are those for edges, if there are any. */
export const withoutResolver = (lists: () => Lists | undefined = () => undefined): ResolverStatus => ({
  fetchedList: (id) => lists()?.fetchedList(id),
  listHealth: () => lists()?.status() ?? [],
  changedRules: async (id) => lists()?.changedRules(id),
  listOverlap: async (ids) => lists()?.overlap(ids) ?? [],
  safetyLists: () => [],
  refreshList: async (id) => lists()?.check(id),
  acceptList: async (id) => lists()?.accept(id),
  explain: explainNothing,
  skippedRules: () => undefined,
  loadedFilters: async () => new Map(),
  dnsAddresses: () => [],
  listening: () => [],
  encrypted: 'elsewhere',
  clearCache: () => true,
  reloadCertificates: async () => {},
  dnsState: async () => undefined,
});

export const resolverStatus = (
  { dns, lists, safety, where, stapling }: DnsService,
  areSettingsCurrent: () => boolean,
): ResolverStatus => ({
  fetchedList: (id) => lists.fetchedList(id),
  listHealth: lists.status,
  changedRules: lists.changedRules,
  listOverlap: lists.overlap,
  safetyLists: () =>
    safetyKinds.map((kind) => ({ kind, ids: safety[kind].map((source) => safetyListId(kind, source)) })),
  refreshList: lists.check,
  acceptList: lists.accept,
  explain: explainWith(dns),
  skippedRules: dns.skipped.of,
  loadedFilters: dns.loadedFilters,
  dnsAddresses: () => {
    if (!where.dns) return [];
    const { host, port } = where.dns;
    return reachableAddresses(host).map((address) => ({ address, port }));
  },
  listening: () => Object.values(where).map(({ host, port }) => ({ address: host, port })),
  encrypted: where,
  clearCache: dns.clearCache,
  reloadCertificates: dns.reloadCertificates,
  async dnsState() {
    const { upstreams, cache, directory, listeners } = await dns.status();
    const all = lists.status();
    return {
      listeners: Object.entries(where).map(([name, address]) => ({ name, ...address })),
      areSettingsCurrent: areSettingsCurrent(),
      ...directory,
      upstreams: upstreams.upstreams,
      lists: all.filter(({ namedBy }) => namedBy === 'operator'),
      customLists: all.filter(({ namedBy }) => namedBy === 'account').length,
      cache,
      udp: dns.udpCounts(),
      certificateEndsAt: listeners.certificateExpiresAt,
      certificates: listeners.certificates.map((certificate) => ({
        ...certificate,
        ocsp: stapling.state().find(({ fingerprint }) => fingerprint === certificate.fingerprint),
      })),
    };
  },
});

/** The text of an error may contain the URL. */
const shownStatus = ({ source, problem, ...status }: ListStatus) => ({
  ...status,
  source: source && withoutUrlSecrets(source),
  problem: problem && { ...problem, why: withoutSecretsOfUrls(problem.why) },
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
