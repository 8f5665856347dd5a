import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { unpack } from '../src/compile-api/result-folder.ts';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { ask, broughtAlong, configurationOf, rulesIn, serviceOfFile } from './support/hostile.ts';
import { httpOrigin, says } from './support/net/origin.ts';
import { post, type Service, startService } from './support/service.ts';
import { bin, start } from './support/weir.ts';

const many = ['--requests-per-minute', '100000', '--cpu-seconds-per-minute', '100000'];
const open = [...many, '--allow-source-address', '127.0.0.1/32'];
const lasting = await serviceOfFile([...open, '--compile-memory', '32MiB', '--log-level', 'debug']);

/** Returns how long the connection stayed open. */
async function dribble(beginning: string, drop: string): Promise<number> {
  const began = performance.now();
  const socket = connect(lasting.port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  const closed = once(socket, 'close');
  socket.write(beginning);
  const timer = setInterval(() => socket.write(drop), 1000);
  await closed;
  clearInterval(timer);
  return performance.now() - began;
}

// Started first, because they take longest; checked last.
const slowHead = dribble('POST /compile HTTP/1.1\r\nHost: localhost\r\n', 'X: y\r\n');
const slowBody = dribble(
  'POST /compile HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n{',
  ' ',
);

const get = (service: Service, path: string) => ask(service, path, '', { method: 'GET' });
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Stops the service; returns its exit code and how long it took. */
async function timedStop(service: Service, signal?: NodeJS.Signals): Promise<{ code: number | null; ms: number }> {
  const began = performance.now();
  const code = await service.stop(signal);
  return { code, ms: performance.now() - began };
}

/** An origin that answers after `goOn`; `asked` resolves at its first request. */
async function waitingOrigin(t: TestContext) {
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const { url } = await httpOrigin(t, (_request, response) => {
    asked.resolve();
    void gate.promise.then(() => response.end('||late.example^'));
  });
  return { url, asked: asked.promise, goOn: gate.resolve };
}

test('on SIGTERM it finishes running requests, accepts no new ones, and exits with 0', async (t) => {
  const service = await startService(t, open);
  assert.partialDeepStrictEqual((await get(service, '/health/ready')).json, {
    status: 'ready',
    dns: 'off',
    parts: { settings: { state: 'current', revision: 0 } },
  });
  // So that the thread that compiles has started: stopping waits for a few seconds only.
  await ask(service, '/compile', configurationOf('||warm.example^'));
  const origin = await waitingOrigin(t);
  // Its client keeps the connection open afterwards.
  const compiling = post(service, '/compile', configurationOf(origin.url));
  await origin.asked;
  const stopped = timedStop(service);
  while (!service.log.some(({ msg }) => msg === 'stopping')) await setTimeout(5);
  const after = await get(service, '/health/ready').catch(() => undefined);
  assert.ok(after === undefined || after.status === 503);
  origin.goOn();
  const { status, json } = await compiling;
  assert.deepEqual([status, rulesIn({ json })], [200, ['||late.example^']]);
  const { code, ms } = await stopped;
  assert.equal(code, 0);
  assert.equal(service.log.find(({ msg }) => msg === 'stopped')?.['drained'], true);
  assert.ok(ms < 20_000, `${ms} ms`);
});

test('SIGTERM does not wait forever for sources, streams or clients', async (t) => {
  const service = await startService(t, open);
  const [first, second] = await Promise.all([waitingOrigin(t), waitingOrigin(t)]);
  const compiling = ask(service, '/compile', configurationOf(first.url)).catch(() => undefined);
  const streaming = ask(service, '/compile/stream', configurationOf(second.url)).catch(() => undefined);
  const silent = connect(service.port, '127.0.0.1').on('error', () => {});
  silent.write('POST /compile HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{');
  t.after(() => silent.destroy());
  await Promise.all([first.asked, second.asked]);
  const { code, ms } = await timedStop(service, 'SIGINT');
  assert.equal(code, 0);
  assert.ok(ms < 20_000, `${ms} ms`);
  const [plain, stream] = await Promise.all([compiling, streaming]);
  assert.ok(stream === undefined || !stream.text.includes('event: done'));
  await t.test('and reports that it was stopped, not that it failed', () => {
    assert.deepEqual([plain?.status, plain?.json.error], [503, 'The compilation was stopped']);
  });
});

/** The results under their final names, each of which must be whole. */
async function assertWhole(data: string): Promise<void> {
  const folder = join(data, 'compiled');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.result'));
  for (const name of names) assert.ok(unpack(await readFile(join(folder, name))), `${name} is not whole`);
}

const MOST_MS = 20_000;

test('killed at any moment, it has every result that it confirmed', { timeout: 300_000 }, async (t) => {
  const data = await temporaryFolder(t);
  const kept = new Set<string>();
  const orderOf = (name: string) =>
    configurationOf(
      range(1000)
        .map((at) => `||${name}-${(at * 7919) % 1009}.example^`)
        .join('\n'),
      { name },
    );
  const began = performance.now();
  for (const round of range(8)) {
    // Fewer rounds on busy machines.
    if (performance.now() - began > MOST_MS && kept.size > 4) break;
    const service = await startService(t, [...many, '--compile-workers', '1'], { data });
    await Promise.all(
      [...kept].map(async (name) => {
        const { headers, json } = await ask(service, '/compile', orderOf(name));
        assert.equal(headers['x-cache'], 'HIT', `round ${round}: ${name}`);
        assert.equal(json.rules?.filter((rule) => rule.startsWith(`||${name}-`)).length, 1000);
      }),
    );
    // Half of the kills happen while the first results are being written, half when others are already stored.
    const isWarm = Promise.withResolvers<void>();
    const compileAll = range(2).map(async (at) => {
      for (let turn = 0; turn < 20; turn++) {
        const name = `r${round}n${at}t${turn}`;
        await ask(service, '/compile', orderOf(name));
        if (round % 2 === 0) isWarm.resolve();
        // Until the result is cached, requests share the compilation in flight.
        while ((await ask(service, '/compile', orderOf(name))).headers['x-cache'] !== 'HIT') await setTimeout(2);
        kept.add(name);
        isWarm.resolve();
      }
    });
    const over = Promise.allSettled(compileAll);
    await Promise.race([over, isWarm.promise.then(() => setTimeout(round * 5))]);
    await service.stop('SIGKILL');
    await over;
    await assertWhole(data);
    for (const name of [...kept].slice(0, -20)) kept.delete(name);
  }
  assert.ok(kept.size > 4, `only ${kept.size} were kept`);
});

test('a cache that was damaged is a cache with less in it', async (t) => {
  const data = await temporaryFolder(t);
  const folder = join(data, 'compiled');
  const orders = range(6).map((at) => configurationOf(`||kept${at}.example^\n||a.example^`, { name: `n${at}` }));
  const first = await startService(t, many, { data });
  const files: string[] = [];
  for (const order of orders) {
    const { headers } = await ask(first, '/compile', order);
    files.push(join(folder, `${String(headers['content-location']).slice('/lists/'.length)}.result`));
  }
  assert.equal(await first.stop(), 0);

  const [headFlipped, listFlipped, short, empty, folderInstead] = files as [string, string, string, string, string];
  const flip = async (file: string, at: number): Promise<void> => {
    const bytes = await readFile(file);
    bytes[at < 0 ? bytes.length + at : at]! ^= 1;
    await writeFile(file, bytes);
  };
  await flip(headFlipped, 100);
  await flip(listFlipped, -10);
  await truncate(short, 500);
  await truncate(empty, 0);
  await rm(folderInstead);
  await mkdir(join(folderInstead, 'x'), { recursive: true });
  await writeFile(join(folder, `${'a'.repeat(64)}.result`), 'rubbish');
  await writeFile(join(folder, 'notes.txt'), 'of somebody else');
  await writeFile(join(folder, 'unfinished', 'half'), 'half');

  const again = await startService(t, many, { data });
  const found: unknown[] = [];
  for (const [at, order] of orders.entries()) {
    const { status, headers, json } = await ask(again, '/compile', order);
    assert.equal(status, 200);
    assert.deepEqual(rulesIn({ json }), [`||kept${at}.example^`, '||a.example^']);
    found.push(headers['x-cache']);
  }
  assert.deepEqual(found, ['MISS', 'MISS', 'MISS', 'MISS', 'MISS', 'HIT']);
  assert.equal(await readFile(join(folder, 'notes.txt'), 'utf8'), 'of somebody else');
  assert.ok(again.log.some(({ level }) => level === 'warn'));
  assert.equal(await again.stop(), 0);

  await rename(folder, join(data, 'away'));
  await writeFile(folder, 'a file where a folder should be');
  const without = await startService(t, many, { data });
  assert.equal((await ask(without, '/compile', orders[0])).headers['x-cache'], 'MISS');
  assert.equal((await ask(without, '/compile', orders[0])).status, 200);
});

test('a compilation that needs too much memory fails alone', async () => {
  const order = broughtAlong('||same.example^\n'.repeat(500_000), { transformations: ['Deduplicate'] });
  const greedy = { ...order, explain: true };
  const others = range(5).map((at) => ask(lasting, '/compile', configurationOf(`||other${at}.example^`)));
  const { status, json } = await ask(lasting, '/compile', greedy);
  assert.deepEqual([status, json.error], [500, 'The compilation exceeded the memory limit']);
  for (const other of await Promise.all(others)) assert.equal(other.status, 200);
  assert.equal((await ask(lasting, '/compile', configurationOf('||after.example^'))).status, 200);
});

async function ended(t: TestContext, flags: readonly string[]) {
  const data = await temporaryFolder(t);
  return start(`${bin}weir`, ['serve', '--data', data, ...flags], { cwd: data }).ended;
}

test('all invalid settings are reported at once', async (t) => {
  const { code, stdout, stderr } = await ended(t, ['--max-body', 'much', '--compile-workers', '0', '--htpp', ':0']);
  assert.equal(code, 1);
  for (const name of ['max-body', 'compile-workers', 'htpp']) assert.match(stderr, new RegExp(`--${name}`));
  assert.doesNotMatch(stdout + stderr, /^\s+at /m);
});

test('a port in use is reported without a stack trace', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const address = taken.address();
  assert.ok(address !== null && typeof address === 'object');
  for (const flags of [
    ['--http', `127.0.0.1:${address.port}`, '--admin', 'off'],
    ['--http', '127.0.0.1:0', '--admin', `127.0.0.1:${address.port}`],
  ]) {
    const { code, stdout, stderr } = await ended(t, flags);
    assert.equal(code, 1, stderr);
    assert.match(stderr, new RegExp(`127\\.0\\.0\\.1:${address.port}`));
    assert.match(stderr, /the port is in use/);
    assert.doesNotMatch(stdout + stderr, /^\s+at /m);
  }
});

test('its figures are there for Prometheus, and only at their own port', async () => {
  await ask(lasting, '/compile', configurationOf('||figures.example^'));
  await get(lasting, '/nowhere?token=query-secret');
  const response = await fetch(`http://127.0.0.1:${lasting.adminPort}/metrics`);
  assert.match(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  for (const line of lines) assert.match(line, /^(# (HELP|TYPE) \w+ .+|\w+(\{.*\})? [-+\d.eINa]+)$/);
  assert.ok(lines.some((line) => /^weir_http_requests_total\{.*route="\/compile",status="200"\} [1-9]/.test(line)));
  assert.ok(lines.some((line) => /^weir_compilations_total\{outcome="compiled"\} [1-9]/.test(line)));
  assert.ok(lines.every((line) => !/query-secret|nowhere/.test(line)));
  assert.doesNotMatch((await get(lasting, '/metrics')).text, /weir_/);
  assert.equal((await fetch(`http://127.0.0.1:${lasting.adminPort}/`)).status, 404);
});

// Each line was parsed as JSON when it came.
const logged = (): string => JSON.stringify(lasting.log);

test('the query string of a request is not logged', async () => {
  for (const path of ['/compile?download&token=query-secret', '/nowhere?query-secret', '/lists/x?query-secret']) {
    await ask(lasting, path, configurationOf('||a.example^'));
    await get(lasting, path);
  }
  await get(lasting, '/%zz?query-secret').catch(() => {});
  while (!logged().includes('/nowhere')) await setTimeout(10);
  assert.ok(lasting.log.every(({ level, time, msg }) => level && time && msg));
  assert.doesNotMatch(logged(), /query-secret/);
});

test('the query string of a source is not logged', async (t) => {
  const { url } = await httpOrigin(t, (request, response) => {
    if (request.url?.includes('missing')) says(404)(request, response);
    else response.end(`||a.example^\n${'x'.repeat(70_000)}\n`);
  });
  for (const path of ['long?token=source-secret', 'missing?token=source-secret'])
    await ask(lasting, '/compile', configurationOf(url + path));
  await setTimeout(50);
  assert.doesNotMatch(logged(), /source-secret/);
});

test('a client that sends slowly is disconnected', { timeout: 300_000 }, async () => {
  // The defaults of Node are one and five minutes.
  assert.ok((await slowHead) < 45_000);
  assert.ok((await slowBody) < 100_000);
  assert.deepEqual(
    lasting.log.filter(({ level }) => level === 'error'),
    [],
  );
});

test('the first log line has the addresses, also when others follow', async (t) => {
  const service = await startService(t);
  assert.equal(service.log[0]?.['port'], service.port);
  const setUp = () => service.log.find((entry) => entry['setUpUrl'] !== undefined);
  for (let tries = 0; !setUp() && tries < 500; tries++) await setTimeout(20);
  assert.match(String(setUp()?.['setUpUrl']), /\/set-up#[A-Z2-7]{4}-[A-Z2-7]{4}-[A-Z2-7]{4}$/);
});
