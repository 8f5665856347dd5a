import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { customUpstreamOperations } from './custom-upstreams.ts';

const upstream = 'https://user:secret@dns.example/dns-query?key=secret';

test('upstreams are stored with their strategy; viewers do not see the secrets of their URLs', async (t) => {
  const { account, done } = await openApi(t, customUpstreamOperations);
  const home = await account('home');
  const params = { dns_server_id: home.server };
  const body = { upstreams: [upstream, '9.9.9.9'], strategy: 'parallel' };
  assert.deepEqual((await done('updateDNSServerUpstreams', home, { params, body })).reply, body);
  assert.deepEqual((await done('getDNSServerUpstreams', home, { params })).reply, body);
  const { reply } = await done('getDNSServerUpstreams', { ...home, role: 'viewer' }, { params });
  assert.ok(!JSON.stringify(reply).includes('secret'));
  assert.equal(reply.upstreams.length, 2);
});

test('a strategy needs upstreams, and servers of another account are not found', async (t) => {
  const { account, call, store } = await openApi(t, customUpstreamOperations);
  const [home, other] = [await account('home'), await account('other')];
  const params = { dns_server_id: home.server };
  const alone = await call('updateDNSServerUpstreams', home, { params, body: { upstreams: [], strategy: 'parallel' } });
  assert.ok(!alone.ok && alone.error.kind === 'invalid' && alone.error.errors[0]!.field === 'strategy');
  const body = { upstreams: ['9.9.9.9'] };
  const foreign = await call('updateDNSServerUpstreams', other, { params, body });
  assert.equal(!foreign.ok && foreign.error.kind, 'not found');
  assert.deepEqual((await store.read.profiles.list(home.account))[0]!.settings.own.upstreams, []);
});
