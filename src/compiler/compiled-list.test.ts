import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileWith, settingsWith } from '../../test/support/compiler/compile.ts';
import { linesOf } from '../../test/support/compiler/lines.ts';
import { readFrom } from '../../test/support/compiler/reader.ts';
import { longLists, shortLists } from '../../test/support/compiler/transformed-lists.ts';
import { listStrings, toFile } from './compiled-list.ts';

const file = (header: readonly string[], texts: readonly string[]): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(toFile(header, linesOf(texts)));

test('a file is its lines joined by line breaks, with none at the end', () => {
  assert.equal(file(['!', '! Title: N'], ['||a.com^', '', '||b.com^']), '!\n! Title: N\n||a.com^\n\n||b.com^');
});

test('an empty last line is a line break at the end', () => {
  assert.equal(file(['!'], ['||a.com^', '']), '!\n||a.com^\n');
});

test('a list of no lines is its header', () => {
  assert.equal(file(['!', '! x'], []), '!\n! x');
});

test('all lines are written unchanged', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '|', 'é', '名', '😀', '\ufeff', ' '), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), fc.array(text), (header, texts) => {
      assert.equal(file(header, texts), [...header, ...texts].join('\n'));
    }),
    { numRuns: 500 },
  );
});

test('the file and the lines of a compiled list are equal after any operation', async () => {
  const lists = fc.array(fc.oneof(shortLists, longLists), { minLength: 1, maxLength: 2 });
  const steps = fc.subarray(['Compress', 'RemoveModifiers', 'Deduplicate', 'RemoveComments', 'InsertFinalNewLine']);
  await fc.assert(
    fc.asyncProperty(lists, steps, async (sources, transformations) => {
      const table = Object.fromEntries(sources.map((lines, at) => [`${at}`, lines.join('\n')]));
      const configuration = { name: 'T', sources: Object.keys(table).map((source) => ({ source })), transformations };
      const { list } = await compileWith(configuration, settingsWith(readFrom(table).read));
      assert.equal(new TextDecoder().decode(list.bytes), listStrings(list).join('\n'));
    }),
    { numRuns: 40 },
  );
});
