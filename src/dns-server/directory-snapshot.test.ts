import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { slow } from '../../test/support/kit/slow.ts';
import { defaultSettings } from '../domain/default-settings.ts';
import { noExtensions } from '../domain/profile-extensions.ts';
import { accountsIn as accountsOf, blockOf } from './account-blocks.ts';
import { readSnapshot, snapshotPath, writeSnapshot } from './directory-snapshot.ts';
import type { FeedAccount } from './feed-account.ts';
import { indexPath } from './snapshot-index.ts';

const account = (id: string): FeedAccount =>
  ({
    id,
    timeZone: 'UTC',
    logEnabled: true,
    isSuspended: false,
    profiles: [],
    devices: [],
    dedicated: [],
    customLists: [],
  }) as never;

async function* parts(...all: (readonly FeedAccount[])[]) {
  for (const some of all) yield blockOf(some);
}

async function accountsIn(path: string): Promise<readonly FeedAccount[]> {
  const found = await readSnapshot(path);
  assert.ok(found.kind === 'there', JSON.stringify(found));
  return (await Array.fromAsync(found.snapshot.accounts())).flat();
}

test('a snapshot is read back as it was written, and is its owner’s only', async (t) => {
  const path = snapshotPath(await temporaryFolder(t));
  await writeSnapshot(path, { takenAt: 17 }, parts([account('a'), account('b')], [account('c')]));
  const accounts = ['a', 'b', 'c'].map(account);
  assert.deepEqual(await accountsIn(path), accounts);
  const found = await readSnapshot(path);
  assert.ok(found.kind === 'there');
  assert.deepEqual([found.snapshot.takenAt, found.snapshot.position], [17, undefined]);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test('settings that an older version did not have get their defaults', async (t) => {
  const path = snapshotPath(await temporaryFolder(t));
  const own = { customLists: [], temporaryRules: [], upstreams: ['9.9.9.9'] };
  const profiles = [{ id: 'aaaaaaaa', settings: { ...defaultSettings(), own } }];
  const old = { ...account('a'), profiles } as unknown as FeedAccount;
  await writeSnapshot(path, { takenAt: 17 }, parts([old]));
  const [found] = await accountsIn(path);
  assert.deepEqual(found!.profiles[0]!.settings.own, { ...noExtensions, upstreams: ['9.9.9.9'] });
});

test('strategies of upstreams are kept', async (t) => {
  const path = snapshotPath(await temporaryFolder(t));
  const own = { ...noExtensions, upstreams: ['9.9.9.9', '1.1.1.1'], upstreamStrategy: 'ordered' };
  const rule = { id: '1', domain: 'lan', upstreams: ['10.0.0.1', '10.0.0.2'], strategy: 'parallel' };
  const profiles = [{ id: 'aaaaaaaa', settings: { ...defaultSettings(), own } }];
  const stored = { ...account('a'), profiles, forwardRules: [rule] } as unknown as FeedAccount;
  await writeSnapshot(path, { takenAt: 17 }, parts([stored]));
  assert.deepEqual(await accountsIn(path), [stored]);
});

test('accounts that are larger than a part of the file are read whole', async (t) => {
  const path = snapshotPath(await temporaryFolder(t));
  const large = { ...account('a'), padding: 'ü'.repeat(2 ** 20) } as FeedAccount;
  await writeSnapshot(path, { takenAt: 17, position: '7.9.f' }, parts([large, account('b')], [large]));
  assert.deepEqual(await accountsIn(path), [large, account('b'), large]);
  const found = await readSnapshot(path);
  assert.ok(found.kind === 'there' && found.snapshot.position === '7.9.f');
});

test('without its index, or with that of another snapshot or a damaged one, the lines of a snapshot are read', async (t) => {
  const path = snapshotPath(await temporaryFolder(t));
  await writeSnapshot(path, { takenAt: 1 }, parts([account('z')]));
  const other = await readFile(indexPath(path));
  await writeSnapshot(path, { takenAt: 17 }, parts([account('a'), account('b')], [account('c')]));
  const blocks = async () => {
    const found = await readSnapshot(path);
    assert.ok(found.kind === 'there');
    return Array.fromAsync(found.snapshot.blocks());
  };
  const accounts = ['a', 'b', 'c'].map(account);
  const sizesAndAccounts = async () => {
    const all = (await blocks()).map(({ block }) => accountsOf(block));
    return { sizes: all.map(({ length }) => length), accounts: all.flat() };
  };
  assert.deepEqual(await sizesAndAccounts(), { sizes: [2, 1], accounts });
  const whole = await readFile(indexPath(path));
  for (const at of [5, whole.indexOf('\n') + 5, whole.length - 1]) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 1;
    await writeFile(indexPath(path), damaged);
    assert.deepEqual(await sizesAndAccounts(), { sizes: [3], accounts });
  }
  for (const unusable of [other, whole.subarray(0, 20), whole.subarray(0, whole.length - 4)]) {
    await writeFile(indexPath(path), unusable);
    assert.deepEqual(await sizesAndAccounts(), { sizes: [3], accounts });
  }
  await rm(indexPath(path));
  assert.deepEqual(await sizesAndAccounts(), { sizes: [3], accounts });
});

test('a missing snapshot is not reported as damaged', async (t) => {
  assert.deepEqual(await readSnapshot(snapshotPath(await temporaryFolder(t))), { kind: 'none' });
});

test('a snapshot that could not be finished leaves the one before, and nothing else', async (t) => {
  const path = snapshotPath(await temporaryFolder(t));
  await writeSnapshot(path, { takenAt: 1 }, parts([account('a')]));
  await assert.rejects(
    writeSnapshot(
      path,
      { takenAt: 2 },
      (async function* () {
        yield blockOf([account('b')]);
        throw new Error('the store is gone');
      })(),
    ),
    /store is gone/,
  );
  const found = await readSnapshot(path);
  assert.ok(found.kind === 'there' && found.snapshot.takenAt === 1);
  assert.deepEqual((await readdir(dirname(path))).sort(), ['directory.index', 'directory.snapshot']);
});

test('a snapshot with any byte changed, cut off or added is refused', slow, async (t) => {
  const path = snapshotPath(await temporaryFolder(t));
  await writeSnapshot(path, { takenAt: 17 }, parts([account('a')]));
  const whole = await readFile(path);
  const damaged = [
    ...Array.from({ length: whole.length }, (_, at) => {
      const copy = Buffer.from(whole);
      copy[at]! ^= 1;
      return copy;
    }),
    ...[0, 1, 20, whole.length - 1].map((length) => whole.subarray(0, length)),
    Buffer.concat([whole, whole]),
  ];
  for (const bytes of damaged) {
    await writeFile(path, bytes);
    assert.equal((await readSnapshot(path)).kind, 'damaged', bytes.toString('latin1').slice(-100));
  }
});
