import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { aRecord, NOW, temporaryFolder } from '../../../test/support/query-log/logs.ts';
import { encodeBatches } from '../log-engine.ts';
import { createLogWriter } from './log-writer.ts';
import type { DropReason } from './record-stats.ts';

async function openWriter(t: { after(end: () => unknown): void }, different: { beforeStoring?: () => void } = {}) {
  const folder = join(await temporaryFolder(t), 'log');
  const problems: string[] = [];
  const dropped: Partial<Record<DropReason, number>> = {};
  let stored = 0;
  const writer = createLogWriter(
    { folder },
    {
      onProblem: (problem) => problems.push(String(problem)),
      onDropped: (rows, reason) => {
        if (rows > 0) dropped[reason] = (dropped[reason] ?? 0) + rows;
      },
      onStored: (rows) => {
        stored += rows;
      },
      beforeStoring: () => different.beforeStoring?.(),
    },
  );
  const put = (...accounts: readonly string[]): void => {
    for (const batch of encodeBatches(accounts.map((account) => aRecord({ account })))) writer.put(batch);
  };
  /** A file in place of the folder: the log cannot be opened. */
  const breakLog = (): void => writeFileSync(folder, '');
  const repairLog = (): void => rmSync(folder);
  return { writer, put, problems, dropped, stored: () => stored, breakLog, repairLog, folder };
}
const all = { from: 0, to: NOW, limit: 10 };

test('rows are stored, and the log has them', async (t) => {
  const { writer, put, stored, problems } = await openWriter(t);
  put('home', 'office');
  assert.ok(writer.waitingBytes() > 0);
  assert.equal(await writer.storeAll(), true);
  assert.deepEqual([stored(), writer.waitingBytes(), writer.isFailing(), writer.lagMs()], [2, 0, false, 0]);
  assert.equal((await (await writer.log()).page('home', all)).items.length, 1);
  await writer.close(1000);
  assert.deepEqual(problems, []);
});

test('while the log fails rows are buffered and the failure is reported once; then all are stored', async (t) => {
  const { writer, put, stored, problems, breakLog, repairLog, dropped } = await openWriter(t);
  breakLog();
  put('home');
  assert.equal(await writer.storeAll({ isPatient: true }), false);
  assert.equal(await writer.storeAll({ isPatient: true }), false);
  assert.equal(problems.length, 1);
  assert.match(problems[0]!, /query log write failed, buffering/);
  assert.ok(writer.isFailing() && writer.waitingBytes() > 0);
  // A read does not wait for a log that has just failed.
  repairLog();
  assert.equal(await writer.storeAll(), false);
  assert.equal(await writer.storeAll({ isPatient: true }), true);
  assert.deepEqual([stored(), writer.isFailing(), dropped], [1, false, {}]);
  await writer.close(1000);
});

test('rows of an account that switches its log off are discarded', async (t) => {
  const { writer, put, stored, dropped } = await openWriter(t);
  put('home', 'home', 'office');
  writer.discard('home');
  assert.deepEqual(dropped, { 'switched off': 2 });
  await writer.storeAll();
  assert.equal(stored(), 1);
  await writer.close(1000);
});

test('rows can be discarded until the moment before they are written', async (t) => {
  let discard = (): void => {};
  const { writer, put, stored, dropped } = await openWriter(t, { beforeStoring: () => discard() });
  discard = () => writer.discard('home');
  put('home', 'office');
  await writer.storeAll();
  assert.deepEqual([stored(), dropped], [1, { 'switched off': 1 }]);
  await writer.close(1000);
});

test('rows that cannot be stored before the end are counted as lost and reported', async (t) => {
  const { writer, put, problems, dropped, breakLog } = await openWriter(t);
  breakLog();
  put('home');
  await writer.close(50);
  assert.deepEqual(dropped, { end: 1 });
  assert.ok(problems.some((problem) => /1 query records are lost/.test(problem)));
});
