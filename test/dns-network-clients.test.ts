import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Home, homeOf, makeHome, startDns, until } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { leased, leaseFile } from './support/leases.ts';
import { missing } from './support/programs.ts';
import { addAccount } from './support/second-account.ts';

const needs = { skip: missing('dig') };

type Client = Readonly<Record<string, unknown>> & { readonly id: string; readonly addresses: readonly string[] };

const listOf = (home: Home) =>
  home.ask('GET', '/api/v1/network_clients') as Promise<{ discovery: string; items: readonly Client[] }>;

/** A list is at most a second old. */
const untilSeen = (home: Home, count: number): Promise<readonly Client[]> =>
  until(`${count} network clients`, async () => {
    const { items } = await listOf(home);
    return items.length >= count ? items : undefined;
  });

const protect = (home: Home): Promise<unknown> =>
  home.ask('PUT', '/api/v1/networks', { networks: [{ network: '127.0.0.0/8', dns_server_id: home.server }] });

const ask = (home: Home, address: string, name: string) => home.dug(undefined, 'udp', '-b', address, name);

test('clients are listed with their lease, adopted and deleted, and survive a restart', needs, async (t) => {
  const world = await startWorld(t);
  const flags = ['--dhcp-leases', await leaseFile(t)];
  const home = await makeHome(await startDns(t, world.address, flags));
  assert.deepEqual(await listOf(home), { discovery: 'on', items: [] });
  await protect(home);
  for (const { address } of Object.values(leased)) await ask(home, address, 'www.example.com');
  await ask(home, leased.tv.address, 'more.example.com');
  await ask(home, '127.0.0.39', 'www.example.com');
  const items = await untilSeen(home, 4);
  const summary = items.map(({ addresses, mac, name, name_source, is_private_mac, vendor, queries }) => [
    addresses[0],
    [mac, name, name_source, is_private_mac, vendor, queries],
  ]);
  assert.deepEqual(Object.fromEntries(summary), {
    [leased.tv.address]: [leased.tv.mac, leased.tv.name, 'lease', false, 'Apple', 2],
    [leased.phone.address]: [leased.phone.mac, leased.phone.name, 'lease', true, undefined, 1],
    [leased.laptop.address]: [leased.laptop.mac, leased.laptop.name, 'lease', false, 'Raspberry Pi Foundation', 1],
    '127.0.0.39': [undefined, undefined, undefined, false, undefined, 1],
  });

  const { id: children } = await home.ask('POST', '/oapi/v1/dns_servers', { name: 'Children' });
  await home.ask('PUT', `/oapi/v1/dns_servers/${children}/settings`, {
    user_rules_settings: { enabled: true, rules: ['||games.example.com^'] },
  });
  const adopt = (address: string, by: string): Promise<Client> =>
    home.ask('POST', `/api/v1/network_clients/${items.find((each) => each.addresses[0] === address)!.id}/adopt`, {
      name: `Device at ${address}`,
      device_type: 'SMART_TV',
      dns_server_id: children,
      identify_by: by,
    });
  const tv = await adopt(leased.tv.address, 'mac');
  const phone = await adopt(leased.phone.address, 'address');
  for (const { addresses, device_id } of [tv, phone]) {
    const domain = `games.example.com`;
    const { answer } = await ask(home, addresses[0]!, domain);
    assert.deepEqual(answer, [`${domain}. 10 IN A 0.0.0.0`]);
    await until('the device in the log', async () =>
      (await home.logged(domain)).find((row) => row.device_id === device_id) ? true : undefined,
    );
  }
  assert.deepEqual((await ask(home, leased.laptop.address, 'games.example.com')).status, 'NOERROR');

  const laptop = items.find(({ mac }) => mac === leased.laptop.mac)!;
  await until('the last query', async () =>
    (await listOf(home)).items.find(({ id }) => id === laptop.id)!['queries'] === 2 ? true : undefined,
  );
  await home.ask('DELETE', `/api/v1/network_clients/${laptop.id}`);
  assert.equal((await listOf(home)).items.length, 3);
  await ask(home, '127.0.0.39', 'last.example.com');
  assert.equal(await home.service.stop(), 0);
  const again = await homeOf(await startDns(t, world.address, flags, { data: home.service.data }), home.authorization);
  const kept = (await listOf(again)).items;
  assert.deepEqual(
    kept.map(({ id }) => id).sort(),
    items
      .map(({ id }) => id)
      .filter((id) => id !== laptop.id)
      .sort(),
  );
  assert.equal(kept.find(({ addresses }) => addresses[0] === '127.0.0.39')!['queries'], 2);
});

test('with discovery off no client is recorded', needs, async (t) => {
  const world = await startWorld(t);
  const home = await makeHome(await startDns(t, world.address, ['--discover-clients', 'off']));
  await protect(home);
  await ask(home, leased.tv.address, 'www.example.com');
  await home.logged('www.example.com');
  assert.deepEqual(await listOf(home), { discovery: 'off', items: [] });
});

test('with several accounts only the operator has network clients', needs, async (t) => {
  const world = await startWorld(t);
  const home = await makeHome(await startDns(t, world.address));
  await protect(home);
  const other = await addAccount(home.service, 'other@example.org');
  const { id } = await other.device('Phone');
  await ask(home, leased.tv.address, 'www.example.com');
  await other.dug(id, 'udp', '-b', leased.phone.address, 'www.example.com');
  await other.logged('www.example.com');
  const items = await untilSeen(home, 1);
  assert.deepEqual(
    items.map(({ addresses }) => addresses),
    [[leased.tv.address]],
  );
  assert.deepEqual((await listOf(other)).items, []);
});
