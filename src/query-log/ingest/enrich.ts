import { type Companies, unknownCompany } from '../../domain/catalogue/company.ts';
import { categoryOfList } from '../../domain/catalogue/filtering-category.ts';
import { filteringSources, filteringStatuses, type QueryRecord, queryProtocols } from '../../domain/query-record.ts';
import type { PairValues } from '../rollups/pending-counts.ts';
import { createDictionary, type Dictionary, encodeValue } from '../segments/dictionary-encoder.ts';
import { latencyMs } from '../segments/latency.ts';
import { keyFields, recordOf, restFields } from '../segments/row.ts';
import { scratchUint32 } from '../segments/scratch.ts';
import {
  createTupleDictionary,
  encodeTuple,
  type TupleDictionary,
  tupleColumn,
  tupleField,
} from '../segments/tuple-dictionary.ts';
import { usedTuples } from '../segments/tuples.ts';
import type { AddressFacts } from './address-facts.ts';
import { createDomainNames } from './domain-names.ts';
import type { LoggedClient, RuleSource } from './ingest-message.ts';
import { createPairTable, type WriteValues } from './pair-table.ts';
import { NOTHING, type RingRecord } from './record-ring.ts';
import type { BatchContent } from './row-batch.ts';

type EnrichDeps = {
  readonly companies: Pick<Companies, 'companyOf'>;
  readonly rules: Pick<RuleSource, 'rule' | 'listId'>;
  readonly addresses: AddressFacts;
  readonly clientOf: (clientId: number) => LoggedClient;
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

/*
 * Each id stands for a tuple of numbers, from which the values are derived when a pair of ids is new. Objects per id would be most of what
 * the ingest thread allocates.
 */
const [COMPANY, CATEGORY, COUNTRY] = [0, 1, 2];
const [CLIENT, STATUS] = [0, 1];
const [QUERY, ANSWER, ADDRESS] = [0, 1, 2];
const IS_DNSSEC = 1 << 16;

type RuleMatch = { readonly list: string | undefined; readonly rule: string | undefined };
type FactDeps = Pick<EnrichDeps, 'addresses' | 'clientOf'>;

/** All tables of ids; replaced as a whole when one is full. */
function createTables({ addresses, clientOf }: FactDeps, names: readonly string[]) {
  const destinations = createTupleDictionary(3);
  const requesters = createTupleDictionary(2);
  const exchanges = createTupleDictionary(3);
  const ruleMatches: RuleMatch[] = [];
  const [companyIds, categories] = [createDictionary(), createDictionary()];
  const keys = createPairTable(
    keyFields.length,
    writeKey({ requesters, destinations, companyIds, categories, addresses, clientOf }),
  );
  const rest = createPairTable(restFields.length, writeRest(exchanges, ruleMatches, addresses));
  const pairs = createTupleDictionary(2);
  const pairValues: PairValues = { pairs: (column) => tupleColumn(pairs, column), keys: keys.all, names };
  return {
    destinations,
    requesters,
    exchanges,
    ruleIds: createTupleDictionary(2),
    ruleMatches,
    keys,
    rest,
    pairs,
    pairValues,
    rules: createRuleTexts(),
    companyIds,
    categories,
  };
}

type KeyTables = FactDeps & {
  readonly requesters: TupleDictionary;
  readonly destinations: TupleDictionary;
  readonly companyIds: Dictionary;
  readonly categories: Dictionary;
};

// Separate functions, because pending counts retain the keys: closures of one scope would also retain the rules.
const writeKey =
  ({ requesters, destinations, companyIds, categories, addresses, clientOf }: KeyTables): WriteValues =>
  (requester, destination, values) => {
    const { device, dnsServer } = clientOf(tupleField(requesters, requester, CLIENT));
    values[0] = device ?? null;
    values[1] = dnsServer;
    values[2] = addresses.country(tupleField(destinations, destination, COUNTRY)) ?? null;
    values[3] = companyIds.values[tupleField(destinations, destination, COMPANY)]!;
    values[4] = categories.values[tupleField(destinations, destination, CATEGORY)]!;
    values[5] = filteringStatuses[tupleField(requesters, requester, STATUS)] ?? null;
  };

const writeRest =
  (exchanges: TupleDictionary, ruleMatches: readonly RuleMatch[], addresses: AddressFacts): WriteValues =>
  (exchange, ruleMatch, values) => {
    const query = tupleField(exchanges, exchange, QUERY);
    const answer = tupleField(exchanges, exchange, ANSWER);
    const { country, asn, network, subnet } = addresses.facts(tupleField(exchanges, exchange, ADDRESS));
    const { list, rule } = ruleMatches[ruleMatch]!;
    const source = (answer >>> 8) & 0xff;
    const [ruleText, service] = ruleAndService(source, list, rule);
    values[0] = query & 0xffff;
    values[1] = answer & 0xff;
    values[2] = queryProtocols[query >>> 16] ?? null;
    values[3] = filteringSources[source] ?? null;
    values[4] = list ?? null;
    values[5] = ruleText ?? null;
    values[6] = service ?? null;
    values[7] = country ?? null;
    values[8] = asn ?? null;
    values[9] = network ?? null;
    values[10] = (answer & IS_DNSSEC) !== 0;
    values[11] = subnet ?? null;
  };

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
export function createEnricher({ companies, rules, maxQueryParts, maxClientParts, ...facts }: EnrichDeps) {
  const { addresses } = facts;
  // Per query part, adjacent for cache locality: name, destination, rule match; and the latest requester and exchange
  // (plus one) with the ids derived from them, since most query parts repeat with the same client part.
  const queryParts = new Uint32Array(maxQueryParts * QUERY_PART_WIDTH);
  const [requesterOf, exchangeOf] = [new Uint32Array(maxClientParts), new Uint32Array(maxClientParts)];
  const names = createDomainNames();
  const decoder = new TextDecoder();
  let tables = createTables(facts, names.domains());

  const ruleIn = ({ list, slot, rule, ruleLength, name }: RingRecord): string | undefined => {
    if (ruleLength > 0) return decoder.decode(rule.slice(0, ruleLength)).replaceAll('\0', '');
    return slot === NOTHING || list === NOTHING ? undefined : rules.rule(list, slot, name);
  };
  const destinationOf = (companyId: string, category: string, country: number): number => {
    const { destinations, companyIds, categories } = tables;
    destinations.input[COMPANY] = encodeValue(companyIds, companyId);
    destinations.input[CATEGORY] = encodeValue(categories, category);
    destinations.input[COUNTRY] = country;
    return encodeTuple(destinations);
  };
  const ruleMatchOf = (list: number, rule: string | undefined): number => {
    const { ruleIds, ruleMatches } = tables;
    ruleIds.input[0] = list;
    ruleIds.input[1] = tables.rules.number(rule);
    const id = encodeTuple(ruleIds);
    // The list has this number now; later another one may have it.
    if (id === ruleMatches.length) ruleMatches.push({ list: list === NOTHING ? undefined : rules.listId(list), rule });
    return id;
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
      const at = queryPart * QUERY_PART_WIDTH;
      queryParts[at + REQUESTER] = 0;
      queryParts[at + EXCHANGE] = 0;
      queryParts[at + NAME] = name;
      queryParts[at + DESTINATION] = destinationOf(id, category, country);
      queryParts[at + RULE_MATCH] = ruleMatchOf(record.list, ruleIn(record));
    },
    addClientPart(clientPart: number, record: RingRecord, { ipLog }: LoggedClient): void {
      const { requesters, exchanges } = tables;
      requesters.input[CLIENT] = record.clientId;
      requesters.input[STATUS] = record.status;
      requesterOf[clientPart] = encodeTuple(requesters);
      exchanges.input[QUERY] = record.type | (record.protocol << 16);
      exchanges.input[ANSWER] = record.rcode | (record.source << 8) | (record.isDnssec ? IS_DNSSEC : 0);
      exchanges.input[ADDRESS] = addresses.client(record.client, record.clientLength, ipLog);
      exchangeOf[clientPart] = encodeTuple(exchanges);
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
      tables = createTables(facts, names.domains());
    },
  };
}
