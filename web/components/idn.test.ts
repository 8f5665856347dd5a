import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showName } from './idn.ts';

test('a name of one script is shown as people read it', () => {
  assert.equal(showName('www.xn--bcher-kva.example'), 'www.bücher.example');
  assert.equal(showName('xn--p1ai'), 'рф');
  assert.equal(showName('xn--wgv71a119e.jp'), '日本語.jp');
  assert.equal(showName('XN--BCHER-KVA.example'), 'bücher.example');
  assert.equal(showName('plain.example'), 'plain.example');
});

test('a name of several scripts, or of what cannot be seen, stays as it is on the wire', () => {
  // "pаypal" with a Cyrillic "а".
  for (const name of ['xn--pypal-4ve.com', 'xn--a-0hc.example', 'xn--ab-j1t.example'])
    assert.equal(showName(name), name);
});

test('what is no punycode stays as it is', () => {
  for (const name of ['xn--', 'xn--_', 'xn--99999999999.example', 'xn--a!b', 'xn--paypal-.com'])
    assert.equal(showName(name), name);
});
