import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type Answer, ask, begin, configurationOf, folderOfFile, rulesIn, serviceOfFile } from './support/hostile.ts';
import { type Behaviour, bombs, type Hostile, hostileOrigins, MIB } from './support/hostile-origins.ts';
import { httpOrigin, inTurn, type Origin, rawOrigin, says } from './support/net/origin.ts';

/** Listens at every address of this machine. Every connection here is a bypass of the address check. */
const canary = { heard: [] as string[], port: 0 };
const listener = createServer((socket) => {
  canary.heard.push(socket.localAddress ?? '');
  socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n||heard.test^');
});
listener.listen(0);
await once(listener, 'listening');
after(() => listener.close());
const listening = listener.address();
assert.ok(listening !== null && typeof listening === 'object');
canary.port = listening.port;

const outside = await folderOfFile({ 'secret.txt': '||secret.example^', 'root/in.txt': '||in.example^' });
const root = join(outside, 'root');
const many = ['--requests-per-minute', '--cpu-seconds-per-minute', '--http-connections-per-address'].flatMap((flag) => [
  flag,
  '100000',
]);
const [closed, open] = await Promise.all([
  serviceOfFile([...many, '--source-port', `80,443,${canary.port}`]),
  // Most of a hostile origin's time is waiting.
  serviceOfFile([...many, '--allow-source-address', '127.0.0.1/32', '--source-root', root, '--compile-workers', '16']),
]);

const run = (t: TestContext, origin: Behaviour): Promise<Origin> =>
  'listener' in origin ? httpOrigin(t, origin.listener) : rawOrigin(t, origin.bytes, origin.afterwards);

const notAllowed = 'Source not allowed: its address does not exist or may not be fetched';

/** Before that text stands at most the include that the caller wrote. */
function assertRefused({ status, json: { error = '' } }: Answer, what: string): void {
  const include = /^(Failed to resolve the include directive '!#include [^']+': )/.exec(error)?.[1] ?? '';
  assert.deepEqual([status, error], [400, include + notAllowed], what);
}

/** Every way by which a request can make the service read something. */
const ways: Readonly<Record<string, (target: string) => object>> = {
  source: (target) => configurationOf(target),
  mirror: (target) => configurationOf('', { sources: [{ source: 'http://192.0.2.1/', mirrors: [target] }] }),
  exclusions: (target) => configurationOf('||a^', { exclusions_sources: [target] }),
  'inclusions of a source': (target) =>
    configurationOf('', { sources: [{ source: '||a^', inclusions_sources: [target] }] }),
  include: (target) => configurationOf(`||a^\n!#include ${target}`),
  'include in what came along': (target) => ({
    ...configurationOf('x', { exclusions_sources: ['patterns'] }),
    preFetchedContent: { x: `||a^\n!#include ${target}\n`, patterns: `!#include ${target}` },
  }),
};

const ownMachine = `127.0.0.1 127.0.0.1. 127.0.0.2 127.255.255.254 127.1 127.0.1 2130706433 017700000001 0x7f000001
  0x7F.0x0.0x0.0x1 0177.0.0.1 0x7f.1 0 0.0.0.0 127。0。0。1 127｡0｡0｡1 127．0．0．1 １２７.０.０.１ ①②⑦.0.0.1 %31%32%37.0.0.1
  127%2e0%2e0%2e1 [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::FFFF:7f00:1] [::127.0.0.1] [::ffff:0:127.0.0.1]
  [64:ff9b::7f00:1] [2002:7f00:1::1] localhost LOCALHOST localhost. l%6fcalhost user@127.0.0.1 a:b@[::1]`.split(/\s+/);
const elsewhere = `10.0.0.1 100.64.0.1 169.254.169.254 2852039166 172.16.0.1 192.168.0.1 192.0.2.1 198.18.0.1 224.0.0.1
  255.255.255.255 168.63.129.16 [fd00:ec2::254] [fe80::1] [fc00::1] [ff02::1] [2001:db8::1]`.split(/\s+/);

test('no spelling of an address inside is fetched by any way, and all are refused in one text', async () => {
  for (const [way, orderFor] of Object.entries(ways)) {
    const targets = [...ownMachine, ...elsewhere].map((host) => `http://${host}:${canary.port}/list.txt`);
    await Promise.all(
      targets.map(async (target) => {
        assertRefused(await ask(closed, '/compile', orderFor(target)), `${way}: ${target}`);
      }),
    );
    assert.deepEqual(canary.heard, [], way);
  }
});

test('streams and batches disclose no more', async () => {
  const order = configurationOf(`http://127.1:${canary.port}/`);
  const stream = await ask(closed, '/compile/stream', order);
  assert.ok(stream.text.includes(`event: error\ndata: ${JSON.stringify({ error: notAllowed })}`), stream.text);
  const batch = await ask(closed, '/compile/batch', { requests: [{ id: 'a', ...order }] });
  assert.deepEqual(batch.json.results, [{ id: 'a', success: false, error: notAllowed }]);
  assert.deepEqual(canary.heard, []);
});

test('the test detects allowed connections', async () => {
  await fetch(`http://127.0.0.2:${canary.port}/`);
  assert.equal(canary.heard.splice(0).length, 1);
});

test('a redirect, a list or a failure of an open origin leads to no other address', async (t) => {
  for (const host of ['127.0.0.2', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]', '169.254.169.254', 'x@127.0.0.1']) {
    const target = `http://${host}:${canary.port}/`;
    for (const [what, answer] of [
      ['redirect', says(302, { location: target })],
      ['permanent redirect', says(308, { location: target })],
    ] as const) {
      const { url } = await httpOrigin(t, answer);
      assertRefused(await ask(open, '/compile', configurationOf(url)), `${what} to ${host}`);
    }
    const list = await httpOrigin(t, says(200, {}, `||a^\n!#include ${target}`));
    const included = await ask(open, '/compile', configurationOf(list.url));
    assert.match(included.json.error!, /; a list may only include from its own server$/);
    const { url } = await httpOrigin(t, says(404));
    const order = configurationOf('', { sources: [{ source: url, mirrors: [target] }] });
    assert.equal((await ask(open, '/compile', order)).json.success, false);
  }
  assert.deepEqual(canary.heard, []);
});

test('the service cannot be made to call itself, even where this machine is open', async (t) => {
  const back = await httpOrigin(t, (request, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${request.url?.slice(1)}/health/live` }).end();
  });
  for (const port of [open.port, open.adminPort]) {
    for (const [way, orderFor] of Object.entries(ways)) {
      for (const target of [`http://127.0.0.1:${port}/api`, `http://0x7f.1:${port}/`, `${back.url}${port}`]) {
        assertRefused(await ask(open, '/compile', orderFor(target)), `${way}: ${target}`);
      }
    }
  }
});

test('files below the one open folder are read, and no others', async () => {
  await mkdir(join(root, 'below'));
  await writeFile(join(root, 'below', 'deep.txt'), '||deep.example^\n!#include ../in.txt');
  await writeFile(join(root, 'leaving.txt'), '||leaving.example^\n!#include ../secret.txt');
  await symlink('../in.txt', join(root, 'below', 'link-in'));
  await symlink(join(outside, 'secret.txt'), join(root, 'link-out'));
  await symlink(outside, join(root, 'folder-out'));
  await symlink('/proc/self/environ', join(root, 'link-proc'));
  await symlink('link-round', join(root, 'link-round'));
  execFileSync('mkfifo', [join(root, 'fifo')]);

  for (const [path, rule] of [
    ['in.txt', '||in.example^'],
    ['./below/../in.txt', '||in.example^'],
    ['below/deep.txt', '||deep.example^'],
    ['below/link-in', '||in.example^'],
    [`file://${join(root, 'in.txt')}`, '||in.example^'],
  ] as const) {
    assert.equal(rulesIn(await ask(open, '/compile', configurationOf(path)))[0], rule, path);
  }
  const forbidden =
    `../secret.txt below/../../secret.txt link-out folder-out/secret.txt link-proc link-round fifo . below
    /etc/passwd /proc/self/environ /proc/self/root${outside}/secret.txt ${outside}/secret.txt file:///etc/passwd
    file://${outside}/secret.txt file:///proc/self/fd/0 /dev/zero /dev/stdin leaving.txt nowhere.txt ../root ~/.profile
    ..%2fsecret.txt file://localhost/etc/passwd file:///%2e%2e/etc/passwd`.split(/[\n ]+/);
  await Promise.all(
    forbidden.flatMap((path) =>
      Object.entries(ways).map(async ([way, orderFor]) => {
        const { status, text } = await ask(open, '/compile', orderFor(path));
        assert.equal(status, 400, `${way}: ${path}: ${text}`);
        assert.doesNotMatch(text, /secret\.example|PATH=|root:/, `${way}: ${path}`);
      }),
    ),
  );
});

test('a list from the network reads no file, and without a source folder no list does', async (t) => {
  for (const path of ['in.txt', '/etc/passwd', 'file:///etc/passwd', '/proc/self/environ']) {
    const answers = inTurn(says(200, {}, `||a^\n!#include ${path}`), says(404));
    const { url } = await httpOrigin(t, answers);
    const { status, text } = await ask(open, '/compile', configurationOf(url));
    assert.equal(status, 500, path);
    assert.doesNotMatch(text, /in\.example|root:|PATH=/, path);
    for (const [way, orderFor] of Object.entries(ways)) {
      assert.equal((await ask(closed, '/compile', orderFor(path))).status, 400, `${way}: ${path}`);
    }
  }
});

const memoryMib = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

test('bombs are put out before they go off', async (t) => {
  const calm = await httpOrigin(t, says(200, {}, '||calm.example^'));
  for (let at = 0; at < 3; at++) await ask(closed, '/compile', configurationOf(`||warm${at}^`));
  for (let at = 0; at < 3; at++) await ask(open, '/compile', configurationOf(`${calm.url}${at}`));
  const before = await memoryMib(open.pid);
  let most = before;
  let isOver = false;
  const watch = async (): Promise<void> => {
    for (; !isOver; await setTimeout(10)) most = Math.max(most, await memoryMib(open.pid));
  };
  const watching = watch();
  for (const [coding, body] of bombs) {
    assert.ok(body.length < 0.2 * MIB);
    const { url } = await httpOrigin(t, says(200, { 'content-encoding': coding }, body));
    for (let at = 0; at < 3; at++) {
      const { status, json } = await ask(open, '/compile', configurationOf(`${url}${at}`));
      assert.deepEqual([status, json.error], [500, 'Source failed: it is larger than the limit'], coding);
    }
  }
  isOver = true;
  await watching;
  assert.ok(most - before < 64, `${most - before} MiB more`);
});

test('a hostile origin fails only its own compilation, and the message discloses nothing about it', async (t) => {
  const meet = async ({ what, origin, outcome, asked }: Hostile): Promise<void> => {
    const { url, connections } = await run(t, origin);
    const { status, json, text } = await ask(open, '/compile', configurationOf(url));
    if ('rule' in outcome)
      assert.deepEqual([status, rulesIn({ json })[0]], [200, outcome.rule], `${what}: ${text.slice(0, 200)}`);
    else assert.deepEqual([status, json.error], [500, outcome.error], what);
    assert.doesNotMatch(text, /Secret/, what);
    if (asked !== undefined) assert.equal(connections.length, asked, what);
  };
  const calm = meet({ what: 'a calm one', origin: { listener: says(200, {}, '||c^') }, outcome: { rule: '||c^' } });
  const met = await Promise.allSettled([calm, ...hostileOrigins.map(meet)]);
  const failed = met.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []));
  assert.deepEqual(failed, []);
});

test('a failure is not cached, and cookies are not sent back', async (t) => {
  const cookie = { 'set-cookie': 'a=b' };
  const answers = inTurn(says(404, cookie), says(200, cookie, '||b^'));
  const { url } = await httpOrigin(t, answers);
  assert.equal((await ask(open, '/compile', configurationOf(url))).status, 500);
  assert.deepEqual(rulesIn(await ask(open, '/compile', configurationOf(url))), ['||b^']);
  assert.deepEqual(
    answers.asked.map(({ headers }) => headers.cookie),
    [undefined, undefined],
  );
});

test('when the client disconnects, its downloads end', async (t) => {
  const silent = await httpOrigin(t, (_request, response) => void response.writeHead(200).write('||a^\n'));
  for (const path of ['/compile', '/compile/stream']) {
    const leaving = new AbortController();
    const asking = begin(open, path, JSON.stringify(configurationOf(`${silent.url}${path}`)), {
      signal: leaving.signal,
    });
    asking.then(
      (stream) => stream.on('error', () => {}).resume(),
      () => {},
    );
    const before = silent.connections.length;
    while (silent.connections.length === before) await setTimeout(10);
    leaving.abort();
    await silent.allClosed();
  }
});
