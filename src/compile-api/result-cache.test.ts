import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { HOUR, keyOf, resultCacheForTests, resultOf, START } from '../../test/support/compile-api/result-cache.ts';
import { slow } from '../../test/support/kit/slow.ts';
import type { ResultCache } from './result-cache.ts';
import { pack } from './result-folder.ts';

const textOf = async (cache: ResultCache, name: string, contentId?: string): Promise<string | undefined> => {
  const gzipped = await cache.read(keyOf(name), contentId);
  return gzipped && gunzipSync(gzipped).toString();
};
const isFresh = async (cache: ResultCache, name: string): Promise<boolean | undefined> =>
  (await cache.find(keyOf(name)))?.isFresh;
const resultNames = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name !== 'unfinished').sort();
const pathOf = (folder: string, name: string): string => join(folder, `${keyOf(name)}.result`);

test('a saved result is found unchanged by its key and by its content', async (t) => {
  const { cache } = await resultCacheForTests(t);
  const [about, list] = resultOf('a');
  await cache.save(about, list);
  assert.deepEqual(await cache.find(about.key), { about, isFresh: true });
  assert.deepEqual(await cache.findByContent(about.contentId), { about, isFresh: true });
  assert.deepEqual(await cache.read(about.key), list);
});

test('an unknown result is not found', async (t) => {
  const { cache, problems } = await resultCacheForTests(t);
  for (const key of [keyOf('a'), '', '../../etc/passwd', '__proto__']) {
    assert.equal(await cache.find(key), undefined);
    assert.equal(await cache.findByContent(key), undefined);
    assert.equal(await cache.read(key), undefined);
    await cache.renew(key);
  }
  assert.deepEqual(problems, []);
});

test('another process finds everything again', async (t) => {
  const { cache, reopen, problems } = await resultCacheForTests(t);
  const saved = [resultOf('a'), resultOf('b', '', { validators: undefined, extra: { ['__proto__']: 1 } })];
  for (const [about, list] of saved) await cache.save(about, list);
  const again = await reopen();
  for (const [about, list] of saved) {
    assert.deepEqual(await again.find(about.key), { about, isFresh: true });
    assert.deepEqual(await again.findByContent(about.contentId), { about, isFresh: true });
    assert.deepEqual(await again.read(about.key), list);
  }
  assert.deepEqual(problems, []);
});

test('only the owner may see the folder and the files', async (t) => {
  const { cache, folder } = await resultCacheForTests(t);
  await cache.save(...resultOf('a'));
  for (const path of [folder, join(folder, 'unfinished')]) assert.equal((await stat(path)).mode & 0o777, 0o700);
  assert.equal((await stat(pathOf(folder, 'a'))).mode & 0o777, 0o600);
});

test('a result is fresh for its time, then it is the previous version, until it is renewed or saved again', async (t) => {
  const { cache, clock } = await resultCacheForTests(t);
  await cache.save(...resultOf('a'));
  clock.monotonic += HOUR - 1;
  assert.equal(await isFresh(cache, 'a'), true);
  clock.monotonic += 1;
  assert.equal(await isFresh(cache, 'a'), false);
  await cache.renew(keyOf('a'));
  assert.equal(await isFresh(cache, 'a'), true);
  clock.monotonic += HOUR;
  assert.equal(await isFresh(cache, 'a'), false);
  assert.equal(await textOf(cache, 'a'), '||a.example^\n');
  await cache.save(...resultOf('a', 'new'));
  assert.equal(await isFresh(cache, 'a'), true);
});

test('while the process runs, a jump of the wall clock has no effect', async (t) => {
  const { cache, clock } = await resultCacheForTests(t);
  await cache.save(...resultOf('a'));
  for (const wall of [0, START - 5 * HOUR, START + 5 * HOUR]) {
    clock.wall = wall;
    assert.equal(await isFresh(cache, 'a'), true);
  }
});

test('at the next start the age is that of the wall clock, and a date in the future counts as past its time', async (t) => {
  const { cache, clock, reopen } = await resultCacheForTests(t);
  await cache.save(...resultOf('a'));
  clock.monotonic = 0;
  for (const [wall, expected] of [
    [START, true],
    [START + HOUR - 1, true],
    [START + HOUR, false],
    [START - 1, false],
    [0, false],
  ] as const) {
    clock.wall = wall;
    assert.equal(await isFresh(await reopen(), 'a'), expected, `at ${wall - START}`);
  }
  clock.wall = START + 10_000;
  const again = await reopen();
  clock.monotonic += HOUR - 10_000 - 1;
  assert.equal(await isFresh(again, 'a'), true);
  clock.monotonic += 1;
  assert.equal(await isFresh(again, 'a'), false);
});

test('a renewal survives the next start, and changes neither the list nor its date', async (t) => {
  const { cache, clock, reopen } = await resultCacheForTests(t);
  const [about, list] = resultOf('a');
  await cache.save(about, list);
  clock.wall += 5 * HOUR;
  clock.monotonic += 5 * HOUR;
  await cache.renew(about.key);
  const again = await reopen();
  assert.deepEqual(await again.find(about.key), { about, isFresh: true });
  assert.deepEqual(await again.read(about.key), list);
});

test('a renewal with a wrong clock is ignored at the next start', async (t) => {
  const { cache, clock, reopen } = await resultCacheForTests(t);
  await cache.save(...resultOf('a'));
  for (const [renewedAt, startedAt] of [
    [START + 10 * HOUR, START + 5 * HOUR],
    [START - 5 * HOUR, START - 5 * HOUR + 1],
  ] as const) {
    clock.wall = renewedAt;
    await cache.renew(keyOf('a'));
    clock.wall = startedAt;
    assert.equal(await isFresh(await reopen(), 'a'), false);
  }
});

test('a copied or touched folder does not extend the age of its results', async (t) => {
  const { cache, clock, folder, reopen } = await resultCacheForTests(t);
  await cache.save(...resultOf('a'));
  clock.wall += 5 * HOUR;
  await utimes(pathOf(folder, 'a'), clock.wall / 1000, clock.wall / 1000);
  assert.equal(await isFresh(await reopen(), 'a'), false);
});

test('a later result replaces the earlier one, also by its content', async (t) => {
  const { cache, folder } = await resultCacheForTests(t);
  const [old] = resultOf('a', 'old');
  await cache.save(...resultOf('a', 'old'));
  await cache.save(...resultOf('a', 'new'));
  assert.equal(await textOf(cache, 'a'), 'new');
  assert.equal(await cache.findByContent(old.contentId), undefined);
  assert.equal((await resultNames(folder)).length, 1);
});

test('a request for an exact version does not get its successor', async (t) => {
  const { cache } = await resultCacheForTests(t);
  const [old] = resultOf('a', 'old');
  await cache.save(...resultOf('a', 'old'));
  assert.equal(await textOf(cache, 'a', old.contentId), 'old');
  await cache.save(...resultOf('a', 'new'));
  assert.equal(await textOf(cache, 'a', old.contentId), undefined);
  assert.equal(await textOf(cache, 'a'), 'new');
});

test('a list of two configurations is found while one of them exists', async (t) => {
  const { cache } = await resultCacheForTests(t);
  const [{ contentId }] = resultOf('a', 'same');
  await cache.save(...resultOf('a', 'same'));
  await cache.save(...resultOf('b', 'same'));
  await cache.save(...resultOf('a', 'other'));
  assert.equal((await cache.findByContent(contentId))?.about.key, keyOf('b'));
  await cache.save(...resultOf('b', 'other'));
  assert.equal(await cache.findByContent(contentId), undefined);
});

test('of concurrent saves, the last one is kept, and no partial file remains', async (t) => {
  const { cache, folder, reopen, problems } = await resultCacheForTests(t);
  const lists = Array.from({ length: 20 }, (_, n) => `${n}\n`.repeat(5000));
  await Promise.all(lists.map((list) => cache.save(...resultOf('a', list))));
  assert.equal(await textOf(cache, 'a'), lists.at(-1));
  assert.equal(await textOf(await reopen(), 'a'), lists.at(-1));
  assert.deepEqual(await readdir(join(folder, 'unfinished')), []);
  assert.deepEqual(problems, []);
});

test('a concurrent renewal and save keep the saved result', async (t) => {
  const { cache } = await resultCacheForTests(t);
  for (let round = 0; round < 10; round++) {
    await cache.save(...resultOf('a', 'old'));
    const [about] = resultOf('a', `new ${round}`);
    await Promise.all([cache.renew(about.key), cache.save(...resultOf('a', `new ${round}`)), cache.renew(about.key)]);
    assert.equal(await textOf(cache, 'a'), `new ${round}`);
    assert.equal((await cache.find(about.key))?.about.contentId, about.contentId);
  }
});

test('a list that was read once is served from memory', async (t) => {
  const { cache, folder } = await resultCacheForTests(t);
  await cache.save(...resultOf('a'));
  await textOf(cache, 'a');
  await rm(pathOf(folder, 'a'));
  assert.equal(await textOf(cache, 'a'), '||a.example^\n');
  await cache.save(...resultOf('a', 'other'));
  assert.equal(await textOf(cache, 'a'), 'other');
});

test('concurrent readers get the complete old or new list', slow, async (t) => {
  const { cache, problems } = await resultCacheForTests(t, { memoryBytes: 1 });
  const lists = Array.from({ length: 20 }, (_, n) => `${n}\n`.repeat(20_000));
  await cache.save(...resultOf('a', lists[0]));
  let isWriting = true;
  const writing = (async () => {
    for (const list of lists) {
      await cache.save(...resultOf('a', list));
      await cache.renew(keyOf('a'));
    }
    isWriting = false;
  })();
  let reads = 0;
  for (; isWriting; reads++) assert.ok(lists.includes((await textOf(cache, 'a')) ?? 'nothing'));
  await writing;
  assert.ok(reads > 5);
  assert.deepEqual(problems, []);
});

test('leftovers and files of another layout are removed at the start, unrelated files stay', async (t) => {
  const { cache, folder, reopen, problems } = await resultCacheForTests(t);
  await cache.save(...resultOf('a'));
  await writeFile(pathOf(folder, 'old'), `weir result 0 ${'0'.repeat(64)}\n{}\n`);
  await writeFile(pathOf(folder, 'future'), 'weir result 12 and all that');
  await writeFile(join(folder, 'notes.txt'), 'mine');
  await writeFile(join(folder, 'notes.result'), 'mine');
  await writeFile(join(folder, 'unfinished', `${keyOf('b')}.unfinished`), 'half');
  const again = await reopen();
  assert.equal(await textOf(again, 'a'), '||a.example^\n');
  assert.deepEqual(await resultNames(folder), [`${keyOf('a')}.result`, 'notes.result', 'notes.txt'].sort());
  assert.deepEqual(await readdir(join(folder, 'unfinished')), []);
  assert.deepEqual(problems, []);
});

test('above the limit, the least recently used result is evicted, also from disk', async (t) => {
  const { cache, folder, problems } = await resultCacheForTests(t, { maxBytes: 3 * 4096 });
  for (const name of ['a', 'b', 'c']) await cache.save(...resultOf(name));
  await cache.find(keyOf('a'));
  await cache.read(keyOf('b'));
  await cache.save(...resultOf('d'));
  const kept = ['a', 'b', 'd'];
  assert.deepEqual(await resultNames(folder), kept.map((name) => `${keyOf(name)}.result`).sort());
  for (const name of kept) assert.equal(await textOf(cache, name), `||${name}.example^\n`);
  assert.equal(await cache.find(keyOf('c')), undefined);
  assert.equal(await cache.findByContent(resultOf('c')[0].contentId), undefined);
  assert.deepEqual(problems, []);
});

test('the limit applies to the sum of all files, also during concurrent saves and at a start with a lower limit', async (t) => {
  const { cache, folder, reopen } = await resultCacheForTests(t, { maxBytes: 200_000 });
  const sum = async () => {
    const sizes = await Promise.all(
      (await resultNames(folder)).map(async (name) => (await stat(join(folder, name))).size),
    );
    return sizes.reduce((total, size) => total + size, 0);
  };
  const random = (bytes: number): string => randomBytes(bytes).toString('latin1');
  const names = Array.from({ length: 40 }, (_, n) => `list ${n}`);
  await Promise.all(names.flatMap((name) => [1, 2].map(() => cache.save(...resultOf(name, random(10_000))))));
  assert.ok((await sum()) <= 200_000);
  assert.ok((await sum()) > 150_000);
  const found = names.filter((name) => cache.find(keyOf(name)) !== undefined);
  assert.equal(found.length, (await resultNames(folder)).length);
  for (const name of found) assert.ok(await textOf(cache, name));
  await reopen({ maxBytes: 50_000 });
  assert.ok((await sum()) <= 50_000);
  assert.ok((await sum()) > 30_000);
});

test('at a start with a lower limit, the most recently saved or renewed results are kept', async (t) => {
  const { cache, clock, reopen } = await resultCacheForTests(t);
  for (const name of ['a', 'b', 'c']) {
    clock.wall += 1000;
    await cache.save(...resultOf(name, name, { compiledAt: new Date(clock.wall).toISOString() }));
  }
  clock.wall += 1000;
  await cache.renew(keyOf('a'));
  const again = await reopen({ maxBytes: 2 * 4096 });
  assert.deepEqual(await Promise.all(['a', 'b', 'c'].map((name) => textOf(again, name))), ['a', undefined, 'c']);
});

test('a result that is too large is not stored, and its predecessor is removed', async (t) => {
  const { cache, folder, problems } = await resultCacheForTests(t, { maxEntryBytes: 10_000 });
  await cache.save(...resultOf('a'));
  await cache.save(...resultOf('b'));
  await cache.save(...resultOf('a', randomBytes(20_000).toString('latin1')));
  await cache.save(...resultOf('b', '', { extra: 'x'.repeat(10_000) }));
  assert.deepEqual([await cache.find(keyOf('a')), await cache.find(keyOf('b'))], [undefined, undefined]);
  assert.deepEqual(await resultNames(folder), []);
  assert.deepEqual(problems, []);
});

test('the metadata of a result may be long', async (t) => {
  const { cache, reopen } = await resultCacheForTests(t);
  const [about, list] = resultOf('a', 'list', { extra: Array.from({ length: 10_000 }, (_, n) => `dropped ${n}`) });
  await cache.save(about, list);
  const again = await reopen();
  assert.deepEqual(await again.find(about.key), { about, isFresh: true });
  assert.deepEqual(await again.read(about.key), list);
});

test('two thousand results are indexed within two seconds of CPU time', slow, async (t) => {
  const { folder, cache, reopen, problems } = await resultCacheForTests(t, { maxBytes: 2 ** 30 });
  await cache.save(...resultOf('seed'));
  // Written without the care of save(), which would take longer than what is measured.
  const names = Array.from({ length: 2000 }, (_, n) => `n${n}`);
  for (const name of names) await writeFile(pathOf(folder, name), Buffer.concat(pack(...resultOf(name)).parts));
  const before = process.cpuUsage();
  const again = await reopen();
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 2_000_000, `it took ${user + system} µs`);
  assert.equal(await textOf(again, 'n1999'), '||n1999.example^\n');
  assert.deepEqual(problems, []);
});

test('a deleted folder is created again', async (t) => {
  const { cache, folder, problems } = await resultCacheForTests(t);
  await rename(folder, `${folder}-moved`);
  await cache.save(...resultOf('a'));
  assert.equal(await textOf(cache, 'a'), '||a.example^\n');
  assert.deepEqual(problems, []);
});
