import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decided, secret } from '../../test/support/engine/lists.ts';
import { slow } from '../../test/support/kit/slow.ts';
import { buildTable } from './build/build-table.ts';
import { MAX_ALWAYS, MAX_AT_ONE_NAME, MAX_PER_SHORTCUT } from './build/index-generic.ts';

const rulesOf = (count: number, rule: (nth: number) => string): string =>
  Array.from({ length: count }, (_, nth) => rule(nth)).join('\n');
const reportOf = (text: string) => buildTable(new TextEncoder().encode(text), { secret }).report;

test('the number of rules with modifiers per name is limited, and the others are counted', slow, () => {
  const text = rulesOf(5000, (nth) => `||a.com^$client=phone${nth}`);
  const { rules, ignored } = reportOf(`${text}\n||a.com^\n||b.com^$client=phone`);
  assert.equal(rules, MAX_AT_ONE_NAME + 2);
  assert.deepEqual(ignored, { 'more than 1000 rules for one name': 4000 });
  const verdict = (client: string): string =>
    decided({ 'user rules': text }, { name: 'a.com', client: { name: client } });
  assert.equal(verdict('phone999'), 'block ||a.com^$client=phone999');
  assert.equal(verdict('phone1000'), 'pass');
});

test('the number of patterns without a shortcut is limited', () => {
  const text = rulesOf(300, (nth) => `/^[a-z]+[0-9]{${nth + 1}}$/`);
  const { rules, ignored } = reportOf(text);
  assert.equal(rules, MAX_ALWAYS);
  assert.deepEqual(ignored, { 'more than 100 rules for every name': 200 });
  assert.equal(decided({ 'user rules': text }, 'a22'), 'block /^[a-z]+[0-9]{2}$/');
});

test('the number of patterns with the same shortcut is limited', () => {
  const text = rulesOf(1500, (nth) => `||a*${nth}.quux^`);
  const { rules, ignored } = reportOf(text);
  assert.equal(rules, MAX_PER_SHORTCUT);
  assert.deepEqual(ignored, { 'more than 1000 patterns with the same letters': 500 });
  assert.equal(decided({ 'user rules': text }, 'a-x7.quux'), 'block ||a*7.quux^');
});
