import assert from 'node:assert/strict';
import { test } from 'node:test';
import { someRecords, tableFrom } from '../../../test/support/query-log/tables.ts';
import { domainSearch } from '../../domain/log-query.ts';
import { cutByDay } from '../segments/row-table.ts';
import { encodeSegment } from '../segments/segment.ts';
import { matchingNames, matchingTuples, predicatesOf, restPredicatesOf } from './filter.ts';

const all = { from: 0, to: 1, limit: 10 };
const segmentOf = (domains: readonly string[]) =>
  encodeSegment(cutByDay(tableFrom(someRecords(domains.length, (row) => ({ domain: domains[row]! }))), 1000)[0]!, 7)
    .parts;

test('a filter without values matches everything', () => {
  assert.deepEqual(predicatesOf({ ...all, devices: [], companies: [] }), []);
  assert.deepEqual(restPredicatesOf({ ...all, lists: [] }), []);
});

test('filters become predicates on their fields, those with many values first', () => {
  const given = {
    ...all,
    statuses: ['NONE'],
    devices: ['tv', 'phone'],
    companies: ['google'],
    countries: ['DE'],
    categories: ['ADS'],
    dnsServers: ['s'],
  } as const;
  assert.deepEqual(
    predicatesOf(given).map(([field, values]) => [field, ...values]),
    [
      ['companyId', 'google'],
      ['responseCountry', 'DE'],
      ['device', 'tv', 'phone'],
      ['category', 'ADS'],
      ['dnsServer', 's'],
      ['status', 'NONE'],
    ],
  );
  assert.deepEqual(
    restPredicatesOf({ ...all, clientAddresses: ['192.0.2.1'], lists: ['list'] }).map(([field, [value]]) => [
      field,
      value,
    ]),
    [
      ['clientSubnet', '192.0.2.1'],
      ['filterId', 'list'],
    ],
  );
});

test('tuples match if they have a value of every predicate', () => {
  const records = someRecords(60, (row) => ({ device: `d${row % 3}`, companyId: `c${row % 20}` }));
  const { parts } = encodeSegment(cutByDay(tableFrom(records), 1000)[0]!, 7);
  const count = (...predicates: Parameters<typeof matchingTuples>[1][number][]): number | undefined =>
    matchingTuples(parts.keys, predicates)?.reduce((sum, isMatch) => sum + isMatch, 0);
  assert.equal(count(['device', new Set(['d1'])]), 20);
  assert.equal(count(['device', new Set(['d1', 'd2', 'missing'])]), 40);
  assert.equal(count(['device', new Set(['d1'])], ['companyId', new Set(['c1'])]), 1);
  assert.equal(count(['device', new Set(['missing'])]), undefined);
  // Both values occur, but in no tuple together.
  const two = encodeSegment(
    cutByDay(tableFrom(someRecords(40, (row) => ({ device: `d${row % 2}`, companyId: `c${row % 2}` }))), 1000)[0]!,
    7,
  );
  const apart = [['device', new Set(['d0'])] as const, ['companyId', new Set(['c1'])] as const];
  assert.equal(matchingTuples(two.parts.keys, apart), undefined);
});

test('names match by their text, not by its JSON', () => {
  const domains = ['www.example.org', 'a"b.example', 'a\\.b.example', 'u00fc.example'];
  const { names } = segmentOf(domains);
  const found = (search: string): string[] | undefined => {
    const matches = matchingNames(names, domainSearch(search));
    return matches && domains.filter((_, code) => matches[code] === 1);
  };
  assert.deepEqual(found('example'), domains);
  assert.deepEqual(found('www'), ['www.example.org']);
  assert.deepEqual(found('a"b'), ['a"b.example']);
  assert.deepEqual(found('\\.'), ['a\\.b.example']);
  for (const missing of ['org,', '","', 'wwww', '[']) assert.equal(found(missing), undefined, missing);
  assert.deepEqual(found('"'), ['a"b.example']);
  assert.deepEqual(found('"WWW.example.org"'), ['www.example.org']);
  assert.equal(found('"example.org"'), undefined);
});

test('with many matches all names are compared', () => {
  const domains = Array.from({ length: 300 }, (_, index) => `name-${index}.example`);
  const matches = matchingNames(segmentOf(domains).names, domainSearch('name-2'));
  assert.equal(
    matches!.reduce((sum, isMatch) => sum + isMatch, 0),
    domains.filter((domain) => domain.includes('name-2')).length,
  );
});
