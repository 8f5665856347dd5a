import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW } from '../../../test/support/query-log/logs.ts';
import { someRecords, tableFrom } from '../../../test/support/query-log/tables.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import { bucketStart } from '../../domain/statistics.ts';
import { countRows } from '../rollups/count-rows.ts';
import type { RollupQuery } from '../rollups/sums.ts';
import {
  categoriesOf,
  companiesOf,
  companyDetailsOf,
  countriesOf,
  devicesOf,
  domainsOf,
  timeOf,
} from './statistics.ts';

const MINUTE = 60_000;
const hour = bucketStart('hour', NOW);

function queryOf(records: readonly QueryRecord[]): RollupQuery {
  const buckets = { unit: 'minute', width: MINUTE, first: hour, last: hour + 59 * MINUTE } as const;
  const query = { from: hour, to: hour + 60 * MINUTE - 1 };
  return { rollups: countRows(tableFrom(records)), buckets, resultBuckets: buckets, query };
}
const counted = queryOf(
  someRecords(10, (row) => ({
    time: hour + row * 1000,
    companyId: row < 6 ? 'google' : 'meta',
    category: row < 6 ? 'ADS' : 'SOCIAL_MEDIA',
    domain: row % 2 === 0 ? 'even.example' : 'odd.example',
    device: row < 9 ? 'phone' : 'tv',
    status: row === 7 ? 'REQUEST_BLOCKED' : 'NONE',
    ...(row === 0 ? { responseCountry: 'DE' } : {}),
  })),
);

test('values are ranked by queries, then by name; rows without a value are left out', () => {
  assert.deepEqual(
    companiesOf(counted).map(({ companyId, value }) => [companyId, value]),
    [
      ['google', { queries: 6, blocked: 0, companies: 1 }],
      ['meta', { queries: 4, blocked: 1, companies: 1 }],
    ],
  );
  assert.deepEqual(
    domainsOf(counted).map(({ domain, value }) => [domain, value.queries, value.companies]),
    [
      ['even.example', 5, 2],
      ['odd.example', 5, 2],
    ],
  );
  assert.deepEqual(countriesOf(counted), [{ country: 'DE', value: { queries: 1, blocked: 0, companies: 1 } }]);
  assert.deepEqual(
    devicesOf(counted).map(({ device, lastActivity }) => [device, lastActivity - hour]),
    [
      ['phone', 8000],
      ['tv', 9000],
    ],
  );
});

test('every category is listed, also without queries', () => {
  assert.deepEqual(
    categoriesOf(counted).map(({ category, queries }) => `${category} ${queries}`),
    ['ADS 6', 'TRACKERS 0', 'SOCIAL_MEDIA 4', 'CDN 0', 'OTHERS 0'],
  );
});

test('every bucket of the range is listed', () => {
  const buckets = timeOf(counted);
  assert.equal(buckets.length, 60);
  assert.deepEqual(buckets[0], { time: hour, value: { queries: 10, blocked: 1, companies: 2 } });
  assert.equal(buckets[1]!.value.queries, 0);
});

test('if there are more than 1000 values, those with the most queries are listed', () => {
  const many = queryOf(
    someRecords(1500, (row) => ({ time: hour + row, domain: `${row < 400 ? 'frequent' : `rare-${row}`}.example` })),
  );
  const domains = domainsOf(many);
  assert.equal(domains.length, 1000);
  assert.deepEqual([domains[0]!.domain, domains[0]!.value.queries], ['frequent.example', 400]);
});

test('companies with details come in pages, with their most queried and most blocked domain', () => {
  const first = companyDetailsOf(counted, 1, 1);
  assert.deepEqual(first.items, [
    {
      companyId: 'google',
      value: { queries: 6, blocked: 0, companies: 1 },
      domains: 2,
      topQueriesDomain: 'even.example',
    },
  ]);
  const second = companyDetailsOf(counted, 1, 2);
  assert.equal(second.items[0]!.topBlockedDomain, 'odd.example');
  assert.deepEqual(
    second.pages.map(({ number, isCurrent }) => [number, isCurrent]),
    [
      [1, false],
      [2, true],
    ],
  );
  assert.deepEqual(companyDetailsOf(counted, 1, 3).items, []);
  assert.equal(companyDetailsOf(queryOf(someRecords(1, () => ({ time: hour - 1 }))), 5, 1).pages.length, 1);
});
