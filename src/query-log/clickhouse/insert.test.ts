import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { someRecords } from '../../../test/support/query-log/tables.ts';
import { type EncodedBatch, encodeBatches, shareBatches } from '../log-engine.ts';
import { nameMarker } from '../segments/row.ts';
import { createSequences, prepareInserts } from './insert.ts';

const ROWS = 9000;
const ACCOUNTS = 300;
const batches = encodeBatches(
  Array.from({ length: ROWS }, (_, row) =>
    aRecord({ account: `account-${row % ACCOUNTS}`, domain: `name-${row % 700}.example`, time: NOW + row }),
  ),
);
const prepare = (given: readonly EncodedBatch[]) =>
  prepareInserts(given, { sequences: createSequences(() => NOW), expiresAt: (_, time) => time });

/** Rows without their sequences. */
const rowsOf = (body: Uint8Array): string[] =>
  gunzipSync(body)
    .toString()
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.stringify((JSON.parse(line) as unknown[]).toSpliced(2, 1)))
    .sort();

test('rows are prepared in steps, and other work of the thread is done between them', async () => {
  let isPrepared = false;
  let others = 0;
  const work = (): void => {
    others += 1;
    if (!isPrepared) setImmediate(work);
  };
  setImmediate(work);
  const [insert] = await prepare(batches);
  isPrepared = true;
  assert.equal(insert!.rows, ROWS);
  assert.ok(others >= 4, `${others} times`);
});

test('rows of shared batches are those of their accounts', async () => {
  const shared = shareBatches(batches);
  assert.ok(shared.length < ACCOUNTS);
  const [alone, together] = [await prepare(batches), await prepare(shared)];
  assert.deepEqual([alone.length, together.length, together[0]!.rows], [1, 1, ROWS]);
  // Of so many rows, a comparison that shows the difference would take a minute.
  assert.ok(rowsOf(together[0]!.body).join() === rowsOf(alone[0]!.body).join());
});

const preparing = { sequences: () => 100, expiresAt: (account: string, time: number) => account.length + time / 1000 };

/** The statement and the rows of an insert, with the names of their columns. */
function read(body: Uint8Array) {
  const [head, ...lines] = gunzipSync(body).toString().trimEnd().split('\n');
  const columns = /\(([^)]*)\)/.exec(head!)![1]!.split(', ');
  const rows = lines.map((line) => {
    const values = JSON.parse(line) as unknown[];
    assert.equal(values.length, columns.length);
    return Object.fromEntries(columns.map((column, index) => [column, values[index]]));
  });
  return { head: head!, rows };
}

test('rows have a value in every column; missing ones are empty, or NULL where the column allows it', async () => {
  const { device: _, ...guest } = aRecord({ time: NOW - 1234, latencyMs: 7, domain: 'bücher.example' });
  const [insert] = await prepareInserts(encodeBatches([guest]), preparing);
  const { rows } = read(insert!.body);
  assert.deepEqual(rows, [
    {
      account: 'home',
      time: ((NOW - 1234) / 1000).toFixed(3),
      sequence: 100,
      expires: 4 + (NOW - 1234) / 1000,
      latency_ms: 7,
      domain: 'bücher.example',
      device: '',
      dns_server: 'server-1',
      response_country: '',
      company_id: 'example',
      category: 'OTHERS',
      status: 'NONE',
      type: 1,
      rcode: 0,
      protocol: 'DOH',
      source: '',
      filter_id: '',
      service_id: '',
      client_country: '',
      asn: null,
      network: null,
      dnssec: false,
      client_subnet: '',
      rule: '',
    },
  ]);
});

test('a rule that is stored without the name is sent with it', async () => {
  const records = ['a.example', 'b.example'].map((domain) => aRecord({ domain, rule: `||${nameMarker(2)}^` }));
  const [insert] = await prepareInserts(encodeBatches(records), preparing);
  assert.deepEqual(
    read(insert!.body).rows.map(({ rule }) => rule),
    ['||a.example^', '||b.example^'],
  );
});

test('inserts are split by size, and have ids that make a repeated one recognisable', async () => {
  const [batch] = encodeBatches(someRecords(4096));
  const many = Array.from({ length: 11 }, () => batch!);
  const inserts = await prepareInserts(many, { ...preparing, id: 'node batch' });
  assert.deepEqual(
    inserts.map(({ id }) => id),
    ['node batch 0', 'node batch 1'],
  );
  assert.equal(
    inserts.reduce((sum, { rows }) => sum + rows, 0),
    11 * 4096,
  );
  const single = encodeBatches([aRecord()]);
  const [[one], [other]] = [await prepareInserts(single, preparing), await prepareInserts(single, preparing)];
  assert.notEqual(one!.id, other!.id);
  assert.ok(read(one!.body).head.includes(`insert_deduplication_token = '${one!.id}'`));
});

test('sequences grow with the clock, and do not repeat if it goes back', () => {
  let now = 1000;
  const sequences = createSequences(() => now);
  const first = sequences(5);
  assert.equal(sequences(1), first + 5);
  now = 999;
  assert.equal(sequences(1), first + 6);
  now = 2000;
  assert.equal(sequences(1), first * 2);
});
