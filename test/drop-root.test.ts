import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { firstUnreadable } from '../src/platform/system-user.ts';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { homeOf, makeHome, startDns, until } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { freePort } from './support/kit/ports.ts';
import { bin, start } from './support/weir.ts';

const UID = 65_532;
const user = { name: undefined, uid: UID, gid: UID, groups: [UID] };
const whySkipped = (): string | false => {
  if (process.getuid?.() !== 0) return 'needs root';
  const unreadable = firstUnreadable([bin], user);
  return unreadable === undefined ? false : `other users may not read ${unreadable}`;
};

/** Fields of /proc/PID/task/TID/status of every thread. */
const threadsOf = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).map((thread) => {
    const text = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    const field = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1] ?? '';
    return {
      name: field('Name'),
      uid: field('Uid'),
      gid: field('Gid'),
      groups: field('Groups').trim(),
      effective: field('CapEff'),
      permitted: field('CapPrm'),
      noNew: field('NoNewPrivs'),
    };
  });

test('started as root with --user or as 65532 by default, no thread keeps root, and the service works', {
  skip: whySkipped(),
}, async (t) => {
  const world = await startWorld(t);
  const parent = await temporaryFolder(t);
  await chmod(parent, 0o755);
  const data = join(parent, 'data');
  await mkdir(data);
  const port = await freePort(700, 200);
  // No ACME server listens on this port; the account key is created anyway.
  const acme = ['--acme-domains', 'dns.example.net', '--acme-directory', 'https://127.0.0.1:9/directory'];
  const flags = ['--user', `${UID}`, '--dns', `127.0.0.1:${port}`, ...acme];
  const service = await startDns(t, world.address, flags, { data });
  assert.equal(service.ports.dns, port);
  const threads = threadsOf(service.pid);
  t.diagnostic(`${threads.length} threads without root`);
  const all = `${UID}\t${UID}\t${UID}\t${UID}`;
  for (const thread of threads) {
    assert.deepEqual(
      { ...thread, name: '', noNew: '' },
      {
        name: '',
        uid: all,
        gid: all,
        groups: `${UID}`,
        effective: '0'.repeat(16),
        permitted: '0'.repeat(16),
        noNew: '',
      },
    );
    assert.equal(thread.noNew, '1', thread.name);
  }
  const key = join(data, 'acme/account.key');
  await until('the account key', async () => statSync(key, { throwIfNoEntry: false }));
  assert.deepEqual([statSync(key).uid, statSync(key).mode & 0o777], [UID, 0o600]);
  const home = await makeHome(service);
  const { id: device } = await home.device('laptop');
  await home.dug(device, 'udp', 'first.example.com', 'A');
  await home.logged('first.example.com');
  assert.equal((await fetch(`http://127.0.0.1:${service.adminPort}/metrics`)).status, 200);
  await home.ask('POST', '/api/v1/system/backup');

  // Commands run by root leave only files that the service can use.
  const listed = await start(`${bin}weir`, ['account', 'list', '--data', data], { cwd: '/' }).ended;
  assert.equal(listed.code, 0, listed.stderr);
  await home.set({ block_ttl_seconds: 33 });
  for (const file of readdirSync(data, { recursive: true }) as string[]) {
    const found = statSync(join(data, file), { throwIfNoEntry: false });
    if (found) assert.equal(found.uid, UID, file);
  }
  assert.equal(await service.stop(), 0);

  // By default it runs as the user weir; if that does not exist, as the previous user.
  const again = await startDns(t, world.address, ['--user', 'auto', ...flags.slice(2)], { data });
  const hasUser = /^weir:/m.test(readFileSync('/etc/passwd', 'utf8'));
  for (const { uid } of threadsOf(again.pid)) {
    assert.notEqual(uid.split('\t')[1], '0');
    if (!hasUser) assert.equal(uid, all);
  }
  const same = await homeOf(again, home.authorization);
  await same.dug(device, 'tcp', 'second.example.com', 'A');
  await same.logged('second.example.com');
  await until('it runs without root', () => again.log.find(({ msg }) => msg === 'running without root'));
  assert.equal(await again.stop(), 0);
});

test('a user that cannot be used is refused by name, and warned of otherwise', { skip: whySkipped() }, async (t) => {
  const closed = await temporaryFolder(t);
  await chmod(closed, 0o700);
  const words = (user: string): string[] =>
    `serve --data ${join(closed, 'data')} --http 127.0.0.1:0 --admin off --dns off --dot off --doh off --log json --user ${user}`.split(
      ' ',
    );
  for (const [name, why] of [
    ['does-not-exist', /user "does-not-exist" does not exist/],
    ['root', /user "root" does not exist or is root/],
    [`${UID}`, /cannot read/],
  ] as const) {
    const { code, stderr } = await start(`${bin}weir`, words(name), { cwd: '/' }).ended;
    assert.equal(code, 1);
    assert.match(stderr, why);
  }
});
