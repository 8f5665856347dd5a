import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { damage, openBackend, recordsIn, someRecords, tableFrom } from '../../../test/support/query-log/tables.ts';
import type { RollupRows } from '../rollups/rollup.ts';
import { dayOf } from './row-table.ts';
import { joinedUnflushed, unflushedRollups, wholeDays } from './unflushed.ts';

const DAY = 86_400_000;
const total = (rollups: readonly RollupRows[]): number =>
  rollups.reduce((sum, { queries }) => sum + Array.from(queries).reduce((all, count) => all + count, 0), 0);

test('rows of one day in order are used as they are; others are cut by day and sorted', () => {
  const inOrder = tableFrom(someRecords(5));
  assert.equal(wholeDays(inOrder)[0], inOrder);
  const mixed = tableFrom([NOW - 1, NOW - DAY, NOW - 2].map((time) => aRecord({ time })));
  assert.deepEqual(
    wholeDays(mixed).map(({ times }) => [...times]),
    [[NOW - 1, NOW - 2], [NOW - DAY]],
  );
  assert.deepEqual(wholeDays(tableFrom([NOW - DAY, NOW].map((time) => aRecord({ time })))).length, 2);
});

test('unflushed rows are counted in the unit of the query, and again from the cache', async (t) => {
  const { append, reading, context } = await openBackend(t);
  await append(someRecords(30));
  await append(someRecords(10, () => ({ device: 'tv' })));
  for (const unit of ['minute', 'hour', 'day', 'day'] as const) {
    const rollups = await reading((all) => unflushedRollups({ ...all, pending: context.pending }, 'home', unit));
    assert.equal(total(rollups), 40, unit);
    if (unit === 'day') assert.ok(rollups.every(({ start }) => start === dayOf(NOW)));
  }
  assert.equal(
    total(await reading((all) => unflushedRollups({ ...all, pending: context.pending }, 'other', 'day'))),
    0,
  );
});

test('readable rows are joined; without any the result is undefined', async (t) => {
  const { append, reading, folder, problems } = await openBackend(t);
  const read = () =>
    reading(async ({ view, onProblem }) => joinedUnflushed(view, await view.unflushed('home'), onProblem));
  assert.equal(await read(), undefined);
  const [one, other] = [someRecords(2), someRecords(3, () => ({ device: 'tv' }))];
  await append(one);
  await append(other);
  assert.deepEqual(recordsIn((await read())!), [...one, ...other]);
  damage(folder, 'UPDATE blocks SET fresh = zeroblob(100) WHERE id = 1');
  assert.deepEqual(recordsIn((await read())!), other);
  assert.equal(problems.length, 1);
  damage(folder, 'UPDATE blocks SET fresh = zeroblob(100)');
  assert.equal(await read(), undefined);
});
