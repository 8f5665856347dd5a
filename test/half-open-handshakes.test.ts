import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { type TestContext, test } from 'node:test';
import { listenDot } from '../src/resolver/transport/stream.ts';
import type { TcpListener } from '../src/resolver/transport/tcp-listener.ts';
import {
  type HalfOpenTarget,
  loopbackNetworks,
  startHalfOpenHandshakes,
} from './support/attacks/half-open-handshakes.ts';
import { until } from './support/kit/until.ts';
import { answersForTests, query } from './support/resolver/transport/answers.ts';
import { askOn, startDoh } from './support/resolver/transport/doh.ts';
import { identityForTests, tlsClient } from './support/resolver/transport/stream.ts';

const tls = await identityForTests();
const HONEST = 60;
const AT_ONCE = 6;
const BAR = 0.95;

type Ask = (t: TestContext, port: number, localAddress: string) => Promise<boolean>;

const askDot: Ask = async (t, port, localAddress) => {
  const from = { port, localAddress };
  const client = await tlsClient(t, from);
  client.ask(query(1, 'atOnce'));
  const answer = await client.next();
  client.socket.destroy();
  return answer !== undefined;
};

const askDoh: Ask = async (_t, port, localAddress) => {
  const options = { rejectUnauthorized: false, localAddress };
  const session = connectHttp2(`https://127.0.0.1:${port}`, options);
  session.on('error', () => undefined);
  const failed = new Promise<boolean>((resolve) => void session.on('close', () => resolve(false)));
  const path = `/dns-query?dns=${query(1, 'atOnce').toString('base64url')}`;
  const asked = once(session, 'connect').then(async () => (await askOn(session, { path })).status === 200);
  const isAnswered = await Promise.race([asked.catch(() => false), failed]);
  session.destroy();
  return isAnswered;
};

// Fewer than the attack has connections: in the usual 1,000 places it would need more than one process can open in time.
const limits = { hellos: 300 };

const startDot = async (t: TestContext): Promise<TcpListener> => {
  const listener = await listenDot(
    { host: '127.0.0.1', port: 0, report: () => undefined, tls, limits },
    answersForTests,
  );
  t.after(() => listener.stop());
  return listener;
};

const listeners: readonly (readonly [name: string, start: (t: TestContext) => Promise<TcpListener>, ask: Ask])[] = [
  ['DoT', startDot, askDot],
  ['DoH', (t) => startDoh(t, { limits }), askDoh],
];

const oneNetwork = [1, 2, 3, 4].map((last) => `127.50.0.${last}`);
const attacks: readonly (readonly [name: string, attack: Omit<HalfOpenTarget, 'port'>])[] = [
  ['200 partial hellos from 4 addresses of one /24', { sources: oneNetwork, connections: 200, sends: 'part' }],
  ['640 partial hellos from 64 networks', { sources: loopbackNetworks(64), connections: 640, sends: 'part' }],
  ['200 stalled handshakes from 4 addresses of one /24', { sources: oneNetwork, connections: 200, sends: 'hello' }],
  ['320 stalled handshakes from 64 networks', { sources: loopbackNetworks(64), connections: 320, sends: 'hello' }],
];

for (const [transport, start, ask] of listeners)
  for (const [name, attack] of attacks)
    test(`${transport}: ${name} leave honest clients at least ${BAR * 100} % of their handshakes`, async (t) => {
      const { address, counts } = await start(t);
      const running = await startHalfOpenHandshakes({ ...attack, port: address.port });
      t.after(running.stop);
      await until('the attack to be under way', () => running.opened() >= attack.connections);

      let answered = 0;
      const sources = loopbackNetworks(60, 1000);
      const askInTurn = async (_: unknown, lane: number): Promise<void> => {
        for (let i = lane; i < HONEST; i += AT_ONCE)
          if (await ask(t, address.port, sources[i % sources.length]!)) answered++;
      };
      await Promise.all(Array.from({ length: AT_ONCE }, askInTurn));
      t.diagnostic(
        `honest handshakes: ${answered} of ${HONEST}; attack: ${running.opened()} connections, ${counts().evicted} evicted`,
      );
      assert.ok(answered >= BAR * HONEST, `${answered} of ${HONEST}`);
    });
