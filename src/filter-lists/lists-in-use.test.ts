import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CustomList } from '../domain/custom-list.ts';
import { defaultSettings } from '../domain/default-settings.ts';
import { noExtensions } from '../domain/profile-extensions.ts';
import { createListsInUse } from './lists-in-use.ts';

type Uses = { readonly lists?: readonly string[]; readonly custom?: readonly string[]; readonly rules?: string };

function account(id: string, { lists = [], custom = [], rules = '||a.example^' }: Uses) {
  const settings = defaultSettings();
  return {
    id,
    customLists: custom.map((list) => ({ id: list, source: { kind: 'rules', rules } }) as unknown as CustomList),
    profiles: [
      {
        ...settings,
        filterLists: { enabled: true, lists: lists.map((list) => ({ id: list, enabled: true })) },
        safeBrowsing: { ...settings.safeBrowsing, blockDangerousDomains: false },
        own: { ...noExtensions, customLists: custom.map((list) => ({ id: list, enabled: true })) },
      },
    ],
  };
}

test('a list is in use while an account uses it, and only the first and the last one change that', () => {
  const lists = createListsInUse();
  assert.equal(lists.replace(account('a', { lists: ['x'] })), true);
  assert.equal(lists.replace(account('b', { lists: ['x'] })), false);
  assert.equal(lists.replace(account('b', { lists: ['x', 'y'] })), true);
  assert.deepEqual([...lists.inUse().filterLists].sort(), ['x', 'y']);
  assert.equal(lists.remove('a'), false);
  assert.equal(lists.replace(account('b', { lists: ['y'] })), true);
  assert.deepEqual([...lists.inUse().filterLists], ['y']);
  assert.equal(lists.remove('b'), true);
  assert.deepEqual([...lists.accounts()], []);
});

test('custom lists with other rules are other lists', () => {
  const lists = createListsInUse();
  assert.equal(lists.replace(account('a', { custom: ['own'] })), true);
  assert.equal(lists.replace(account('a', { custom: ['own'] })), false);
  assert.equal(lists.replace(account('a', { custom: ['own'], rules: '||b.example^' })), true);
  assert.deepEqual(
    lists.custom().map(({ id, account: owner }) => [id, owner]),
    [['own', 'a']],
  );
  assert.equal(lists.isCustomList('own'), true);
  assert.equal(lists.remove('a'), true);
  assert.equal(lists.isCustomList('own'), false);
  assert.deepEqual(lists.custom(), []);
});
