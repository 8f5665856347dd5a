import type { Naming } from '../../dns-server/thread-messages.ts';
import { type Companies, unknownCompany } from '../../domain/catalogue/company.ts';
import { filteringSources, filteringStatuses, type QueryRecord, queryProtocols } from '../../domain/query-record.ts';
import type { RuleTexts } from '../../filter-lists/rule-texts.ts';
import type { PairMeaning } from '../rollups/open-counts.ts';
import type { Value } from '../segments/columns.ts';
import { combining, combiningColumn, numberWanted, usedCombinations } from '../segments/combined-rows.ts';
import { numbering, numberOf } from '../segments/dictionary-encoder.ts';
import { keyFields, recordOf, restFields } from '../segments/row.ts';
import type { Addresses } from './client-parts.ts';
import { createNames } from './domain-names.ts';
import { NOTHING, type RingRecord } from './record-ring.ts';
import type { PendingContent } from './row-batch.ts';
import { createDictionary, type Dictionary } from './string-dictionary.ts';

export type Who = Pick<Extract<Naming, { kind: 'who' }>, 'device' | 'dnsServer' | 'ipLog'>;

type MeaningDeps = {
  readonly companies: Pick<Companies, 'companyOf'>;
  readonly rules: RuleTexts;
  readonly addresses: Addresses;
  readonly maxSubjects: number;
  readonly maxCircumstances: number;
};

const MAX_RULES = 32_768;
/** Of anything that follows from two numbers. */
const MAX_PAIRS = 131_072;
const OF_SUBJECT = 8;
const [NAME, ABOUT, MET, ASKER, HOW, KEY, REST, PAIR] = [0, 1, 2, 3, 4, 5, 6, 7];
const SERVICES = filteringSources.indexOf('PARENTAL_BLOCKED_SERVICE');

/** Things that follow from a few numbers, each made once. */
function things<Thing>(width: number) {
  const known = combining(width);
  const all: Thing[] = [];
  return {
    all,
    number(from: readonly number[], make: () => Thing): number {
      for (let place = 0; place < width; place += 1) known.wanted[place] = from[place]!;
      const number = numberWanted(known);
      if (number === all.length) all.push(make());
      return number;
    },
  };
}

type About = { readonly country: string | undefined; readonly companyId: string; readonly category: string };
type Met = { readonly list: string | undefined; readonly rule: string | undefined };
type Asker = Who & { readonly status: Value | undefined };
type How = Pick<RingRecord, 'type' | 'rcode' | 'protocol' | 'source' | 'isDnssec'> & { readonly client: number };

/** What is known by numbers, until they are given anew. */
function newKnowledge(addresses: Addresses, names: readonly string[]) {
  const [abouts, mets, askers, hows] = [things<About>(3), things<Met>(2), things<Asker>(2), things<How>(3)];
  const [keys, rest, pairs] = [keysOf(askers.all, abouts.all), restOf(hows.all, mets.all, addresses), combining(2)];
  const meaning: PairMeaning = { pairs: (place) => combiningColumn(pairs, place), keys: keys.all, names };
  return {
    abouts,
    mets,
    askers,
    hows,
    keys,
    rest,
    pairs,
    meaning,
    texts: numbering([null]),
    companyIds: numbering(),
    categories: numbering(),
  };
}

// Apart from each other, because the log keeps what numbers of pairs mean, and rules are no part of it: functions that are made in one place
// hold on to all that any of them needs.
const keysOf = (askers: readonly Asker[], abouts: readonly About[]): Dictionary =>
  createDictionary(keyFields.length, (one, other) => {
    const [{ device, dnsServer, status }, { country, companyId, category }] = [askers[one]!, abouts[other]!];
    return [device, dnsServer, country, companyId, category, status];
  });

const restOf = (hows: readonly How[], mets: readonly Met[], addresses: Addresses): Dictionary =>
  createDictionary(restFields.length, (one, other) => {
    const [{ type, rcode, protocol, source, isDnssec, client }, { list, rule }] = [hows[one]!, mets[other]!];
    const { country, asn, network, subnet } = addresses.facts(client);
    const [ruleText, service] = source === SERVICES ? [undefined, rule] : [rule, undefined];
    const answer = [type, rcode, queryProtocols[protocol], filteringSources[source]];
    return [...answer, list, ruleText, service, country, asn, network, isDnssec, subnet];
  });

/** What subjects and circumstances of records say, as rows of the log have it. */
export function createMeanings({ companies, rules, addresses, maxSubjects, maxCircumstances }: MeaningDeps) {
  // What is known of a subject stands together, as it is asked for each row: its name, what it is about and what it met; and, because most
  // subjects come in the same circumstances again, the latest asker and manner (plus one) with what follows.
  const subjects = new Uint32Array(maxSubjects * OF_SUBJECT);
  const [askerOf, howOf] = [new Uint32Array(maxCircumstances), new Uint32Array(maxCircumstances)];
  const names = createNames();
  const decoder = new TextDecoder();
  let known = newKnowledge(addresses, names.domains());

  const ruleIn = ({ list, slot, rule, ruleLength, name }: RingRecord): string | undefined => {
    if (ruleLength > 0) return decoder.decode(rule.slice(0, ruleLength)).replaceAll('\0', '');
    return slot === NOTHING || list === NOTHING ? undefined : rules.rule(list, slot, name);
  };
  /** Gives where what is known of the subject stands. */
  const meet = (subject: number, circumstances: number): number => {
    const at = subject * OF_SUBJECT;
    const [asker, how] = [askerOf[circumstances]!, howOf[circumstances]!];
    if (subjects[at + ASKER] !== asker + 1) {
      subjects[at + ASKER] = asker + 1;
      subjects[at + KEY] = known.keys.of(asker, subjects[at + ABOUT]!);
      subjects[at + PAIR] = 0;
    }
    if (subjects[at + HOW] !== how + 1) {
      subjects[at + HOW] = how + 1;
      subjects[at + REST] = known.rest.of(how, subjects[at + MET]!);
    }
    return at;
  };

  /** The number of a name together with a key. */
  const pairAt = (at: number): number => {
    if (subjects[at + PAIR] === 0) {
      known.pairs.wanted[0] = subjects[at + KEY]!;
      known.pairs.wanted[1] = subjects[at + NAME]!;
      subjects[at + PAIR] = numberWanted(known.pairs) + 1;
    }
    return subjects[at + PAIR]! - 1;
  };

  return {
    learnSubject(subject: number, record: RingRecord): void {
      const name = names.of(record.name, record.nameLength);
      const { id, category } = companies.companyOf(names.domains()[name]!) ?? unknownCompany;
      const country = addresses.answer(record.address, record.addressLength, record.rcode);
      const rule = ruleIn(record);
      const at = subject * OF_SUBJECT;
      subjects[at + ASKER] = 0;
      subjects[at + HOW] = 0;
      subjects[at + NAME] = name;
      subjects[at + ABOUT] = known.abouts.number(
        [numberOf(known.companyIds, id), numberOf(known.categories, category), country],
        () => ({
          country: addresses.country(country),
          companyId: id,
          category,
        }),
      );
      subjects[at + MET] = known.mets.number([record.list, numberOf(known.texts, rule ?? null)], () => ({
        list: record.list === NOTHING ? undefined : rules.listId(record.list),
        rule,
      }));
    },
    learnCircumstances(circumstances: number, record: RingRecord, asked: Who): void {
      const { who, status, type, rcode, protocol, source, isDnssec } = record;
      const client = addresses.client(record.client, record.clientLength, asked.ipLog);
      const answer = rcode | (source << 8) | (isDnssec ? 1 << 16 : 0);
      askerOf[circumstances] = known.askers.number([who, status], () => ({
        ...asked,
        status: filteringStatuses[status],
      }));
      howOf[circumstances] = known.hows.number([type | (protocol << 16), answer, client], () => ({
        type,
        rcode,
        protocol,
        source,
        isDnssec,
        client,
      }));
    },
    /** What rows are by their subjects and circumstances. `isCounted`: whether they are to be counted by their numbers. */
    content(ofSubjects: Uint32Array, ofCircumstances: Uint32Array, isCounted: boolean): PendingContent {
      const { length } = ofSubjects;
      const [ofNames, ofKeys, ofRest] = [new Uint32Array(length), new Uint32Array(length), new Uint32Array(length)];
      const pairs = new Uint32Array(isCounted ? length : 0);
      for (let row = 0; row < length; row += 1) {
        const at = meet(ofSubjects[row]!, ofCircumstances[row]!);
        ofNames[row] = subjects[at + NAME]!;
        ofKeys[row] = subjects[at + KEY]!;
        ofRest[row] = subjects[at + REST]!;
        if (isCounted) pairs[row] = pairAt(at);
      }
      const { keys, rest, meaning } = known;
      return {
        numbers: { pairs, meaning },
        names: names.used(ofNames),
        keys: usedCombinations(keys.all(), ofKeys),
        rest: usedCombinations(rest.all(), ofRest),
      };
    },
    record(account: string, time: number, subject: number, circumstances: number): QueryRecord {
      const at = meet(subject, circumstances);
      const domain = names.domains()[subjects[at + NAME]!]!;
      const values = [...known.keys.valuesOf(subjects[at + KEY]!), ...known.rest.valuesOf(subjects[at + REST]!)];
      return recordOf(account, time, [domain, ...values]);
    },
    isFull: (): boolean =>
      names.isFull() ||
      known.texts.values.length >= MAX_RULES ||
      known.pairs.size >= MAX_PAIRS ||
      known.keys.size() >= MAX_PAIRS ||
      known.rest.size() >= MAX_PAIRS ||
      addresses.isFull(),
    clear(): void {
      names.clear();
      addresses.clear();
      known = newKnowledge(addresses, names.domains());
    },
  };
}
