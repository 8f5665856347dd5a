import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyFields } from './row.ts';
import {
  encodeZoneMap,
  hourBit,
  hoursBetween,
  matchingHours,
  mergeZoneMaps,
  openZoneMap,
  unknownZoneMap,
  type ZoneMap,
} from './zone-map.ts';

const HOUR = 3_600_000;
const hour = (number: number): number => hourBit(number * HOUR);

/** One tuple per device and company, in one hour. */
const zoneMap = (pairs: readonly (readonly [string, string, number])[]): ZoneMap => ({
  length: pairs.length,
  fields: keyFields.map((field) => ({
    values:
      field === 'device' ? pairs.map(([device]) => device) : field === 'companyId' ? pairs.map(([, id]) => id) : ['x'],
    codes: pairs.map((_, index) => (field === 'device' || field === 'companyId' ? index : 0)),
  })),
  hours: pairs.map(([, , at]) => hour(at)),
  droppedDimensions: [],
});
const device = (name: string) => ['device', new Set([name])] as const;
const company = (name: string) => ['companyId', new Set([name])] as const;

test('the hours found are those in which all values of the filter occurred together', () => {
  const day = mergeZoneMaps([
    zoneMap([
      ['phone', 'google', 1],
      ['tv', 'apple', 2],
    ]),
    zoneMap([['phone', 'google', 23]]),
  ]);
  const read = openZoneMap(encodeZoneMap(day));
  assert.equal(read.length, 2);
  assert.equal(matchingHours(read, [device('phone')]), hour(1) | hour(23));
  assert.equal(matchingHours(read, [device('phone'), company('google')]), hour(1) | hour(23));
  assert.equal(matchingHours(read, [device('phone'), company('apple')]), 0);
  assert.equal(matchingHours(read, [device('nobody')]), 0);
});

test('a field with too many values is dropped from the map, and the others stay', () => {
  const many = zoneMap(Array.from({ length: 20_000 }, (_, index) => [`d${index % 2}`, `c${index}`, index % 2]));
  const day = mergeZoneMaps([openZoneMap(encodeZoneMap(mergeZoneMaps([many]))), zoneMap([['d2', 'c', 5]])]);
  assert.deepEqual(day.droppedDimensions, ['companyId']);
  assert.equal(matchingHours(day, [company('nobody'), device('d1')]), hour(1));
  assert.equal(matchingHours(day, [device('d2')]), hour(5));
  assert.equal(matchingHours(day, [device('d3')]), 0);
});

test('where anything may have occurred, everything may be anywhere', () => {
  const day = mergeZoneMaps([unknownZoneMap, zoneMap([['phone', 'google', 1]])]);
  assert.equal(matchingHours(day, [device('nobody')]), hoursBetween(0, 24 * HOUR - 1));
});

test('the hours between two times of a day hold those of both', () => {
  assert.equal(hoursBetween(HOUR, 3 * HOUR), hour(1) | hour(2) | hour(3));
  assert.equal(hoursBetween(23 * HOUR, 23 * HOUR + 5), hour(23));
});
