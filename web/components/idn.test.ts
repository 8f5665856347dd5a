import assert from 'node:assert/strict';
import { test } from 'node:test';
import { displayDomain } from './idn.ts';

test('labels in one script are decoded', () => {
  assert.equal(displayDomain('www.xn--bcher-kva.example'), 'www.bücher.example');
  assert.equal(displayDomain('xn--p1ai'), 'рф');
  assert.equal(displayDomain('xn--wgv71a119e.jp'), '日本語.jp');
  assert.equal(displayDomain('XN--BCHER-KVA.example'), 'bücher.example');
  assert.equal(displayDomain('plain.example'), 'plain.example');
});

test('labels with mixed scripts or invisible characters stay in Punycode', () => {
  // "pаypal" with a Cyrillic "а".
  for (const name of ['xn--pypal-4ve.com', 'xn--a-0hc.example', 'xn--ab-j1t.example'])
    assert.equal(displayDomain(name), name);
});

test('invalid Punycode is not changed', () => {
  for (const name of ['xn--', 'xn--_', 'xn--99999999999.example', 'xn--a!b', 'xn--paypal-.com'])
    assert.equal(displayDomain(name), name);
});
