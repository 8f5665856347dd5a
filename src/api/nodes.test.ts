import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startManagement } from '../../test/support/management.ts';
import { hashOf } from '../operations/new-secrets.ts';

test('the operator creates, lists and revokes node keys; others may not', async (t) => {
  const { ask, account, store, deps } = await startManagement(t);
  const as = await account('anna@example.org');
  const other = await account('ben@example.org');
  const created = await ask('POST', '/api/v1/nodes', { as, json: { name: ' edge ' } });
  const { node_key, ...node } = created.json;
  assert.match(node_key, /^weir_node_/);
  assert.equal(node.name, 'edge');
  assert.deepEqual((await ask('GET', '/api/v1/nodes', { as })).json, [node]);
  const stored = await store.read.nodes.byHash(hashOf(deps, node_key));
  assert.equal(stored?.id, node.id);
  assert.ok(!JSON.stringify(stored).includes(node_key));

  const second = await ask('POST', '/api/v1/nodes', { as, json: { name: 'edge' } });
  assert.deepEqual([second.status, second.json.fields[0].field], [400, 'name']);
  assert.equal((await ask('GET', '/api/v1/nodes', { as: `Bearer ${node_key}` })).status, 401);
  assert.equal((await ask('GET', '/api/v1/nodes', { as: other })).status, 403);
  assert.equal((await ask('POST', '/api/v1/nodes', { as: other, json: { name: 'x' } })).status, 403);
  assert.equal((await ask('DELETE', `/api/v1/nodes/${node.id}`, { as: other })).status, 403);

  assert.equal((await ask('DELETE', `/api/v1/nodes/${node.id}`, { as })).status, 200);
  assert.equal((await ask('DELETE', `/api/v1/nodes/${node.id}`, { as })).status, 404);
  assert.deepEqual((await ask('GET', '/api/v1/nodes', { as })).json, []);
  const actions = (await ask('GET', '/api/v1/audit', { as })).json.items.map((each: { action: string }) => each.action);
  assert.deepEqual(actions.slice(0, 2), ['node.revoke', 'node.create']);
});
