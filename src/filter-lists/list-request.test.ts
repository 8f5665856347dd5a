import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings } from '../domain/default-settings.ts';
import { listsInUse, safetyListId, wantedLists, withLookAlikes } from './list-request.ts';

const plain = defaultSettings();
const nothing = {
  ...plain,
  filterLists: { enabled: true, lists: [{ id: 'a', enabled: false }] },
  safeBrowsing: { ...plain.safeBrowsing, blockDangerousDomains: false },
};

test('a list is in use if any profile has it enabled', () => {
  const withLists = { ...nothing, filterLists: { enabled: true, lists: [{ id: 'a', enabled: true }] } };
  assert.deepEqual(listsInUse([nothing]), { filterLists: new Set(), safety: new Set() });
  assert.deepEqual(listsInUse([nothing, withLists]).filterLists, new Set(['a']));
});

test('lists of a disabled section stay in use, so that enabling it applies at once', () => {
  const off = {
    ...nothing,
    protectionEnabled: false,
    filterLists: { enabled: false, lists: [{ id: 'a', enabled: true }] },
    parental: { ...plain.parental, enabled: false, blockAdult: true },
    safeBrowsing: { ...nothing.safeBrowsing, enabled: false, blockNewlyRegistered: true },
  };
  assert.deepEqual(listsInUse([off]), {
    filterLists: new Set(['a']),
    safety: new Set(['adult', 'newly registered']),
  });
});

test('the lists of a blocked category are in use', () => {
  const blocking = (enabled: boolean) => ({
    ...nothing,
    parental: { ...plain.parental, blockedCategories: [{ id: 'gambling', enabled }] },
  });
  assert.deepEqual(listsInUse([blocking(true)]).filterLists, new Set(['hagezi_gambling_blocklist']));
  assert.deepEqual(listsInUse([blocking(false)]).filterLists, new Set());
});

const safety = withLookAlikes({
  'dangerous domains': ['https://one.example/', '/srv/two.txt'],
  adult: ['https://adult.example/'],
  'newly registered': [],
});
const catalogue = new Map([['a', { id: 'a', source: 'https://a.example/list' }]]);

test('lists of the catalogue and of the operator belong to the operator, custom lists to the account', () => {
  const own = { id: 'c1', source: 'https://c.example/', namedBy: 'account' } as const;
  const use = { filterLists: new Set(['a', 'gone']), safety: new Set(['dangerous domains'] as const) };
  assert.deepEqual(wantedLists(use, { catalogue, safety, custom: [own] }), [
    { id: 'a', source: 'https://a.example/list', namedBy: 'operator' },
    {
      id: safetyListId('dangerous domains', 'https://one.example/'),
      source: 'https://one.example/',
      namedBy: 'operator',
    },
    { id: safetyListId('dangerous domains', '/srv/two.txt'), source: '/srv/two.txt', namedBy: 'operator' },
    own,
  ]);
});

test('a source of a category is identified by its URL, independent of its position', () => {
  assert.match(safetyListId('dangerous domains', 'x'), /^dangerous_domains:[0-9a-f]{12}$/);
  assert.notEqual(safetyListId('adult', 'x'), safetyListId('dangerous domains', 'x'));
  assert.notEqual(safetyListId('adult', 'x'), safetyListId('adult', 'y'));
});
