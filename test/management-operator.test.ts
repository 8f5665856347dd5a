import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordOperator } from '../src/operations/operator.ts';
import { takeOverOperator } from './support/attacks/operator-takeover.ts';
import { type Management, PASSWORD, startManagement } from './support/management.ts';
import { databases } from './support/store/stores.ts';

const OPS = 'ops@example.org';

const systemStatus = async ({ ask }: Management, as: string): Promise<number> =>
  (await ask('GET', '/api/v1/system', { as })).status;

const accountOf = async ({ store }: Management, email: string) => (await store.read.users.byEmail(email))!;

const remove = async (management: Management, email: string): Promise<void> => {
  const { account } = await accountOf(management, email);
  await management.store.inTransaction((tx) =>
    tx.accounts.remove(account, { id: `removal of ${email}`, at: 0, by: 'operator' }),
  );
};

for (const [database, newDatabase] of Object.entries(databases)) {
  test(`${database}: a tenant that takes the address of the operator does not become the operator`, async (t) => {
    const options = await newDatabase(t);
    if (!options) return t.skip('there is no PostgreSQL here');
    const management = await startManagement(t, { operator: OPS }, options);
    const { url } = management;
    await management.account('first@example.org');
    const authorization = await management.account('tenant@example.org');
    const { tries, granted } = await takeOverOperator({ url, authorization, password: PASSWORD, operatorEmail: OPS });
    t.diagnostic(`operator requests granted to the tenant: ${granted} of ${tries}`);
    assert.deepEqual([tries >= 6, granted], [true, 0]);
    // The command line creates the operator while the service runs.
    const ops = await management.account(OPS);
    assert.equal(await systemStatus(management, ops), 200);
    assert.equal(await systemStatus(management, authorization), 403);
  });

  test(`${database}: with first, the operator is not inherited by the next account`, async (t) => {
    const options = await newDatabase(t);
    if (!options) return t.skip('there is no PostgreSQL here');
    const management = await startManagement(t, {}, options);
    const first = await management.account('first@example.org');
    const second = await management.account('second@example.org');
    assert.deepEqual([await systemStatus(management, first), await systemStatus(management, second)], [200, 403]);
    await remove(management, 'first@example.org');
    assert.equal(await systemStatus(management, second), 403);
    const { id } = await accountOf(management, 'second@example.org');
    await management.store.inTransaction((tx) => tx.operators.record('first', id, 0));
    assert.equal(await systemStatus(management, second), 200);
  });
}

test('the operator keeps the role with another address, and may take the old one back', async (t) => {
  const management = await startManagement(t, { operator: OPS });
  const ops = await management.account(OPS);
  const tenant = await management.account('tenant@example.org');
  assert.equal(await systemStatus(management, ops), 200);
  const change = (as: string, email: string) =>
    management.ask('PUT', '/api/v1/email', { as, json: { email, current_password: PASSWORD } });
  assert.equal((await change(ops, 'new@example.org')).status, 200);
  assert.equal(await systemStatus(management, ops), 200);
  assert.equal((await change(tenant, OPS)).status, 400);
  assert.equal((await change(ops, OPS)).status, 200);
  assert.equal(await systemStatus(management, ops), 200);
});

test('an address that a member chose before it was configured does not name the operator', async (t) => {
  const management = await startManagement(t, { operator: 'first' });
  await management.account('first@example.org');
  const tenant = await management.account('tenant@example.org');
  const json = { email: OPS, current_password: PASSWORD };
  assert.equal((await management.ask('PUT', '/api/v1/email', { as: tenant, json })).status, 200);
  const configured = { ...management.deps, operator: OPS };
  assert.equal(await management.store.inTransaction((tx) => recordOperator(tx, configured)), undefined);
});

test('refusals of an e-mail change do not say whether the address belongs to another account', async (t) => {
  const management = await startManagement(t, { operator: OPS });
  await management.account('first@example.org');
  const tenant = await management.account('tenant@example.org');
  const refusal = async (email: string) =>
    (await management.ask('PUT', '/api/v1/email', { as: tenant, json: { email, current_password: PASSWORD } })).text;
  assert.equal(await refusal(OPS), await refusal('first@example.org'));
});
