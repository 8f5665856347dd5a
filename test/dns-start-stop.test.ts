import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { overs } from './support/dig.ts';
import { makeHome, startDns, until } from './support/dns.ts';
import { HERE, startWorld, worldOf } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';
import { bin, start } from './support/weir.ts';

const needs = { skip: missing('dig', 'kdig') };

/** Another program that has the port. */
const takers: Readonly<Record<string, (t: TestContext) => Promise<number>>> = {
  async TCP(t) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    return (server.address() as AddressInfo).port;
  },
  async UDP(t) {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    t.after(() => socket.close());
    return socket.address().port;
  },
  // Processes of one user may share the port; then each gets some of the packets.
  async 'shared UDP'(t) {
    const socket = createSocket({ type: 'udp4', reusePort: true });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    t.after(() => socket.close());
    return socket.address().port;
  },
};

const wishes: readonly (readonly [flag: string, taker: string])[] = [
  ['dns', 'TCP'],
  ['dns', 'UDP'],
  ['dns', 'shared UDP'],
  ['dot', 'TCP'],
  ['doh', 'TCP'],
];

for (const [flag, taker] of wishes)
  test(`a ${taker} port that --${flag} asks for and another program has is refused in plain words`, async (t) => {
    const port = await takers[taker]!(t);
    const cwd = await temporaryFolder(t);
    const off = ['dns', 'dot', 'doh'].filter((other) => other !== flag).flatMap((other) => [`--${other}`, 'off']);
    const here = ['--data', cwd, '--http', '127.0.0.1:0', '--admin', 'off', `--${flag}`, `127.0.0.1:${port}`];
    const { code, stderr } = await start(`${bin}weir`, ['serve', ...here, ...off], { cwd }).ended;
    assert.equal(code, 1);
    assert.equal(stderr, `weir: cannot start: 127.0.0.1:${port}: the port is in use by another program\n`);
  });

// Tested separately, so that no query is answered only because the stop waits for another one.
for (const over of overs)
  test(`a stop answers pending queries over ${over}, with exit code 0`, needs, async (t) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const world = await startWorld(t, async (asked) => {
      if (asked.name.startsWith('slow')) await released;
      return worldOf()(asked);
    });
    const home = await makeHome(await startDns(t, world.address));
    const { id } = await home.device('in flight');
    const asked = home.dug(id, over, 'slow.example.com');
    await until('the question at the upstream', () => world.timesAsked('slow.example.com') > 0 || undefined);
    const stopped = home.service.stop();
    await until('the stop to begin', () => home.service.log.find(({ msg }) => msg === 'stopping'));
    await sleep(100);
    release();
    const { status, answer } = await asked;
    assert.equal(status, 'NOERROR');
    assert.match(answer[0]!, new RegExp(`A ${HERE}$`));
    assert.equal(await stopped, 0);
    t.diagnostic(`P8 SIGTERM: the query in flight over ${over} was answered, exit code 0`);
  });
