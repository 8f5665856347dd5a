import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rcodes } from '../src/dns/numbers.ts';
import { loopbackNetworks } from './support/attacks/half-open-handshakes.ts';
import { startConnections } from './support/attacks/open-connections.ts';
import { makeHome, startDns } from './support/dns.ts';
import { overUdp } from './support/dns-client.ts';
import { startWorld } from './support/dns-upstream.ts';
import { until } from './support/kit/until.ts';

const OPEN_FILES = 96;
const CONNECTIONS = 300;
const QUERIES = 200;
const AT_ONCE = 10;
const BAR = 0.95;

test(`${CONNECTIONS} TCP connections to a process that may open ${OPEN_FILES} files leave upstream sockets enough`, async (t) => {
  const world = await startWorld(t);
  const flags = ['--dot', 'off', '--doh', 'off'];
  const service = await startDns(t, world.address, flags, { openFiles: OPEN_FILES });
  const home = await makeHome(service);
  const { id } = await home.device('asking');
  const ask = await overUdp(t, service, id);
  const attack = startConnections({
    port: service.ports.dns,
    connections: CONNECTIONS,
    sources: loopbackNetworks(10),
    // A message that has begun: the server waits for the rest.
    bytes: Buffer.from([0, 40, 0]),
  });
  t.after(attack.stop);
  await until('the connections', () => attack.opened() >= CONNECTIONS);
  let answered = 0;
  const askInTurn = async (_: unknown, lane: number): Promise<void> => {
    for (let nth = lane; nth < QUERIES; nth += AT_ONCE)
      if ((await ask(`name-${nth}.example.com`)).rcode === rcodes.NOERROR) answered++;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askInTurn));
  t.diagnostic(`answered queries that are not cached: ${answered} of ${QUERIES}`);
  assert.ok(answered >= BAR * QUERIES, `${answered} of ${QUERIES}`);
});
