import type { ResourceRecord } from '../../dns/message.ts';
import { classes, types } from '../../dns/numbers.ts';
import { isAtOrUnder } from '../../dns/wire-names.ts';
import { nameText, wireName } from '../../kit/wire-name.ts';
import { foldedName } from '../upstream/upstream-query.ts';
import { translatedReverseName } from './dns64.ts';
import type { Forward, LocalNames } from './local-names.ts';
import { findEntry, type LocalData, type LocalEntry } from './record-table.ts';

/** How the records and forwarding rules of an account answer a query. */
export type LocalDecision =
  | { readonly kind: 'none' }
  | FromRecords
  | ({ readonly kind: 'forward' } & Forward)
  /** The name has one label; the search domains are tried in order. */
  | { readonly kind: 'search'; readonly attempts: readonly SearchAttempt[] };

type FromRecords =
  /** Empty if the name has records of other types only. */
  | { readonly kind: 'records'; readonly entry: LocalEntry; readonly answer: readonly ResourceRecord[] }
  /** The target of the last alias has no records and is resolved. */
  | { readonly kind: 'alias'; readonly entry: LocalEntry; readonly aliases: readonly ResourceRecord[] }
  | { readonly kind: 'loop'; readonly entry: LocalEntry };

export type SearchAttempt = {
  readonly alias: ResourceRecord;
  readonly decision: FromRecords | ({ readonly kind: 'forward' } & Forward);
};

const MAX_ALIASES = 8;
const ALIAS_TTL = 60;
const NONE: LocalDecision = { kind: 'none' };
const searchedTypes: ReadonlySet<number> = new Set([types.A, types.AAAA, types.HTTPS, types.SVCB]);

/** Without side effects; used by the resolver and by `explain`. */
export function decideLocally(names: LocalNames, queryName: Uint8Array, type: number): LocalDecision {
  const name = foldedName(queryName);
  const found = findLocally(names, name, type);
  if (found) return found;
  const { dns64, searchDomains } = names;
  const translated = dns64 && isAtOrUnder(name, dns64.zone) ? translatedReverseName(dns64, name) : undefined;
  if (translated) {
    const alias = aliasOf(name, translated);
    const entry = { name: nameText(name, 0), records: [{ ...alias, value: nameText(translated, 0) }] };
    return followEntry(names, entry, name, type);
  }
  const isSingleLabel = name.length > 1 && name[0]! + 2 === name.length;
  return isSingleLabel && searchedTypes.has(type) ? search(names, searchDomains, name, type) : NONE;
}

/** Looks up a name, which is in lower case, without search domains. */
export function findLocally(names: LocalNames, name: Uint8Array, type: number): SearchAttempt['decision'] | undefined {
  const entry = findEntry(names.tables, name);
  if (entry) return followEntry(names, entry, name, type);
  const forward = names.forwards.find(name);
  return forward && { kind: 'forward', ...forward };
}

/**
 * Collects the search domains to try, up to the first one with a record for the name. A forwarding rule does not end the search, because
 * its servers may answer NXDOMAIN.
 */
function search(names: LocalNames, domains: readonly string[], name: Uint8Array, type: number): LocalDecision {
  const attempts: SearchAttempt[] = [];
  for (const domain of domains) {
    const full = wireName(`${nameText(name, 0)}.${domain}`);
    const decision = full && findLocally(names, full, type);
    if (!decision) continue;
    attempts.push({ alias: aliasOf(name, full), decision });
    if (decision.kind !== 'forward') break;
  }
  return attempts.length > 0 ? { kind: 'search', attempts } : NONE;
}

function followEntry(names: LocalNames, first: LocalEntry, name: Uint8Array, type: number): FromRecords {
  const aliases: ResourceRecord[] = [];
  let entry: LocalEntry | undefined = first;
  let owner = name;
  while (entry) {
    const alias: LocalData | undefined = entry.records.find((record) => record.type === types.CNAME);
    if (!alias || type === types.CNAME) {
      const found = entry.records.filter((record) => record.type === type);
      return { kind: 'records', entry: first, answer: [...aliases, ...found.map((record) => recordOf(owner, record))] };
    }
    aliases.push(recordOf(owner, alias));
    if (aliases.length > MAX_ALIASES) return { kind: 'loop', entry: first };
    owner = alias.data;
    entry = findEntry(names.tables, owner);
  }
  return { kind: 'alias', entry: first, aliases };
}

const aliasOf = (name: Uint8Array, data: Uint8Array): ResourceRecord =>
  recordOf(name, { type: types.CNAME, ttl: ALIAS_TTL, data });

const recordOf = (name: Uint8Array, { type, ttl, data }: Omit<LocalData, 'value'>): ResourceRecord => ({
  name,
  type,
  class: classes.IN,
  ttl,
  data,
});
