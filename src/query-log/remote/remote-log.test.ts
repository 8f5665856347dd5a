import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { aRecord } from '../../../test/support/query-log/logs.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import { encodeBatches, shareBatches } from '../log-engine.ts';
import { LogError } from '../log-store.ts';
import { BATCH_HEADER, readRecordsBody } from './records-body.ts';
import { openRemoteLog } from './remote-log.ts';

type Received = { readonly id: unknown; readonly key: unknown; readonly records: readonly QueryRecord[] | undefined };

/** A controller that answers with this status. */
async function startController(t: { after(end: () => unknown): void }, status: number) {
  const received: Received[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    received.push({
      id: request.headers[BATCH_HEADER],
      key: request.headers.authorization,
      records: readRecordsBody(body),
    });
    response.writeHead(status).end('{}');
  };
  const server = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const problems: string[] = [];
  const url = `http://127.0.0.1:${port}/log`;
  const log = openRemoteLog({ url, key: 'secret' }, { onProblem: (problem) => problems.push(String(problem)) });
  return { log, received, problems };
}
const records = [aRecord({ latencyMs: 3 }), aRecord({ account: 'office', domain: 'b.example' })];

test('records are sent with the key and the id of their batch, also rows of shared batches', async (t) => {
  const { log, received } = await startController(t, 200);
  await log.appendBatches(shareBatches(encodeBatches(records)));
  assert.equal(received.length, 1);
  const [{ id, key, records: sent }] = received as [Received];
  assert.equal(key, 'Bearer secret');
  assert.match(String(id), /^[0-9a-f-]{36}$/);
  assert.deepEqual(
    [...sent!].sort((one, other) => (one.account < other.account ? -1 : 1)),
    records,
  );
});

test('a batch has at most 10,000 records, and keeps its id when it is sent again', async (t) => {
  const { log, received } = await startController(t, 200);
  const prepared = await log.prepare(encodeBatches(Array.from({ length: 10_001 }, () => aRecord())));
  assert.deepEqual(
    prepared.map(({ rows }) => rows),
    [10_000, 1],
  );
  for (const _ of [1, 2]) await log.insert(prepared[1]!);
  assert.equal(received[0]!.id, received[1]!.id);
});

test('records that the controller does not understand are reported as lost; after any other error they are kept', async (t) => {
  const refusing = await startController(t, 400);
  await refusing.log.appendBatches(encodeBatches(records));
  assert.match(refusing.problems.join(), /2 query records are lost|1 query records are lost/);
  const failing = await startController(t, 503);
  await assert.rejects(
    failing.log.appendBatches(encodeBatches(records)),
    (error) => error instanceof LogError && error.kind === 'unavailable' && /status 503/.test(error.message),
  );
  assert.deepEqual(failing.problems, []);
});

test('a controller that does not answer is unavailable, and the log cannot be read here', async () => {
  const log = openRemoteLog({ url: 'http://127.0.0.1:1/', key: '' }, { onProblem: () => assert.fail() });
  const isUnavailable = (error: unknown): boolean => error instanceof LogError && error.kind === 'unavailable';
  await assert.rejects(log.appendBatches(encodeBatches(records)), isUnavailable);
  await assert.rejects(log.page('home', { from: 0, to: 1, limit: 1 }), isUnavailable);
  await assert.rejects(log.statistics.time('home', { from: 0, to: 1 }), isUnavailable);
  assert.deepEqual(await log.accounts(), []);
});
