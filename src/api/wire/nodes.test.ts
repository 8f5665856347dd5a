import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeToWire } from './nodes.ts';

const node = {
  id: 'node-1',
  name: 'Frankfurt',
  hash: 'hash of the key',
  hint: 'weir_node_ab',
  createdAt: 1000,
  status: undefined,
};
const shown = { id: 'node-1', name: 'Frankfurt', hint: 'weir_node_ab', created_millis: 1000 };

test('a node that has never reported has no status; the hash of its key is not shown', () => {
  assert.deepEqual(nodeToWire(node), shown);
});

test('the last report of a node is its status', () => {
  const status = { at: 5000, version: '1.2.3', revision: 42, lagMs: 0, address: '192.0.2.1' };
  assert.deepEqual(nodeToWire({ ...node, status }), {
    ...shown,
    status: { reported_millis: 5000, version: '1.2.3', revision: 42, lag_millis: 0, address: '192.0.2.1' },
  });
});
