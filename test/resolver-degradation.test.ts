import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readExtendedError } from '../src/dns/edns.ts';
import { type Message, queryFor } from '../src/dns/message.ts';
import { classes, optionCodes, rcodes, types } from '../src/dns/numbers.ts';
import { readMessage } from '../src/dns/read-message.ts';
import { writeMessage } from '../src/dns/write-message.ts';
import { makeSelfSigned } from '../src/resolver/transport/make-self-signed.ts';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import type { Over } from './support/dig.ts';
import { type DnsService, type Home, homeOf, makeHome, startDns, until } from './support/dns.ts';
import { address, HERE, startWorld, worldOf } from './support/dns-upstream.ts';
import { faketimeFor } from './support/faketime.ts';
import { freePort } from './support/kit/ports.ts';
import { name } from './support/resolver/upstream/messages.ts';
import { askersOf } from './support/resolver.ts';
import { post } from './support/service.ts';
import { newPostgresDatabase } from './support/store/postgres.ts';
import { bin, start } from './support/weir.ts';

const YEAR_MS = 365 * 86_400_000;
const BLOCKED = 'blocked.example.com';

type Answer = Message & { readonly error: number | undefined };

/** Sends a query as the device with this id. */
async function ask(service: DnsService, device: string, domain: string, over: Over = 'udp'): Promise<Answer> {
  const options = [{ code: optionCodes.device, data: Buffer.from(device) }];
  const edns = { udpSize: 1232, version: 0, dnssecOk: false, options };
  const bytes = writeMessage(queryFor({ name: name(domain), type: types.A, class: classes.IN }, 7, edns));
  const heard = await askersOf(service)[over](bytes, 60_000);
  assert.ok(heard.kind === 'answer', `${domain} over ${over}: ${heard.kind}`);
  const read = readMessage(new Uint8Array(heard.bytes));
  assert.ok(read.ok);
  const data = read.value.edns?.options.find(({ code }) => code === optionCodes.extendedError)?.data;
  return { ...read.value, error: data && readExtendedError(data)?.code };
}
const addresses = ({ answer }: Answer): string[] => answer.map(({ data }) => data.join('.'));

let asked = 0;
const QUERIES_PER_ROUND = 3;
/** The figure of promise P4 for one fault. */
const survived = (fault: string, queries: number): string => `P4 ${fault}: ${queries} of ${queries} answered`;
/** New names are resolved, blocked ones blocked. */
async function assertAnswers(service: DnsService, device: string): Promise<void> {
  for (const over of ['udp', 'tcp'] as const)
    assert.deepEqual(addresses(await ask(service, device, `new${asked++}.example.com`, over)), [HERE]);
  assert.deepEqual(addresses(await ask(service, device, BLOCKED)), ['0.0.0.0']);
}

/** Queries one after the other until `stop`, and fails on the first wrong answer; `often` waits for ten more rounds. */
function askAllTheTime(service: DnsService, device: string) {
  let isOver = false;
  let times = 0;
  const asking = (async () => {
    while (!isOver) {
      await assertAnswers(service, device);
      times++;
      await sleep(50);
    }
  })();
  asking.catch(() => {});
  return {
    often: async (): Promise<void> => {
      const enough = times + 10;
      while (times < enough) await Promise.race([asking, sleep(50)]);
    },
    /** Returns how many queries were sent; every one was answered as expected. */
    stop: async (): Promise<number> => {
      isOver = true;
      await asking;
      return times * QUERIES_PER_ROUND;
    },
  };
}

async function prepared(home: Home): Promise<string> {
  await home.set({ user_rules_settings: { enabled: true, rules: [`||${BLOCKED}^`] } });
  return (await home.device('laptop')).id;
}

const change = ({ service, server, authorization }: Home, ttl: number): Promise<Response> =>
  fetch(`${service.url}/oapi/v1/dns_servers/${server}/settings`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ block_ttl_seconds: ttl }),
  });
const read = ({ service, authorization }: Home): Promise<Response> =>
  fetch(`${service.url}/oapi/v1/devices`, { headers: { authorization } });

const logFiles = async (data: string): Promise<string[]> =>
  (await readdir(join(data, 'log'))).filter((file) => /^log-.*\.db$/.test(file)).map((file) => join(data, 'log', file));

test('with SQLite', async (t) => {
  const world = await startWorld(t, worldOf([address('short.example.com', HERE, 1)]));
  const data = await temporaryFolder(t);
  const first = await startDns(t, world.address, [], { data });
  const home = await makeHome(first);
  const device = await prepared(home);
  await assertAnswers(first, device);
  await home.logged(BLOCKED);
  const file = join(data, 'settings.sqlite');

  await t.test('databases locked for longer than five seconds delay changes and the log, but no answers', async (t) => {
    const files = [join(data, 'settings.sqlite'), ...(await logFiles(data))];
    const held = files.map((file) => new DatabaseSync(file));
    const letGo = (): void => held.forEach((database) => void (database.isOpen && database.close()));
    t.after(letGo);
    for (const database of held) database.exec('begin immediate');
    const { often, stop } = askAllTheTime(first, device);
    const changing = change(home, 20);
    assert.equal((await read(home)).status, 200);
    const refused = await changing;
    assert.equal(refused.status, 503);
    assert.ok(refused.headers.has('retry-after'));
    await often();
    const before = `held${asked++}.example.com`;
    await ask(first, device, before);
    letGo();
    t.diagnostic(survived('databases locked', await stop()));
    assert.equal((await change(home, 20)).status, 200);
    assert.equal((await home.logged(before)).length, 1, 'what was answered meanwhile is in the log');
  });

  await t.test(
    'without any upstream, cached answers are served stale, the rest fails with a reason; blocked stays blocked',
    async () => {
      assert.deepEqual(addresses(await ask(first, device, 'short.example.com')), [HERE]);
      world.stop();
      const stale = await until('the answer to expire', async () => {
        const heard = await ask(first, device, 'short.example.com');
        return heard.error === 3 ? heard : undefined;
      });
      assert.deepEqual(addresses(stale), [HERE]);
      assert.equal(stale.answer[0]!.ttl, 30);
      const failed = await ask(first, device, 'unknown.example.com');
      assert.equal(failed.rcode, rcodes.SERVFAIL);
      assert.ok(failed.error === 22 || failed.error === 23, `${failed.error}`);
      assert.deepEqual(addresses(await ask(first, device, BLOCKED)), ['0.0.0.0']);
      assert.equal((await read(home)).status, 200);
      assert.equal((await change(home, 10)).status, 200);
    },
  );
  assert.equal(await first.stop(), 0);

  await t.test('a damaged log is set aside, and an expired certificate is served and reported', async (t) => {
    for (const file of await logFiles(data)) {
      await writeFile(file, Buffer.alloc(8192, 'this is no database '));
      await rm(`${file}-wal`, { force: true });
    }
    const { cert, key } = await makeSelfSigned(['localhost'], [], Date.now() - 20 * YEAR_MS);
    const [certFile, keyFile] = [join(data, 'old.crt'), join(data, 'old.key')];
    await writeFile(certFile, cert);
    await writeFile(keyFile, key);
    const second = await startWorld(t);
    const service = await startDns(t, second.address, ['--certificate', certFile, '--certificate-key', keyFile], {
      data,
    });
    await assertAnswers(service, device);
    const again = await homeOf(service, home.authorization);
    await again.set({ user_rules_settings: { enabled: true, rules: [`||${BLOCKED}^`] } });
    await ask(service, device, 'after.example.com');
    assert.equal((await again.logged('after.example.com')).length, 1);
    assert.ok((await readdir(join(data, 'log'))).some((file) => file.includes('corrupt') || file.includes('damaged')));
    // A name outside the certificate identifies no device; the refusal still arrives over TLS.
    for (const over of ['dot', 'doh'] as const) assert.ok((await ask(service, device, 'x.example.com', over)).response);
    assert.ok(service.log.some(({ msg }) => /certificate .* has expired/.test(String(msg))));
    assert.equal(await service.stop(), 0);
  });

  await t.test(
    'damaged settings: DNS uses the last known ones, the API returns 503, and both recover automatically',
    async (t) => {
      const world = await startWorld(t);
      const good = await readFile(file);
      await damage(file);
      const service = await startDns(t, world.address, [], { data });
      const told = service.log.find(({ msg }) => /settings cannot be read: DNS uses/.test(String(msg)));
      assert.match(String(told?.['problem']), /settings\.sqlite/);
      await assertAnswers(service, device);
      const there = { ...home, service };
      for (const asking of [read(there), change(there, 20)]) {
        const refused = await asking;
        assert.equal(refused.status, 503);
        assert.ok(refused.headers.has('retry-after'));
      }
      assert.deepEqual(await readFile(file), DAMAGED, 'it is left as it is');
      assert.match(await metricsOf(service), /^weir_dns_settings_are_current 0$/m);
      const ready = await fetch(`${service.url}/health/ready`);
      const { parts: _, ...body } = (await ready.json()) as { parts: unknown };
      assert.deepEqual(body, { status: 'ready', dns: 'listening', settings: 'last known' });
      const compiled = await post(service, '/compile', {
        configuration: { name: 'l', sources: [] },
        preFetchedContent: {},
      });
      assert.notEqual(compiled.status, 503, 'compilations need no settings');
      await writeFile(file, good);
      await until('the settings', async () => ((await change(there, 20)).status === 200 ? true : undefined));
      assert.ok(service.log.some(({ msg }) => /can be read again/.test(String(msg))));
      await assertAnswers(service, device);
      assert.match(await metricsOf(service), /^weir_dns_settings_are_current 1$/m);
      await ask(service, device, 'healed.example.com');
      assert.equal((await (await homeOf(service, home.authorization)).logged('healed.example.com')).length, 1);
      assert.equal(await service.stop(), 0);
    },
  );

  await t.test('an empty store in place of a damaged one is not taken for the settings', async (t) => {
    const world = await startWorld(t);
    await damage(file);
    const service = await startDns(t, world.address, [], { data });
    await rm(file);
    await start(`${bin}weir`, ['account', 'list', '--data', data], { cwd: data }).ended;
    // Longer than the retry interval of two seconds.
    await sleep(2500);
    assert.equal((await read({ ...home, service })).status, 503);
    await assertAnswers(service, device);
    assert.equal(await service.stop(), 0);
  });

  await t.test(
    'with damaged settings and a damaged snapshot the service prints the reason, changes neither and does not start',
    async () => {
      await damage(file);
      const snapshot = join(data, 'directory.snapshot');
      const bytes = await readFile(snapshot);
      const first = bytes.indexOf('"protectionEnabled":true');
      bytes.write('eurt', first + '"protectionEnabled":'.length);
      await writeFile(snapshot, bytes);
      const { code, stdout, stderr } = await start(`${bin}weir`, words(data), { cwd: data }).ended;
      assert.equal(code, 1);
      assert.match(stdout, /snapshot of the settings cannot be used.*|checksum is wrong/);
      assert.match(stderr, /settings\.sqlite/);
      assert.deepEqual(await readFile(file), DAMAGED);
      await rm(snapshot);
      assert.equal((await start(`${bin}weir`, words(data), { cwd: data }).ended).code, 1, 'nor without one');
    },
  );
});

const DAMAGED = Buffer.alloc(65_536, 'this is no database ');
async function damage(file: string): Promise<void> {
  for (const beside of ['-wal', '-shm']) await rm(file + beside, { force: true });
  await writeFile(file, DAMAGED);
}

const words = (data: string): string[] =>
  `serve --data ${data} --http 127.0.0.1:0 --admin off --log json --dns 127.0.0.1:0 --dot off --doh off`.split(' ');

const metricsOf = async ({ adminPort }: DnsService): Promise<string> =>
  (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();

const canMount = ((): boolean => {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
})();

test('a full disk stops changes and the log, and no answer', {
  skip: !canMount && 'no disk can be made here',
}, async (t) => {
  const world = await startWorld(t);
  let unmount = (): void => {};
  t.after(() => unmount());
  const data = await temporaryFolder(t);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', data]);
  unmount = () => void execFileSync('umount', ['-l', data]);
  const service = await startDns(t, world.address, [], { data });
  const home = await makeHome(service);
  const device = await prepared(home);
  const { often, stop } = askAllTheTime(service, device);
  await often();
  const filler = join(data, 'filler');
  // Fills the disk.
  await writeFile(filler, Buffer.alloc(40 * 1024 * 1024)).catch(() => undefined);
  const statuses: number[] = [];
  for (let i = 0; i < 40 && !statuses.includes(503); i++) {
    statuses.push((await change(home, 10 + i)).status);
    await sleep(50);
  }
  assert.ok(statuses.includes(503), statuses.join());
  assert.equal((await read(home)).status, 200);
  await often();
  await rm(filler);
  await until('room for changes', async () => ((await change(home, 30)).status === 200 ? true : undefined));
  t.diagnostic(survived('disk full', await stop()));
  const afterwards = `roomy${asked++}.example.com`;
  await ask(service, device, afterwards);
  assert.equal((await home.logged(afterwards)).length, 1);
});

/** A proxy to a server, which can be blocked and unblocked. */
async function startGate(t: { after(end: () => unknown): void }, to: number) {
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one);
      one.on('error', () => {}).on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  const port = await freePort();
  const open = async (): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const shut = (): void => {
    server.close();
    for (const socket of ends) socket.destroy();
    ends.clear();
  };
  t.after(shut);
  await open();
  return { port, shut, open };
}

test('while PostgreSQL is unavailable, answers continue and the log is buffered; afterwards all works again', async (t) => {
  const database = await newPostgresDatabase();
  if (database === undefined) return;
  const place = new URL(database);
  const gate = await startGate(t, Number(place.port));
  place.port = `${gate.port}`;
  const world = await startWorld(t);
  const service = await startDns(t, world.address, ['--database', place.href]);
  const home = await makeHome(service);
  const device = await prepared(home);
  await assertAnswers(service, device);
  gate.shut();
  const { often, stop } = askAllTheTime(service, device);
  const meanwhile = `meanwhile${asked++}.example.com`;
  await ask(service, device, meanwhile);
  assert.equal((await change(home, 20)).status, 503);
  assert.equal((await read(home)).status, 503);
  await often();
  await gate.open();
  await until('changes', async () => ((await change(home, 20)).status === 200 ? true : undefined));
  t.diagnostic(survived('PostgreSQL unreachable', await stop()));
  assert.equal((await home.logged(meanwhile)).length, 1);

  assert.equal(await service.stop(), 0);
  gate.shut();
  const again = await startDns(t, world.address, ['--database', place.href], { data: service.data });
  await assertAnswers(again, device);
  assert.equal((await read({ ...home, service: again })).status, 503);
  await gate.open();
  const back = { ...home, service: again };
  await until('changes after a start without it', async () =>
    (await change(back, 30)).status === 200 ? true : undefined,
  );
  await assertAnswers(again, device);
  const afterwards = `afterwards${asked++}.example.com`;
  await ask(again, device, afterwards);
  assert.equal((await (await homeOf(again, home.authorization)).logged(afterwards)).length, 1);
});

test('a compilation that takes its thread down, and a database damaged under the running service, harm no answer', async (t) => {
  const world = await startWorld(t);
  const service = await startDns(t, world.address, ['--compile-memory', '32MiB']);
  const home = await makeHome(service);
  const device = await prepared(home);
  const { often, stop } = askAllTheTime(service, device);
  const greedy = {
    configuration: { name: 'greedy', sources: [{ source: 'all' }], transformations: ['Deduplicate'] },
    preFetchedContent: { all: '||same.example^\n'.repeat(500_000) },
    explain: true,
  };
  assert.equal((await post(service, '/compile', greedy)).status, 500);

  const database = await open(join(service.data, 'settings.sqlite'), 'r+');
  await database.write(Buffer.alloc(200_000, 'this is no database '), 0, 200_000, 0);
  await database.close();
  for (let i = 0; i < 5; i++)
    for (const response of await Promise.all([read(home), change(home, 20 + i)]))
      assert.ok(response.status === 200 || response.status === 503, `${response.status}`);
  await often();
  t.diagnostic(survived('compile worker out of memory, settings database damaged', await stop()));
  const after = `damaged${asked++}.example.com`;
  assert.deepEqual(addresses(await ask(service, device, after)), [HERE]);
});

test('a clock that jumps by an hour or a year, forth and back, harms no answer', {
  skip: faketimeFor.skip,
}, async (t) => {
  const world = await startWorld(t);
  const clock = await faketimeFor.clock(t);
  const service = await startDns(t, world.address, [], { env: clock.env });
  const home = await makeHome(service);
  const device = await prepared(home);
  const { api_key } = await home.ask('POST', '/api/v1/api_keys', { name: 'lasting' });
  const keyed = { ...home, authorization: `ApiKey ${api_key}` };
  const known = async (): Promise<Answer> => ask(service, device, 'known.example.com');
  await known();
  for (const shift of ['+3600', '-3600', '+31536000', '-31536000', '+0']) {
    await clock.shift(shift);
    const { headers } = await fetch(service.url);
    const apart = Date.parse(headers.get('date') ?? '') - Date.now() - Number(shift) * 1000;
    assert.ok(Math.abs(apart) < 10_000, `the clock of the service is shifted by ${shift} s`);
    await assertAnswers(service, device);
    assert.equal((await read(keyed)).status, 200, 'a key has no end');
    assert.equal((await change(keyed, 20)).status, 200);
    const { answer } = await known();
    // TTLs use a monotonic clock.
    assert.ok(answer[0]!.ttl > 200 && answer[0]!.ttl <= 300, `${shift}: ${answer[0]!.ttl}`);
  }
  assert.equal(world.timesAsked('known.example.com'), 1);
  const complaints = service.log.filter(({ level }) => Number(level) >= 50).map(({ msg }) => msg);
  assert.deepEqual(complaints, []);
});
