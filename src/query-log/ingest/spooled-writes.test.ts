import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { aRecord } from '../../../test/support/query-log/logs.ts';
import { temporaryFolder } from '../../../test/support/query-log/records.ts';
import { openClickhouseLog } from '../clickhouse/clickhouse-log.ts';
import { type EncodedBatch, encodeBatches } from '../log-engine.ts';
import { openSpool } from './disk-spool.ts';
import type { PreparedInsert, SpooledEngine } from './spooled-engine.ts';
import { createSpooledWrites } from './spooled-writes.ts';

test('rows that are being prepared when the log is closed are in the spool', async (t) => {
  // Accepts requests and answers none of them.
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const log = openClickhouseLog(`clickhouse://weir:secret@127.0.0.1:${port}/weir`, { now: Date.now });
  const onProblem = (problem: unknown): never => assert.fail(String(problem));
  const place = { folder: join(await temporaryFolder(t), 'spool'), maxBytes: 2 ** 20 };
  const spool = openSpool(place, { onDropped: () => assert.fail('dropped'), onProblem });
  const writes = createSpooledWrites(spool, () => assert.fail('stored'));
  const writing = writes.write(log, encodeBatches([aRecord(), aRecord()])).catch(() => undefined);
  await writes.putUnanswered();
  assert.equal(spool.size().rows, 2);
  // Ends before the folder is removed.
  server.closeAllConnections();
  await writing;
});

const batches: readonly EncodedBatch[] = encodeBatches([aRecord(), aRecord({ account: 'office' })]);

async function openWrites(t: { after(end: () => unknown): void }) {
  const fail = (problem: unknown): never => assert.fail(String(problem));
  const spool = openSpool(
    { folder: await temporaryFolder(t), maxBytes: 2 ** 20 },
    { onDropped: fail, onProblem: fail },
  );
  let stored = 0;
  const inserted: string[] = [];
  /** Accounts whose inserts are refused. */
  const refused = new Set<string>();
  const log = {
    prepare: async (given: readonly EncodedBatch[]): Promise<readonly PreparedInsert[]> =>
      given.map((batch) => ({
        id: randomUUID(),
        rows: batch.rows,
        body: Buffer.from('account' in batch ? batch.account : ''),
      })),
    insert: async ({ body }: PreparedInsert): Promise<void> => {
      const account = String(Buffer.from(body));
      if (refused.has(account)) throw new Error(`${account} is refused`);
      inserted.push(account);
    },
  } as SpooledEngine;
  const writes = createSpooledWrites(spool, (rows) => {
    stored += rows;
  });
  return { writes, log, refused, inserted, stored: () => stored };
}

test('accepted inserts are counted as stored; a refused one is in the spool and can be sent again', async (t) => {
  const { writes, log, refused, inserted, stored } = await openWrites(t);
  refused.add('office');
  await assert.rejects(writes.write(log, batches), /office is refused/);
  assert.deepEqual([inserted, stored(), writes.size().rows], [['home'], 1, 1]);
  await assert.rejects(writes.drain(log), /refused/);
  assert.equal(writes.size().rows, 1);
  refused.clear();
  await writes.drain(log);
  assert.deepEqual([inserted, stored(), writes.size().rows], [['home', 'office'], 2, 0]);
});

test('rows that are put aside are sent in their order, one by one on request', async (t) => {
  const { writes, log, inserted, stored } = await openWrites(t);
  await writes.put(log, batches);
  assert.deepEqual([inserted, stored(), writes.size().rows], [[], 0, 2]);
  assert.equal(await writes.sendOldest(log), true);
  assert.deepEqual([inserted, writes.size().rows], [['home'], 1]);
  await writes.drain(log);
  assert.deepEqual(inserted, ['home', 'office']);
  assert.equal(await writes.sendOldest(log), false);
});

test('an insert without an answer is put into the spool when the program ends', async (t) => {
  const { writes, log, refused } = await openWrites(t);
  let refuse = (): void => {};
  const slow: SpooledEngine = {
    ...log,
    insert: () =>
      new Promise((_, reject) => {
        refuse = () => reject(new Error('closed'));
      }),
  };
  refused.clear();
  const writing = writes.write(slow, batches.slice(0, 1));
  await writes.putUnanswered();
  assert.equal(writes.size().rows, 1);
  refuse();
  await assert.rejects(writing, /closed/);
});
