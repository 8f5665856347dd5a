import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { collectGarbage, rules, secret, until } from '../../test/support/filter-lists/lists.ts';
import { slow } from '../../test/support/kit/slow.ts';
import { buildTable } from '../engine/build/build-table.ts';
import { openLineReader } from './line-reader.ts';
import { loadTable, saveTable } from './table-file.ts';

const text = Buffer.from(`! a list\n${rules(300)}||ünlü.example^$important\n0.0.0.0 hosts.example`);
const table = buildTable(text, { secret });

test('a table that was saved is loaded byte for byte', async (t) => {
  const path = join(await temporaryFolder(t), 'a.table');
  await saveTable(path, table);
  const loaded = loadTable(path, secret);
  assert.ok(loaded.ok);
  assert.deepEqual(Buffer.from(loaded.value), Buffer.from(table.buffer));
});

test('a table that was made with another secret is not used', async (t) => {
  const path = join(await temporaryFolder(t), 'a.table');
  await saveTable(path, table);
  assert.equal(loadTable(path, Uint8Array.from([8, 7, 6, 5, 4, 3, 2, 1])).ok, false);
});

test('a file with a flipped bit, or a truncated or extended one, is rejected', slow, async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'a.table');
  await saveTable(path, table);
  const file = await readFile(path);
  const damaged = join(folder, 'damaged.table');
  const isUsed = async (content: Uint8Array): Promise<boolean> => {
    await writeFile(damaged, content);
    return loadTable(damaged, secret).ok;
  };
  assert.equal(await isUsed(file), true);
  for (let at = 0; at < file.length; at += at < 128 ? 1 : 61) {
    const flipped = Buffer.from(file);
    flipped[at]! ^= 1 << (at % 8);
    assert.equal(await isUsed(flipped), false, `byte ${at}`);
  }
  for (const size of [0, 10, 24, 25, file.length - 1]) assert.equal(await isUsed(file.subarray(0, size)), false);
  assert.equal(await isUsed(Buffer.concat([file, Buffer.alloc(4)])), false);
  assert.equal(loadTable(join(folder, 'nowhere'), secret).ok, false);
});

test('the line of every slot is read from the text', async (t) => {
  const folder = await temporaryFolder(t, { 'a.txt': text });
  const files = { text: join(folder, 'a.txt'), table: join(folder, 'a.table') };
  await saveTable(files.table, table);
  const reader = openLineReader(files);
  t.after(reader.close);
  const all = text.toString().split('\n');
  const read = Array.from(table.lines.keys(), (slot) => reader.line(slot));
  for (const [slot, place] of table.lines.entries()) {
    const expected = text.subarray(place).toString().split('\n')[0];
    assert.equal(read[slot], expected);
    // Again, from memory.
    assert.equal(reader.line(slot), expected);
  }
  assert.ok(read.every((line) => all.includes(line!)));
});

test('invalid slots, missing files and closed readers have no line', async (t) => {
  const folder = await temporaryFolder(t, { 'a.txt': text, 'cut.txt': text.subarray(0, 3) });
  const files = { text: join(folder, 'a.txt'), table: join(folder, 'a.table') };
  await saveTable(files.table, table);
  const slot = table.lines.findIndex((place) => place > 100);
  const reader = openLineReader(files);
  for (const wrong of [-1, table.lines.length, 2 ** 31]) assert.equal(reader.line(wrong), undefined);
  reader.close();
  assert.equal(reader.line(slot), undefined);
  for (const wrong of ['cut.txt', 'nowhere.txt'])
    assert.equal(openLineReader({ ...files, text: join(folder, wrong) }).line(slot), undefined);
  assert.equal(openLineReader({ ...files, table: files.text }).line(slot), undefined);
});

test('a line of any length is read completely', async (t) => {
  const long = `||${'a'.repeat(60)}.example^$client=${'b'.repeat(9_000)}`;
  const folder = await temporaryFolder(t, { 'a.txt': `${rules(3)}${long}\n||end.example^` });
  const files = { text: join(folder, 'a.txt'), table: join(folder, 'a.table') };
  const lines = Uint32Array.of(Buffer.byteLength(rules(3)), 1);
  await saveTable(files.table, { ...table, lines });
  const reader = openLineReader(files);
  t.after(reader.close);
  assert.equal(reader.line(0), long);
  // Undefined where no line starts.
  assert.equal(reader.line(1), undefined);
});

test('a reader opens its files at the first read; they are closed with it or when it is garbage-collected', async (t) => {
  const folder = await temporaryFolder(t, { 'a.txt': text });
  const files = { text: join(folder, 'a.txt'), table: join(folder, 'a.table') };
  await saveTable(files.table, table);
  const openFiles = (): number =>
    readdirSync('/proc/self/fd').filter((file) => linkOf(`/proc/self/fd/${file}`).startsWith(folder)).length;
  const slot = table.lines.findIndex((place) => place > 100);
  const reader = openLineReader(files);
  assert.equal(openFiles(), 0);
  assert.ok(reader.line(slot));
  assert.equal(openFiles(), 2);
  reader.close();
  assert.equal(openFiles(), 0);
  for (let number = 0; number < 10; number++) openLineReader(files).line(slot);
  await until(() => {
    collectGarbage();
    return openFiles() === 0;
  }, 'closed files');
});

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // The folder itself was open while it was listed, and is closed now.
    return '';
  }
}
