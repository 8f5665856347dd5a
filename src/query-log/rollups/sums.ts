import type { Buckets, QueryCounts, StatisticsQuery } from '../../domain/statistics.ts';
import type { Value } from '../segments/columns.ts';
import { createDictionary, encodeValue } from '../segments/dictionary-encoder.ts';
import { type RollupField, type RollupRows, rollupFields } from './rollup.ts';

/** Input of a statistic. */
export type RollupQuery = {
  readonly rollups: readonly RollupRows[];
  /** Buckets that are counted. */
  readonly buckets: Buckets;
  /** Buckets of the result; finer than the counted ones only if finer counts have expired. */
  readonly resultBuckets: Buckets;
  readonly query: StatisticsQuery;
};

export type Sum = {
  queries: number;
  blocked: number;
  last: number;
  companies: number;
  /** Id of the first company in `Sums`, or -1. Most sums have only one and need no flags. */
  firstCompany: number;
  isOther: Uint8Array | undefined;
};
export type Sums<Name> = { readonly byName: Map<Name, Sum>; readonly companyNumber: (company: Value) => number };

/** Minutes in an hour rollup. */
export const SLOTS = 60;
const MAX_MARKS = 2 ** 17;
const COMPANY = rollupFields.indexOf('companyId');

export function emptySums<Name>(): Sums<Name> {
  const companies = createDictionary();
  return { byName: new Map(), companyNumber: (company) => encodeValue(companies, company) };
}

function sumOf<Name>({ byName }: Sums<Name>, name: Name): Sum {
  const existing = byName.get(name);
  if (existing) return existing;
  const sum: Sum = { queries: 0, blocked: 0, last: 0, companies: 0, firstCompany: -1, isOther: undefined };
  byName.set(name, sum);
  return sum;
}

/** Sums of a rollup by group; groups are numbered below `count`. Names are looked up once per group, not per row. */
export function groupSums({ start, length, queries, blocked, last, fields }: RollupRows, count: number) {
  const { values, codes } = fields[COMPANY]!;
  const sums = { queries: new Float64Array(count), blocked: new Float64Array(count), last: new Float64Array(count) };
  // Companies of each group: flags if they fit, else the first one and a list of the others.
  const marks = count * values.length <= MAX_MARKS ? new Uint8Array(count * values.length) : undefined;
  const firstOf = new Int32Array(count).fill(-1);
  const others: number[] = [];
  const addCompany = (group: number, company: number): void => {
    if (marks) {
      const mark = group * values.length + company;
      if (marks[mark] === 1) return;
      marks[mark] = 1;
    }
    if (firstOf[group] === -1) firstOf[group] = company;
    else others.push(group, company);
  };
  return {
    add(groups: ArrayLike<number>, isChosen: Uint8Array | undefined): void {
      for (let cell = 0; cell < length; cell += 1) {
        if (isChosen?.[cell] === 0) continue;
        const group = groups[cell]!;
        sums.queries[group]! += queries[cell]!;
        sums.blocked[group]! += blocked[cell]!;
        if (last[cell]! > sums.last[group]!) sums.last[group] = last[cell]!;
        if (firstOf[group] !== codes[cell]!) addCompany(group, codes[cell]!);
      }
    },
    addTo<Name>(all: Sums<Name>, nameOf: (group: number) => Name | undefined): void {
      const numbers = values.map((company) => (company === null ? -1 : all.companyNumber(company)));
      const found: (Sum | undefined)[] = [];
      for (let group = 0; group < count; group += 1) {
        const name = sums.queries[group]! > 0 ? nameOf(group) : undefined;
        const sum = name === undefined ? undefined : sumOf(all, name);
        found.push(sum);
        if (!sum) continue;
        sum.queries += sums.queries[group]!;
        sum.blocked += sums.blocked[group]!;
        sum.last = Math.max(sum.last, start + sums.last[group]!);
        noteCompany(sum, numbers[firstOf[group]!]!);
      }
      for (let at = 0; at < others.length; at += 2) {
        const sum = found[others[at]!];
        if (sum) noteCompany(sum, numbers[others[at + 1]!]!);
      }
    },
  };
}

function noteCompany(sum: Sum, number: number): void {
  if (number === -1 || number === sum.firstCompany) return;
  if (sum.firstCompany === -1) sum.firstCompany = number;
  else {
    sum.isOther = roomFor(number, sum.isOther);
    if (sum.isOther[number] === 1) return;
    sum.isOther[number] = 1;
  }
  sum.companies += 1;
}

function roomFor(number: number, marks: Uint8Array = new Uint8Array(0)): Uint8Array {
  if (number < marks.length) return marks;
  const larger = new Uint8Array(2 * number + 16);
  larger.set(marks);
  return larger;
}

export const countsOf = ({ queries, blocked, companies }: Sum): QueryCounts => ({ queries, blocked, companies });

const filterFields: readonly (readonly [RollupField, 'devices' | 'dnsServers' | 'countries' | 'companies'])[] = [
  ['device', 'devices'],
  ['dnsServer', 'dnsServers'],
  ['responseCountry', 'countries'],
  ['companyId', 'companies'],
];

/** Calls `take` with each rollup and the flags of its matching rows; without flags if all rows match. */
export function eachRollup(
  { rollups, buckets, query }: RollupQuery,
  take: (rollup: RollupRows, isChosen: Uint8Array | undefined) => void,
): void {
  const { first, last, unit, width } = buckets;
  const lastSlot = unit === 'minute' ? SLOTS - 1 : 0;
  const wanted = filterFields.flatMap(([field, name]) => {
    const values = query[name];
    return values && values.length > 0 ? [{ column: rollupFields.indexOf(field), values: new Set<Value>(values) }] : [];
  });
  for (const rollup of rollups) {
    const { start, slots, length } = rollup;
    const isWhole = start >= first && start + lastSlot * width <= last;
    if (isWhole && wanted.length === 0) {
      take(rollup, undefined);
      continue;
    }
    const isChosen = new Uint8Array(length);
    for (let cell = 0; cell < length; cell += 1) {
      const time = start + slots[cell]! * width;
      isChosen[cell] = Number(time >= first && time <= last);
    }
    for (const { column, values } of wanted) {
      const { codes, values: dictionary } = rollup.fields[column]!;
      const isWanted = new Uint8Array(dictionary.map((value) => Number(values.has(value))));
      for (let cell = 0; cell < length; cell += 1) isChosen[cell]! &= isWanted[codes[cell]!]!;
    }
    if (isChosen.includes(1)) take(rollup, isChosen);
  }
}
