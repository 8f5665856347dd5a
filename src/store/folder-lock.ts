import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../domain/store-error.ts';
import { sqliteConnection } from './sqlite-connection.ts';

/**
 * Keeps other servers from the folder for as long as this process lives. SQLite's own lock, because the system takes it back
 * however the process ends: there is no file whose age somebody would have to judge.
 */
export function lockFolder(folder: string, onWarning: (warning: string) => void = () => {}): { release(): void } {
  const path = join(folder, 'lock.sqlite');
  try {
    return lockBy(path, folder);
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== 'corrupt') throw error;
    // Emptied, not replaced: another server's lock belongs to the file itself and still holds.
    truncateSync(path, 0);
    onWarning(`${path} was damaged and has been emptied; it holds no settings`);
    return lockBy(path, folder);
  }
}

function lockBy(path: string, folder: string): { release(): void } {
  const lock = sqliteConnection(path);
  try {
    lock.exec('pragma busy_timeout = 0; begin immediate');
    lock.exec(
      `create table if not exists holder (pid integer); delete from holder; insert into holder values (${process.pid}); commit`,
    );
    // A lock that is reserved, but not yet for writing, lets the next one read who has it.
    lock.exec('begin immediate');
  } catch (error) {
    const holder = error instanceof StoreError && error.kind === 'busy' ? holderOf(lock) : undefined;
    lock.close();
    if (holder === undefined) throw error;
    throw new StoreError('in use', `another server (${holder}) uses the folder ${folder}`, error);
  }
  return { release: () => lock.close() };
}

function holderOf(lock: ReturnType<typeof sqliteConnection>): string {
  try {
    return `process ${lock.text('select pid from holder')}`;
  } catch {
    // It is just starting, and has not said its number yet.
    return 'process unknown';
  }
}
