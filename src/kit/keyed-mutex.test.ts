import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as soon } from 'node:timers/promises';
import { keyedMutex } from './keyed-mutex.ts';

const waited = (log: string[], name: string, rounds: number) => async (): Promise<string> => {
  log.push(`begin ${name}`);
  for (let i = 0; i < rounds; i++) await soon();
  log.push(`end ${name}`);
  return name;
};

test('jobs of one key run one after the other, in the order they came', async () => {
  const [turn, log] = [keyedMutex(), [] as string[]];
  const names = await Promise.all([turn('k', waited(log, 'a', 3)), turn('k', waited(log, 'b', 1))]);
  assert.deepEqual(names, ['a', 'b']);
  assert.deepEqual(log, ['begin a', 'end a', 'begin b', 'end b']);
});

test('jobs of different keys do not wait for each other', async () => {
  const [turn, log] = [keyedMutex(), [] as string[]];
  await Promise.all([turn('k', waited(log, 'a', 3)), turn('other', waited(log, 'b', 1))]);
  assert.deepEqual(log, ['begin a', 'begin b', 'end b', 'end a']);
});

test('a failure reaches only the caller of its job, and the next job runs', async () => {
  const turn = keyedMutex();
  const failing = turn('k', () => Promise.reject(new Error('mine')));
  const next = turn('k', async () => 'next');
  await assert.rejects(failing, /mine/);
  assert.equal(await next, 'next');
});

test('a job without predecessors starts at once', async () => {
  const turn = keyedMutex();
  await turn('k', async () => {});
  await soon();
  assert.equal(await turn('k', async () => 'later'), 'later');
});
