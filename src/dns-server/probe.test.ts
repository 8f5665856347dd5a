import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { listenAtOnePort } from '../../test/support/kit/ports.ts';
import { until } from '../../test/support/kit/until.ts';
import { openProbe } from './probe.ts';

type Answering = { udp: boolean; tcp: boolean; ping: boolean };

/** A UDP socket and a TCP listener on one port; whether they answer is read from `answering`. */
async function startServer(t: TestContext, answering: Answering) {
  const tcp = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => void (answering.tcp && socket.write(data)));
  });
  const udp = createSocket('udp4', (data, from) => void (answering.udp && udp.send(data, from.port, from.address)));
  const port = await listenAtOnePort(tcp, udp);
  let asked = 0;
  udp.on('message', () => {
    asked += 1;
  });
  t.after(() => {
    udp.close();
    tcp.close();
  });
  return { endpoint: { host: '127.0.0.1', port }, asked: () => asked };
}

async function startProbe(t: TestContext, answering: Answering) {
  const { endpoint, asked } = await startServer(t, answering);
  const changes: boolean[] = [];
  const never = new Promise<never>(() => undefined);
  const probe = openProbe({
    plain: endpoint,
    ping: () => (answering.ping ? Promise.resolve() : never),
    onChange: (isAnswering) => changes.push(isAnswering),
    everyMs: 5,
    timeoutMs: 200,
  });
  t.after(() => probe.stop());
  return { probe, asked, changes };
}

for (const silent of ['udp', 'tcp', 'ping'] as const)
  test(`without an answer of ${silent} the resolver is not answering after two probes, and is again after one answer`, async (t) => {
    const answering: Answering = { udp: true, tcp: true, ping: true };
    const { probe, asked, changes } = await startProbe(t, answering);
    await until('three probes are sent', () => asked() >= 3);
    answering[silent] = false;
    const before = asked();
    await until('it is not answering', () => !probe.isAnswering());
    assert.ok(asked() >= before + 1, 'one probe without an answer is not enough');
    const during = asked();
    await until('two more probes are sent', () => asked() >= during + 2);
    answering[silent] = true;
    await until('it is answering', () => probe.isAnswering());
    probe.stop();
    // A machine that pauses may add a pair of changes, never half a pair.
    assert.deepEqual(changes.slice(-2), [false, true]);
    assert.equal(changes.length % 2, 0);
  });

test('a closed port counts as not answering', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const changes: boolean[] = [];
  const probe = openProbe({
    plain: { host: '127.0.0.1', port },
    ping: () => Promise.resolve(),
    onChange: (isAnswering) => changes.push(isAnswering),
    everyMs: 5,
    timeoutMs: 200,
  });
  t.after(() => probe.stop());
  await until('it is not answering', () => !probe.isAnswering());
  assert.deepEqual(changes, [false]);
});
