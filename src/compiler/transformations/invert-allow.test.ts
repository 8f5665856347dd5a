import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isCommentText, longLists } from '../../../test/support/compiler/transformed-lists.ts';
import { transform } from '../index.ts';

const invert = (list: string): string[] => transform(list.split('\n'), ['InvertAllow']);

test('rules become exceptions', () => {
  assert.deepEqual(invert('||a.com^\na.com\n/ads/\n||b.com^$important'), [
    '@@||a.com^',
    '@@a.com',
    '@@/ads/',
    '@@||b.com^$important',
  ]);
});

test('comments, empty lines, hosts lines and exceptions are not changed', () => {
  const lines = ['! x', '# x', '', '0.0.0.0 a.com', 'add example.com', '@@||a.com^', '@@'];
  assert.deepEqual(invert(lines.join('\n')), lines);
});

test('lists of many blocks are inverted, too', () => {
  const isHosts = (line: string): boolean => /^[0-9a-f.:[\]]+(?:%[0-9a-z]+)?\s+[^#]+(?:#.*)?$/.test(line);
  const stays = (line: string): boolean => line === '' || isCommentText(line) || line.startsWith('@@') || isHosts(line);
  fc.assert(
    fc.property(
      longLists.map((lines) => lines.filter((line) => line === '' || line.trim() !== '')),
      (lines) => {
        assert.deepEqual(
          transform(lines, ['InvertAllow']),
          lines.map((line) => (stays(line) ? line : `@@${line}`)),
        );
      },
    ),
    { numRuns: 50 },
  );
});
