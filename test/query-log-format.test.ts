import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { QueryRecord } from '../src/domain/query-record.ts';
import { nameMarker, openLog } from '../src/query-log/index.ts';
import { FIXTURE_NOW, fixtureRecords, unpackFixture } from './support/query-log/format-fixtures.ts';
import { readLogFolder } from './support/query-log/independent-reader.ts';

type Records = ReturnType<typeof fixtureRecords>;
/** Written by a version that did not measure latencies. */
const stored = fixtureRecords();
const latencies = [0, 99, undefined, 240, 7400];
const withLatency = (record: QueryRecord, row: number): QueryRecord => {
  const latencyMs = latencies[row % latencies.length];
  return latencyMs === undefined ? record : { ...record, latencyMs };
};
const measured: Records = {
  flushed: stored.flushed.map(withLatency),
  unflushed: stored.unflushed.map(withLatency),
  busy: stored.busy.map(withLatency),
};
const onProblem = (problem: unknown): never => {
  throw problem;
};

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-format-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Newest first; in one millisecond, the later record first. */
const newestFirst = ({ flushed, unflushed, busy }: Records, account: string): QueryRecord[] =>
  [...flushed, ...unflushed, ...busy]
    .filter((record) => record.account === account)
    .reverse()
    .sort((one, other) => other.time - one.time);

function checkContent(folder: string, records: Records): void {
  const log = readLogFolder(folder);
  try {
    for (const account of ['home', 'office', 'busy'])
      assert.deepEqual(log.records(account), newestFirst(records, account), account);
    assert.ok(log.kinds.includes('raw') && log.kinds.includes('encoded'));
    checkIndex(log);
    checkRollups(log, records);
  } finally {
    log.close();
  }
}

function checkIndex(log: ReturnType<typeof readLogFolder>): void {
  const rare = log.indexed('home', 'device', 'printer');
  assert.ok(rare.length > 0);
  for (const { rows, hasFrequent, expected } of rare) {
    assert.equal(hasFrequent, false);
    assert.ok(expected.length > 0);
    assert.deepEqual(rows, expected);
  }
  for (const { rows, hasFrequent } of log.indexed('home', 'device', 'nothing')) {
    assert.deepEqual(rows, []);
    assert.equal(hasFrequent, false);
  }
  assert.ok(log.indexed('home', 'device', 'device-1').every(({ hasFrequent }) => hasFrequent));
}

function checkRollups(log: ReturnType<typeof readLogFolder>, { flushed }: Records): void {
  for (const unit of ['minute', 'hour', 'day']) {
    const rollups = log.rollups('home', unit);
    const sum = (name: string): number =>
      rollups.flatMap(({ columns }) => columns.get(name) as number[]).reduce((total, count) => total + count, 0);
    assert.equal(sum('queries'), flushed.length, unit);
    assert.equal(sum('blocked'), flushed.filter(({ status }) => status === 'REQUEST_BLOCKED').length, unit);
    assert.equal(
      rollups.reduce((total, { queries }) => total + (queries as number), 0),
      flushed.length,
    );
  }
  const [zoneMap] = log.zoneMaps('home');
  const hours = (zoneMap!.columns.get('hours') as number[]).reduce((bits, own) => bits | own, 0);
  const expected = flushed.reduce((bits, { time }) => bits | (1 << new Date(time).getUTCHours()), 0);
  assert.equal(hours, expected);
  assert.deepEqual(zoneMap!.columns.get('givenUp'), []);
}

test('a stored log is read by the description in docs/query-log.md', async (t) => {
  const folder = await temporaryFolder(t);
  unpackFixture(4, folder);
  checkContent(folder, stored);
});

test('a log of this version is read by the description in docs/query-log.md', async (t) => {
  const folder = await temporaryFolder(t);
  const { flushed, unflushed, busy } = measured;
  const open = (maxUnflushedRows: number) =>
    openLog({ folder }, { now: () => FIXTURE_NOW, onProblem, maxUnflushedRows });
  const flushing = await open(flushed.length);
  await flushing.append(flushed);
  await flushing.close();
  const buffering = await open(flushed.length);
  await buffering.append(unflushed);
  // Two batches with rows of one millisecond: their sequence decides.
  await buffering.append(busy.slice(0, 1));
  await buffering.append(busy.slice(1));
  await buffering.close();
  checkContent(folder, measured);
});

test('the marker of the name in a rule is read by the description in docs/query-log.md', async (t) => {
  const folder = await temporaryFolder(t);
  const log = await openLog({ folder }, { now: () => FIXTURE_NOW, onProblem });
  await log.append([{ ...stored.busy[0]!, domain: 'a.b.example', rule: `||${nameMarker(2)}^$important` }]);
  await log.close();
  const read = readLogFolder(folder);
  t.after(() => read.close());
  assert.equal(read.records('busy')[0]!['rule'], '||b.example^$important');
});
