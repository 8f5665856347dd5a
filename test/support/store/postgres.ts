import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../kit/ports.ts';
import { isUnitRun } from '../kit/slow.ts';

const PACKAGES = '/usr/lib/postgresql';

let cluster: Promise<string | undefined> | undefined;
let databases = 0;

/** The address of a new, empty database; undefined in unit tests and without PostgreSQL, which in CI is an error. */
export async function newPostgresDatabase(): Promise<string | undefined> {
  if (isUnitRun) return undefined;
  cluster ??= startCluster();
  const server = await cluster;
  if (server === undefined) return undefined;
  const name = `test_${++databases}`;
  const client = new pg.Client(`${server}/postgres`);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return `${server}/${name}`;
}

/** A server of this process's own, which goes with it. */
async function startCluster(): Promise<string | undefined> {
  const programs = findPrograms();
  if (!programs) return leaveOut('PostgreSQL is not installed (Debian: apt-get install postgresql)');
  const folder = mkdtempSync(join(tmpdir(), 'weir-postgres-'));
  const owner = ownerOfServer();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const options = { ...owner, cwd: folder, stdio: 'ignore' } as const;
  execFileSync(join(programs, 'initdb'), ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N'], options);
  const port = await freePort();
  const settings = ['fsync=off', 'full_page_writes=off', 'listen_addresses=127.0.0.1', 'shared_buffers=32MB'];
  const flags = settings.flatMap((setting) => ['-c', setting]);
  const server = spawn(join(programs, 'postgres'), ['-D', folder, '-p', `${port}`, '-k', folder, ...flags], options);
  server.unref();
  process.once('exit', () => {
    // Waits until it is gone: what still runs would write into the folder again.
    execFileSync(join(programs, 'pg_ctl'), ['stop', '-m', 'immediate', '-D', folder], options);
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `postgres://postgres@127.0.0.1:${port}`;
  await untilItAnswers(`${url}/postgres`);
  return url;
}

function findPrograms(): string | undefined {
  if (!existsSync(PACKAGES)) return undefined;
  const newest = readdirSync(PACKAGES).sort((a, b) => Number(b) - Number(a))[0];
  return newest && join(PACKAGES, newest, 'bin');
}

function leaveOut(why: string): undefined {
  if (process.env['CI'] === 'true') throw new Error(why);
  process.stderr.write(`left out: ${why}\n`);
  return undefined;
}

/** The server refuses to run as root. */
function ownerOfServer(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function untilItAnswers(url: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (tries === 200) throw error;
      await wait(50);
    }
  }
}
