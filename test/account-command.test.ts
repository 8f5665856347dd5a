import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { type Service, startService } from './support/service.ts';
import { bin, start } from './support/weir.ts';

const PASSWORD = 'correct horse battery';

const weir = (words: readonly string[], cwd: string, stdin = '') => start(`${bin}weir`, words, { cwd, stdin }).ended;

async function json(words: readonly string[], cwd: string, stdin = ''): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await weir([...words, '--json'], cwd, stdin);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}

const as = (key: unknown) => ({ authorization: `ApiKey ${String(key)}` });
const ask = (service: Service, path: string, headers: Record<string, string>) =>
  fetch(`${service.url}/oapi/v1/${path}`, { headers });

test('an account and its key are made with the server running or not, and used on the wire', async (t) => {
  const data = await temporaryFolder(t);
  const where = ['--data', data];
  const made = await json(
    ['account', 'create', ...where, '--email', 'Me@Example.org', '--password-stdin'],
    data,
    PASSWORD,
  );
  assert.equal(made['email'], 'me@example.org');
  const { key } = await json(['account', 'key', ...where, '--email', 'me@example.org', '--name', 'first'], data);
  const service = await startService(t, [], { data });
  assert.equal((await ask(service, 'dns_servers', as(key))).status, 200);

  await json(['account', 'create', ...where, '--email', 'you@example.org', '--password-stdin'], data, `${PASSWORD}\n`);
  const { key: other } = await json(['account', 'key', ...where, '--email', 'you@example.org', '--name', 'x'], data);
  assert.equal((await ask(service, 'devices', as(other))).status, 200);
  const body = new URLSearchParams({ username: 'you@example.org', password: PASSWORD });
  const token = await fetch(`${service.url}/oapi/v1/oauth_token`, { method: 'POST', body });
  assert.equal(token.status, 200);
  const { access_token } = (await token.json()) as { access_token: string };
  assert.equal((await ask(service, 'devices', { authorization: `Bearer ${access_token}` })).status, 200);

  await json(
    ['account', 'passwd', ...where, '--email', 'you@example.org', '--password-stdin'],
    data,
    'another horse battery',
  );
  assert.equal((await ask(service, 'devices', { authorization: `Bearer ${access_token}` })).status, 401);
  assert.equal((await fetch(`${service.url}/oapi/v1/oauth_token`, { method: 'POST', body })).status, 401);
});

test('limits of one account are set and taken back', async (t) => {
  const data = await temporaryFolder(t);
  const where = ['--data', data, '--email', 'me@example.org'];
  await json(['account', 'create', ...where, '--password-stdin'], data, PASSWORD);
  const set = await json(['account', 'limits', ...where, '--set', 'devices=5', 'userRules=10'], data);
  assert.deepEqual(set['limits'], { devices: 5, userRules: 10 });
  const back = await json(['account', 'limits', ...where, '--set', 'devices='], data);
  assert.deepEqual(back['limits'], { userRules: 10 });
  const { code, stderr } = await weir(['account', 'limits', ...where, '--set', 'cars=5'], data);
  assert.equal(code, 1);
  assert.match(stderr, /^weir: "cars=5" is not KIND=NUMBER; kinds are devices, /);
});

test('an account is deleted with all its data after a confirmation', async (t) => {
  const data = await temporaryFolder(t);
  const where = ['--data', data, '--email', 'me@example.org'];
  await json(['account', 'create', ...where, '--password-stdin'], data, PASSWORD);
  const hasty = await weir(['account', 'delete', ...where], data);
  assert.equal(hasty.code, 1);
  assert.match(hasty.stderr, /add --yes/);
  await json(['account', 'delete', ...where, '--yes'], data);
  assert.deepEqual(await json(['account', 'list', '--data', data], data), { accounts: [] });
});

test('errors are printed in one line', async (t) => {
  const data = await temporaryFolder(t);
  const where = ['--data', data];
  const wrong: readonly (readonly [string[], string, RegExp])[] = [
    [['create', ...where, '--email', 'nobody', '--password-stdin'], PASSWORD, /"nobody" is not an e-mail address/],
    [['create', ...where, '--email', 'a@b.example', '--password-stdin'], 'short', /^weir: the password /],
    [['create', ...where, '--email', 'a@b.example'], '', /add --password-stdin/],
    [['create', ...where, '--password-stdin'], PASSWORD, /--email is required/],
    [['key', ...where, '--email', 'a@b.example', '--name', 'x'], '', /no user has the address a@b\.example/],
    [
      ['create', ...where, '--email', 'a@b.example', '--time-zone', 'Mars', '--password-stdin'],
      PASSWORD,
      /"Mars" is not a time zone/,
    ],
    [['remove', ...where], '', /unknown command "remove"; available: create, list/],
    [['list', ...where, '--colour'], '', /unknown option --colour/],
  ];
  for (const [words, stdin, message] of wrong) {
    const { code, stdout, stderr } = await weir(['account', ...words], data, stdin);
    assert.deepEqual([code, stdout], [1, ''], words.join(' '));
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /^\s+at /m);
  }
});

test('a backup of a running service is restored elsewhere, and only into an empty store', async (t) => {
  const data = await temporaryFolder(t);
  await json(['account', 'create', '--data', data, '--email', 'me@example.org', '--password-stdin'], data, PASSWORD);
  const { key } = await json(['account', 'key', '--data', data, '--email', 'me@example.org', '--name', 'k'], data);
  await startService(t, [], { data });
  const file = join(data, 'backup');
  assert.equal((await weir(['backup', '--data', data, '--file', file], data)).code, 0);
  assert.equal((await stat(file)).mode & 0o077, 0);
  assert.ok(!(await readFile(file, 'utf8')).includes(String(key)));

  const other = await temporaryFolder(t);
  const restored = await weir(['restore', '--data', other, '--file', file], data);
  assert.equal(restored.code, 0, restored.stderr);
  const service = await startService(t, [], { data: other });
  assert.equal((await ask(service, 'dns_servers', as(key))).status, 200);
  const again = await weir(['restore', '--data', other, '--file', file], data);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /^weir: .*account/);
});

test('a second service on the same folder is refused', async (t) => {
  const data = await temporaryFolder(t);
  await startService(t, [], { data });
  const { code, stderr } = await weir(['serve', '--data', data, '--http', '127.0.0.1:0', '--admin', 'off'], data);
  assert.equal(code, 1);
  assert.match(stderr, /^weir: cannot start: /);
});

test('traffic for trying things out shows in log and statistics', async (t) => {
  const data = await temporaryFolder(t);
  const who = ['--data', data, '--email', 'me@example.org'];
  await json(['account', 'create', ...who, '--password-stdin'], data, PASSWORD);
  const { key } = await json(['account', 'key', ...who, '--name', 'k'], data);
  const seeded = await weir(['dev', 'seed', ...who, '--days', '2', '--queries', '3000'], data);
  assert.equal(seeded.code, 0, seeded.stderr);
  const service = await startService(t, [], { data });
  const range = `time_from_millis=${Date.now() - 3 * 86_400_000}&time_to_millis=${Date.now()}`;
  const log = (await (await ask(service, `query_log?${range}&limit=100`, as(key))).json()) as { items: unknown[] };
  assert.equal(log.items.length, 100);
  const stats = (await (await ask(service, `stats/time?${range}`, as(key))).json()) as {
    stats: { value: { queries: number } }[];
  };
  assert.ok(Math.abs(stats.stats.reduce((sum, { value }) => sum + value.queries, 0) - 3000) < 60);
});
