import type { WebService } from './web-service.ts';
import type { ServiceGroup } from './web-services.ts';

/** A kind of content that parental control can block. */
export type FilteringCategory = {
  readonly id: string;
  /** Domains of its web services, blocked with all subdomains. */
  readonly domains: readonly string[];
  /** Ids of filter lists, which are downloaded while a DNS server blocks the category. */
  readonly lists: readonly string[];
};

type Definition = { readonly groups: readonly ServiceGroup[]; readonly lists: readonly string[] };

// Each list belongs to one category only, because the category of a blocked query is derived from its list.
const definitions: Readonly<Record<string, Definition>> = {
  ai: { groups: ['ai'], lists: [] },
  dating: { groups: ['dating'], lists: ['shadowwhisperers_dating_list'] },
  drugs: { groups: [], lists: ['blocklistproject_drugs'] },
  gambling: { groups: ['gambling'], lists: ['hagezi_gambling_blocklist'] },
  gaming: { groups: ['gaming'], lists: [] },
  messenger: { groups: ['messenger'], lists: [] },
  piracy: { groups: [], lists: ['hagezi_antipiracy_blocklist'] },
  shopping: { groups: ['shopping'], lists: [] },
  social_network: { groups: ['social_network'], lists: ['hagezi_social_networks'] },
  streaming: { groups: ['streaming'], lists: [] },
  vpn_proxy: { groups: [], lists: ['hagezi_encrypted_dns_vpn_tor_proxy_bypass'] },
};

const categoriesOfLists = new Map(
  Object.entries(definitions).flatMap(([id, { lists }]) => lists.map((list) => [list, id] as const)),
);

/** The categories that have web services or filter lists. */
export function filteringCategories(
  services: Iterable<Pick<WebService, 'group' | 'domains'>>,
  knownLists: { has(id: string): boolean },
): readonly FilteringCategory[] {
  const byGroup = Map.groupBy(services, ({ group }) => group);
  return Object.entries(definitions)
    .map(([id, { groups, lists }]) => ({
      id,
      domains: groups.flatMap((group) => byGroup.get(group) ?? []).flatMap(({ domains }) => domains),
      lists: lists.filter((list) => knownLists.has(list)),
    }))
    .filter(({ domains, lists }) => domains.length + lists.length > 0);
}

export const listsOfCategory = (id: string): readonly string[] =>
  Object.hasOwn(definitions, id) ? definitions[id]!.lists : [];

export const categoryOfList = (list: string): string | undefined => categoriesOfLists.get(list);
