import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreError } from '../domain/store-error.ts';
import type { Database, Snapshot } from './database.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { groupCommit } from './group-commit.ts';
import { type SqliteConnection, sqliteConnection } from './sqlite-connection.ts';
import { withStoreErrors } from './to-store-error.ts';

export const SETTINGS_FILE = 'settings.sqlite';

const BUSY_FOR_MS = 5000;
const LOOK_AGAIN_MS = 500;
// Reading the version takes 6 µs, a tenth of a request. Commits of this process are noticed at once.
const VERSION_FOR_MS = 10;

export type SqliteOptions = {
  readonly folder: string;
  /** For a command beside a running server; otherwise the folder is locked against other servers. */
  readonly besideServer?: boolean;
  readonly onWarning?: (warning: string) => void;
  /** Maximum time that another process may hold the database. */
  readonly busyForMs?: number;
};

/**
 * One file in a private folder. One connection writes, one transaction at a time; another reads, so that reads see only
 * committed data and never wait.
 */
export function openSqlite(options: SqliteOptions): Database {
  const { folder, besideServer = false, busyForMs = BUSY_FOR_MS, onWarning } = options;
  withStoreErrors(() => prepareFolder(folder));
  const path = join(folder, SETTINGS_FILE);
  const lock = besideServer ? undefined : lockFolder(folder, onWarning);
  try {
    return overFile(path, busyForMs, lock);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function overFile(path: string, busyForMs: number, lock: FolderLock | undefined): Database {
  let isDamaged = false;
  const onCorrupt = (): void => {
    isDamaged = true;
  };
  // The check reads the whole file: seconds of CPU time with 100,000 accounts.
  const isAsLeft = lock !== undefined && lock.leftState !== '' && lock.leftState === stateOf(path);
  const writer = openWriting(path, onCorrupt, isAsLeft);
  const reader = openReading(path, onCorrupt);
  const isInPlace = sameFile(path);
  // A commit to a deleted or replaced file succeeds but is lost with the process.
  const mustBeInPlace = (): void => {
    if (isInPlace()) return;
    throw new StoreError('lost', `${path} was deleted or replaced while the server runs: changes would be lost`);
  };
  const commits = groupCommit(writer, () => begin(writer, busyForMs), mustBeInPlace);
  const moments = snapshots(() => openReading(path, onCorrupt));
  const version = versionOf(reader);
  let stopWatching = (): void => {};

  return {
    kind: 'sqlite',
    read: reader.run,
    transaction: (work) => commits.add(() => work(writer.run)).finally(version.expire),
    // Transactions are already serialised; writes of other processes are detected by `watch`.
    lockAccount() {},
    lockName() {},
    announce() {},
    isLeader: async () => true,
    isInPlace,
    snapshot: moments.snapshot,
    onForeignCommit(listener) {
      stopWatching();
      stopWatching = watch(writer, listener);
    },
    version: version.current,
    connections: () => undefined,
    erase: () => commits.lock(() => rewrite(writer, busyForMs)),
    limitWaits() {},
    async close() {
      stopWatching();
      await commits.allDone();
      moments.close();
      reader.close();
      writer.close();
      lock?.release(isDamaged || !isInPlace() ? '' : stateOf(path));
    },
  };
}

function versionOf(reader: SqliteConnection) {
  let version = 0;
  let readAt = -Infinity;
  return {
    current: (): number => {
      const now = performance.now();
      if (now - readAt >= VERSION_FOR_MS) {
        version = reader.version();
        readAt = now;
      }
      return version;
    },
    expire: (): void => {
      readAt = -Infinity;
    },
  };
}

/** Whether the path still refers to the same file. Takes 2 µs. */
function sameFile(path: string): () => boolean {
  const { dev, ino } = statSync(path);
  return () => {
    const now = statSync(path, { throwIfNoEntry: false });
    return now?.ino === ino && now.dev === dev;
  };
}

/** Changes with every write to a closed database; empty if it was not closed properly or is not there. */
function stateOf(path: string): string {
  if (existsSync(`${path}-wal`)) return '';
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  return file ? `${file.dev} ${file.ino} ${file.size} ${file.mtimeNs}` : '';
}

function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

function openConnection(path: string, onCorrupt: () => void): SqliteConnection {
  const connection = sqliteConnection(path, onCorrupt);
  connection.exec(
    'pragma busy_timeout = 100; pragma foreign_keys = on; pragma synchronous = full; pragma secure_delete = on',
  );
  return connection;
}

function openReading(path: string, onCorrupt: () => void): SqliteConnection {
  const connection = openConnection(path, onCorrupt);
  connection.exec('pragma query_only = on');
  return connection;
}

/** A connection has one read view, so each snapshot needs its own. One is cached: opening takes the most time. */
function snapshots(openOne: () => SqliteConnection) {
  let spare: SqliteConnection | undefined;
  return {
    snapshot: async (): Promise<Snapshot> => {
      const connection = spare ?? openOne();
      spare = undefined;
      connection.exec('begin');
      const end = async (): Promise<void> => {
        connection.exec('rollback');
        if (spare) connection.close();
        else spare = connection;
      };
      return { run: connection.run, end };
    },
    close: (): void => spare?.close(),
  };
}

/** Checks the file unless it is as the last server has left it. */
function openWriting(path: string, onCorrupt: () => void, isAsLeft: boolean): SqliteConnection {
  try {
    const connection = openConnection(path, onCorrupt);
    connection.exec('pragma journal_mode = wal');
    const verdict = isAsLeft ? 'ok' : connection.text('pragma quick_check(1)');
    if (verdict !== 'ok') throw new StoreError('corrupt', `the database is damaged; it was not changed (${verdict})`);
    return connection;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new StoreError(error.kind, `${path}: ${error.message}`, error);
  }
}

const begin = (writer: SqliteConnection, busyForMs: number): Promise<void> =>
  whenFree(busyForMs, () => writer.exec('begin immediate'));

/**
 * `secure_delete` zeroes deleted rows, but copies stay in unused parts of pages when SQLite moves rows. VACUUM and an
 * empty WAL remove them.
 */
async function rewrite(writer: SqliteConnection, busyForMs: number): Promise<void> {
  await whenFree(busyForMs, () => writer.exec('vacuum'));
  await whenFree(busyForMs, () => {
    if (writer.text('pragma wal_checkpoint(truncate)') !== '0')
      throw new StoreError('busy', 'the WAL cannot be emptied while another process reads it');
  });
}

/** Retries without blocking while another process holds the database. */
async function whenFree(busyForMs: number, work: () => void): Promise<void> {
  for (let waited = 0, ms = 5; ; waited += ms, ms = Math.min(ms * 2, 100)) {
    try {
      work();
      return;
    } catch (error) {
      const isTemporary = error instanceof StoreError && error.kind === 'busy' && waited < busyForMs;
      if (!isTemporary) throw error;
    }
    await wait(ms);
  }
}

/** `data_version` changes with commits of other connections, and only other processes use other connections for writing. */
function watch(writer: SqliteConnection, listener: () => void): () => void {
  let seen = writer.text('pragma data_version');
  const look = (): void => {
    const now = writer.text('pragma data_version');
    if (now === seen) return;
    seen = now;
    listener();
  };
  const timer = setInterval(() => {
    try {
      look();
    } catch {
      // Queries report the error themselves; here only retry.
    }
  }, LOOK_AGAIN_MS);
  timer.unref();
  return () => clearInterval(timer);
}
