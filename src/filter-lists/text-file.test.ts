import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTable } from '../engine/build/build-table.ts';
import { textFile } from './text-file.ts';

const secret = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);

test('a table built from chunks of a file equals one built from memory', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-text-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const names = Array.from({ length: 30_000 }, (_, nth) => `||name-${nth}.example${nth % 7}.com^`);
  const long = `! ${'a comment that is longer than any piece '.repeat(20_000)}`;
  const texts = [
    names.join('\n'),
    [...names.slice(0, 9000), long, 'name-1.example1.com', '||b*.example.org^', ...names].join('\r\n'),
    '\ufeff||a.com^\n||a.com^$important',
    '',
    '\n',
  ];
  for (const [nth, text] of texts.entries()) {
    const path = join(folder, `${nth}.txt`);
    writeFileSync(path, text);
    const fromFile = buildTable(textFile(path), { secret });
    const fromMemory = buildTable(new TextEncoder().encode(text), { secret });
    assert.deepEqual(fromFile.report, fromMemory.report);
    assert.ok(Buffer.from(fromFile.buffer).equals(Buffer.from(fromMemory.buffer)), `text ${nth}`);
    assert.ok(Buffer.from(fromFile.lines).equals(Buffer.from(fromMemory.lines)));
  }
});

test('a missing file is an error', () => {
  assert.throws(() => textFile('/nowhere/list.txt'), /ENOENT/);
});
