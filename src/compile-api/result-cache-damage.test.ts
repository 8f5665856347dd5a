import assert from 'node:assert/strict';
import { copyFile, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { HOUR, keyOf, resultCacheForTests, resultOf } from '../../test/support/compile-api/result-cache.ts';
import { slow } from '../../test/support/kit/slow.ts';
import type { ResultCache } from './result-cache.ts';

const textOf = async (cache: ResultCache, name: string): Promise<string | undefined> => {
  const gzipped = await cache.read(keyOf(name));
  return gzipped && gunzipSync(gzipped).toString();
};
const resultNames = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name !== 'unfinished').sort();
const pathOf = (folder: string, name: string): string => join(folder, `${keyOf(name)}.result`);

test(
  'a file that is damaged at any byte, truncated or extended is logged and removed, and not served',
  slow,
  async (t) => {
    const { cache, folder, problems } = await resultCacheForTests(t);
    const [about, list] = resultOf('a');
    await cache.save(about, list);
    const path = pathOf(folder, 'a');
    const whole = await readFile(path);
    const flipped = Array.from(whole, (byte, at) => Object.assign(Buffer.from(whole), { [at]: byte ^ 1 }));
    const damaged = [
      ...flipped.filter((_, at) => at % 3 === 0),
      whole.subarray(0, -1),
      Buffer.alloc(0),
      Buffer.concat([whole, Buffer.of(0)]),
    ];
    for (const bytes of damaged) {
      problems.length = 0;
      await cache.save(about, list);
      await writeFile(path, bytes);
      assert.equal(await cache.read(about.key), undefined);
      assert.deepEqual(
        [await cache.find(about.key), await cache.findByContent(about.contentId)],
        [undefined, undefined],
      );
      assert.deepEqual(await resultNames(folder), []);
      assert.match(problems.join(), new RegExp(`^a cached result is (damaged|of another layout) .*: ${about.key}$`));
    }
  },
);

test('damage to the head or the length of a file is detected at the next start, damage to the details when they are read', async (t) => {
  const { cache, folder, reopen, problems } = await resultCacheForTests(t);
  const whole = Object.fromEntries(
    await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (name) => {
        await cache.save(...resultOf(name));
        return [name, await readFile(pathOf(folder, name))] as const;
      }),
    ),
  );
  const flip = (file: Buffer, text: string): Buffer => {
    const changed = Buffer.from(file);
    changed[file.indexOf(text)]! ^= 1;
    return changed;
  };
  await writeFile(pathOf(folder, 'a'), flip(whole['a']!, '"ruleCount"'));
  await writeFile(pathOf(folder, 'b'), whole['b']!.subarray(0, -1));
  await writeFile(pathOf(folder, 'c'), flip(whole['c']!, '"configuration"'));
  const again = await reopen();
  assert.equal(problems.length, 2);
  assert.deepEqual(await resultNames(folder), [keyOf('c'), keyOf('d')].map((key) => `${key}.result`).sort());
  assert.equal(await again.find(keyOf('c')), undefined);
  assert.equal(problems.length, 3);
  assert.deepEqual(await resultNames(folder), [`${keyOf('d')}.result`]);
});

test('the date of a damaged file is not renewed', async (t) => {
  const { cache, folder, clock, problems } = await resultCacheForTests(t);
  await cache.save(...resultOf('a'));
  await writeFile(pathOf(folder, 'a'), 'x');
  clock.monotonic += HOUR;
  await cache.renew(keyOf('a'));
  assert.equal(await cache.find(keyOf('a')), undefined);
  assert.match(problems.join(), /^a cached result is damaged/);
});

test('a result that is saved while its damaged predecessor is removed is not removed', async (t) => {
  const { cache, folder } = await resultCacheForTests(t);
  for (let round = 0; round < 5; round++) {
    await cache.save(...resultOf('a', 'old'));
    await writeFile(pathOf(folder, 'a'), 'x');
    const [found] = await Promise.all([cache.read(keyOf('a')), cache.save(...resultOf('a', 'new'))]);
    assert.equal(found, undefined);
    assert.equal(await textOf(cache, 'a'), 'new');
  }
});

test('a file with the name of another one counts as damaged', async (t) => {
  const { cache, folder, reopen, problems } = await resultCacheForTests(t);
  await cache.save(...resultOf('a'));
  await cache.save(...resultOf('b'));
  await copyFile(pathOf(folder, 'a'), pathOf(folder, 'b'));
  assert.equal(await cache.read(keyOf('b')), undefined);
  await copyFile(pathOf(folder, 'a'), pathOf(folder, 'b'));
  assert.equal(await (await reopen()).find(keyOf('b')), undefined);
  assert.equal(problems.length, 2);
});

test('a file that another process removed leaves the index', async (t) => {
  const { cache, folder, problems } = await resultCacheForTests(t);
  await cache.save(...resultOf('a'));
  await rename(pathOf(folder, 'a'), join(folder, 'moved'));
  assert.equal(await cache.read(keyOf('a')), undefined);
  assert.equal(await cache.find(keyOf('a')), undefined);
  assert.match(problems.join(), /^a cached result is gone/);
});
