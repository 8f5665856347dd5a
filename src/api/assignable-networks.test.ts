import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { assignableTo } from './assignable-networks.ts';

test('with one account private networks can be assigned, with several only by the operator', async (t) => {
  const { account, store, deps } = await openApi(t, []);
  const home = await account('home');
  const assignable = (caller: Parameters<typeof assignableTo>[2], given = {}) =>
    assignableTo(store.read, { ...deps, ...given }, caller);
  const noOperator = { operator: 'nobody' } as const;
  assert.equal(await assignable(home), 'any');
  assert.equal(await assignable({ ...home, role: 'admin' }), 'private');
  assert.equal(await assignable(home, noOperator), 'private');
  const other = await account('other');
  assert.equal(await assignable(home), 'any');
  assert.equal(await assignable(other), 'none');
  assert.equal(await assignable(home, noOperator), 'none');
});
