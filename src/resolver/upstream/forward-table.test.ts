import assert from 'node:assert/strict';
import { test } from 'node:test';
import { name } from '../../../test/support/resolver/upstream/messages.ts';
import { forwardTable } from './forward-table.ts';

const table = forwardTable([
  { domain: name('corp.example'), to: 'office' },
  { domain: name('lab.corp.example'), to: 'lab' },
]);
const find = (text: string) => table.find(name(text));

test('a domain and all names under it are found, the longest domain first', () => {
  assert.equal(find('corp.example'), 'office');
  assert.equal(find('a.b.corp.example'), 'office');
  assert.equal(find('lab.corp.example'), 'lab');
  assert.equal(find('x.lab.corp.example'), 'lab');
});

test('names that only end alike are not', () => {
  for (const text of ['example', 'mycorp.example', 'corp.example.com', '.']) assert.equal(find(text), undefined);
  // One label with a dot in it, as a forged "corp.example".
  assert.equal(table.find(Uint8Array.from([12, ...Buffer.from('corp.example'), 0])), undefined);
});

test('a rule for the root applies to all names', () => {
  assert.equal(forwardTable([{ domain: name('.'), to: 'all' }]).find(name('www.example.com')), 'all');
});

test('an empty table knows nothing', () => {
  assert.equal(forwardTable([]).find(name('example.com')), undefined);
});
