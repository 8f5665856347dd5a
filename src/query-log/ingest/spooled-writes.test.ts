import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { aRecord } from '../../../test/support/query-log/logs.ts';
import { temporaryFolder } from '../../../test/support/query-log/records.ts';
import { openClickhouseLog } from '../clickhouse/clickhouse-log.ts';
import { encodeBatches } from '../log-engine.ts';
import { openSpool } from './disk-spool.ts';
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
  writes.write(log, encodeBatches([aRecord(), aRecord()])).catch(() => undefined);
  await writes.putUnanswered();
  assert.equal(spool.size().rows, 2);
});
