import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createText, decode } from '../lines/text.ts';
import { toTemplate, writeComment, writeTemplate } from './write-lines.ts';

const comment = (bytes: Uint8Array, mark = '#'): string => {
  const file = createText();
  writeComment(file, mark, bytes, 0, bytes.length);
  return decode(file.bytes, 0, file.length);
};

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a comment starts with the comment marker of the format and a space', () => {
  assert.equal(comment(encode(' Title: ads'), ';'), '; Title: ads\n');
  assert.equal(comment(encode('Title: ads')), '# Title: ads\n');
  assert.equal(comment(encode('')), '#\n');
});

test('control characters of a comment become spaces', () => {
  assert.equal(comment(encode('a\0b\rc\x1bd\x7fe')), '# a b c d e\n');
});

test('a long comment is continued in further comments, split between characters', () => {
  assert.equal(comment(encode('x'.repeat(501))), `# ${'x'.repeat(500)}\n# x\n`);
  assert.equal(comment(encode(`x${'é'.repeat(300)}`)), `# x${'é'.repeat(249)}\n# ${'é'.repeat(51)}\n`);
});

test('for any bytes, every line is a comment and short enough for all readers', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
      const file = createText();
      writeComment(file, '#', bytes, 0, bytes.length);
      const lines = Buffer.from(file.bytes.subarray(0, file.length)).toString('latin1').split('\n');
      assert.equal(lines.pop(), '');
      for (const line of lines) assert.match(line, /^#[ -~\x80-\xff]{0,501}$/);
    }),
  );
});

test('a template is written around the name', () => {
  const file = createText();
  writeTemplate(file, toTemplate('local=/*.{}/'), encode('the ads.com here'), 4, 11);
  assert.equal(decode(file.bytes, 0, file.length), 'local=/*.ads.com/\n');
});
