import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { HOUR, keyOf, resultCacheForTests, resultOf } from '../../test/support/compile-api/result-cache.ts';
import type { ResultCache } from './result-cache.ts';
import { unpack } from './result-folder.ts';

const textOf = async (cache: ResultCache, name: string): Promise<string | undefined> => {
  const gzipped = await cache.read(keyOf(name));
  return gzipped && gunzipSync(gzipped).toString();
};

/** Saves in an endless loop, eight at a time, and prints the number of each completed save. */
const endlessSavings = (folder: string): string => `
  import { openResultCache } from ${JSON.stringify(new URL('./result-cache.ts', import.meta.url).href)};
  import { resultOf, HOUR, START } from ${JSON.stringify(new URL('../../test/support/compile-api/result-cache.ts', import.meta.url).href)};
  const cache = await openResultCache({
    folder: ${JSON.stringify(folder)}, maxBytes: 2 ** 30, maxEntryBytes: 2 ** 24, freshMs: HOUR,
    now: () => 0, wallNow: () => START, onProblem: (problem) => { throw problem; },
  });
  let count = 0;
  const work = async () => {
    for (;;) {
      const n = count++;
      await cache.save(...resultOf('list ' + n, (n + '\\n').repeat(50_000)));
      process.stdout.write(n + '\\n');
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
`;

for (const wanted of [1, 9, 40])
  test(`after a process is killed after ${wanted} saves, all confirmed results exist and none is partial`, async (t) => {
    const { folder, reopen, problems } = await resultCacheForTests(t, { maxBytes: 2 ** 30, maxEntryBytes: 2 ** 24 });
    const child = spawn(process.execPath, ['--input-type=module', '-e', endlessSavings(folder)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const safe: number[] = [];
    for await (const line of createInterface(child.stdout)) {
      safe.push(Number(line));
      if (safe.length === wanted) child.kill('SIGKILL');
    }
    assert.deepEqual(await exited, [null, 'SIGKILL']);

    const again = await reopen();
    assert.deepEqual(problems, []);
    for (const n of safe) {
      assert.equal((await again.find(keyOf(`list ${n}`)))?.isFresh, true);
      assert.equal(await textOf(again, `list ${n}`), `${n}\n`.repeat(50_000));
    }
    const files = (await readdir(folder)).filter((name) => name !== 'unfinished');
    assert.ok(files.length >= safe.length);
    for (const name of files) assert.ok(unpack(await readFile(join(folder, name))), name);
    assert.deepEqual(await readdir(join(folder, 'unfinished')), []);
  });

const isRoomless = existsSync('/dev/full') ? false : 'this system has no /dev/full';

test('a full disk is logged, and the result stays in memory', { skip: isRoomless }, async (t) => {
  const { cache, folder, clock, problems, reopen } = await resultCacheForTests(t);
  await cache.save(...resultOf('a', 'old'));
  const fill = () => symlink('/dev/full', join(folder, 'unfinished', `${keyOf('a')}.unfinished`));
  await fill();
  const [about] = resultOf('a', 'new');
  await cache.save(...resultOf('a', 'new'));
  assert.match(problems.join('\n'), /^cannot write a cached result: ENOSPC: no space left on device, write$/);
  assert.deepEqual(await cache.find(about.key), { about, isFresh: true });
  assert.deepEqual(await cache.findByContent(about.contentId), { about, isFresh: true });
  assert.equal(await cache.findByContent(resultOf('a', 'old')[0].contentId), undefined);
  assert.equal(await textOf(cache, 'a'), 'new');
  assert.deepEqual(await readdir(join(folder, 'unfinished')), []);

  clock.monotonic += HOUR;
  assert.equal((await cache.find(about.key))?.isFresh, false);
  await cache.renew(about.key);
  assert.equal((await cache.find(about.key))?.isFresh, true);
  // An outdated result must not return with the next process.
  assert.equal(await (await reopen()).find(about.key), undefined);

  await cache.save(...resultOf('a', 'newer'));
  assert.equal(await textOf(cache, 'a'), 'newer');
  assert.equal(await textOf(await reopen(), 'a'), 'newer');
});

test('on a full disk a renewed file is unchanged, and the result is fresh while the process runs', {
  skip: isRoomless,
}, async (t) => {
  const { cache, folder, clock, problems, reopen } = await resultCacheForTests(t);
  await cache.save(...resultOf('a'));
  clock.monotonic += HOUR;
  clock.wall += HOUR;
  await symlink('/dev/full', join(folder, 'unfinished', `${keyOf('a')}.unfinished`));
  await cache.renew(keyOf('a'));
  assert.match(problems.join('\n'), /^cannot update the time of a cached result; it applies until restart: ENOSPC/);
  assert.equal((await cache.find(keyOf('a')))?.isFresh, true);
  assert.equal(await textOf(cache, 'a'), '||a.example^\n');
  assert.equal((await (await reopen()).find(keyOf('a')))?.isFresh, false);
});

test('a folder replaced by a file is logged; results stay in memory until it is repaired, then go to disk', async (t) => {
  const { cache, folder, problems, reopen } = await resultCacheForTests(t);
  await cache.save(...resultOf('a'));
  await rename(folder, `${folder}-moved`);
  await writeFile(folder, 'a file');
  await cache.save(...resultOf('b'));
  assert.match(problems[0] ?? '', /^cannot write a cached result: E(EXIST|NOTDIR)/);
  assert.equal(await textOf(cache, 'b'), '||b.example^\n');
  assert.equal(await textOf(cache, 'a'), undefined);

  await rm(folder);
  await rename(`${folder}-moved`, folder);
  assert.equal(await textOf(cache, 'a'), '||a.example^\n');
  await cache.save(...resultOf('b'));
  assert.equal(await textOf(await reopen(), 'b'), '||b.example^\n');
});

test('a folder that is unusable at the start is logged, and the cache works in memory', async (t) => {
  const { folder, problems, reopen } = await resultCacheForTests(t);
  await rm(folder, { recursive: true });
  await writeFile(folder, 'a file');
  const cache = await reopen();
  assert.match(
    problems.join('\n'),
    /^cannot write to the result cache folder: .*\ncannot read the result cache folder: ENOTDIR/,
  );
  await cache.save(...resultOf('a'));
  assert.equal(await textOf(cache, 'a'), '||a.example^\n');
});

test('at most 16 MiB of results that cannot be written are in memory', async (t) => {
  const { folder, reopen } = await resultCacheForTests(t);
  await rm(folder, { recursive: true });
  await writeFile(folder, 'a file');
  const cache = await reopen({ maxBytes: 2 ** 30, maxEntryBytes: 2 ** 30 });
  const megabytes = (count: number): Buffer => Buffer.alloc(count * 1_000_000, 1);
  for (const name of ['a', 'b', 'c', 'd']) await cache.save(resultOf(name)[0], megabytes(5));
  const isThere = (name: string) => cache.find(keyOf(name)) !== undefined;
  assert.deepEqual(['a', 'b', 'c', 'd'].map(isThere), [false, true, true, true]);
  await cache.save(resultOf('e')[0], megabytes(17));
  assert.deepEqual(['b', 'c', 'd', 'e'].map(isThere), [true, true, true, false]);
});

test('an unreadable file is logged and not deleted', async (t) => {
  const { cache, folder, problems } = await resultCacheForTests(t);
  await cache.save(...resultOf('a'));
  const path = join(folder, `${keyOf('a')}.result`);
  await rename(path, `${path}-moved`);
  await mkdir(path);
  assert.equal(await cache.read(keyOf('a')), undefined);
  assert.match(problems.join(), /^cannot read a cached result: EISDIR/);
  await rm(path, { recursive: true });
  await rename(`${path}-moved`, path);
  assert.equal(await textOf(cache, 'a'), '||a.example^\n');
});

test('a value that JSON cannot express, or an invalid key, is only logged', async (t) => {
  const { cache, folder, problems } = await resultCacheForTests(t);
  const [about, list] = resultOf('a', 'list', { extra: 1n });
  await cache.save(about, list);
  assert.match(problems.join(), /^cannot cache a result: .*BigInt/);
  await cache.save({ ...about, extra: null, key: '../outside' }, list);
  assert.match(problems.join('\n'), /cannot write a cached result: not a key of a result: \.\.\/outside/);
  assert.deepEqual(await readdir(folder), ['unfinished']);
  assert.deepEqual(await readdir(join(folder, '..')), ['results']);
});

test('results that evict each other concurrently do not deadlock', async (t) => {
  const { cache, problems } = await resultCacheForTests(t, { maxBytes: 2 * 4096 });
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (let round = 0; round < 5; round++)
    await Promise.all(
      names.flatMap((name) => [
        cache.save(...resultOf(name, randomBytes(9).toString('hex'))),
        cache.renew(keyOf(name)),
      ]),
    );
  assert.equal(names.filter((name) => cache.find(keyOf(name)) !== undefined).length, 2);
  assert.deepEqual(problems, []);
});
