import { spawn } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import pg from 'pg';
import { freePort } from '../kit/ports.ts';
import { until } from '../kit/until.ts';
import { postgresUser } from './postgres.ts';
import { temporaryFolder } from './stores.ts';

/** PgBouncer in front of the server of this database. */
export async function startPgBouncer(t: TestContext, url: string, mode: 'session' | 'transaction'): Promise<string> {
  const folder = temporaryFolder(t);
  const owner = postgresUser();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${new URL(url).port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
    { mode: 0o644 },
  );
  const child = spawn('/usr/sbin/pgbouncer', [file], { ...owner, cwd: folder, stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  const through = new URL(url);
  through.port = `${port}`;
  await until('PgBouncer', async () => {
    const client = new pg.Client(through.href);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  });
  return through.href;
}
