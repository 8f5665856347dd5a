import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
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

test('what was saved is loaded, byte by byte', async (t) => {
  const copies = copiesOnDisk(join(await temporaryFolder(t), 'made', 'when', 'needed'));
  await copies.save(url, copy);
  assert.deepEqual(plain(await copies.load(url)), copy);
});

test('an empty body without a content type or tags is kept too', async (t) => {
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

test('a file damaged at any byte, cut short or grown is no copy', async (t) => {
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

test('a file of another layout is no copy, however whole', async (t) => {
  const folder = await temporaryFolder(t);
  const copies = copiesOnDisk(folder);
  await copies.save(url, copy);
  const [name] = await readdir(folder);
  const content = Buffer.from('{"mark":"weir copy 0"}\n||a.com^');
  await writeFile(join(folder, name ?? ''), Buffer.concat([createHash('sha256').update(content).digest(), content]));
  assert.equal(await copies.load(url), undefined);
});

test('many savings at once leave one whole copy and no other file', async (t) => {
  const folder = await temporaryFolder(t);
  const copies = copiesOnDisk(folder);
  const bodies = Array.from({ length: 20 }, (_, n) => Buffer.alloc(50_000, n));
  await Promise.all(bodies.map((bytes) => copies.save(url, { ...copy, bytes })));
  const loaded = await copies.load(url);
  assert.ok(bodies.some((bytes) => bytes.equals(loaded?.bytes ?? Buffer.alloc(0))));
  assert.equal((await readdir(folder)).length, 1);
});

test('the name of the file gives nothing away, and only its owner may read it', async (t) => {
  const folder = await temporaryFolder(t);
  await copiesOnDisk(folder).save(url, copy);
  const names = await readdir(folder);
  assert.match(names.join(), /^[0-9a-f]{64}\.copy$/);
  assert.equal((await stat(join(folder, names[0] ?? ''))).mode & 0o077, 0);
});

test('a saving that fails says so and leaves nothing behind', async (t) => {
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
