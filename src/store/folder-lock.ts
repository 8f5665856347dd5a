import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../domain/store-error.ts';
import { sqliteConnection } from './sqlite-connection.ts';

export type FolderLock = {
  /** The state that the last server has left on release; empty if it has left none. */
  readonly leftState: string;
  release(state?: string): void;
};

/**
 * Locks the folder for this server process. An SQLite lock is used because the system releases it however the process
 * ends, so that no stale lock files remain.
 */
export function lockFolder(folder: string, onWarning: (warning: string) => void = () => {}): FolderLock {
  const path = join(folder, 'lock.sqlite');
  try {
    return lockBy(path, folder);
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== 'corrupt') throw error;
    // Truncated, not replaced: the lock of another server belongs to the file and stays valid.
    truncateSync(path, 0);
    onWarning(`${path} was damaged and has been emptied; it holds no settings`);
    return lockBy(path, folder);
  }
}

function lockBy(path: string, folder: string): FolderLock {
  const lock = sqliteConnection(path);
  let leftState: string;
  try {
    lock.exec('pragma busy_timeout = 0; begin immediate');
    lock.exec(
      `create table if not exists holder (pid integer); delete from holder; insert into holder values (${process.pid})`,
    );
    lock.exec('create table if not exists left_state (state text)');
    leftState = lock.text("select coalesce(max(state), '') from left_state");
    lock.exec('delete from left_state; commit');
    // A RESERVED lock lets other processes read the holder.
    lock.exec('begin immediate');
  } catch (error) {
    const holder = error instanceof StoreError && error.kind === 'busy' ? holderOf(lock) : undefined;
    lock.close();
    if (holder === undefined) throw error;
    throw new StoreError('in use', `another server (${holder}) uses the folder ${folder}`, error);
  }
  const release = (state = ''): void => {
    if (state !== '') leave(lock, state);
    lock.close();
  };
  return { leftState, release };
}

/** Without it, the next server only checks more than it has to. */
function leave(lock: ReturnType<typeof sqliteConnection>, state: string): void {
  try {
    lock.exec(`insert into left_state values ('${state}'); commit`);
  } catch {
    // For example a full disk.
  }
}

function holderOf(lock: ReturnType<typeof sqliteConnection>): string {
  try {
    return `process ${lock.text('select pid from holder')}`;
  } catch {
    // The holder is starting and has not written its process id yet.
    return 'process unknown';
  }
}
