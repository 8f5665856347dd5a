import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reachableAt } from './resolver-status.ts';

test('addresses for clients are those on which DNS listens', () => {
  const at = (host: string, local: readonly string[]): string[] =>
    reachableAt({ host, port: 53 }, local).map(({ address }) => address);
  const both = ['192.168.1.2', 'fd00::2'];
  assert.deepEqual(at('::', both), both);
  assert.deepEqual(at('0.0.0.0', both), ['192.168.1.2']);
  assert.deepEqual(at('192.168.1.9', both), ['192.168.1.9']);
  assert.deepEqual(at('0.0.0.0', ['fd00::2']), ['127.0.0.1']);
  assert.deepEqual(at('::', []), ['127.0.0.1']);
});
