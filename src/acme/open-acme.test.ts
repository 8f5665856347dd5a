import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pebble, startPebble } from '../../test/support/acme/pebble.ts';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { address, startWorld } from '../../test/support/dns-upstream.ts';
import { until } from '../../test/support/kit/until.ts';
import { missing } from '../../test/support/programs.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/durations.ts';
import { certificateFile } from './acme-files.ts';
import type { Challenge } from './challenge.ts';
import { type AcmeClock, type AcmeOptions, openAcme } from './open-acme.ts';

const skip = missing('pebble');
const domains = ['dns.example.org', 'www.example.org'];

/** A clock that goes on by itself only in short waits, those for the authority. */
function testClock() {
  let now = Date.now();
  let long: { readonly ms: number; readonly end: () => void } | undefined;
  const clock: AcmeClock = {
    now: () => now,
    async sleep(ms, signal) {
      if (ms <= 10_000) await sleep(20);
      else
        await new Promise<void>((resolve) => {
          long = { ms, end: resolve };
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
    },
  };
  return {
    clock,
    /** Waits until it has nothing to do, and then for this time. */
    pass: async (ms: number): Promise<void> => {
      await until('nothing is due', () => long !== undefined);
      now += ms;
      const { end } = long!;
      long = undefined;
      end();
      await until('nothing is due', () => long !== undefined);
    },
    idle: () => until('nothing is due', () => long !== undefined),
  };
}

/** A web server that answers HTTP-01 challenges on every domain, and Pebble that asks it. */
async function startAuthority(t: TestContext, externalAccounts?: Readonly<Record<string, string>>) {
  let challenges: readonly Challenge[] = [];
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.host ?? '');
    const token = request.url?.split('/').at(-1);
    response.end(challenges.find((challenge) => challenge.token === token)?.keyAuthorization ?? 'wrong');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const dns = await startWorld(t, ({ name }) => ({ answer: [address(name, '127.0.0.1')] }));
  const pebble = await startPebble(t, {
    dns: dns.address,
    httpPort: port,
    tlsPort: port,
    ...(externalAccounts && { externalAccounts }),
  });
  const present = async (given: readonly Challenge[]): Promise<void> => {
    challenges = given;
  };
  return { pebble, present, seen, pending: () => challenges };
}

async function start(t: TestContext, pebble: Pick<Pebble, 'directory' | 'ca'>, more: Partial<AcmeOptions> = {}) {
  const folder = more.folder ?? (await temporaryFolder(t));
  const { clock, ...time } = testClock();
  const events: string[] = [];
  const acme = await openAcme({
    folder,
    directory: pebble.directory,
    domains,
    email: 'ops@example.org',
    challenge: 'http-01',
    host: 'ns.example.org',
    present: async () => {},
    onCertificate: async () => void events.push('certificate'),
    report: (_level, text) => void events.push(text),
    userAgent: 'weir/test',
    clock: more.clock ?? clock,
    random: () => 0.5,
    ca: pebble.ca,
    ...more,
  });
  const stopping = new AbortController();
  const running = acme.run(stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
  };
  t.after(stop);
  await time.idle();
  return { acme, folder, events, stop, clock, ...time };
}

const certificateIn = async (folder: string): Promise<X509Certificate> =>
  new X509Certificate(await readFile(certificateFile(folder)));

test('a certificate is obtained, used at once, renewed in time, and not requested again after a restart', {
  skip,
}, async (t) => {
  const { pebble, present, pending } = await startAuthority(t);
  const { acme, folder, events, pass, stop, clock } = await start(t, pebble, { present });
  assert.deepEqual(events.slice(0, 2), ['certificate', 'a certificate was obtained']);
  assert.deepEqual(pending(), []);
  const first = await certificateIn(folder);
  assert.equal(first.subjectAltName, 'DNS:dns.example.org, DNS:www.example.org');
  assert.ok(
    first.checkIssued(
      new X509Certificate((await readFile(certificateFile(folder), 'utf8')).split(/(?=-----BEGIN)/)[1]!),
    ),
  );
  for (const name of ['account.key', 'certificate.pem', 'progress.json'])
    assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600, name);

  const life = first.validToDate.getTime() - first.validFromDate.getTime();
  const { certificate, nextAttemptAt, lastError } = acme.state();
  assert.deepEqual([certificate, lastError], ['valid', undefined]);
  const share = (nextAttemptAt - first.validFromDate.getTime()) / life;
  assert.ok(share > 0.66 && share < 0.69, `renewal at ${share} of its life`);

  await pass(nextAttemptAt - clock.now() - DAY_MS);
  assert.equal((await certificateIn(folder)).serialNumber, first.serialNumber);
  const account = await readFile(join(folder, 'account.key'), 'utf8');
  await pass(2 * DAY_MS);
  const second = await certificateIn(folder);
  assert.notEqual(second.serialNumber, first.serialNumber);
  assert.equal(await readFile(join(folder, 'account.key'), 'utf8'), account);
  // For this clock the certificate is years old: it is not requested again and again.
  assert.ok(acme.state().nextAttemptAt - clock.now() > 11 * HOUR_MS);

  await stop();
  const again = await start(t, pebble, { present, folder });
  assert.equal((await certificateIn(folder)).serialNumber, second.serialNumber);
  await again.stop();
  // Another set of domains needs another certificate.
  const other = await start(t, pebble, { present, folder, domains: ['other.example.org'] });
  assert.equal((await certificateIn(other.folder)).subjectAltName, 'DNS:other.example.org');
});

test('a wrong challenge response is explained, the wait grows, and the previous certificate stays in use', {
  skip,
}, async (t) => {
  const { pebble, seen } = await startAuthority(t);
  const folder = await temporaryFolder(t, { 'certificate.pem': 'previous' });
  const { acme, pass, clock, events } = await start(t, pebble, { folder });
  const failure = acme.state().lastError!;
  assert.match(failure.text, /authorization/);
  assert.match(failure.advice!.text, /\.well-known\/acme-challenge\/ must reach this server: forward port 80/);
  assert.match(failure.advice!.text, /^http:\/\/(dns|www)\.example\.org/);
  assert.equal(await readFile(certificateFile(folder), 'utf8'), 'previous');
  const asked = seen.length;
  const waits: number[] = [];
  for (let times = 0; times < 3; times++) {
    const wait = acme.state().nextAttemptAt - clock.now();
    waits.push(wait / MINUTE_MS);
    await pass(wait - MINUTE_MS);
    assert.ok(seen.length <= asked * (times + 1), 'not before its time');
    await pass(MINUTE_MS);
  }
  assert.deepEqual(waits, [5, 10, 20]);
  assert.equal(events.filter((text) => text === 'no certificate was obtained').length, 4);
});

test('while the directory is unreachable nothing else happens, and a restart does not send a request immediately', async (t) => {
  const away = { directory: 'https://127.0.0.1:9/dir', ca: '' };
  const { acme, folder, stop, clock } = await start(t, away);
  const { text, advice } = acme.state().lastError!;
  assert.match(text, /127\.0\.0\.1:9.*ECONNREFUSED/);
  assert.match(advice!.text, /acme-directory/);
  const next = acme.state().nextAttemptAt;
  assert.equal(next - clock.now(), 5 * MINUTE_MS);
  await stop();
  const again = await start(t, away, { folder });
  assert.ok(Math.abs(again.acme.state().nextAttemptAt - next) < MINUTE_MS);
  assert.deepEqual(again.events, []);
  await again.stop();
  // After many failures a restart tries sooner, but still later.
  const path = join(folder, 'progress.json');
  const progress = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...progress, failures: 9, nextAttemptAt: next + DAY_MS }));
  const third = await start(t, away, { folder });
  assert.equal(third.acme.state().nextAttemptAt, progress.lastAttemptAt + 5 * MINUTE_MS);
});

test('external account binding is used if the authority requires it, and its absence is explained', {
  skip,
}, async (t) => {
  const key = Buffer.alloc(32, 7);
  const { pebble, present } = await startAuthority(t, { 'kid-1': key.toString('base64url') });
  const known = await start(t, pebble, { present, externalAccount: { keyId: 'kid-1', key } });
  assert.equal(known.acme.state().certificate, 'valid');
  const unknown = await start(t, pebble, { present });
  assert.equal(unknown.acme.state().lastError?.advice?.remedy, 'account');
  const wrong = await start(t, pebble, { present, externalAccount: { keyId: 'kid-1', key: Buffer.alloc(32, 8) } });
  assert.ok(wrong.acme.state().lastError);
});
