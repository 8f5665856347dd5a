import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { damage, type OpenBackend, openBackend, segmentsIn } from '../../../test/support/query-log/tables.ts';
import { readPage } from '../query/read-page.ts';
import { compact, rewriteSegment, truncate } from './compact.ts';
import { dayOf } from './row-table.ts';

const everything = { from: 0, to: NOW, limit: 100 };
const domains = async ({ reading }: OpenBackend): Promise<string[]> =>
  (await reading((all) => readPage(all, 'home', everything))).items.map(({ domain }) => domain);
const levels = async ({ segments }: OpenBackend): Promise<number[]> => (await segments()).map(({ level }) => level);

/** Stores rolled-up segments of one row each. */
async function addSegments({ append, backend, flush }: OpenBackend, count: number): Promise<void> {
  await append([aRecord({ domain: 'first.example', time: NOW - 100_000 })]);
  await flush();
  await backend.change(['home'], async (change) => {
    const [meta] = await segmentsIn(change, 'home');
    const [parts] = await change.parts([meta!], ['keys', 'names', 'spots', 'rest']);
    const copies = Array.from({ length: count - 1 }, () => ({ ...meta!, parts: parts!, pages: [] }));
    await change.addRolledUp('home', copies);
  });
}

test('eight small segments of a day become one of the next level; seven stay', async (t) => {
  const log = await openBackend(t);
  for (let row = 1; row <= 8; row += 1) {
    await log.append([aRecord({ domain: `${row}.example`, time: NOW - 1000 + row })]);
    await log.flush();
    assert.deepEqual(await levels(log), row < 8 ? Array(row).fill(1) : [2], `after ${row}`);
  }
  assert.deepEqual(
    await domains(log),
    [8, 7, 6, 5, 4, 3, 2, 1].map((row) => `${row}.example`),
  );
});

test('corrupt segments are reported and left out; also if all of them are', async (t) => {
  const log = await openBackend(t);
  await addSegments(log, 8);
  damage(log.folder, "UPDATE blocks SET spots = x'00' WHERE id > 2");
  const day = dayOf(NOW);
  await log.backend.change(['home'], (change) => compact(change, 'home', day, log.context.onProblem));
  assert.equal(log.problems.length, 6);
  assert.deepEqual([await levels(log), await domains(log)], [[2], ['first.example', 'first.example']]);

  const other = await openBackend(t);
  await addSegments(other, 8);
  damage(other.folder, "UPDATE blocks SET spots = x'00'");
  await other.backend.change(['home'], (change) => compact(change, 'home', day, other.context.onProblem));
  assert.equal(other.problems.length, 8);
  assert.deepEqual(await levels(other), []);
});

test('rows before the cutoff are removed from segments with rows on both sides of it', async (t) => {
  const log = await openBackend(t);
  const times = [NOW - 5000, NOW - 4000, NOW - 3000];
  await log.append(times.map((time, row) => aRecord({ time, domain: `${row}.example` })));
  await log.flush();
  await log.append([aRecord({ time: NOW - 6000, domain: 'unflushed.example' })]);
  const cut = (cutoff: number): Promise<void> =>
    log.backend.change(['home'], (change) => truncate(change, 'home', cutoff, log.context.onProblem));
  await cut(NOW - 5000);
  assert.deepEqual(await domains(log), ['2.example', '1.example', '0.example', 'unflushed.example']);
  await cut(NOW - 4000);
  assert.deepEqual(await domains(log), ['2.example', '1.example', 'unflushed.example']);
  assert.deepEqual(
    (await log.segments()).map(({ level, rows, first }) => [level, rows, first]),
    [
      [1, 2, NOW - 4000],
      [0, 1, NOW - 6000],
    ],
  );
});

test('a segment is rewritten with its rows; one that cannot be read stays, and a missing one is done', async (t) => {
  const log = await openBackend(t);
  await log.append([aRecord({ domain: 'a.example' }), aRecord({ domain: 'b.example', latencyMs: 7 })]);
  await log.flush();
  const before = await domains(log);
  const [meta] = await log.segments();
  const rewrite = (): Promise<boolean> =>
    log.backend.change(['home'], (change) => rewriteSegment(change, 'home', meta!, log.context.onProblem));
  damage(log.folder, `INSERT INTO old_segments (id, format) VALUES (${meta!.id}, 3)`);
  assert.equal(await log.backend.outdatedCount(), 1);
  assert.equal(await rewrite(), true);
  assert.deepEqual([await log.backend.outdatedCount(), await domains(log)], [0, before]);
  damage(log.folder, "UPDATE blocks SET keys = x'00'");
  assert.equal(await rewrite(), false);
  assert.deepEqual([(await log.segments()).length, log.problems.length], [1, 1]);
  damage(log.folder, 'DELETE FROM blocks');
  assert.equal(await rewrite(), true);
});
