import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Entry, findEntries, isDomainLike } from './find-entries.ts';

const entry = (kind: Entry['kind'], label: string, detail?: string): Entry => ({
  id: `${kind} ${label} ${detail}`,
  kind,
  label,
  detail,
  href: '/',
});
const entries = [
  entry('page', 'Query log'),
  entry('device', 'Catalogue reader'),
  entry('device', 'Büro-Laptop', 'Default'),
  entry('section', 'Blocklists', 'Children'),
  entry('section', 'Blocklists', 'Default'),
];
const labels = (query: string): string[] => findEntries(entries, query).map(({ label }) => label);

test('names that begin with the words come first, accents and case do not matter', () => {
  assert.deepEqual(labels('log'), ['Query log', 'Catalogue reader']);
  assert.deepEqual(labels('BURO'), ['Büro-Laptop']);
  assert.deepEqual(
    findEntries(entries, 'block child').map(({ detail }) => detail),
    ['Children'],
  );
  assert.deepEqual(labels('nothing'), []);
});

test('without words the pages are listed; special characters are text', () => {
  assert.deepEqual(labels(' '), ['Query log']);
  assert.deepEqual(labels('(.*'), []);
});

test('domains and parts of them are recognised', () => {
  assert.deepEqual(['ads.example', 'example', 'ex', 'two words.com', 'a/b.c'].map(isDomainLike), [
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('an entry is found by the beginning of its identifier, after those with the words', () => {
  const factor = { ...entry('section', 'Two-factor authentication', 'Account'), words: '2FA TOTP' };
  const [inside, beginning] = [entry('device', 'Phone'), entry('device', 'Tablet')];
  const devices = [
    { ...inside, identifier: 'a72fa01b' },
    { ...beginning, identifier: '2fa01b77' },
  ];
  const found = (query: string) => findEntries([...devices, factor], query).map(({ label }) => label);
  assert.deepEqual(found('2fa'), ['Two-factor authentication', 'Tablet']);
  assert.deepEqual(found('A72F'), ['Phone']);
});

test('entries are found by other words for them', () => {
  const factor = { ...entry('section', 'Two-factor authentication', 'Account'), words: '2FA TOTP' };
  assert.deepEqual(findEntries([...entries, factor], '2fa'), [factor]);
});
