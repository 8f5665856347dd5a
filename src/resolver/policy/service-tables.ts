import { LRUCache } from 'lru-cache';
import type { WebService } from '../../domain/catalogue/web-service.ts';
import type { ListTable } from '../../engine/list-table.ts';
import { tableFromRules } from './table-from-rules.ts';

/**
 * Blocked services, or blocked categories, as tables. A profile may block a hundred services, and every table costs time per query, so one
 * table has all services of a profile. Profiles with the same services share it.
 */
export type ServiceTables = {
  readonly table: (ids: readonly string[]) => ListTable | undefined;
  /** The service to which a rule of the table belongs. */
  readonly serviceOf: (ids: readonly string[], rule: string) => string | undefined;
};

type Services = ReadonlyMap<string, Pick<WebService, 'domains'>>;

const MAX_BYTES = 16 * 1024 * 1024;

/** `listId`: id of the tables in the query log. */
export function createServiceTables(services: Services, secret: Uint8Array, listId: string): ServiceTables {
  const tableCache = new LRUCache<string, ListTable>({ maxSize: MAX_BYTES });
  const domainsOf = (id: string): readonly string[] => services.get(id)?.domains ?? [];
  return {
    table(ids) {
      const inOrder = [...new Set(ids)].sort();
      const key = inOrder.join(' ');
      const cachedTable = tableCache.get(key);
      if (cachedTable) return cachedTable;
      const domains = new Set(inOrder.flatMap(domainsOf));
      const table = tableFromRules(listId, [...domains].map(ruleOf), secret);
      if (table) tableCache.set(key, table, { size: table.buffer.byteLength });
      return table;
    },
    serviceOf: (ids, rule) => ids.find((id) => domainsOf(id).some((domain) => ruleOf(domain) === rule)),
  };
}

const ruleOf = (domain: string): string => `||${domain}^`;
