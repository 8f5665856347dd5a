import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import type { AccountId, ProfileId } from '../domain/ids.ts';
import { rulesForClient } from './network-clients.ts';

const settings = { operator: 'nobody', linkPrivateAddress: 'auto' } as const;

test('a rule of the DNS server replaces that of the account; rules of accounts without network clients are ignored', async (t) => {
  const { account, store } = await openApi(t, []);
  const home = await account('home');
  const profile = home.server as ProfileId;
  const add = (id: string, domain: string, of?: ProfileId) =>
    store.inTransaction((tx) =>
      tx.forwardRules.add({
        id,
        account: home.account,
        profile: of,
        domain,
        upstreams: [`192.0.2.${id}`],
        strategy: undefined,
      }),
    );
  await add('1', '168.192.in-addr.arpa');
  await add('2', '168.192.in-addr.arpa', profile);
  await add('3', '10.in-addr.arpa');
  const rules = async (of: ProfileId | undefined, by: AccountId = home.account) =>
    (await rulesForClient(store.read, settings, { account: by, profile: of })).map(({ id }) => id).sort();
  assert.deepEqual(await rules(profile), ['2', '3']);
  assert.deepEqual(await rules(undefined), ['1', '3']);
  await account('other');
  assert.deepEqual(await rules(profile), [], 'with several accounts private networks belong to the operator');
});
