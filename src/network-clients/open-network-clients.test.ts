import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import { until } from '../../test/support/dns.ts';
import { queryFor } from '../dns/message.ts';
import { types } from '../dns/numbers.ts';
import { readMessage } from '../dns/read-message.ts';
import { writeMessage } from '../dns/write-message.ts';
import type { NetworkClient } from '../domain/network-client.ts';
import { nameText, wireName } from '../kit/wire-name.ts';
import { openNetworkClients } from './open-network-clients.ts';
import type { Activity } from './sightings.ts';

type Ending = { after(end: () => unknown): void };
const LAPTOP = 'b8:27:eb:00:00:01';

/** A router that answers PTR queries. */
async function startRouter(t: Ending, names: Readonly<Record<string, string>>) {
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  const asked: string[] = [];
  socket.on('message', (bytes, from) => {
    const query = readMessage(bytes);
    assert.ok(query.ok);
    const [question] = query.value.questions;
    const name = nameText(question!.name, 0);
    asked.push(name);
    const data = wireName(names[name] ?? '.')!;
    const answer = names[name] === undefined ? [] : [{ ...question!, type: types.PTR, ttl: 60, data }];
    socket.send(
      writeMessage({ ...queryFor(question!, query.value.id), response: true, answer }),
      from.port,
      from.address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { port: socket.address().port, asked };
}

async function openService(t: Ending, discovery: 'on' | 'off' = 'on') {
  const router = await startRouter(t, { '5.1.168.192.in-addr.arpa': 'laptop.lan' });
  let clients: readonly NetworkClient[] = [];
  const activity: Activity[] = [];
  let hosts: readonly unknown[] = [];
  let time = Date.parse('2026-11-17T12:00:00Z');
  let isStoreDown = false;
  const problems: string[] = [];
  const service = openNetworkClients({
    discovery,
    activity: async () => activity.splice(0),
    setHosts: async (given) => {
      hosts = given;
    },
    sources: {
      neighbours: async () => [{ address: '192.168.1.5', mac: LAPTOP }],
      leases: async () => [],
      hosts: async () => [{ address: '192.168.1.9', names: ['nas'] }],
      gateway: async () => undefined,
    },
    rulesFor: async ({ account }) =>
      account === 'a1'
        ? [
            [
              { domain: '192.in-addr.arpa', server: { address: '127.0.0.1', port: 9 } },
              { domain: '168.192.in-addr.arpa', server: { address: '127.0.0.1', port: router.port } },
            ],
            [{ domain: '1.168.192.in-addr.arpa', server: { address: '127.0.0.1', port: 9 } }],
          ]
        : [],
    update: async (_, decide) => {
      if (isStoreDown) throw new Error('down');
      const { changed, removed } = decide(clients);
      const gone = new Set([...removed, ...changed.map(({ id }) => id)]);
      clients = [...clients.filter(({ id }) => !gone.has(id)), ...changed];
    },
    now() {
      time += 2000;
      return time;
    },
    newId: () => `c${clients.length + 1}`,
    onProblem: (problem) => void problems.push(problem),
  });
  t.after(service.stop);
  return {
    service,
    router,
    clients: () => clients,
    hosts: () => hosts,
    problems,
    see: (address: string, queries = 1) =>
      void activity.push({ account: 'a1', dnsServer: 'p1', address, queries, lastSeen: time }),
    storeIsDown: (is: boolean): void => {
      isStoreDown = is;
    },
  };
}

test('a client gets its MAC address from the neighbour table and its name from the router', async (t) => {
  const { service, see, clients, hosts } = await openService(t);
  see('192.168.1.5', 3);
  await until('the name', async () => {
    await service.refresh();
    return clients()[0]?.names.ptr?.[0];
  });
  const [client] = clients();
  assert.equal(client!.mac, LAPTOP);
  assert.equal(client!.queries, 3);
  assert.deepEqual(client!.names, { ptr: ['laptop.lan'] });
  assert.deepEqual(hosts(), [
    { address: '192.168.1.5', mac: LAPTOP, names: ['laptop.lan'] },
    { address: '192.168.1.9', mac: undefined, names: ['nas'] },
  ]);
});

test('clients with public addresses are not recorded', async (t) => {
  const { service, see, clients } = await openService(t);
  see('203.0.113.7');
  see('10.1.2.3');
  await service.refresh();
  assert.deepEqual(
    clients().map(({ addresses }) => addresses[0]?.address),
    ['10.1.2.3'],
  );
});

test('queries are counted later if the store is not available', async (t) => {
  const { service, see, clients, storeIsDown, problems } = await openService(t);
  storeIsDown(true);
  see('10.1.2.3', 5);
  await service.refresh();
  assert.deepEqual(problems, ['failed to store network clients']);
  see('10.1.2.3', 2);
  storeIsDown(false);
  await service.stop();
  assert.deepEqual(
    clients().map(({ queries }) => queries),
    [7],
  );
});

test('with discovery off nothing is recorded or looked up, but the resolver knows the hosts', async (t) => {
  const { service, see, clients, hosts, router } = await openService(t, 'off');
  see('192.168.1.5');
  await service.refresh();
  await service.refresh();
  assert.deepEqual(clients(), []);
  assert.deepEqual(router.asked, []);
  assert.equal(hosts().length, 2);
});
