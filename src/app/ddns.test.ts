import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { deviceNumber, hex8, newAccount } from '../../test/support/store/accounts.ts';
import { onBoth } from '../../test/support/store/stores.ts';
import type { DeviceId } from '../domain/ids.ts';
import { ddnsLookup, followNames } from './ddns.ts';

const A = 1;

/** Answers every question with these addresses, and other types with none. */
async function resolver(t: TestContext, addresses: readonly string[]): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const end = query.indexOf(0, 12) + 5;
    const isA = query.readUInt16BE(end - 4) === A;
    const answers = isA ? addresses : [];
    const head = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, answers.length, 0, 0, 0, 0]);
    const records = answers.map((address) =>
      Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([head, query.subarray(12, end), ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

test('behind a name only an address that is public, or that the operator allows, is found', async (t) => {
  const servers = [await resolver(t, ['127.0.0.1', '192.168.1.2', '8.8.4.4'])];
  assert.equal(await ddnsLookup({ servers, allowNetworks: [] })('home.example.org'), '8.8.4.4');
  assert.equal(await ddnsLookup({ servers, allowNetworks: ['192.168.0.0/16'] })('home.example.org'), '192.168.1.2');
  for (const name of ['home', '192.0.2.1', '', 'a\0.example'])
    assert.equal(await ddnsLookup({ servers, allowNetworks: [] })(name), undefined, name);
});

test('a name behind which is nothing has no address', async (t) => {
  const servers = [await resolver(t, [])];
  assert.equal(await ddnsLookup({ servers, allowNetworks: [] })('home.example.org'), undefined);
});

onBoth('a device claims the address that its name leads to, and only changes are written', async (store) => {
  const anna = newAccount('anna', 0xa0);
  const named = { ddnsName: 'home.example.org', linkedIp: '192.0.2.1' };
  await store.inTransaction(async (tx) => {
    await tx.accounts.create(anna);
    await tx.devices.add(deviceNumber(1, anna.profile, named));
    await tx.devices.add(deviceNumber(2, anna.profile, { ddnsName: 'silent.example.org', linkedIp: '192.0.2.2' }));
    await tx.devices.add(deviceNumber(3, anna.profile, { ddnsName: 'taken.example.org', linkedIp: '192.0.2.3' }));
    await tx.devices.add(deviceNumber(4, anna.profile, { linkedIp: '192.0.2.4' }));
  });
  const names = new Map([
    ['home.example.org', '192.0.2.77'],
    ['taken.example.org', '192.0.2.4'],
  ]);
  let commits = 0;
  store.onCommit(() => void commits++);
  const follow = () =>
    followNames({
      store,
      addressBehind: async (name) => names.get(name),
      linkPrivateAddress: 'auto',
      now: () => 5000,
      random: (bytes) => randomBytes(bytes),
    });
  const addressOf = async (number: number) => {
    const device = await store.read.devices.find(anna.account.id, hex8(number) as DeviceId);
    return [device?.linkedIp, device?.pendingIp];
  };
  await follow();
  const found = await Promise.all([1, 2, 3, 4].map(addressOf));
  assert.deepEqual(found, [
    [undefined, '192.0.2.77'],
    ['192.0.2.2', undefined],
    [undefined, '192.0.2.4'],
    ['192.0.2.4', undefined],
  ]);
  assert.equal(commits, 2);
  const [last] = await store.read.audit.list(anna.account.id, { limit: 2 });
  assert.match(last!.by, /^the name (home|taken)\.example\.org$/);
  await follow();
  assert.equal(commits, 2);
});
