import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { damage, openBackend, someRecords, tableFrom } from '../../../test/support/query-log/tables.ts';
import { openRollup } from '../rollups/rollup.ts';
import { encodeRolledUp, weightOf } from './flush.ts';
import { cutByDay, dayOf } from './row-table.ts';
import { encodeSegment, LARGE_ROWS } from './segment.ts';
import { hourBit, matchingHours, openZoneMap } from './zone-map.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

test('a flush encodes the rows by day and counts them by minute, hour and day', async (t) => {
  const { append, flush, backend, segments } = await openBackend(t);
  await append([...someRecords(30), ...someRecords(10, () => ({ time: NOW - DAY }))]);
  await append(someRecords(5, () => ({ status: 'REQUEST_BLOCKED' })));
  await flush();
  assert.deepEqual(
    (await segments()).map(({ level, rows }) => [level, rows]),
    [
      [1, 35],
      [1, 10],
    ],
  );
  await backend.read(async (view) => {
    assert.deepEqual(await view.unflushed('home'), []);
    for (const unit of ['minute', 'hour', 'day'] as const)
      assert.equal(await view.queries('home', unit, 0, NOW), 45, unit);
    const [body] = await view.bodies('home', 'day', [dayOf(NOW)]);
    const { blocked, queries } = openRollup(dayOf(NOW), body!.body);
    const sum = (counts: ArrayLike<number>): number => Array.from(counts).reduce((all, count) => all + count, 0);
    assert.deepEqual([sum(queries), sum(blocked)], [35, 5]);
  });
});

test('a second flush adds to the counts and to the values of the day', async (t) => {
  const { append, flush, backend } = await openBackend(t);
  for (const [device, time] of [
    ['phone', NOW - 1000],
    ['tv', NOW - 1000 - HOUR],
  ] as const) {
    await append([aRecord({ device, time })]);
    await flush();
  }
  await backend.read(async (view) => {
    assert.equal(await view.queries('home', 'day', 0, NOW), 2);
    const [stored] = await view.bodies('home', 'occurring', [dayOf(NOW)]);
    const hoursOf = (device: string): number =>
      matchingHours(openZoneMap(stored!.body), [['device', new Set([device])]]);
    assert.deepEqual(
      [hoursOf('phone'), hoursOf('tv'), hoursOf('other')],
      [hourBit(NOW - 1000), hourBit(NOW - 1000 - HOUR), 0],
    );
  });
});

test('rows that cannot be read are reported and removed; the others are flushed', async (t) => {
  const { append, flush, backend, folder, problems, segments } = await openBackend(t);
  await append(someRecords(3));
  await append(someRecords(4));
  damage(folder, 'UPDATE blocks SET fresh = zeroblob(100) WHERE id = 1');
  await flush();
  assert.equal(problems.length, 1);
  assert.deepEqual(
    (await segments()).map(({ level, rows }) => [level, rows]),
    [[1, 4]],
  );
  assert.equal(await backend.read((view) => view.queries('home', 'day', 0, NOW)), 4);
});

test('rows that are in the rollups already are encoded without being counted', async (t) => {
  const { append, backend, context, segments } = await openBackend(t);
  await append(someRecords(3));
  await backend.change(['home'], async (change) => {
    const [segment] = await change.unflushed('home');
    await encodeRolledUp(change, 'home', segment!, context.onProblem);
  });
  assert.deepEqual(
    (await segments()).map(({ level, rows }) => [level, rows]),
    [[1, 3]],
  );
  assert.equal(await backend.read((view) => view.queries('home', 'day', 0, NOW)), 0);
});

test('a large segment stays as it is: it is counted and marked as rolled up', async (t) => {
  const { flush, backend, segments } = await openBackend(t);
  const [table] = cutByDay(
    tableFrom(
      someRecords(LARGE_ROWS, () => ({ time: NOW })),
      2,
    ),
    LARGE_ROWS,
  );
  const [first, last, rows] = [table!.times.at(-1)!, table!.times[0]!, table!.length];
  const content = { kind: 'encoded', ...encodeSegment(table!, 2) } as const;
  await backend.change([], (change) =>
    change.appendSegments([{ account: 'home', batch: 2, first, last, rows, content }]),
  );
  const [before] = await segments();
  await flush();
  assert.deepEqual(await segments(), [{ ...before!, level: 1 }]);
  await backend.read(async (view) => {
    assert.equal(await view.queries('home', 'hour', 0, NOW), LARGE_ROWS);
    assert.equal((await view.rollups('home', 'occurring', 0, NOW)).length, 1);
  });
});

test('encoded rows weigh less than raw ones, because only their counting waits', () => {
  assert.equal(weightOf(3200, false), 3200);
  assert.equal(weightOf(3200, true), 100);
});
