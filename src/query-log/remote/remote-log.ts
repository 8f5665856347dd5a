import { randomUUID } from 'node:crypto';
import { messageOf } from '../../kit/message-of.ts';
import { compressBody } from '../ingest/compress-body.ts';
import type { PreparedInsert, SpooledEngine } from '../ingest/spooled-engine.ts';
import { type EncodedBatch, rowsIn } from '../log-engine.ts';
import { LogError } from '../log-store.ts';
import { recordOf, valuesOf } from '../segments/row.ts';
import { BATCH_HEADER } from './records-body.ts';

const MAX_ROWS = 10_000;
const ANSWER_MS = 15_000;

type Remote = { readonly url: string; readonly key: string };

/** The log of the controller. Records are sent in batches with ids, so that a batch that was sent twice is stored once. */
export function openRemoteLog(
  { url, key }: Remote,
  { onProblem }: { readonly onProblem: (problem: unknown) => void },
): SpooledEngine {
  const insert = async ({ id, rows, body }: PreparedInsert): Promise<void> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, [BATCH_HEADER]: id, 'content-type': 'application/gzip' },
      body: Buffer.from(body),
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch((error: unknown) => {
      throw new LogError('unavailable', new Error(`the controller does not answer: ${messageOf(error)}`));
    });
    await response.body?.cancel();
    if (response.ok) return;
    if (response.status !== 400)
      throw new LogError('unavailable', new Error(`the controller answered with status ${response.status}`));
    // Drops a batch that the controller will never accept, so that later ones do not wait.
    onProblem(new Error(`${rows} query records are lost: the controller does not understand them`));
  };
  const unreadable = async (): Promise<never> => {
    throw new LogError('unavailable', new Error('the controller stores the query log of this node'));
  };
  const prepare = async (batches: readonly EncodedBatch[]): Promise<readonly PreparedInsert[]> => {
    const inserts: PreparedInsert[] = [];
    let lines: string[] = [];
    const finish = async (): Promise<void> => {
      const body = await compressBody(lines.join('\n'));
      inserts.push({ id: randomUUID(), rows: lines.length, body });
      lines = [];
    };
    for (const batch of batches)
      for (const line of linesOf(batch)) {
        lines.push(line);
        if (lines.length === MAX_ROWS) await finish();
      }
    if (lines.length > 0) await finish();
    return inserts;
  };

  return {
    prepare,
    insert,
    appendBatches: async (batches) => {
      await Promise.all((await prepare(batches)).map(insert));
    },
    appendBatchesOnce: unreadable,
    page: unreadable,
    clear: unreadable,
    deleteAccount: unreadable,
    statistics: {
      activeDevices: unreadable,
      blockedCategories: unreadable,
      categories: unreadable,
      companies: unreadable,
      companiesDetailed: unreadable,
      countries: unreadable,
      devices: unreadable,
      domains: unreadable,
      latency: unreadable,
      lists: unreadable,
      time: unreadable,
      clients: unreadable,
    },
    accounts: async () => [],
    requestsSince: unreadable,
    applyRetentionFrom: async () => {},
    health: async () => ({ outdatedSegments: 0 }),
    close: async () => {},
  };
}

function* linesOf(batch: EncodedBatch): Generator<string> {
  const { table, accounts } = rowsIn(batch);
  for (const { account, start, rows } of accounts)
    for (let row = start; row < start + rows; row += 1)
      yield JSON.stringify(recordOf(account, table.times[row]!, valuesOf(table, row)));
}
