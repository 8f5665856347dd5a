import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overs } from './support/dig.ts';
import { makeHome, startDns } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';

test('clients of an assigned network use its DNS server from the next query on, over every transport', {
  skip: missing('dig', 'kdig'),
}, async (t) => {
  const world = await startWorld(t);
  const home = await makeHome(await startDns(t, world.address));
  await home.set({
    ip_log_enabled: true,
    user_rules_settings: { enabled: true, rules: ['||blocked.example.com^'] },
  });
  const assign = (...networks: string[]) =>
    home.ask('PUT', '/api/v1/networks', {
      networks: networks.map((network) => ({ network, dns_server_id: home.server })),
    });
  for (const over of overs) assert.equal((await home.dug(undefined, over, 'open.example.com')).status, 'REFUSED');

  const { networks } = await assign('127.3.2.1/8', '192.168.0.0/16');
  assert.deepEqual(networks, [
    { network: '127.0.0.0/8', dns_server_id: home.server },
    { network: '192.168.0.0/16', dns_server_id: home.server },
  ]);
  for (const over of overs) {
    assert.equal((await home.dug(undefined, over, 'open.example.com')).status, 'NOERROR', over);
    assert.deepEqual(
      (await home.dug(undefined, over, 'blocked.example.com')).answer,
      ['blocked.example.com. 10 IN A 0.0.0.0'],
      over,
    );
  }
  for (const row of (await home.logged('example.com', 2 * overs.length)) as readonly Record<string, unknown>[]) {
    assert.equal(row['dns_server_id'], home.server);
    assert.equal(row['device_id'], '');
    assert.equal(row['client_address'], '127.0.0.1', JSON.stringify(row));
  }

  // A smaller network has precedence.
  const other = await home.ask('POST', '/oapi/v1/dns_servers', { name: 'Open' });
  await home.ask('PUT', '/api/v1/networks', {
    networks: [
      { network: '127.0.0.0/8', dns_server_id: home.server },
      { network: '127.0.0.1', dns_server_id: other.id },
    ],
  });
  assert.equal((await home.dug(undefined, 'udp', 'blocked.example.com')).answer[0]?.includes('0.0.0.0'), false);

  await assign();
  for (const over of overs) assert.equal((await home.dug(undefined, over, 'open.example.com')).status, 'REFUSED', over);
});
