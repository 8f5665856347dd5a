import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isUnitRun } from '../kit/slow.ts';

/** Installed by scripts/test-needs.ts: the engine of ClickHouse as a library. It is not a dependency, because it has 550 MB. */
const chdbFolder = resolve('.cache/chdb');
/** In memory if possible: every insert creates some hundred small files. */
const dataFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const front = fileURLToPath(new URL('clickhouse-front.ts', import.meta.url));

type ClickhouseServer = {
  readonly port: number;
  readonly url: (database: string) => string;
  /** Runs a statement and returns the response as text. */
  readonly run: (statement: string, database?: string) => Promise<string>;
};

let shared: Promise<ClickhouseServer | undefined> | undefined;
let databases = 0;

/** A new, empty database; undefined in unit tests and without chdb, which in CI is an error. */
export async function newClickhouseDatabase() {
  if (isUnitRun) return undefined;
  shared ??= startClickhouse();
  const server = await shared;
  if (!server) return undefined;
  const name = `test_${++databases}`;
  return { url: server.url(name), run: (statement: string) => server.run(statement, name), server };
}

/** A server in a child process, which ends with this one. */
async function startClickhouse() {
  if (!existsSync(join(chdbFolder, 'node_modules/chdb'))) {
    const how = `npm install --no-save --prefix ${chdbFolder} chdb`;
    if (process.env['CI'] === 'true') throw new Error(`chdb is not installed: ${how}`);
    console.error(
      `tests on ClickHouse are left out, because chdb is not installed: node scripts/test-needs.ts, or ${how}`,
    );
    return undefined;
  }
  const data = mkdtempSync(join(dataFolder, 'weir-clickhouse-'));
  const child = spawn(process.execPath, [front, chdbFolder, data, '0'], {
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
  });
  process.once('exit', () => {
    child.kill('SIGKILL');
    rmSync(data, { recursive: true, force: true });
  });
  const [port] = (await once(child, 'message')) as [number];
  child.unref();
  child.channel?.unref();
  (child.stdin as unknown as { unref: () => void }).unref();
  return server(port);
}

function server(port: number): ClickhouseServer {
  return {
    port,
    url: (database) => `clickhouse://weir:secret@127.0.0.1:${port}/${database}`,
    async run(statement, database = 'default') {
      const response = await fetch(`http://127.0.0.1:${port}/?database=${database}`, {
        method: 'POST',
        body: statement,
        headers: { 'x-clickhouse-user': 'weir', 'x-clickhouse-key': 'secret' },
      });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      return text;
    },
  };
}
