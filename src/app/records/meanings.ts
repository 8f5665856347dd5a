import { type Companies, unknownCompany } from '../../domain/catalogue/company.ts';
import { filteringSources, filteringStatuses, type QueryRecord, queryProtocols } from '../../domain/query-record.ts';
import { NOTHING, type RingRecord } from '../../resolver/records/record-ring.ts';
import type { Value } from '../../store/log/columns.ts';
import { combining } from '../../store/log/combined.ts';
import { numbering } from '../../store/log/numbering.ts';
import { keyFields, type RowContent, recordOf, restFields } from '../../store/log/row.ts';
import type { Naming } from '../dns/thread-messages.ts';
import type { Addresses } from './clients.ts';
import { createDictionary } from './dictionary.ts';
import { createNames } from './names.ts';
import type { RuleTexts } from './rule-texts.ts';

export type Who = Pick<Extract<Naming, { kind: 'who' }>, 'device' | 'dnsServer' | 'ipLog'>;

type MeaningDeps = {
  readonly companies: Pick<Companies, 'companyOf'>;
  readonly rules: RuleTexts;
  readonly addresses: Addresses;
  readonly maxSubjects: number;
  readonly maxCircumstances: number;
};

const MAX_RULES = 32_768;
const SERVICES = filteringSources.indexOf('PARENTAL_BLOCKED_SERVICE');

/** Things that follow from a few numbers, each made once. */
function things<Thing>(width: number) {
  const known = combining(width);
  const all: Thing[] = [];
  return {
    all,
    number(from: readonly number[], make: () => Thing): number {
      for (let place = 0; place < width; place += 1) known.wanted[place] = from[place]!;
      const number = known.number();
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
function newKnowledge(addresses: Addresses) {
  const [abouts, mets, askers, hows] = [things<About>(2), things<Met>(2), things<Asker>(2), things<How>(3)];
  const keys = createDictionary(keyFields.length, (one, other) => {
    const [{ device, dnsServer, status }, { country, companyId, category }] = [askers.all[one]!, abouts.all[other]!];
    return [device, dnsServer, country, companyId, category, status];
  });
  const rest = createDictionary(restFields.length, (one, other) => {
    const [{ type, rcode, protocol, source, isDnssec, client }, { list, rule }] = [hows.all[one]!, mets.all[other]!];
    const { country, asn, network, subnet } = addresses.facts(client);
    const [ruleText, service] = source === SERVICES ? [undefined, rule] : [rule, undefined];
    const answer = [type, rcode, queryProtocols[protocol], filteringSources[source]];
    return [...answer, list, ruleText, service, country, asn, network, isDnssec, subnet];
  });
  return { abouts, mets, askers, hows, keys, rest, texts: numbering([null]), companyIds: numbering() };
}

/** What subjects and circumstances of records say, as rows of the log have it. */
export function createMeanings({ companies, rules, addresses, maxSubjects, maxCircumstances }: MeaningDeps) {
  const [nameOf, aboutOf, metOf] = [
    new Uint32Array(maxSubjects),
    new Uint32Array(maxSubjects),
    new Uint32Array(maxSubjects),
  ];
  const [askerOf, howOf] = [new Uint32Array(maxCircumstances), new Uint32Array(maxCircumstances)];
  const names = createNames();
  const decoder = new TextDecoder();
  let known = newKnowledge(addresses);

  const ruleIn = ({ list, slot, rule, ruleLength, name }: RingRecord): string | undefined => {
    if (ruleLength > 0) return decoder.decode(rule.slice(0, ruleLength)).replaceAll('\0', '');
    return slot === NOTHING || list === NOTHING ? undefined : rules.rule(list, slot, name);
  };
  const keyOf = (subject: number, circumstances: number): number =>
    known.keys.of(askerOf[circumstances]!, aboutOf[subject]!);
  const restOf = (subject: number, circumstances: number): number =>
    known.rest.of(howOf[circumstances]!, metOf[subject]!);

  return {
    learnSubject(subject: number, record: RingRecord): void {
      const name = names.of(record.name, record.nameLength);
      const { id, category } = companies.companyOf(names.domains[name]!) ?? unknownCompany;
      const country = addresses.answer(record.address, record.addressLength, record.rcode);
      const rule = ruleIn(record);
      nameOf[subject] = name;
      aboutOf[subject] = known.abouts.number([known.companyIds.of(id), country], () => ({
        country: addresses.country(country),
        companyId: id,
        category,
      }));
      metOf[subject] = known.mets.number([record.list, known.texts.of(rule ?? null)], () => ({
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
    /** What rows are by their subjects and circumstances. */
    content(subjects: Uint32Array, circumstances: Uint32Array): RowContent {
      const { length } = subjects;
      const [ofNames, ofKeys, ofRest] = [new Uint32Array(length), new Uint32Array(length), new Uint32Array(length)];
      for (let row = 0; row < length; row += 1) {
        const [subject, itsCircumstances] = [subjects[row]!, circumstances[row]!];
        ofNames[row] = nameOf[subject]!;
        ofKeys[row] = keyOf(subject, itsCircumstances);
        ofRest[row] = restOf(subject, itsCircumstances);
      }
      const { keys, rest } = known;
      return {
        names: { values: names.domains, codes: ofNames },
        keys: { length: keys.size(), fields: keys.fields(), codes: ofKeys },
        rest: { length: rest.size(), fields: rest.fields(), codes: ofRest },
      };
    },
    record: (account: string, time: number, subject: number, circumstances: number): QueryRecord =>
      recordOf(account, time, [
        names.domains[nameOf[subject]!]!,
        ...known.keys.valuesOf(keyOf(subject, circumstances)),
        ...known.rest.valuesOf(restOf(subject, circumstances)),
      ]),
    isFull: (): boolean => names.isFull() || known.texts.values.length >= MAX_RULES || addresses.isFull(),
    clear(): void {
      names.clear();
      addresses.clear();
      known = newKnowledge(addresses);
    },
  };
}
