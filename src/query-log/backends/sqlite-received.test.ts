import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW, temporaryFolder } from '../../../test/support/query-log/logs.ts';
import { KEEP_RECEIVED_MS } from './log-backend.ts';
import { openSqliteFiles } from './sqlite-files.ts';
import { receiveBatch } from './sqlite-received.ts';

const WEEK = 7 * 86_400_000;

test('a batch is new once in each file of its rows, until its id has expired', async (t) => {
  const folder = await temporaryFolder(t);
  const fail = (problem: unknown): never => assert.fail(String(problem));
  const files = openSqliteFiles(folder, () => true, { now: () => NOW, onProblem: fail });
  t.after(() => files.close());
  const receive = (id: string, times: readonly number[], now = NOW): boolean[] => {
    const isNew = receiveBatch(files.weekFile, { id, times, now });
    return times.map(isNew);
  };
  assert.deepEqual(receive('a', [NOW, NOW - 1]), [true, true]);
  assert.deepEqual(receive('a', [NOW]), [false]);
  assert.deepEqual(receive('b', [NOW]), [true]);
  // A transaction of two files may have stored the rows of one of them.
  assert.deepEqual(receive('a', [NOW, NOW - WEEK]), [false, true]);
  assert.deepEqual(receive('a', [NOW], NOW + KEEP_RECEIVED_MS), [false]);
  assert.deepEqual(receive('a', [NOW], NOW + KEEP_RECEIVED_MS + 1), [true]);
});
