import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { transform } from '../index.ts';

const trim = (lines: readonly string[]): string[] => transform(lines, ['TrimLines']);

test('spaces and tabs are removed only at both ends', () => {
  assert.deepEqual(trim([' \t||a.com^\t ', '0.0.0.0  a.com', ' ! x', '\t']), ['||a.com^', '0.0.0.0  a.com', '! x', '']);
});

test('other white space is kept', () => {
  const lines = ['\u00a0a', 'a\v', '\fa', '\ufeffa', '\u3000'];
  assert.deepEqual(trim(lines), lines);
});

test('any list is trimmed as by a regular expression', () => {
  const line = fc.string({ unit: fc.constantFrom(' ', '\t', 'a', '\v', '\u00a0', 'é'), maxLength: 8 });
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      assert.deepEqual(
        trim(lines),
        lines.map((text) => text.replace(/^[ \t]+|[ \t]+$/g, '')),
      );
    }),
    { numRuns: 1000 },
  );
});
