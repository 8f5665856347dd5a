import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { look } from '../../../test/support/compiler/lines.ts';
import { addLiteral, createShortcutIndex, visitCandidates } from './shortcut-index.ts';

/** The numbers of the literals that a line may contain. */
function candidates(literals: readonly string[], line: string): Set<number> {
  const index = createShortcutIndex();
  for (const [item, literal] of literals.entries()) addLiteral(index, literal, item);
  return look(line, (bytes, start, end) => {
    const found = new Set<number>();
    visitCandidates(index, bytes, start, end, (item) => found.add(item));
    return found;
  });
}

test('a literal of less than four bytes cannot be indexed', () => {
  const index = createShortcutIndex();
  assert.equal(addLiteral(index, 'abc', 0), false);
  assert.equal(addLiteral(index, '', 1), false);
  assert.equal(addLiteral(index, 'abcd', 2), true);
  assert.equal(addLiteral(index, 'éé', 3), true);
});

test('literals in a line are candidates, unrelated ones are not', () => {
  assert.deepEqual(candidates(['ads.', 'track', 'metrics'], '||ads.tracker.com^'), new Set([0, 1]));
  assert.deepEqual(candidates(['ads.'], ''), new Set());
});

test('case is ignored', () => {
  assert.deepEqual(candidates(['Example'], '||EXAMPLE.com^'), new Set([0]));
});

test('literals that share their bytes are all visited', () => {
  assert.deepEqual(candidates(['abcd', 'abcd', 'ABCD'], 'xabcdx'), new Set([0, 1, 2]));
});

test('every literal in a line is a candidate', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '.', 'é'), maxLength: 10 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), text, (literals, line) => {
      const found = candidates(literals, line);
      for (const [item, literal] of literals.entries()) {
        const isLong = new TextEncoder().encode(literal).length >= 4;
        if (isLong && line.includes(literal)) assert.ok(found.has(item), `${literal} in ${line}`);
      }
    }),
    { numRuns: 2000 },
  );
});

test('with many literals, a line has few candidates', () => {
  const literals = Array.from({ length: 2000 }, (_, at) => `host-${at}.example.com`);
  assert.ok(candidates(literals, '||host-1234.example.com^').has(1234));
  assert.ok(candidates(literals, '||host-1234.example.com^').size < 50);
});
