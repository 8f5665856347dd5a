import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { queryFor } from '../src/dns/message.ts';
import { classes, types } from '../src/dns/numbers.ts';
import { writeMessage } from '../src/dns/write-message.ts';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { makeHome, startDns, until } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { freePort } from './support/kit/ports.ts';
import { startProgram } from './support/programs.ts';
import { name } from './support/resolver/upstream/messages.ts';
import { askUdp } from './support/resolver.ts';
import { bin } from './support/weir.ts';

const query = writeMessage(queryFor({ name: name('first.example.com'), type: types.A, class: classes.IN }, 1));
const TRY_MS = 50;
const ANSWER_MS = 10_000;

// Durations are not asserted, so that a busy machine does not fail the test; `npm run bench` measures them.
test('a started server answers, and the time to the first answer is reported', async (t) => {
  const world = await startWorld(t);
  const data = await temporaryFolder(t);
  const port = await freePort();
  const startedAt = performance.now();
  const words = ['serve', '--data', data, '--http', '127.0.0.1:0', '--admin', 'off', '--dot', 'off', '--doh', 'off'];
  const child = spawn(`${bin}weir`, [...words, '--dns', `127.0.0.1:${port}`, '--upstream', world.address], {
    env: { PATH: process.env['PATH'] },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await until('the first answer', async () => {
    const heard = await askUdp(port, query, TRY_MS);
    return heard.kind === 'answer' ? true : undefined;
  });
  const seconds = (performance.now() - startedAt) / 1000;
  t.diagnostic(`P8 start with an empty store: first answer after ${seconds.toFixed(1)} s`);
  const stoppedAt = performance.now();
  child.kill('SIGTERM');
  const [code] = (await ended) as [number | null];
  assert.equal(code, 0);
  t.diagnostic(`P8 SIGTERM: exit code 0 after ${((performance.now() - stoppedAt) / 1000).toFixed(1)} s`);
});

test('over UDP a started server answers no later than over TCP', async (t) => {
  const world = await startWorld(t);
  const data = await temporaryFolder(t);
  const port = await freePort();
  const words = ['serve', '--data', data, '--http', '127.0.0.1:0', '--admin', 'off', '--dot', 'off', '--doh', 'off'];
  startProgram(t, `${bin}weir`, [...words, '--dns', `127.0.0.1:${port}`, '--upstream', world.address]);
  await until('a TCP connection', async () => {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => undefined,
    );
    socket.destroy();
    return isOpen;
  });
  // One packet: it is not sent again.
  assert.equal((await askUdp(port, query, ANSWER_MS)).kind, 'answer');
});

test('readiness is withdrawn as soon as a stop begins', async (t) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const world = await startWorld(t, async () => {
    await released;
    return { answer: [] };
  });
  const service = await startDns(t, world.address);
  const home = await makeHome(service);
  assert.equal((await fetch(`${service.url}/health/ready`)).status, 200);
  const { id } = await home.device('waits');
  // A query in flight keeps the process alive while readiness is read.
  const waiting = home.dig(id, 'tcp', 'slow.example.com');
  await until('the query at the upstream', () => world.timesAsked('slow.example.com') > 0 || undefined);
  const stopped = service.stop();
  await until('the stop to begin', () => service.log.find(({ msg }) => msg === 'stopping'));
  const status = await fetch(`${service.url}/health/ready`).then(
    (answer) => answer.status,
    () => 'connection refused',
  );
  t.diagnostic(`P8 readiness during a stop: ${status}`);
  assert.ok(status === 503 || status === 'connection refused', `${status}`);
  release();
  await waiting;
  assert.equal(await stopped, 0);
});
