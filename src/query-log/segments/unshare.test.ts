import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { recordsIn, tableFrom } from '../../../test/support/query-log/tables.ts';
import { ChecksumError } from './checksum-error.ts';
import { MAX_BATCH_ROWS } from './raw-rows.ts';
import { dayOf } from './row-table.ts';
import { tableOf } from './segment.ts';
import { shareRows } from './shared-rows.ts';
import { unshare } from './unshare.ts';

const DAY = 86_400_000;

function batchOf(batch: number, time: number, accounts: readonly string[]) {
  const tables = accounts.map((account) => ({
    account,
    table: tableFrom([aRecord({ account, time, domain: `${account}-${batch}.example` })]),
  }));
  const { raw, accounts: places } = shareRows(tables);
  return { batch, raw, accounts: places };
}

test('rows of shared batches become one segment per account and day, with their sequences', async () => {
  const problems: unknown[] = [];
  const segments = await unshare(
    [batchOf(1, NOW, ['a', 'b']), batchOf(2, NOW, ['b']), batchOf(3, NOW - DAY, ['a'])],
    (problem) => problems.push(problem),
  );
  const read = segments.map(({ account, batch, level, first, parts }) => {
    const table = tableOf(parts, { dayStart: dayOf(first), batch });
    const domains = recordsIn(table, account).map(({ domain }) => domain);
    return {
      account,
      batch,
      level,
      first,
      domains,
      batches: [...table.sequences].map((each) => Math.floor(each / MAX_BATCH_ROWS)),
    };
  });
  assert.deepEqual(read, [
    { account: 'a', batch: 1, level: 0, first: NOW, domains: ['a-1.example'], batches: [1] },
    { account: 'b', batch: 2, level: 0, first: NOW, domains: ['b-2.example', 'b-1.example'], batches: [2, 1] },
    { account: 'a', batch: 3, level: 0, first: NOW - DAY, domains: ['a-3.example'], batches: [3] },
  ]);
  assert.deepEqual(problems, []);
});

test('a corrupt batch is reported, and the others are moved', async () => {
  const problems: unknown[] = [];
  const corrupt = batchOf(1, NOW, ['a']);
  corrupt.raw[0]! ^= 1;
  const segments = await unshare([corrupt, batchOf(2, NOW, ['b'])], (problem) => problems.push(problem));
  assert.deepEqual(
    segments.map(({ account, rows }) => [account, rows]),
    [['b', 1]],
  );
  assert.ok(problems.length === 1 && problems[0] instanceof ChecksumError);
});
