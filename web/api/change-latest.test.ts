import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from './api-error.ts';
import { changeLatest, mergeChanges } from './change-latest.ts';

const isChanged = (error: unknown): boolean => error instanceof ApiError && error.problem.kind === 'changed';

/** A list of numbers that others change before the first requests to save it. */
function contested(others: number) {
  let state = [0];
  let left = others;
  return {
    state: () => state,
    read: async () => ({ reply: state, etag: `${state.length}` }),
    save: async (changed: number[], ifMatch: string | undefined) => {
      if (left > 0) state = [...state, 100 + left--];
      if (ifMatch !== `${state.length}`) throw new ApiError({ kind: 'changed' });
      state = changed;
    },
  };
}

test('a change is applied to the latest state, and gives up after five attempts', async () => {
  const twice = contested(2);
  await changeLatest(twice.read, (list) => [...list, 1], twice.save);
  assert.deepEqual(twice.state(), [0, 102, 101, 1]);
  const always = contested(5);
  await assert.rejects(
    changeLatest(always.read, (list) => [...list, 1], always.save),
    isChanged,
  );
  assert.equal(always.state().length, 6);
});

type Form = { names: string[]; mode: string; extra?: { prefix: string } };
const base: Form = { names: ['a'], mode: 'fast', extra: { prefix: 'p' } };

test('edited members are saved together with the changes of others', () => {
  assert.deepEqual(mergeChanges(base, { ...base, names: ['b'] }, { ...base, mode: 'slow' }), {
    ...base,
    names: ['b'],
    mode: 'slow',
  });
  const { extra: _, ...without } = base;
  assert.deepEqual(mergeChanges(base, without, { ...base, mode: 'slow' }), { ...without, mode: 'slow' });
  assert.deepEqual(mergeChanges<Form>(without, base, without), base);
});

test('a member that others have changed to another value is a conflict', () => {
  assert.throws(() => mergeChanges(base, { ...base, names: ['b'] }, { ...base, names: ['c'] }), isChanged);
  const same = { ...base, names: ['b'] };
  assert.deepEqual(mergeChanges(base, same, same), same);
});
