import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyFields } from './row.ts';
import {
  anything,
  hourBit,
  hoursBetween,
  hoursOf,
  mergedOccurring,
  type Occurring,
  openOccurring,
  packOccurring,
} from './zone-map.ts';

const HOUR = 3_600_000;
const hour = (number: number): number => hourBit(number * HOUR);

/** One combination for each device and company, in one hour. */
const occurring = (pairs: readonly (readonly [string, string, number])[]): Occurring => ({
  length: pairs.length,
  fields: keyFields.map((field) => ({
    values:
      field === 'device' ? pairs.map(([device]) => device) : field === 'companyId' ? pairs.map(([, id]) => id) : ['x'],
    codes: pairs.map((_, place) => (field === 'device' || field === 'companyId' ? place : 0)),
  })),
  hours: pairs.map(([, , at]) => hour(at)),
  givenUp: [],
});
const device = (name: string) => ['device', new Set([name])] as const;
const company = (name: string) => ['companyId', new Set([name])] as const;

test('what occurs is told by the hours in which all that is wanted was met together', () => {
  const day = mergedOccurring([
    occurring([
      ['phone', 'google', 1],
      ['tv', 'apple', 2],
    ]),
    occurring([['phone', 'google', 23]]),
  ]);
  const read = openOccurring(packOccurring(day));
  assert.equal(read.length, 2);
  assert.equal(hoursOf(read, [device('phone')]), hour(1) | hour(23));
  assert.equal(hoursOf(read, [device('phone'), company('google')]), hour(1) | hour(23));
  assert.equal(hoursOf(read, [device('phone'), company('apple')]), 0);
  assert.equal(hoursOf(read, [device('nobody')]), 0);
});

test('of a field with too many values it is not told any more which occur, and of the others it is', () => {
  const many = occurring(Array.from({ length: 20_000 }, (_, place) => [`d${place % 2}`, `c${place}`, place % 2]));
  const day = mergedOccurring([openOccurring(packOccurring(mergedOccurring([many]))), occurring([['d2', 'c', 5]])]);
  assert.deepEqual(day.givenUp, ['companyId']);
  assert.equal(hoursOf(day, [company('nobody'), device('d1')]), hour(1));
  assert.equal(hoursOf(day, [device('d2')]), hour(5));
  assert.equal(hoursOf(day, [device('d3')]), 0);
});

test('where anything may have occurred, everything may be anywhere', () => {
  const day = mergedOccurring([anything, occurring([['phone', 'google', 1]])]);
  assert.equal(hoursOf(day, [device('nobody')]), hoursBetween(0, 24 * HOUR - 1));
});

test('the hours between two times of a day hold those of both', () => {
  assert.equal(hoursBetween(HOUR, 3 * HOUR), hour(1) | hour(2) | hour(3));
  assert.equal(hoursBetween(23 * HOUR, 23 * HOUR + 5), hour(23));
});
