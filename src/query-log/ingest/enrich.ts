import { type Companies, unknownCompany } from '../../domain/catalogue/company.ts';
import { categoryOfList } from '../../domain/catalogue/filtering-category.ts';
import { filteringSources, filteringStatuses, type QueryRecord, queryProtocols } from '../../domain/query-record.ts';
import type { PairValues } from '../rollups/pending-counts.ts';
import type { Value } from '../segments/columns.ts';
import { createDictionary, encodeValue } from '../segments/dictionary-encoder.ts';
import { latencyMs } from '../segments/latency.ts';
import { keyFields, recordOf, restFields } from '../segments/row.ts';
import { scratchUint32 } from '../segments/scratch.ts';
import { createTupleDictionary, encodeTuple, tupleColumn } from '../segments/tuple-dictionary.ts';
import { usedTuples } from '../segments/tuples.ts';
import type { AddressFacts } from './address-facts.ts';
import { createDomainNames } from './domain-names.ts';
import type { LoggedClient, RuleSource } from './ingest-message.ts';
import { createPairTable, type PairTable } from './pair-table.ts';
import { NOTHING, type RingRecord } from './record-ring.ts';
import type { BatchContent } from './row-batch.ts';

type EnrichDeps = {
  readonly companies: Pick<Companies, 'companyOf'>;
  readonly rules: Pick<RuleSource, 'rule' | 'listId'>;
  readonly addresses: AddressFacts;
  readonly maxQueryParts: number;
  readonly maxClientParts: number;
};

/** As many as names: many lists have one rule for each name. */
const MAX_RULES = 65_536;
const MAX_RULE_CHARACTERS = 4 * 2 ** 20;
/** Capacity of each table keyed by a pair of ids. */
const MAX_PAIRS = 131_072;
const QUERY_PART_WIDTH = 8;
const [NAME, DESTINATION, RULE_MATCH, REQUESTER, EXCHANGE, KEY, REST, PAIR] = [0, 1, 2, 3, 4, 5, 6, 7];
const SERVICES = filteringSources.indexOf('PARENTAL_BLOCKED_SERVICE');
const CATEGORIES = filteringSources.indexOf('PARENTAL_FILTERING_CATEGORY');

/** Assigns ids to values that are derived from a few numbers; each value is computed once. */
function createTable<Thing>(width: number) {
  const tuples = createTupleDictionary(width);
  const all: Thing[] = [];
  return {
    all,
    number(from: readonly number[], make: () => Thing): number {
      for (let index = 0; index < width; index += 1) tuples.input[index] = from[index]!;
      const number = encodeTuple(tuples);
      if (number === all.length) all.push(make());
      return number;
    },
  };
}

function createRuleTexts() {
  const texts = createDictionary([null]);
  let characters = 0;
  return {
    number(rule: string | undefined): number {
      const count = texts.values.length;
      const number = encodeValue(texts, rule ?? null);
      if (texts.values.length > count) characters += rule?.length ?? 0;
      return number;
    },
    isFull: (): boolean => texts.values.length >= MAX_RULES || characters >= MAX_RULE_CHARACTERS,
  };
}

type Destination = { readonly country: string | undefined; readonly companyId: string; readonly category: string };
type RuleMatch = { readonly list: string | undefined; readonly rule: string | undefined };
type Requester = LoggedClient & { readonly status: Value | undefined };
type Exchange = Pick<RingRecord, 'type' | 'rcode' | 'protocol' | 'source' | 'isDnssec'> & { readonly client: number };

/** All tables of ids; replaced as a whole when one is full. */
function createTables(addresses: AddressFacts, names: readonly string[]) {
  const [destinations, ruleMatches, requesters, exchanges] = [
    createTable<Destination>(3),
    createTable<RuleMatch>(2),
    createTable<Requester>(2),
    createTable<Exchange>(3),
  ];
  const [keys, rest, pairs] = [
    keysOf(requesters.all, destinations.all),
    restOf(exchanges.all, ruleMatches.all, addresses),
    createTupleDictionary(2),
  ];
  const pairValues: PairValues = { pairs: (column) => tupleColumn(pairs, column), keys: keys.all, names };
  return {
    destinations,
    ruleMatches,
    requesters,
    exchanges,
    keys,
    rest,
    pairs,
    pairValues,
    rules: createRuleTexts(),
    companyIds: createDictionary(),
    categories: createDictionary(),
  };
}

// Separate functions, because pending counts retain `keysOf`: closures of one scope would also retain the rules.
const keysOf = (requesters: readonly Requester[], destinations: readonly Destination[]): PairTable =>
  createPairTable(keyFields.length, (one, other) => {
    const [{ device, dnsServer, status }, { country, companyId, category }] = [requesters[one]!, destinations[other]!];
    return [device, dnsServer, country, companyId, category, status];
  });

const restOf = (
  exchanges: readonly Exchange[],
  ruleMatches: readonly RuleMatch[],
  addresses: AddressFacts,
): PairTable =>
  createPairTable(restFields.length, (one, other) => {
    const [{ type, rcode, protocol, source, isDnssec, client }, { list, rule }] = [
      exchanges[one]!,
      ruleMatches[other]!,
    ];
    const { country, asn, network, subnet } = addresses.facts(client);
    const [ruleText, service] = ruleAndService(source, list, rule);
    const answer = [type, rcode, queryProtocols[protocol], filteringSources[source]];
    return [...answer, list, ruleText, service, country, asn, network, isDnssec, subnet];
  });

/** The resolver writes the id of a service in place of a rule. A category is written in the same way, or is that of the list. */
function ruleAndService(
  source: number,
  list: string | undefined,
  rule: string | undefined,
): readonly [rule: string | undefined, service: string | undefined] {
  if (source !== SERVICES && source !== CATEGORIES) return [rule, undefined];
  const category = source === CATEGORIES && list !== undefined ? categoryOfList(list) : undefined;
  return category === undefined ? [undefined, rule] : [rule, category];
}

/** `latency`: its code. */
type RecordedQuery = { readonly account: string; readonly time: number; readonly latency: number };

/** Turns query parts and client parts of records into rows. */
export function createEnricher({ companies, rules, addresses, maxQueryParts, maxClientParts }: EnrichDeps) {
  // Per query part, adjacent for cache locality: name, destination, rule match; and the latest requester and exchange
  // (plus one) with the ids derived from them, since most query parts repeat with the same client part.
  const queryParts = new Uint32Array(maxQueryParts * QUERY_PART_WIDTH);
  const [requesterOf, exchangeOf] = [new Uint32Array(maxClientParts), new Uint32Array(maxClientParts)];
  const names = createDomainNames();
  const decoder = new TextDecoder();
  let tables = createTables(addresses, names.domains());

  const ruleIn = ({ list, slot, rule, ruleLength, name }: RingRecord): string | undefined => {
    if (ruleLength > 0) return decoder.decode(rule.slice(0, ruleLength)).replaceAll('\0', '');
    return slot === NOTHING || list === NOTHING ? undefined : rules.rule(list, slot, name);
  };
  /** Returns the offset of the query part in `queryParts`. */
  const resolveParts = (queryPart: number, clientPart: number): number => {
    const at = queryPart * QUERY_PART_WIDTH;
    const [requester, exchange] = [requesterOf[clientPart]!, exchangeOf[clientPart]!];
    if (queryParts[at + REQUESTER] !== requester + 1) {
      queryParts[at + REQUESTER] = requester + 1;
      queryParts[at + KEY] = tables.keys.of(requester, queryParts[at + DESTINATION]!);
      queryParts[at + PAIR] = 0;
    }
    if (queryParts[at + EXCHANGE] !== exchange + 1) {
      queryParts[at + EXCHANGE] = exchange + 1;
      queryParts[at + REST] = tables.rest.of(exchange, queryParts[at + RULE_MATCH]!);
    }
    return at;
  };

  /** The id of the pair of key and name. */
  const pairAt = (at: number): number => {
    if (queryParts[at + PAIR] === 0) {
      tables.pairs.input[0] = queryParts[at + KEY]!;
      tables.pairs.input[1] = queryParts[at + NAME]!;
      queryParts[at + PAIR] = encodeTuple(tables.pairs) + 1;
    }
    return queryParts[at + PAIR]! - 1;
  };

  return {
    addQueryPart(queryPart: number, record: RingRecord): void {
      const name = names.of(record.name, record.nameLength);
      const { id, category } = companies.companyOf(names.domains()[name]!) ?? unknownCompany;
      const country = addresses.answer(record.address, record.addressLength, record.rcode);
      const rule = ruleIn(record);
      const at = queryPart * QUERY_PART_WIDTH;
      queryParts[at + REQUESTER] = 0;
      queryParts[at + EXCHANGE] = 0;
      queryParts[at + NAME] = name;
      queryParts[at + DESTINATION] = tables.destinations.number(
        [encodeValue(tables.companyIds, id), encodeValue(tables.categories, category), country],
        () => ({
          country: addresses.country(country),
          companyId: id,
          category,
        }),
      );
      queryParts[at + RULE_MATCH] = tables.ruleMatches.number([record.list, tables.rules.number(rule)], () => ({
        list: record.list === NOTHING ? undefined : rules.listId(record.list),
        rule,
      }));
    },
    addClientPart(clientPart: number, record: RingRecord, client: LoggedClient): void {
      const { clientId, status, type, rcode, protocol, source, isDnssec } = record;
      const address = addresses.client(record.client, record.clientLength, client.ipLog);
      const answer = rcode | (source << 8) | (isDnssec ? 1 << 16 : 0);
      requesterOf[clientPart] = tables.requesters.number([clientId, status], () => ({
        ...client,
        status: filteringStatuses[status],
      }));
      exchangeOf[clientPart] = tables.exchanges.number([type | (protocol << 16), answer, address], () => ({
        type,
        rcode,
        protocol,
        source,
        isDnssec,
        client: address,
      }));
    },
    /** Rows of these query parts and client parts. `isCounted`: include the pair ids for counting. */
    content(ofQueryParts: Uint32Array, ofClientParts: Uint32Array, isCounted: boolean): BatchContent {
      const { length } = ofQueryParts;
      const [ofNames, ofKeys, ofRest] = [scratchUint32(length), scratchUint32(length), scratchUint32(length)];
      const pairs = new Uint32Array(isCounted ? length : 0);
      for (let row = 0; row < length; row += 1) {
        const at = resolveParts(ofQueryParts[row]!, ofClientParts[row]!);
        ofNames[row] = queryParts[at + NAME]!;
        ofKeys[row] = queryParts[at + KEY]!;
        ofRest[row] = queryParts[at + REST]!;
        if (isCounted) pairs[row] = pairAt(at);
      }
      const { keys, rest, pairValues } = tables;
      return {
        numbers: { pairs, pairValues },
        names: names.used(ofNames),
        keys: usedTuples(keys.all(), ofKeys),
        rest: usedTuples(rest.all(), ofRest),
      };
    },
    record({ account, time, latency }: RecordedQuery, queryPart: number, clientPart: number): QueryRecord {
      const at = resolveParts(queryPart, clientPart);
      const domain = names.domains()[queryParts[at + NAME]!]!;
      const values = [...tables.keys.valuesOf(queryParts[at + KEY]!), ...tables.rest.valuesOf(queryParts[at + REST]!)];
      return recordOf(account, time, [domain, ...values, latencyMs(latency)]);
    },
    isFull: (): boolean =>
      names.isFull() ||
      tables.rules.isFull() ||
      tables.pairs.size >= MAX_PAIRS ||
      tables.keys.size() >= MAX_PAIRS ||
      tables.rest.size() >= MAX_PAIRS ||
      addresses.isFull(),
    clear(): void {
      names.clear();
      addresses.clear();
      tables = createTables(addresses, names.domains());
    },
  };
}
