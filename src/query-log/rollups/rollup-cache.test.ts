import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { openBackend } from '../../../test/support/query-log/tables.ts';
import { ChecksumError } from '../segments/checksum-error.ts';
import { openRollup, queriesIn } from './rollup.ts';
import { readRollups } from './rollup-cache.ts';

test('a rollup is decoded once, and again after it has changed', async (t) => {
  const { append, flush, reading } = await openBackend(t);
  let decoded = 0;
  const queries = async (account = 'home'): Promise<number[]> => {
    const open = ({ start, body }: { start: number; body: Uint8Array }) => {
      decoded += 1;
      return openRollup(start, body);
    };
    const read = await reading((own) => readRollups(own, account, { unit: 'day', from: 0, to: NOW, open }));
    return read.map(queriesIn);
  };
  await append([aRecord()]);
  await flush();
  for (const _ of [1, 2]) assert.deepEqual([await queries(), decoded], [[1], 1]);
  await append([aRecord()]);
  await flush();
  for (const _ of [1, 2]) assert.deepEqual([await queries(), decoded], [[2], 2]);
  assert.deepEqual(await queries('other'), []);
});

test('a corrupt rollup is reported and left out', async (t) => {
  const { append, flush, reading, problems } = await openBackend(t);
  await append([aRecord(), aRecord({ time: NOW - 86_400_000 })]);
  await flush();
  const read = await reading((own) =>
    readRollups(own, 'home', {
      unit: 'day',
      from: 0,
      to: NOW,
      open: ({ start }) => {
        if (start < NOW - 86_400_000) throw new ChecksumError();
        return { start };
      },
    }),
  );
  assert.deepEqual([read.length, problems.length], [1, 1]);
});
