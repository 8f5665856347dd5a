import { HOUR_MS } from '../../kit/durations.ts';
import type { Predicate } from '../query/filter.ts';
import { packColumns, type Value } from './columns.ts';
import { createDictionary, encodeValue } from './dictionary-encoder.ts';
import { openColumns } from './open-columns.ts';
import { type KeyField, keyFields } from './row.ts';
import { dayOf } from './row-table.ts';
import { createTupleDictionary, encodeTuple, tupleColumn } from './tuple-dictionary.ts';

/**
 * Which key tuples occur on a day, and in which hours. A page reads it first: for rare or missing values and
 * tuples, no segment has to be read.
 */
export type ZoneMap = {
  readonly length: number;
  readonly fields: readonly { readonly values: readonly Value[]; readonly codes: ArrayLike<number> }[];
  /** One bit per hour of the day. */
  readonly hours: ArrayLike<number>;
  /** Fields with too many values: any value may occur. */
  readonly droppedDimensions: readonly KeyField[];
};

const ALL_HOURS = 2 ** 24 - 1;
const MAX_COMBINATIONS = 16_384;
// Fields with the most values are dropped first.
const dropOrder: readonly KeyField[] = ['companyId', 'responseCountry', 'device', 'dnsServer', 'category', 'status'];

/** For a day whose zone map is unknown. */
export const unknownZoneMap: ZoneMap = {
  length: 1,
  fields: keyFields.map(() => ({ values: [null], codes: [0] })),
  hours: [ALL_HOURS],
  droppedDimensions: keyFields,
};

export function mergeZoneMaps(parts: readonly ZoneMap[]): ZoneMap {
  const droppedDimensions = dropOrder.filter((field) => parts.some((part) => part.droppedDimensions.includes(field)));
  return bounded(summed(parts, droppedDimensions));
}

const bounded = (summary: ZoneMap): ZoneMap => {
  const next = dropOrder.find((field) => !summary.droppedDimensions.includes(field));
  if (summary.length <= MAX_COMBINATIONS || next === undefined) return summary;
  return bounded(summed([summary], [...summary.droppedDimensions, next]));
};

function summed(parts: readonly ZoneMap[], droppedDimensions: readonly KeyField[]): ZoneMap {
  const most = parts.reduce((sum, { length }) => sum + length, 0);
  const dictionaries = keyFields.map(() => createDictionary());
  const tuples = createTupleDictionary(keyFields.length, most);
  const hours = new Uint32Array(most);
  for (const part of parts) {
    const fields = part.fields.map(({ values, codes }, index) => ({
      codes,
      to: values.map((value) =>
        encodeValue(dictionaries[index]!, droppedDimensions.includes(keyFields[index]!) ? null : value),
      ),
    }));
    for (let at = 0; at < part.length; at += 1) {
      for (let index = 0; index < fields.length; index += 1) {
        const { codes, to } = fields[index]!;
        tuples.input[index] = to[codes[at]!]!;
      }
      hours[encodeTuple(tuples)]! |= part.hours[at]!;
    }
  }
  return {
    length: tuples.size,
    fields: keyFields.map((_, index) => ({
      values: dictionaries[index]!.values,
      codes: tupleColumn(tuples, index),
    })),
    hours: hours.subarray(0, tuples.size),
    droppedDimensions,
  };
}

export const encodeZoneMap = ({ length, fields, hours, droppedDimensions }: ZoneMap): Uint8Array =>
  packColumns(length, {
    ...Object.fromEntries(keyFields.map((field, index) => [field, fields[index]!])),
    hours: { codes: hours },
    // The stored name; see docs/query-log.md.
    givenUp: { values: droppedDimensions, codes: [] },
  });

export function openZoneMap(bytes: Uint8Array): ZoneMap {
  const open = openColumns(bytes);
  return {
    length: open.length,
    fields: keyFields.map((field) => {
      const column = open.column(field);
      return { values: column.values(), codes: new Uint32Array(column.codes()) };
    }),
    hours: new Uint32Array(open.column('hours').codes()),
    droppedDimensions: open.column('givenUp').values() as readonly KeyField[],
  };
}

/** Hours of the day in which a row may match, one bit each. */
export function matchingHours(
  { length, fields, hours, droppedDimensions }: ZoneMap,
  predicates: readonly Predicate[],
): number {
  let matching: readonly number[] | undefined;
  for (const [field, set] of predicates) {
    if (droppedDimensions.includes(field)) continue;
    const { values, codes } = fields[keyFields.indexOf(field)]!;
    const isWanted = isAmong(values, set);
    matching = matching ? matching.filter((at) => isWanted[codes[at]!] === 1) : indexesOf(codes, length, isWanted);
    if (matching.length === 0) return 0;
  }
  if (!matching) return ALL_HOURS;
  return matching.reduce((found, at) => found | hours[at]!, 0);
}

function indexesOf(codes: ArrayLike<number>, length: number, isWanted: Uint8Array): number[] {
  const indexes: number[] = [];
  for (let at = 0; at < length; at += 1) if (isWanted[codes[at]!] === 1) indexes.push(at);
  return indexes;
}

/** Up to this number, searching each value is faster than testing all. */
const FEW_WANTED = 8;

function isAmong(values: readonly Value[], set: ReadonlySet<Value>): Uint8Array {
  if (set.size > FEW_WANTED) return Uint8Array.from(values, (value) => Number(set.has(value)));
  const isWanted = new Uint8Array(values.length);
  for (const value of set) {
    const code = values.indexOf(value);
    if (code !== -1) isWanted[code] = 1;
  }
  return isWanted;
}

export const hourBit = (time: number): number => 1 << Math.floor((time - dayOf(time)) / HOUR_MS);

/** All hours from `first` to `last` of the same day. */
export const hoursBetween = (first: number, last: number): number => {
  const [low, high] = [hourBit(first), hourBit(last)];
  return (high - low) | high;
};
