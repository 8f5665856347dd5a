import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { networkOperations } from './networks.ts';

test('networks are replaced as a whole, in canonical form, with an audit note', async (t) => {
  const { account, done } = await openApi(t, networkOperations);
  const home = await account('home');
  const put = (...networks: readonly string[]) =>
    done('updateNetworks', home, {
      body: { networks: networks.map((network) => ({ network, dns_server_id: home.server })) },
    });
  const { audit } = await put('192.168.1.0/24', 'FD00:0::/64');
  const listed = async () =>
    (await done('listNetworks', home)).reply.networks.map(({ network }: { network: string }) => network).sort();
  assert.deepEqual(await listed(), ['192.168.1.0/24', 'fd00::/64']);
  assert.equal(audit!.action, 'networks.update');
  await put('10.0.0.0/8');
  assert.deepEqual(await listed(), ['10.0.0.0/8']);
});

test('a DNS server of another account and invalid networks are errors of the field', async (t) => {
  const { account, call, done } = await openApi(t, networkOperations);
  const home = await account('home');
  const entry = (network: string, dns_server_id: string) => ({ body: { networks: [{ network, dns_server_id }] } });
  await done('updateNetworks', home, entry('192.168.1.0/24', home.server));
  const other = await account('other');
  const isRefused = async (caller: typeof home, network: string, server: string): Promise<boolean> => {
    const result = await call('updateNetworks', caller, entry(network, server));
    return (
      !result.ok &&
      result.error.kind === 'invalid' &&
      result.error.errors.every(({ field }) => field.startsWith('networks'))
    );
  };
  assert.ok(await isRefused(home, '10.0.0.0/8', other.server));
  assert.ok(await isRefused(home, '10.0.0.0/33', home.server));
  assert.ok(await isRefused(home, 'office', home.server));
  const forbidden = await call('updateNetworks', other, entry('10.0.0.0/8', other.server));
  assert.equal(!forbidden.ok && forbidden.error.kind, 'forbidden');
  assert.deepEqual((await done('listNetworks', other)).reply.networks, []);
});
