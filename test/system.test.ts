import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeHome, startDns } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';
import { bin, start } from './support/weir.ts';

const needs = { skip: missing('dig', 'kdig') };

/** The token of a new user with an account. */
async function signedIn(url: string, data: string, email: string): Promise<string> {
  const password = 'correct horse battery staple';
  const words = ['account', 'create', '--data', data, '--email', email, '--password-stdin', '--json'];
  const { code, stderr } = await start(`${bin}weir`, words, { cwd: data, stdin: password }).ended;
  assert.equal(code, 0, stderr);
  const response = await fetch(`${url}/oapi/v1/oauth_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ username: email, password }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return `Bearer ${access_token}`;
}

test('only the operator sees the state of the installation and makes backups', needs, async (t) => {
  const world = await startWorld(t);
  const service = await startDns(t, world.address);
  const home = await makeHome(service);
  const { id } = await home.device('asker');
  await home.dug(id, 'udp', 'site.example.com');
  await home.logged('site.example.com');
  const before = await home.ask('GET', '/api/v1/system');
  assert.equal(before.database, 'sqlite');
  assert.deepEqual(
    before.listeners.map(({ name }: { name: string }) => name),
    ['http', 'dns', 'dot', 'doh'],
  );
  assert.deepEqual(
    before.listeners.map(({ port }: { port: number }) => port),
    [service.port, service.ports.dns, service.ports.dot, service.ports.doh],
  );
  const [upstream] = before.dns.upstreams;
  assert.equal(upstream.upstream, world.address);
  assert.ok(upstream.is_in && upstream.answered >= 1 && upstream.latency_ms > 0);
  assert.deepEqual([before.dns.accounts, before.dns.devices, before.dns.are_settings_current], [1, 1, true]);
  assert.ok(before.dns.cache_entries >= 1 && before.records.stored >= 1);
  assert.equal(before.last_backup, undefined);

  const backup = await home.ask('POST', '/api/v1/system/backup');
  assert.equal((await stat(backup.file)).size, backup.size_bytes);
  assert.equal((await stat(backup.file)).mode & 0o077, 0, 'for its owner only');
  assert.deepEqual((await home.ask('GET', '/api/v1/system')).last_backup, backup);
  const { items } = await home.ask('GET', '/api/v1/audit');
  assert.equal(items[0].action, 'system.backup');
  const download = await fetch(`${service.url}/api/v1/system/backup`, {
    headers: { authorization: home.authorization },
  });
  assert.equal((await download.arrayBuffer()).byteLength, backup.size_bytes);
  const restored = join(service.data, 'restored');
  const { code } = await start(`${bin}weir`, ['restore', '--data', restored, '--file', backup.file], {
    cwd: service.data,
  }).ended;
  assert.equal(code, 0);
  assert.ok((await readFile(join(restored, 'settings.sqlite'))).length > 0);

  const other = await signedIn(service.url, service.data, 'other@example.org');
  const { api_key } = await home.ask('POST', '/api/v1/api_keys', { name: 'script' });
  for (const authorization of [other, `ApiKey ${api_key}`])
    for (const [method, path] of [
      ['GET', '/api/v1/system'],
      ['POST', '/api/v1/system/backup'],
      ['GET', '/api/v1/system/backup'],
      ['GET', '/api/v1/system/settings'],
      ['GET', '/api/v1/system/doctor'],
      ['DELETE', '/api/v1/system/settings/drain'],
      ['DELETE', '/api/v1/system/cache'],
      ['POST', '/api/v1/system/certificates/reload'],
      ['POST', '/api/v1/system/lists/adguard_dns_filter/accept'],
    ] as const) {
      const response = await fetch(service.url + path, { method, headers: { authorization } });
      assert.equal(response.status, 403, `${method} ${path}`);
    }
});

test('the operator can be named, or there is none', needs, async (t) => {
  const world = await startWorld(t);
  for (const [operator, statuses] of [
    ['other@example.org', [403, 200]],
    ['nobody', [403, 403]],
  ] as const) {
    const service = await startDns(t, world.address, ['--operator', operator]);
    const { authorization } = await makeHome(service);
    const other = await signedIn(service.url, service.data, 'other@example.org');
    const answered = await Promise.all(
      [authorization, other].map((who) => fetch(`${service.url}/api/v1/system`, { headers: { authorization: who } })),
    );
    assert.deepEqual(
      answered.map(({ status }) => status),
      statuses,
    );
    assert.equal(await service.stop(), 0);
  }
});
