import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { damage, openBackend } from '../../../test/support/query-log/tables.ts';
import { countLists } from './count-lists.ts';

const MINUTE = 60_000;
const range = { from: NOW - 10 * MINUTE, to: NOW };
const blocked = (filterId: string, time: number) => aRecord({ time, filterId, status: 'REQUEST_BLOCKED' });

test('sums of whole segments are cached per filter; parts of a segment are not', async (t) => {
  const { append, flush, reading, folder, problems } = await openBackend(t);
  await append([blocked('a', NOW - 9 * MINUTE), blocked('a', NOW - 1), { ...blocked('b', NOW - 1), device: 'tv' }]);
  await flush();
  const count = (query: object) => reading((own) => countLists(own, 'home', { ...range, ...query }, NOW));
  const [whole, part] = [await count({}), await count({ from: NOW - MINUTE })];
  assert.deepEqual(
    [whole, part, await count({ devices: ['tv'] })].map(([first]) => first),
    [
      { filterId: 'a', blocked: 2 },
      { filterId: 'a', blocked: 1 },
      { filterId: 'b', blocked: 1 },
    ],
  );
  damage(folder, "UPDATE blocks SET spots = x'00'");
  assert.deepEqual(await count({}), whole);
  assert.deepEqual([await count({ from: NOW - MINUTE }), problems.length], [[], 1]);
});
