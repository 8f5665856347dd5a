import assert from 'node:assert/strict';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { until } from '../../test/support/kit/until.ts';
import { blockOf } from './account-blocks.ts';
import { type DirectorySnapshot, readSnapshot, replaceSnapshot, snapshotPath } from './directory-snapshot.ts';
import type { FeedAccount } from './feed-account.ts';
import { type SnapshotWriterOptions, snapshotWriter } from './save-snapshot.ts';
import { changesPath } from './snapshot-changes.ts';

const account = (id: string, timeZone = 'UTC'): FeedAccount =>
  ({
    id,
    timeZone,
    logEnabled: true,
    isSuspended: false,
    profiles: [],
    devices: [],
    dedicated: [],
    customLists: [],
  }) as never;
const sent = (...accounts: readonly FeedAccount[]) => ({ accounts, removed: [] });
const ALL = { accounts: 'all', removed: [] } as const;

async function opened(
  t: Parameters<typeof temporaryFolder>[0],
  stored: Map<string, FeedAccount>,
  options: Partial<SnapshotWriterOptions> = {},
) {
  const path = options.path ?? snapshotPath(await temporaryFolder(t));
  let reads = 0;
  const writer = snapshotWriter({
    path,
    position: () => undefined,
    allAccounts: async function* () {
      reads += 1;
      yield blockOf([...stored.values()]);
    },
    onProblem: (problem) => assert.fail(String(problem)),
    soonMs: 1,
    ...options,
  });
  return { path, writer, reads: () => reads };
}

const snapshotIn = async (path: string): Promise<DirectorySnapshot> => {
  const found = await readSnapshot(path);
  assert.ok(found.kind === 'there', JSON.stringify(found));
  return found.snapshot;
};

const zonesIn = async (path: string): Promise<Readonly<Record<string, string>>> => {
  const accounts = (await Array.fromAsync((await snapshotIn(path)).accounts())).flat();
  return Object.fromEntries(accounts.map(({ id, timeZone }) => [id, timeZone]));
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
  await replaceSnapshot(
    path,
    { takenAt: 5 },
    (async function* () {
      yield blockOf([account('b')]);
    })(),
  );
  await writeFile(changesPath(path), whole);
  assert.deepEqual(await zonesIn(path), { b: 'UTC' });
  await rm(changesPath(path));
  assert.deepEqual(await zonesIn(path), { b: 'UTC' });
});

test('the files have the position up to which they are complete, and a later run continues them', async (t) => {
  const stored = new Map(['a', 'b'].map((id) => [id, account(id)]));
  let position: string | undefined = '1';
  const { path, writer } = await opened(t, stored, { position: () => position });
  writer.changed(ALL);
  await until('the snapshot', async () => (await sizeOf(changesPath(path))) > 0);
  assert.equal((await snapshotIn(path)).position, '1');
  position = '2';
  writer.changed(sent(account('a', 'Europe/Berlin')));
  await until('the change', async () => (await snapshotIn(path)).position === '2');
  position = undefined;
  writer.changed(sent(account('a', 'Asia/Tokyo')));
  await writer.stop();
  assert.equal((await snapshotIn(path)).position, '2');

  const { files } = await snapshotIn(path);
  assert.equal(files?.changedBytes, await sizeOf(changesPath(path)));
  position = '4';
  const next = await opened(t, stored, { path, files, position: () => position });
  next.writer.changed(sent(account('b', 'Asia/Tokyo')));
  await next.writer.stop();
  assert.equal(next.reads(), 0);
  assert.equal((await snapshotIn(path)).position, '4');
  assert.deepEqual(await zonesIn(path), { a: 'Asia/Tokyo', b: 'Asia/Tokyo' });

  const whole = await readFile(changesPath(path));
  await writeFile(changesPath(path), whole.subarray(0, whole.length - 5));
  assert.deepEqual(await snapshotIn(path).then((found) => [found.position, found.files]), ['2', undefined]);
});

test('a change is not a position of the files while other accounts are missing from them', async (t) => {
  const mayRead = Promise.withResolvers<void>();
  const read = { count: 0 };
  const { path, writer } = await opened(t, new Map(), {
    position: () => '9',
    stopMs: 20,
    allAccounts: async function* () {
      read.count += 1;
      if (read.count > 1) await mayRead.promise;
      yield blockOf([account('a')]);
    },
  });
  writer.changed(ALL);
  await until('the snapshot', async () => (await sizeOf(changesPath(path))) > 0);
  // A deletion: all accounts are written again, and until then nothing is known about the others.
  writer.changed({ accounts: [account('b')], removed: ['c'] });
  await until('a second read', () => read.count === 2);
  const changes = await readFile(changesPath(path), 'utf8');
  assert.match(changes, /"id":"c"/);
  assert.doesNotMatch(changes, /"position"/);
  assert.equal((await snapshotIn(path)).files, undefined);
  mayRead.resolve();
  await writer.stop();
});

test('a failure is reported and does not block closing', async (t) => {
  const problems: unknown[] = [];
  const writer = snapshotWriter({
    path: snapshotPath(await temporaryFolder(t)),
    position: () => undefined,
    allAccounts: async function* () {
      yield blockOf([account('a')]);
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
    position: () => undefined,
    allAccounts: async function* () {
      yield blockOf([account('a')]);
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
