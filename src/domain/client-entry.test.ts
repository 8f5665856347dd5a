import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseClientEntry } from './client-entry.ts';

const entries: readonly (readonly [given: string, kept: string | undefined])[] = [
  [' 192.0.2.1 ', '192.0.2.1'],
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8::/32', '2001:db8::/32'],
  ['::/128', '::/128'],
  ['::/129', undefined],
  ['10.0.0.0/33', undefined],
  ['10.0.0.0/08', undefined],
  ['10.0.0.0/8/8', undefined],
  ['10.0.0.0/', undefined],
  ['AS15169', 'AS15169'],
  ['as4294967295', 'AS4294967295'],
  ['AS4294967296', undefined],
  ['AS0', undefined],
  ['15169', undefined],
  ['', undefined],
];
for (const [given, kept] of entries) {
  test(`the client ${JSON.stringify(given)} is ${kept ?? 'refused'}`, () => {
    assert.equal(parseClientEntry(given), kept);
  });
}
