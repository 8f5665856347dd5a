import type { ForwardRule } from '../../domain/forward-rules.ts';
import { wireName } from '../../kit/wire-name.ts';
import { type ForwardTable, forwardTable } from '../upstream/forward-table.ts';
import { forwardGroupOf, type UpstreamGroup } from '../upstream/upstream-group.ts';
import { compileDns64, type Dns64Prefix } from './dns64.ts';
import { createNameFilter, type NameFilter } from './name-filter.ts';
import type { RecordTable } from './record-table.ts';

type Rule = Pick<ForwardRule, 'domain' | 'upstreams' | 'strategy'>;

export type Forward = { readonly rule: Rule; readonly group: UpstreamGroup };

/** Names that are answered or forwarded for the clients of one DNS server. */
export type LocalNames = {
  /** Earlier tables precede later ones: those of the DNS server, then those of the account. */
  readonly tables: readonly RecordTable[];
  readonly forwards: ForwardTable<Forward>;
  /** Appended to names with one label, in this order. */
  readonly searchDomains: readonly string[];
  readonly dns64: Dns64Prefix | undefined;
};

export type FilteredLocalNames = LocalNames & { readonly filter: NameFilter };

export type LocalNameSettings = {
  readonly tables: readonly RecordTable[];
  readonly rules: readonly Rule[];
  readonly searchDomains: readonly string[];
  readonly dns64Prefix: string | undefined;
  readonly secret: Uint8Array;
};

/** Undefined if no name is local. */
export function compileLocalNames({
  tables,
  rules,
  searchDomains,
  dns64Prefix,
  secret,
}: LocalNameSettings): FilteredLocalNames | undefined {
  const forwarded = rules.flatMap((rule) => {
    const domain = wireName(rule.domain);
    return domain ? [{ domain, to: { rule, group: forwardGroupOf(rule, secret) } }] : [];
  });
  const dns64 = dns64Prefix === undefined ? undefined : compileDns64(dns64Prefix);
  const recordNames = filteredRecords(tables);
  const zones = [...recordNames.zones, ...forwarded.map(({ domain }) => domain), ...(dns64 ? [dns64.zone] : [])];
  if (recordNames.names.length + zones.length + searchDomains.length === 0) return undefined;
  return {
    tables,
    forwards: forwardTable(forwarded),
    searchDomains,
    dns64,
    filter: createNameFilter({ ...recordNames, zones, matchesSingleLabels: searchDomains.length > 0 }),
  };
}

/** The names of records for a filter. */
export const filteredRecords = (tables: readonly RecordTable[]) => ({
  names: tables.flatMap(({ exact, pointers }) => [...exact.keys(), ...pointers.keys()]).map(bytesOf),
  zones: tables.flatMap(({ wildcards }) => [...wildcards.keys()]).map(bytesOf),
  matchesSingleLabels: false,
});

/** The inverse of `byteKey`. */
const bytesOf = (key: string): Uint8Array => Uint8Array.from(Buffer.from(key, 'latin1'));
