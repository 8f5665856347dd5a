import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { type EncodedBatch, encodeBatches, shareBatches } from '../log-engine.ts';
import { createSequences, prepareInserts } from './insert.ts';

const ROWS = 9000;
const ACCOUNTS = 300;
const batches = encodeBatches(
  Array.from({ length: ROWS }, (_, row) =>
    aRecord({ account: `account-${row % ACCOUNTS}`, domain: `name-${row % 700}.example`, time: NOW + row }),
  ),
);
const prepare = (given: readonly EncodedBatch[]) =>
  prepareInserts(given, { sequences: createSequences(() => NOW), expiresAt: (_, time) => time });

/** Rows without their sequences. */
const rowsOf = (body: Uint8Array): string[] =>
  gunzipSync(body)
    .toString()
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.stringify((JSON.parse(line) as unknown[]).toSpliced(2, 1)))
    .sort();

test('rows are prepared in steps, and other work of the thread is done between them', async () => {
  let isPrepared = false;
  let others = 0;
  const work = (): void => {
    others += 1;
    if (!isPrepared) setImmediate(work);
  };
  setImmediate(work);
  const [insert] = await prepare(batches);
  isPrepared = true;
  assert.equal(insert!.rows, ROWS);
  assert.ok(others >= 4, `${others} times`);
});

test('rows of shared batches are those of their accounts', async () => {
  const shared = shareBatches(batches);
  assert.ok(shared.length < ACCOUNTS);
  const [alone, together] = [await prepare(batches), await prepare(shared)];
  assert.deepEqual([alone.length, together.length, together[0]!.rows], [1, 1, ROWS]);
  // Of so many rows, a comparison that shows the difference would take a minute.
  assert.ok(rowsOf(together[0]!.body).join() === rowsOf(alone[0]!.body).join());
});
