import { setImmediate as otherWork } from 'node:timers/promises';
import type { SqliteConnection } from './sqlite-connection.ts';

const MOST_AT_ONCE = 50;

type Job = { run(): Promise<void>; committed(): void; failed(error: unknown): void };

/**
 * Runs transactions one after the other. Waiting ones are committed together: each is rolled back alone if it throws,
 * and all share one sync to disk, which takes a hundred times as long as the rest.
 */
export function groupCommit(writer: SqliteConnection, begin: () => Promise<void>, beforeCommit: () => void = () => {}) {
  const waiting: Job[] = [];
  let underway: Promise<void> | undefined;

  const commitAll = async (jobs: readonly Job[]): Promise<void> => {
    const done: Job[] = [];
    try {
      await begin();
      for (const job of jobs) if (await undoneIfItThrows(writer, job)) done.push(job);
      beforeCommit();
      writer.exec('commit');
    } catch (error) {
      rollBack(writer);
      for (const job of jobs) job.failed(error);
      return;
    }
    for (const job of done) job.committed();
  };

  const commitWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      // SQLite calls are synchronous: yield to the event loop between transactions.
      await otherWork();
      await commitAll(waiting.splice(0, MOST_AT_ONCE));
    }
    underway = undefined;
  };

  return {
    add<T>(job: () => Promise<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      let result: T;
      const run = async (): Promise<void> => {
        result = await job();
      };
      waiting.push({ run, committed: () => resolve(result), failed: reject });
      underway ??= commitWaiting();
      return promise;
    },
    /** Runs the work while no transaction is active. */
    async lock(work: () => Promise<void>): Promise<void> {
      while (underway) await underway;
      const result = work();
      const over = (): void => {
        underway = waiting.length > 0 ? commitWaiting() : undefined;
      };
      underway = result.then(over, over);
      await result;
    },
    async allDone(): Promise<void> {
      await underway;
    },
  };
}

async function undoneIfItThrows(writer: SqliteConnection, job: Job): Promise<boolean> {
  writer.exec('savepoint job');
  try {
    await job.run();
    writer.exec('release job');
    return true;
  } catch (error) {
    // Fails if SQLite has rolled back the whole transaction, as on a full disk; then the others fail too.
    writer.exec('rollback to job; release job');
    job.failed(error);
    return false;
  }
}

function rollBack(writer: SqliteConnection): void {
  try {
    writer.exec('rollback');
  } catch {
    // SQLite has already rolled it back.
  }
}
