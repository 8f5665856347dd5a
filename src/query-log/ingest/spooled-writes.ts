import { singleFlight } from '../../kit/single-flight.ts';
import type { EncodedBatch } from '../log-engine.ts';
import type { Spool } from './disk-spool.ts';
import type { PreparedInsert, SpooledEngine } from './spooled-engine.ts';

/** Sends inserts to the log, and puts them into the spool while it refuses. An insert keeps its id, so it is counted once. */
export function createSpooledWrites(spool: Spool, onStored: (rows: number) => void) {
  const sending = new Set<PreparedInsert>();
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
      const results = await Promise.allSettled(log.prepare(batches).map((insert) => send(log, insert)));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
    /** Puts rows into the spool without an attempt to store them. */
    async put(log: Pick<SpooledEngine, 'prepare'>, batches: readonly EncodedBatch[]): Promise<void> {
      for (const insert of log.prepare(batches)) await spool.put(insert);
    },
    /** Also keeps inserts whose result is not known yet. */
    async putUnanswered(): Promise<void> {
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
