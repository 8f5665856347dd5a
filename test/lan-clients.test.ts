import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Home, makeHome, startDns, until } from './support/dns.ts';
import { changeAddress, inHost, type LanClient, lan, lanPrefix, runInLan, withoutLan } from './support/lan.ts';
import { dnsmasqOptions, run, startProgram } from './support/programs.ts';

// A local network of namespaces with a real router (dnsmasq) and real clients (dig, kdig). This file runs again in the namespace of
// Weir, where the tests below the first are.

const isInside = lanPrefix() !== undefined;

const FORWARDER_PORT = '5300';

async function startLan(): Promise<Home> {
  const named = Object.entries(lan.clients).filter(([name]) => name !== 'tv');
  startProgram({ after }, 'ip', [
    ...inHost('router', 'dnsmasq', ...dnsmasqOptions),
    `--listen-address=${lan.router}`,
    '--bind-interfaces',
    '--local=/lan/',
    '--address=/example.com/198.51.100.7',
    ...named.map(([name, { address, ipv6 }]) => `--host-record=${name}.lan,${address},${ipv6}`),
  ]);
  // The router has no name for this client, which answers by multicast DNS itself.
  startProgram({ after }, 'ip', [
    ...inHost('tv', process.execPath, fileURLToPath(new URL('./support/mdns-responder.ts', import.meta.url))),
    lan.clients.tv.address,
    'living-room.local',
  ]);
  // A name that is missing is not looked up again for ten minutes.
  await until('the answer of the client to multicast DNS', async () => {
    const { address } = lan.clients.tv;
    const { stdout } = await run('dig', ['-p', '5353', `@${address}`, '+short', '+tries=1', '+time=1', '-x', address]);
    return stdout.includes('living-room.local') || undefined;
  });
  // A second server, as on a router that forwards all queries and passes on the MAC address of each client.
  startProgram({ after }, 'ip', [
    ...inHost('router', 'dnsmasq', ...dnsmasqOptions),
    `--listen-address=${lan.router}`,
    '--bind-interfaces',
    `--port=${FORWARDER_PORT}`,
    `--server=${lan.weir}`,
    '--add-mac',
    '--cache-size=0',
  ]);
  const listening = ['--dns', '0.0.0.0:53', '--dot', '0.0.0.0:853'];
  const service = await startDns({ after }, lan.router, [...listening, '--forward', `lan=${lan.router}`]);
  const home = await makeHome(service);
  await home.set({ ip_log_enabled: true });
  await home.ask('PUT', '/api/v1/networks', {
    networks: [{ network: '192.168.77.0/24', dns_server_id: home.server }],
  });
  return home;
}

// Before the first test is declared: the service would end with it.
const home = isInside ? await startLan() : ({} as Home);

const inside = (name: string, work: () => Promise<void>): void => {
  if (isInside) test(name, work);
};

if (!isInside)
  test('in a local network of network namespaces', { skip: withoutLan() }, async (t) => {
    const { code, output } = await runInLan(t, fileURLToPath(import.meta.url));
    assert.equal(code, 0, output);
    for (const line of output.split('\n').filter((line) => line.startsWith('✔'))) t.diagnostic(line);
  });

type Client = Readonly<Record<string, unknown>> & { readonly id: string; readonly addresses: readonly string[] };

const clients = async (): Promise<readonly Client[]> =>
  ((await home.ask('GET', '/api/v1/network_clients')) as { items: readonly Client[] }).items;

const asked: Record<LanClient, number> = { laptop: 0, phone: 0, tv: 0 };

/** Runs dig or kdig as a client of the LAN; the addresses of the answer. */
async function ask(client: LanClient, program: string, ...words: readonly string[]): Promise<readonly string[]> {
  asked[client]++;
  const { stdout } = await run('ip', inHost(client, program, '+short', '+time=5', ...words));
  return stdout.trim().split('\n').filter(Boolean);
}
const dig = (client: LanClient, name: string): Promise<readonly string[]> =>
  ask(client, 'dig', `@${lan.weir}`, '+tries=1', name);

inside(
  'every client appears with its address, MAC address, vendor, and a name from the router or by multicast DNS',
  async () => {
    await until('an answer', async () =>
      (await dig('laptop', 'www.example.com')).includes('198.51.100.7') ? true : undefined,
    );
    for (const client of ['phone', 'tv'] as const)
      assert.deepEqual(await dig(client, 'www.example.com'), ['198.51.100.7']);
    await dig('tv', 'again.example.com');
    const found = await until('the clients and their names', async () => {
      const all = await clients();
      return all.length >= 3 && all.every(({ name }) => name !== undefined) ? all : undefined;
    });
    const summary = Object.fromEntries(
      found.map(({ addresses, mac, name, name_source, is_private_mac, vendor, dns_server_id }) => [
        addresses[0]!,
        { mac, name, name_source, is_private_mac, vendor, dns_server_id },
      ]),
    );
    const { laptop, phone, tv } = lan.clients;
    const same = { dns_server_id: home.server };
    assert.deepEqual(summary, {
      [laptop.address]: {
        mac: laptop.mac,
        name: 'laptop.lan',
        name_source: 'ptr',
        is_private_mac: false,
        vendor: 'Raspberry Pi Foundation',
        ...same,
      },
      [phone.address]: {
        mac: phone.mac,
        name: 'phone.lan',
        name_source: 'ptr',
        is_private_mac: true,
        vendor: undefined,
        ...same,
      },
      [tv.address]: {
        mac: tv.mac,
        name: 'living-room.local',
        name_source: 'mdns',
        is_private_mac: false,
        vendor: 'Apple',
        ...same,
      },
    });
    const counted = found.find(({ mac }) => mac === tv.mac)?.['queries'] as number;
    assert.ok(counted >= 1 && counted <= asked.tv, String(counted));
  },
);

inside('the names of the router resolve', async () => {
  assert.deepEqual(await dig('phone', 'laptop.lan'), [lan.clients.laptop.address]);
});

/** A DNS server with these rules. */
async function serverThatBlocks(name: string, ...rules: readonly string[]): Promise<string> {
  const { id } = (await home.ask('POST', '/oapi/v1/dns_servers', { name })) as { id: string };
  await home.ask('PUT', `/oapi/v1/dns_servers/${id}/settings`, {
    filter_lists_settings: { enabled: false, filter_list: [] },
    user_rules_settings: { enabled: true, rules },
  });
  return id;
}

const BLOCKED = ['0.0.0.0'];
const OPEN = ['198.51.100.7'];

async function clientWith(mac: string): Promise<Client> {
  const client = (await clients()).find((each) => each['mac'] === mac);
  assert.ok(client, mac);
  return client;
}

inside('a client that is adopted by its MAC address keeps its DNS server when its address changes', async () => {
  const { laptop } = lan.clients;
  const { id } = await clientWith(laptop.mac);
  const children = await serverThatBlocks('Children', '||games.example.com^');
  assert.deepEqual(await dig('laptop', 'games.example.com'), OPEN);
  const { device_id: device } = await home.ask('POST', `/api/v1/network_clients/${id}/adopt`, {
    name: 'Laptop',
    device_type: 'LINUX',
    dns_server_id: children,
    identify_by: 'mac',
  });
  assert.deepEqual(await dig('laptop', 'games.example.com'), BLOCKED);
  assert.deepEqual(await dig('phone', 'games.example.com'), OPEN);

  changeAddress('laptop', laptop.address, '192.168.77.21');
  await until('the new address', async () => {
    const answer = await dig('laptop', 'games.example.com');
    await clients();
    return answer[0] === BLOCKED[0] ? true : undefined;
  });
  const client = await clientWith(laptop.mac);
  assert.equal(client.id, id);
  assert.equal(client.addresses[0], '192.168.77.21');
  assert.deepEqual([client['name'], client['device_id'], client['dns_server_id']], ['Laptop', device, children]);
});

inside('rules with $client apply by the name of the device and by network', async () => {
  const { phone } = lan.clients;
  await home.set({
    user_rules_settings: { enabled: true, rules: [`||by-network.example.com^$client=${phone.address}/31`] },
  });
  const { dns_server_id: children } = await clientWith(lan.clients.laptop.mac);
  await home.ask('PUT', `/oapi/v1/dns_servers/${String(children)}/settings`, {
    user_rules_settings: {
      rules: ['||games.example.com^', '||by-name.example.com^$client=Laptop', '||other-name.example.com^$client=Phone'],
    },
  });
  assert.deepEqual(await dig('laptop', 'by-name.example.com'), BLOCKED);
  assert.deepEqual(await dig('laptop', 'other-name.example.com'), OPEN);
  assert.deepEqual(await dig('phone', 'by-network.example.com'), BLOCKED);
  assert.deepEqual(await dig('laptop', 'by-network.example.com'), OPEN);
});

inside('DNS over TLS without a server name is answered as the client of the network', async () => {
  const kdig = (client: LanClient): Promise<readonly string[]> =>
    ask(client, 'kdig', `@${lan.weir}`, '+tls', 'games.example.com');
  assert.deepEqual(await kdig('laptop'), BLOCKED);
  assert.deepEqual(await kdig('tv'), OPEN);
});

inside('clients behind dnsmasq with add-mac are distinguished, and the forwarder is not one of them', async () => {
  const { laptop, tv } = lan.clients;
  const throughRouter = (client: LanClient): Promise<readonly string[]> =>
    ask(client, 'dig', `@${lan.router}`, '-p', FORWARDER_PORT, '+tries=1', 'games.example.com');
  assert.deepEqual(await throughRouter('laptop'), BLOCKED);
  assert.deepEqual(await throughRouter('tv'), OPEN);
  // The threads report their counts later than they answer, so the queries of the tests above may still be missing.
  const counted = await until('the queries', async () => {
    const { queries, addresses } = await clientWith(tv.mac);
    return (queries as number) >= asked.tv ? { queries, addresses } : undefined;
  });
  assert.deepEqual(counted, { queries: asked.tv, addresses: [tv.address] });
  assert.deepEqual((await clientWith(laptop.mac)).addresses[0], '192.168.77.21');
  assert.equal(
    (await clients()).some(({ addresses }) => addresses.includes(lan.router)),
    false,
  );
});
