import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { startService } from './support/service.ts';
import { newPostgresDatabase } from './support/store/postgres.ts';
import { bin, start } from './support/weir.ts';

test('accounts and log in PostgreSQL: the same commands, the same wire, and a way back to files', async (t) => {
  const database = await newPostgresDatabase();
  if (database === undefined) return;
  const data = await temporaryFolder(t);
  const where = ['--data', data, '--database', database];
  const weir = async (words: readonly string[], stdin = ''): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await start(`${bin}weir`, words, { cwd: data, stdin }).ended;
    assert.equal(code, 0, stderr);
    return stdout.startsWith('{') ? (JSON.parse(stdout) as Record<string, unknown>) : {};
  };
  const who = ['--email', 'me@example.org'];
  await weir(['account', 'create', ...where, ...who, '--password-stdin', '--json'], 'correct horse battery');
  const service = await startService(t, ['--database', database], { data });
  const { key } = await weir(['account', 'key', ...where, ...who, '--name', 'k', '--json']);
  const headers = { authorization: `ApiKey ${String(key)}` };
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`${service.url}/oapi/v1/${path}`, { headers });
    assert.equal(response.status, 200, path);
    return response.json();
  };
  assert.equal(((await ask('dns_servers')) as unknown[]).length, 1);
  await weir(['dev', 'seed', ...where, ...who, '--days', '1', '--queries', '2000']);
  assert.equal(((await ask('devices')) as unknown[]).length, 6);
  const range = `time_from_millis=${Date.now() - 2 * 86_400_000}&time_to_millis=${Date.now()}`;
  const { items } = (await ask(`query_log?${range}&limit=50`)) as { items: unknown[] };
  assert.equal(items.length, 50);

  const file = join(data, 'backup');
  await weir(['backup', ...where, '--file', file]);
  const files = await temporaryFolder(t);
  await weir(['restore', '--data', files, '--file', file]);
  const { accounts } = (await weir(['account', 'list', '--data', files, '--json'])) as {
    accounts: { devices: number }[];
  };
  assert.deepEqual(
    accounts.map(({ devices }) => devices),
    [6],
  );
});
