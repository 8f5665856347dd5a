import { singleFlight } from '../../kit/single-flight.ts';
import type { EncodedBatch } from '../log-engine.ts';
import type { Spool } from './disk-spool.ts';
import type { PreparedInsert, SpooledEngine } from './spooled-engine.ts';

/** Sends inserts to the log, and adds them to the spool while the log fails. An insert keeps its id, so it is counted once. */
export function createSpooledWrites(spool: Spool, onStored: (rows: number) => void) {
  const sending = new Set<PreparedInsert>();
  const starting = new Set<Promise<unknown>>();
  const drains = singleFlight<void>();

  const send = async (log: SpooledEngine, insert: PreparedInsert): Promise<void> => {
    sending.add(insert);
    try {
      await log.insert(insert);
      onStored(insert.rows);
    } catch (error) {
      await spool.put(insert);
      throw error;
    } finally {
      sending.delete(insert);
    }
  };
  /** Resolves when all inserts are being sent. */
  const startSending = async (
    log: SpooledEngine,
    batches: readonly EncodedBatch[],
  ): Promise<readonly { readonly sent: Promise<void> }[]> =>
    (await log.prepare(batches)).map((insert) => ({ sent: send(log, insert) }));
  const sendOldest = async (log: SpooledEngine): Promise<boolean> => {
    const oldest = await spool.oldest();
    if (!oldest) return false;
    await log.insert(oldest);
    if (await spool.remove(oldest.name)) onStored(oldest.rows);
    return true;
  };

  return {
    /** Throws if the log refuses. The rows are stored or in the spool then. */
    async write(log: SpooledEngine, batches: readonly EncodedBatch[]): Promise<void> {
      const started = startSending(log, batches);
      starting.add(started);
      const inserts = await started.finally(() => starting.delete(started));
      const results = await Promise.allSettled(inserts.map(({ sent }) => sent));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
    /** Puts rows into the spool without an attempt to store them. */
    async put(log: Pick<SpooledEngine, 'prepare'>, batches: readonly EncodedBatch[]): Promise<void> {
      for (const insert of await log.prepare(batches)) await spool.put(insert);
    },
    /** Also keeps inserts whose result is not known yet, and those that are being prepared. */
    async putUnanswered(): Promise<void> {
      await Promise.allSettled(starting);
      for (const insert of sending) await spool.put(insert);
    },
    sendOldest,
    /** Sends all of the spool, oldest first. Throws if the log refuses. */
    drain: (log: SpooledEngine): Promise<void> =>
      drains.run(async () => {
        while (await sendOldest(log));
      }),
    size: spool.size,
  };
}
