import assert from 'node:assert/strict';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { until } from '../../test/support/kit/until.ts';
import type { FeedAccount } from './directory-feed.ts';
import { readSnapshot, replaceSnapshot, snapshotPath } from './directory-snapshot.ts';
import { snapshotWriter } from './save-snapshot.ts';
import { changesPath } from './snapshot-changes.ts';

const account = (id: string, timeZone = 'UTC'): FeedAccount =>
  ({ id, timeZone, logEnabled: true, isSuspended: false, profiles: [], devices: [], dedicated: [] }) as never;
const sent = (...accounts: readonly FeedAccount[]) => ({ accounts, removed: [] });
const ALL = { accounts: 'all', removed: [] } as const;

async function opened(t: Parameters<typeof temporaryFolder>[0], stored: Map<string, FeedAccount>) {
  const path = snapshotPath(await temporaryFolder(t));
  let reads = 0;
  const writer = snapshotWriter({
    path,
    allAccounts: async function* () {
      reads += 1;
      yield [...stored.values()];
    },
    onProblem: (problem) => assert.fail(String(problem)),
    soonMs: 1,
  });
  return { path, writer, reads: () => reads };
}

const zonesIn = async (path: string): Promise<Readonly<Record<string, string>>> => {
  const found = await readSnapshot(path);
  assert.ok(found.kind === 'there', JSON.stringify(found));
  return Object.fromEntries(found.snapshot.accounts.map(({ id, timeZone }) => [id, timeZone]));
};

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => ({ size: 0 }))).size;

test('all accounts are written once, then only the changed ones are appended', async (t) => {
  const stored = new Map(['a', 'b'].map((id) => [id, account(id)]));
  const { path, writer, reads } = await opened(t, stored);
  writer.changed(ALL);
  await until('the snapshot', async () => (await sizeOf(changesPath(path))) > 0);
  const base = await readFile(path);
  const before = await sizeOf(changesPath(path));
  writer.changed(sent(account('a', 'Europe/Berlin'), account('c')));
  await until('the changes', async () => (await sizeOf(changesPath(path))) > before);
  await writer.stop();
  assert.equal(reads(), 1);
  assert.deepEqual(await readFile(path), base);
  assert.equal((await stat(changesPath(path))).mode & 0o777, 0o600);
  assert.deepEqual(await zonesIn(path), { a: 'Europe/Berlin', b: 'UTC', c: 'UTC' });
});

test('changes shortly before the end are written', async (t) => {
  const { path, writer } = await opened(t, new Map([['a', account('a')]]));
  writer.changed(ALL);
  writer.changed(sent(account('a', 'Asia/Tokyo')));
  await writer.stop();
  assert.deepEqual(await zonesIn(path), { a: 'Asia/Tokyo' });
});

test('no file keeps the data of a deleted account', async (t) => {
  const stored = new Map(['a', 'secret-b'].map((id) => [id, account(id)]));
  const { path, writer } = await opened(t, stored);
  writer.changed(ALL);
  writer.changed(sent(account('secret-b', 'Europe/Paris')));
  await until('the snapshot', async () => (await sizeOf(changesPath(path))) > 0);
  stored.delete('secret-b');
  writer.changed({ accounts: [], removed: ['secret-b'] });
  await writer.stop();
  assert.deepEqual(await zonesIn(path), { a: 'UTC' });
  for (const file of [path, changesPath(path)]) assert.doesNotMatch(await readFile(file, 'utf8'), /Europe\/Paris/);
});

test('many changes are merged into the snapshot', async (t) => {
  const large = (id: string) => ({ ...account(id), padding: 'x'.repeat(3 * 2 ** 20) }) as FeedAccount;
  const stored = new Map([['a', account('a')]]);
  const { path, writer, reads } = await opened(t, stored);
  writer.changed(ALL);
  await until('the snapshot', async () => (await sizeOf(changesPath(path))) > 0);
  for (const id of ['b', 'c']) {
    stored.set(id, large(id));
    writer.changed(sent(large(id)));
  }
  await until('a second read of all accounts', () => reads() === 2);
  await writer.stop();
  assert.deepEqual(await zonesIn(path), { a: 'UTC', b: 'UTC', c: 'UTC' });
  assert.ok((await sizeOf(changesPath(path))) < 1000);
});

test('changes after a damaged line and those of another snapshot are ignored', async (t) => {
  const { path, writer } = await opened(t, new Map([['a', account('a')]]));
  writer.changed(ALL);
  await until('the snapshot', async () => (await sizeOf(changesPath(path))) > 0);
  writer.changed(sent(account('a', 'Europe/Berlin')));
  await writer.stop();
  const whole = await readFile(changesPath(path));
  await writeFile(changesPath(path), whole.subarray(0, whole.length - 5));
  assert.deepEqual(await zonesIn(path), { a: 'UTC' });
  await writeFile(changesPath(path), whole);
  assert.deepEqual(await zonesIn(path), { a: 'Europe/Berlin' });
  await replaceSnapshot(path, { takenAt: 5, accounts: [account('b')] });
  await writeFile(changesPath(path), whole);
  assert.deepEqual(await zonesIn(path), { b: 'UTC' });
  await rm(changesPath(path));
  assert.deepEqual(await zonesIn(path), { b: 'UTC' });
});

test('a failure is reported and does not block closing', async (t) => {
  const problems: unknown[] = [];
  const writer = snapshotWriter({
    path: snapshotPath(await temporaryFolder(t)),
    allAccounts: async function* () {
      yield [account('a')];
      throw new Error('disk full');
    },
    onProblem: (problem) => problems.push(problem),
    soonMs: 1,
  });
  writer.changed(ALL);
  await writer.stop();
  assert.match(String(problems), /disk full/);
});

test('closing does not wait for a database that does not answer', async (t) => {
  const writer = snapshotWriter({
    path: snapshotPath(await temporaryFolder(t)),
    allAccounts: async function* () {
      yield [account('a')];
      await new Promise(() => {});
    },
    onProblem: (problem) => assert.fail(String(problem)),
    soonMs: 1,
    stopMs: 20,
  });
  writer.changed(ALL);
  // Keeps the process alive: the timer of the writer does not.
  const hold = setInterval(() => {}, 1000);
  const startedAt = performance.now();
  await writer.stop();
  clearInterval(hold);
  assert.ok(performance.now() - startedAt < 1000);
});
