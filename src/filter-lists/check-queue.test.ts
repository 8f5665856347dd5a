import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextToCheck } from './check-queue.ts';

type Given = { readonly account?: string | undefined; readonly isChecking?: boolean; readonly hasVersion?: boolean };

const list = (name: string, dueAt: number, { account = 'a', isChecking = false, hasVersion = true }: Given = {}) => ({
  name,
  account: () => account,
  isChecking: () => isChecking,
  hasVersion: () => hasVersion,
  dueAt: () => dueAt,
});
const ofOperator = (name: string, dueAt: number) => ({ ...list(name, dueAt), account: () => undefined });
type List = Omit<ReturnType<typeof list>, 'account'> & { readonly account: () => string | undefined };
const namesAt = (all: readonly List[], servedAt: ReadonlyMap<string, number> = new Map()): string[] =>
  nextToCheck(all, 10, servedAt).map(({ name }) => name);

test('within an account, lists without a version come first, then those that have waited longest', () => {
  const later = list('later', 11, { hasVersion: false });
  const lists = [list('second', 5), list('first', 3), later, list('third', 7)];
  assert.deepEqual(namesAt(lists), ['first', 'second']);
  assert.deepEqual(namesAt([...lists, list('missing', 9, { hasVersion: false })]), ['missing', 'first']);
  assert.deepEqual(namesAt([...lists, list('busy', 1, { isChecking: true })]), ['first']);
  assert.deepEqual(namesAt([list('a', 1, { isChecking: true }), list('b', 1, { isChecking: true }), ...lists]), []);
});

test('an account has two downloads at most, and all accounts eight', () => {
  const lists = ['a', 'b', 'c', 'd', 'e'].flatMap((account) =>
    Array.from({ length: 20 }, (_, at) => list(`${account}${at}`, at, { account })),
  );
  assert.deepEqual(namesAt(lists), ['a0', 'b0', 'c0', 'd0', 'e0', 'a1', 'b1', 'c1']);
});

test('the next download goes to the account with the fewest, then to the one served the longest time ago', () => {
  const busy = ['a', 'b', 'c'].flatMap((account) =>
    Array.from({ length: 2 }, (_, at) => list(`${account}${at}`, 1, { account, isChecking: true })),
  );
  const busyToo = list('d0', 1, { account: 'd', isChecking: true });
  const waiting = ['a', 'd', 'e', 'f', 'g'].map((account) => list(`${account} next`, 1, { account }));
  const servedAt = new Map([
    ['d', 1],
    ['e', 9],
    ['f', 5],
    ['g', 7],
  ]);
  assert.deepEqual(namesAt([...busy, busyToo, ...waiting], servedAt), ['f next']);
});

test('lists of the operator have two downloads that accounts cannot use', () => {
  const busy = ['a', 'b', 'c', 'd'].flatMap((account) =>
    Array.from({ length: 2 }, (_, at) => list(`${account}${at}`, 1, { account, isChecking: true })),
  );
  const own = ['one', 'two', 'three'].map((name, at) => ofOperator(name, at));
  assert.deepEqual(namesAt([...busy, list('e0', 0, { account: 'e' }), ...own]), ['one', 'two']);
});
