import assert from 'node:assert/strict';
import { onBoth } from '../../test/support/store/stores.ts';

const node = (id: string, name: string) => ({ id, name, hash: `hash of ${id}`, hint: 'weir_node_abcd', createdAt: 5 });
const status = { at: 10, version: '1.2.3', revision: 7, lagMs: 1500, address: '192.0.2.7' };

onBoth('a node is found by the hash of its key, reports its status, and is removed', async (store) => {
  await store.inTransaction(async ({ nodes }) => {
    assert.ok((await nodes.add(node('b', 'west'))).ok);
    assert.ok((await nodes.add(node('a', 'east'))).ok);
    assert.deepEqual(await nodes.add(node('c', 'east')), { ok: false, error: { kind: 'conflict', what: 'name' } });
    await nodes.report('b', status);
  });
  assert.deepEqual(await store.read.nodes.byHash('hash of b'), { ...node('b', 'west'), status });
  assert.deepEqual(await store.read.nodes.list(), [
    { ...node('a', 'east'), status: undefined },
    { ...node('b', 'west'), status },
  ]);
  assert.equal(await store.inTransaction(({ nodes }) => nodes.remove('b')), true);
  assert.equal(await store.read.nodes.byHash('hash of b'), undefined);
});
