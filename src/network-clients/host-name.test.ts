import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHostName } from './host-name.ts';

test('host names are in lower case and without a trailing dot', () => {
  assert.equal(parseHostName('Annas-iPhone'), 'annas-iphone');
  assert.equal(parseHostName('nas.lan.'), 'nas.lan');
  assert.equal(parseHostName('_gateway'), '_gateway');
  assert.equal(parseHostName('3com.home.arpa'), '3com.home.arpa');
});

test('addresses, markup and texts that are too long are not host names', () => {
  for (const text of ['', '.', '*', 'a..b', '-a', '192.168.1.5', '7', '<script>', 'a b', 'a\u0000', 'a'.repeat(64)])
    assert.equal(parseHostName(text), undefined, text);
});
