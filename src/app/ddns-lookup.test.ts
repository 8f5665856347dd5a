import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { ddnsLookup } from './ddns-lookup.ts';

const A = 1;

/** Answers A queries with these addresses and other types with an empty answer. */
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

test('only public addresses, and those that the operator allows, are found', async (t) => {
  const servers = [await resolver(t, ['127.0.0.1', '192.168.1.2', '8.8.4.4'])];
  assert.equal(await ddnsLookup({ servers, allowNetworks: [] })('home.example.org'), '8.8.4.4');
  assert.equal(await ddnsLookup({ servers, allowNetworks: ['192.168.0.0/16'] })('home.example.org'), '192.168.1.2');
  for (const name of ['home', '192.0.2.1', '', 'a\0.example'])
    assert.equal(await ddnsLookup({ servers, allowNetworks: [] })(name), undefined, name);
});

test('a name without records has no address', async (t) => {
  const servers = [await resolver(t, [])];
  assert.equal(await ddnsLookup({ servers, allowNetworks: [] })('home.example.org'), undefined);
});
