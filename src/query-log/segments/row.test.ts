import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameMarker, recordOf, ruleOf, tableFields } from './row.ts';

const withValues = (given: Readonly<Record<string, string | number | boolean>>) =>
  [...tableFields, 'latencyMs'].map((field) => given[field] ?? null);

test('a record has the members whose value is known, with zero and false among them', () => {
  const values = { domain: 'example.org', rcode: 0, dnssec: false, latencyMs: 0 };
  assert.deepEqual(recordOf('home', 5, withValues(values)), { time: 5, account: 'home', ...values });
});

test('a rule is stored without the name that it consists of, and shown with it', () => {
  assert.equal(ruleOf(`||${nameMarker(2)}^$important`, 'ads.example.org'), '||example.org^$important');
  assert.equal(ruleOf(`0.0.0.0 ${nameMarker(3)}`, 'ads.example.org'), '0.0.0.0 ads.example.org');
  assert.equal(ruleOf('/ads[0-9]/', 'ads.example.org'), '/ads[0-9]/');
  assert.equal(ruleOf(null, 'example.org'), undefined);
  const values = withValues({ domain: 'ads.example.org', rule: `@@||${nameMarker(1)}^` });
  assert.equal(recordOf('home', 5, values).rule, '@@||org^');
});
