import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { openBackend } from '../../../test/support/query-log/tables.ts';

const [DAY, WEEK] = [86_400_000, 7 * 86_400_000];
const forever = { minute: 0, hour: 0, day: 0 };

test('accounts with rows or with counts alone are listed', async (t) => {
  const { append, flush, backend } = await openBackend(t);
  await append([aRecord(), aRecord({ account: 'office' })]);
  await flush('office');
  await backend.change(['office'], (change) => change.removeAll('office'));
  assert.deepEqual([...(await backend.accounts())].sort(), ['home', 'office']);
});

test('unflushed rows are counted per account over all weeks', async (t) => {
  const { append, flush, backend } = await openBackend(t);
  await append([aRecord(), aRecord(), aRecord({ time: NOW - WEEK }), aRecord({ account: 'office' })]);
  await flush('office');
  assert.deepEqual(await backend.unflushedByAccount(), [
    { account: 'home', segments: 2, rows: 3, encodedRows: 0, first: NOW - WEEK },
  ]);
});

test('each account loses its segments before its cutoff, and unflushed rows stay', async (t) => {
  const { append, flush, backend, segments } = await openBackend(t);
  const days = [0, 1, 2].map((day) => NOW - day * DAY);
  await append(days.flatMap((time) => [aRecord({ time }), aRecord({ time, account: 'office' })]));
  await flush('home');
  const rows = async (account: string): Promise<number> => (await segments(account)).length;
  await backend.expire(
    new Map([
      ['home', NOW - DAY],
      ['office', NOW],
    ]),
    forever,
  );
  assert.deepEqual([await rows('home'), await rows('office')], [2, 3]);
  await flush('office');
  await backend.expire(new Map([['office', NOW]]), forever);
  assert.deepEqual([await rows('home'), await rows('office')], [2, 1]);
});

test('counts expire by unit', async (t) => {
  const { append, flush, backend } = await openBackend(t);
  await append([aRecord({ time: NOW - 2 * DAY }), aRecord()]);
  await flush();
  await backend.expire(new Map(), { ...forever, hour: NOW - DAY });
  const queries = (unit: 'minute' | 'hour' | 'day') => backend.read((view) => view.queries('home', unit, 0, NOW));
  assert.deepEqual([await queries('minute'), await queries('hour'), await queries('day')], [2, 1, 2]);
});
