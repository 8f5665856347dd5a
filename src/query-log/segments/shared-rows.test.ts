import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { recordsIn, someRecords, tableFrom } from '../../../test/support/query-log/tables.ts';
import { accountTables, bucketOf, shareRows, sharingGroups, withoutAccount } from './shared-rows.ts';

const DAY = 86_400_000;
const group = (account: string, rows: number, day = 0, bucket = 1) => ({ account, bucket, day, rows });

test('accounts share a batch until it has enough rows; days, buckets and repeated accounts are separate', () => {
  const accounts = (given: readonly ReturnType<typeof group>[]): string[] =>
    sharingGroups(given).map((each) => each.map(({ account }) => account).join(''));
  assert.deepEqual(accounts([group('a', 100), group('b', 100), group('c', 1)]), ['ab', 'c']);
  assert.deepEqual(accounts([group('a', 1), group('b', 1, DAY), group('c', 1)]), ['ac', 'b']);
  assert.deepEqual(accounts([group('a', 1), group('b', 1, 0, 2), group('c', 1)]), ['ac', 'b']);
  assert.deepEqual(accounts([group('a', 1), group('b', 1), group('a', 1), group('c', 1)]), ['ab', 'ac']);
  assert.deepEqual(accounts([]), []);
});

test('an account always has the same bucket', () => {
  const names = Array.from({ length: 200 }, (_, index) => `account-${index}`);
  assert.deepEqual(names.map(bucketOf), names.map(bucketOf));
  assert.deepEqual(new Set(names.map(bucketOf)), new Set([0, 1, 2, 3]));
});

test('a shared batch has the rows of each account; without one of them the others are unchanged', () => {
  const rowsOf = { home: someRecords(3), office: [aRecord({ account: 'office', time: NOW - DAY / 100 })] };
  const batch = shareRows(Object.entries(rowsOf).map(([account, records]) => ({ account, table: tableFrom(records) })));
  const read = (given: Parameters<typeof accountTables>[0]) =>
    Object.fromEntries(accountTables(given).map(({ account, table }) => [account, recordsIn(table, account)]));
  assert.deepEqual(read(batch), rowsOf);
  assert.deepEqual([batch.rows, batch.first, batch.last], [4, NOW - DAY / 100, NOW - 1000]);
  const left = withoutAccount(batch, 'home')!;
  assert.deepEqual(read(left), { office: rowsOf.office });
  assert.deepEqual([left.rows, left.first, left.last], [1, NOW - DAY / 100, NOW - DAY / 100]);
  assert.equal(withoutAccount(left, 'office'), undefined);
});
