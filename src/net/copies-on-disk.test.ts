import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { slow } from '../../test/support/kit/slow.ts';
import { type Copy, copiesOnDisk } from './copies-on-disk.ts';

const url = 'https://user:secret@list.example/ads.txt';
const copy: Copy = {
  bytes: Buffer.from([0x00, 0x0a, 0xff, 0x0a, 0x7b]),
  url: 'https://list.example/moved.txt',
  contentType: 'text/plain',
  etag: 'W/"1"',
  lastModified: 'Tue, 01 Jul 2025 10:00:00 GMT',
};

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'copies-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

const plain = (found: Copy | undefined) => found && { ...found, bytes: Buffer.from(found.bytes) };

test('a saved copy is loaded byte by byte', async (t) => {
  const copies = copiesOnDisk(join(await temporaryFolder(t), 'made', 'when', 'needed'));
  await copies.save(url, copy);
  assert.deepEqual(plain(await copies.load(url)), copy);
});

test('an empty body without a content type or tags is stored, too', async (t) => {
  const copies = copiesOnDisk(await temporaryFolder(t));
  await copies.save(url, { bytes: Buffer.alloc(0), url, contentType: undefined });
  assert.deepEqual(plain(await copies.load(url)), { bytes: Buffer.alloc(0), url, contentType: undefined });
});

test('a URL that was never saved has no copy', async (t) => {
  assert.equal(await copiesOnDisk(await temporaryFolder(t)).load(url), undefined);
  assert.equal(await copiesOnDisk(join(await temporaryFolder(t), 'missing')).load(url), undefined);
});

test('a later copy replaces the earlier one, and URLs do not share', async (t) => {
  const copies = copiesOnDisk(await temporaryFolder(t));
  await copies.save(url, copy);
  await copies.save(url, { ...copy, etag: '"2"' });
  await copies.save(`${url}?other`, { ...copy, etag: '"3"' });
  assert.equal((await copies.load(url))?.etag, '"2"');
});

test('a file that is damaged at any byte, truncated or extended is not used as a copy', slow, async (t) => {
  const folder = await temporaryFolder(t);
  const copies = copiesOnDisk(folder);
  await copies.save(url, copy);
  const [name] = await readdir(folder);
  const path = join(folder, name ?? '');
  const whole = await readFile(path);
  const flipped = Array.from(whole, (byte, at) =>
    Buffer.concat([whole.subarray(0, at), Buffer.from([byte ^ 1]), whole.subarray(at + 1)]),
  );
  for (const bytes of [...flipped, whole.subarray(0, -1), Buffer.alloc(0), Buffer.concat([whole, Buffer.from('x')])]) {
    await writeFile(path, bytes);
    assert.equal(await copies.load(url), undefined);
  }
  await writeFile(path, whole);
  assert.ok(await copies.load(url));
});

test('an intact file in another layout is not used as a copy', async (t) => {
  const folder = await temporaryFolder(t);
  const copies = copiesOnDisk(folder);
  await copies.save(url, copy);
  const [name] = await readdir(folder);
  const content = Buffer.from('{"mark":"weir copy 0"}\n||a.com^');
  await writeFile(join(folder, name ?? ''), Buffer.concat([createHash('sha256').update(content).digest(), content]));
  assert.equal(await copies.load(url), undefined);
});

test('concurrent saves leave one complete copy and no other file', async (t) => {
  const folder = await temporaryFolder(t);
  const copies = copiesOnDisk(folder);
  const bodies = Array.from({ length: 20 }, (_, n) => Buffer.alloc(50_000, n));
  await Promise.all(bodies.map((bytes) => copies.save(url, { ...copy, bytes })));
  const loaded = await copies.load(url);
  assert.ok(bodies.some((bytes) => bytes.equals(loaded?.bytes ?? Buffer.alloc(0))));
  assert.equal((await readdir(folder)).length, 1);
});

test('the file name reveals nothing, and only the owner may read the file', async (t) => {
  const folder = await temporaryFolder(t);
  await copiesOnDisk(folder).save(url, copy);
  const names = await readdir(folder);
  assert.match(names.join(), /^[0-9a-f]{64}\.copy$/);
  assert.equal((await stat(join(folder, names[0] ?? ''))).mode & 0o077, 0);
});

/** Saves copies of slightly more than 10,000 bytes, one second apart. */
async function keeper(t: TestContext, maxBytes: number, given?: string) {
  const folder = given ?? (await temporaryFolder(t));
  let clock = Date.now();
  const copies = copiesOnDisk(folder, { maxBytes, now: () => (clock += 1000) });
  const sizes = async () =>
    Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
  return {
    folder,
    load: (name: string) => copies.load(name),
    save: async (names: string) => {
      for (const name of names)
        await copies.save(name, { bytes: Buffer.alloc(10_000), url: name, contentType: undefined });
    },
    kept: async (names: string) => {
      const strangers = copiesOnDisk(folder);
      const found = await Promise.all(Array.from(names, (name) => strangers.load(name)));
      return Array.from(names)
        .filter((_, at) => found[at])
        .join('');
    },
    size: async () => (await sizes()).reduce((sum, size) => sum + size, 0),
  };
}

test('the least recently used copies are evicted', async (t) => {
  const { save, load, kept } = await keeper(t, 80_000);
  await save('abcdef');
  await load('a');
  await load('c');
  await save('ghij');
  assert.equal(await kept('abcdefghij'), 'acghij');
});

test('copies never exceed the size limit', async (t) => {
  const { save, size, kept } = await keeper(t, 100_000);
  for (const name of 'abcdefghijklmnopqrstuvwxyz') {
    await save(name);
    assert.ok((await size()) <= 100_000);
    assert.equal(await kept(name), name);
  }
  assert.ok((await size()) > 70_000);
});

test('two users of a folder share its size limit', async (t) => {
  const first = await keeper(t, 100_000);
  const second = await keeper(t, 100_000, first.folder);
  for (const name of 'abcdefghijklm') {
    await first.save(name);
    await second.save(name.toUpperCase());
    assert.ok((await first.size()) <= 120_000);
  }
});

test('a copy larger than the limit is not stored and evicts no other', async (t) => {
  const { folder, save, kept } = await keeper(t, 30_000);
  await save('a');
  await copiesOnDisk(folder, { maxBytes: 9_000 }).save('b', { ...copy, bytes: Buffer.alloc(10_000) });
  assert.equal(await kept('ab'), 'a');
});

test('saving the first copy removes the files of killed writers, and no file that is being written', async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'old.copy.1.unfinished'), 'left');
  await utimes(join(folder, 'old.copy.1.unfinished'), 0, 0);
  await writeFile(join(folder, 'new.copy.2.unfinished'), 'under way');
  await writeFile(join(folder, 'of somebody else'), '');
  await utimes(join(folder, 'of somebody else'), 0, 0);
  await copiesOnDisk(folder).save(url, copy);
  const names = (await readdir(folder)).filter((name) => !/^[0-9a-f]{64}\.copy$/.test(name));
  assert.deepEqual(names.toSorted(), ['new.copy.2.unfinished', 'of somebody else']);
});

test('the folder is not scanned for each copy', async (t) => {
  const { folder, save } = await keeper(t, 1_000_000);
  await save('a');
  await writeFile(join(folder, 'old.copy.1.unfinished'), '');
  await utimes(join(folder, 'old.copy.1.unfinished'), 0, 0);
  const isThere = async () => (await readdir(folder)).includes('old.copy.1.unfinished');
  await save('bcdefghijkl');
  assert.ok(await isThere());
  await save('mno');
  assert.ok(!(await isThere()));
});

test('a failed save is reported and leaves nothing behind', async (t) => {
  const blocked = await temporaryFolder(t);
  await copiesOnDisk(blocked).save(url, copy);
  const [name] = await readdir(blocked);
  await rm(join(blocked, name ?? ''));
  await mkdir(join(blocked, name ?? ''));
  await assert.rejects(copiesOnDisk(blocked).save(url, copy), { syscall: 'rename' });
  assert.deepEqual(await readdir(blocked), [name]);

  const folder = await temporaryFolder(t);
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  await assert.rejects(copiesOnDisk(file).save(url, copy), { code: 'EEXIST' });
  assert.deepEqual(await readdir(folder), ['a-file']);
});
