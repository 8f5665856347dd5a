import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../kit/message-of.ts';
import { singleFlight, startOnce } from '../../kit/single-flight.ts';
import type { EncodedBatch, LogEngine } from '../log-engine.ts';
import { openEngine } from '../open-log.ts';
import { openSpool } from './disk-spool.ts';
import type { LogLocation } from './ingest-setup.ts';
import type { DropReason } from './record-stats.ts';
import { createRetryBuffer, rowsOf } from './retry-buffer.ts';
import type { SpooledEngine } from './spooled-engine.ts';
import { createSpooledWrites } from './spooled-writes.ts';

/** Limit of one transaction. */
const MAX_BYTES_AT_ONCE = 4 * 2 ** 20;
/** From this size on, rows are stored without waiting for the interval. */
const LARGE_BYTES = 2 * 2 ** 20;
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [250, 2000];
const REPORT_EVERY_MS = 30_000;
/** Short, because the rings fill while it waits for a locked file. */
const BUSY_MS = 250;
const CLOSE_MS = 1500;

type LogWriterDeps = {
  readonly onProblem: (problem: unknown) => void;
  readonly onDropped: (rows: number, reason: DropReason) => void;
  readonly onStored: (rows: number) => void;
  /** Called before every write: the last chance to discard rows. */
  readonly beforeStoring: () => void;
};

/** Writes encoded rows to the log and buffers them while it fails. */
export function createLogWriter(
  location: LogLocation,
  { onProblem, onDropped, onStored, beforeStoring }: LogWriterDeps,
) {
  const retryBuffer = createRetryBuffer(({ rows }) => onDropped(rows, 'spool full'));
  const spool =
    'spool' in location && location.spool
      ? createSpooledWrites(
          openSpool(location.spool, { onDropped: (rows) => onDropped(rows, 'spool full'), onProblem }),
          onStored,
        )
      : undefined;
  const writes = singleFlight<boolean>();
  let taken: readonly EncodedBatch[] = [];
  // Accounts whose rows are dropped if the current write fails.
  const unwanted = new Set<string>();
  let waitMs = 0;
  let notBefore = 0;
  let failingSince = 0;
  // A write that neither succeeds nor fails.
  let writingSince = 0;
  let reportedAt = 0;

  const log = startOnce(() => openEngine(location, { now: Date.now, onProblem, busyMs: BUSY_MS }));

  const failed = (error: unknown): void => {
    const now = Date.now();
    failingSince ||= now;
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2 || FIRST_WAIT_MS);
    notBefore = now + waitMs;
    if (now - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = now;
    const why = messageOf(error);
    onProblem(new Error(`query log write failed, buffering: ${why}`, { cause: error }));
  };

  const succeeded = (): void => {
    waitMs = 0;
    failingSince = 0;
    reportedAt = 0;
  };

  /** Stores the taken batches, or moves them to the spool and throws. */
  const write = async (engine: LogEngine): Promise<void> => {
    if (!spool) {
      await engine.appendBatches(taken);
      return onStored(rowsOf(taken));
    }
    const [batches, remote] = [taken, engine as SpooledEngine];
    taken = [];
    if (failingSince === 0) return spool.write(remote, batches);
    // While the log fails, the oldest insert of the spool is the attempt.
    await spool.put(remote, batches);
    await spool.sendOldest(remote);
  };

  /** False if the log does not accept them. */
  const work = async (): Promise<boolean> => {
    while (retryBuffer.size().batches > 0) {
      try {
        writingSince = Date.now();
        const engine = await log.run();
        beforeStoring();
        taken = retryBuffer.take(MAX_BYTES_AT_ONCE);
        await write(engine);
        taken = [];
        succeeded();
      } catch (error) {
        const back = taken;
        taken = [];
        retryBuffer.putBack(back);
        for (const account of unwanted) onDropped(retryBuffer.remove(account), 'switched off');
        failed(error);
        return false;
      } finally {
        writingSince = 0;
        unwanted.clear();
      }
    }
    return true;
  };
  /** Sends the spool after new rows: a page waits for these only. */
  const drainSpool = async (): Promise<boolean> => {
    if (!spool || spool.size().files === 0) return true;
    try {
      await spool.drain((await log.run()) as SpooledEngine);
      succeeded();
      return true;
    } catch (error) {
      failed(error);
      return false;
    }
  };
  const start = (): Promise<boolean> => writes.run(work);
  const storeAll = async ({ isPatient = false } = {}): Promise<boolean> => {
    const isEmpty = retryBuffer.size().batches === 0 && !writes.running();
    if (isEmpty) return isPatient ? drainSpool() : true;
    // A read does not wait for a log that has just failed.
    if (!isPatient && Date.now() < notBefore) return false;
    // The current write may have started before the newest rows arrived.
    await writes.running();
    return (await start()) && (isPatient ? drainSpool() : true);
  };

  const moveToSpool = async (to: NonNullable<typeof spool>): Promise<void> => {
    await to.putUnanswered();
    const remote = (await log.run()) as SpooledEngine;
    while (retryBuffer.size().batches > 0) await to.put(remote, retryBuffer.take(MAX_BYTES_AT_ONCE));
  };

  return {
    log: (): Promise<LogEngine> => log.run(),
    put: (records: EncodedBatch): void => retryBuffer.put(records),
    isLarge: (): boolean => retryBuffer.size().bytes >= LARGE_BYTES,
    storeSoon(): void {
      if (Date.now() < notBefore) return;
      if (retryBuffer.size().batches > 0) void start();
      else if (!writes.running()) void drainSpool();
    },
    storeAll,
    /** Drops the buffered rows of an account. */
    discard(account: string): void {
      if (taken.length > 0) unwanted.add(account);
      onDropped(retryBuffer.remove(account), 'switched off');
    },
    waitingBytes: (): number => retryBuffer.size().bytes + (spool?.size().bytes ?? 0),
    spooledRows: (): number => spool?.size().rows ?? 0,
    isFailing: (): boolean => failingSince > 0,
    lagMs(): number {
      const since = spool?.size().since ?? (failingSince || writingSince);
      return since === 0 ? 0 : Date.now() - since;
    },
    /** Rows that cannot be stored in time stay in the spool; without one they are dropped and reported. */
    async close(withinMs: number): Promise<void> {
      const deadline = Date.now() + withinMs;
      const storing = async (): Promise<void> => {
        while (!(await storeAll({ isPatient: !spool })) && !spool && Date.now() < deadline) await sleep(waitMs);
      };
      await Promise.race([storing(), sleep(withinMs)]);
      if (spool) await moveToSpool(spool).catch(onProblem);
      const rows = retryBuffer.size().rows + rowsOf(taken);
      if (rows > 0) {
        onDropped(rows, 'end');
        onProblem(new Error(`${rows} query records are lost: the query log could not be written before shutdown`));
      }
      const opened = log.started();
      if (opened) await Promise.race([opened.then((engine) => engine.close()).catch(onProblem), sleep(CLOSE_MS)]);
    },
  };
}
