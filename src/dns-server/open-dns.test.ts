import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { startThreads } from '../../test/support/dns-threads.ts';
import { accountWith, deviceWith, profileWith } from '../../test/support/resolver/directory.ts';
import { queryFor } from '../dns/message.ts';
import { optionCodes, types } from '../dns/numbers.ts';
import { readMessage } from '../dns/read-message.ts';
import { writeMessage } from '../dns/write-message.ts';
import type { DeviceIdentifier } from '../domain/client-identifiers.ts';
import { wireName } from '../kit/wire-name.ts';
import type { Dns } from './open-dns.ts';

const home = profileWith('aaaaaaaa', {
  userRules: {
    enabled: true,
    rules: ['||example.com^$dnsrewrite=192.0.2.1', "||example.com^$important,dnsrewrite=192.0.2.2,client='Tablet'"],
  },
});
const tablet = deviceWith('00000001', home.id, { name: 'Tablet' });
const tv = deviceWith('00000002', home.id, { name: 'TV' });
const MAC = '02:00:00:00:00:01';
const tell = (dns: Dns, identifiers: readonly DeviceIdentifier[]) =>
  dns.useAccounts({
    accounts: [accountWith('anna', { profiles: [home], devices: [tablet, tv], identifiers })],
    removed: [],
    ruleTables: new Map(),
  });

/** Asks from an address of this machine; gives the address in the answer, or the response code. */
async function asker(t: TestContext, port: number, from: string) {
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  socket.bind(0, from);
  await once(socket, 'listening');
  let id = 0;
  return async (mac?: string): Promise<string> => {
    const data = Buffer.from((mac ?? '').replaceAll(':', ''), 'hex');
    const options = mac === undefined ? [] : [{ code: optionCodes.mac, data }];
    const edns = { udpSize: 1232, version: 0, dnssecOk: false, options };
    const question = { name: wireName('www.example.com')!, type: types.A, class: 1 };
    socket.send(writeMessage(queryFor(question, ++id, edns)), port, '127.0.0.1');
    const [bytes] = (await once(socket, 'message')) as [Buffer];
    const message = readMessage(bytes);
    assert.ok(message.ok && message.value.id === id);
    return message.value.answer[0]?.data.join('.') ?? `code ${message.value.rcode}`;
  };
}

const REFUSED = 'code 5';
const [DEVICE, TABLET] = ['192.0.2.1', '192.0.2.2'] as const;

test('hosts that are known identify devices from the next query on, in all threads', async (t) => {
  const dns = startThreads(t);
  await tell(dns, [
    { kind: 'mac', value: MAC, device: tablet.id },
    { kind: 'host name', value: 'tv-*', device: tv.id },
  ]);
  const { port } = await dns.listenUdp({ host: '127.0.0.1', port: 0 });
  // Which thread gets a packet depends on the port of the sender.
  const asks = await Promise.all(Array.from({ length: 8 }, () => asker(t, port, '127.0.0.21')));
  const all = async (): Promise<ReadonlySet<string>> => {
    const answers: string[] = [];
    for (const ask of [...asks, ...asks]) answers.push(await ask());
    return new Set(answers);
  };
  assert.deepEqual(await all(), new Set([REFUSED]));
  await dns.setHosts([{ address: '127.0.0.21', mac: MAC, names: ['tv-kitchen'] }]);
  assert.deepEqual(await all(), new Set([TABLET]));
  await dns.setHosts([{ address: '127.0.0.21', names: ['tv-kitchen'] }]);
  assert.deepEqual(await all(), new Set([DEVICE]));
  await dns.setHosts([]);
  assert.deepEqual(await all(), new Set([REFUSED]));
});

test('client activity has the queries of all threads since the last call', async (t) => {
  const dns = startThreads(t);
  await tell(dns, [
    { kind: 'mac', value: MAC, device: tablet.id },
    { kind: 'address', value: '127.0.0.31', device: tv.id },
  ]);
  const { port } = await dns.listenUdp({ host: '127.0.0.1', port: 0 });
  const before = Date.now();
  for (const from of ['127.0.0.31', '127.0.0.31', '127.0.0.31', '127.0.0.32']) {
    const ask = await asker(t, port, from);
    for (let i = 0; i < 5; i++) await ask();
    assert.equal(await ask(MAC), TABLET);
  }
  const activity = (await dns.clientActivity()).toSorted((a, b) =>
    `${a.address} ${a.mac}` < `${b.address} ${b.mac}` ? -1 : 1,
  );
  const common = { account: 'anna', dnsServer: home.id };
  assert.deepEqual(
    activity.map(({ lastSeen, ...rest }) => {
      assert.ok(lastSeen >= before && lastSeen <= Date.now());
      return rest;
    }),
    [
      { ...common, device: tablet.id, address: '127.0.0.31', mac: MAC, queries: 3 },
      { ...common, device: tv.id, address: '127.0.0.31', mac: undefined, queries: 15 },
      { ...common, device: tablet.id, address: '127.0.0.32', mac: MAC, queries: 1 },
    ],
  );
  assert.deepEqual(await dns.clientActivity(), []);
});
