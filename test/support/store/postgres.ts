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
  return (await startPostgresServer())?.url;
}

/** Another server, which the test may stop; `standbyOf`: a copy that follows this server. */
export async function startPostgresServer(standbyOf?: PostgresServer): Promise<PostgresServer | undefined> {
  const programs = findPrograms();
  if (!programs) return leaveOut('PostgreSQL is not installed (Debian: apt-get install postgresql)');
  const folder = mkdtempSync(join(tmpdir(), 'weir-postgres-'));
  const owner = postgresUser();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const options = { ...owner, cwd: folder, stdio: 'ignore' } as const;
  const run = (program: string, ...words: string[]): void =>
    void execFileSync(join(programs, program), [...words, '-D', folder], options);
  if (standbyOf)
    run('pg_basebackup', '-R', '-c', 'fast', '-h', '127.0.0.1', '-p', `${standbyOf.port}`, '-U', 'postgres');
  else run('initdb', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N');
  const port = await freePort();
  const settings = ['fsync=off', 'full_page_writes=off', 'listen_addresses=127.0.0.1', 'shared_buffers=32MB'];
  const flags = settings.flatMap((setting) => ['-c', setting]);
  const url = `postgres://postgres@127.0.0.1:${port}`;
  let pid = 0;
  const start = async (): Promise<void> => {
    const server = spawn(join(programs, 'postgres'), ['-D', folder, '-p', `${port}`, '-k', folder, ...flags], options);
    server.unref();
    pid = server.pid!;
    await untilItAnswers(`${url}/postgres`);
  };
  const signal = (name: 'SIGSTOP' | 'SIGCONT'): void => {
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', `${pid}`], { encoding: 'utf8' });
    for (const each of [pid, ...children.trim().split(/\s+/).map(Number)]) process.kill(each, name);
  };
  await start();
  process.once('exit', () => {
    try {
      // Waits until it is gone: what still runs would write into the folder again.
      run('pg_ctl', 'stop', '-m', 'immediate');
    } catch {
      // The test has stopped it.
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url,
    port,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async restart() {
      run('pg_ctl', 'stop', '-m', 'fast');
      await start();
    },
    stop: () => run('pg_ctl', 'stop', '-m', 'immediate'),
    promote: () => run('pg_ctl', 'promote', '-w'),
  };
}

export type PostgresServer = {
  readonly url: string;
  readonly port: number;
  /** Stops all its processes with SIGSTOP until `thaw`. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly restart: () => Promise<void>;
  readonly stop: () => void;
  /** Makes a standby the primary. */
  readonly promote: () => void;
};

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
export function postgresUser(): { uid: number; gid: number } | undefined {
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
