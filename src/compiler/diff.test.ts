import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { diffLists, type ListDiff, summarizeDiff } from './diff.ts';

const diff = (before: string, after: string): ListDiff =>
  diffLists(new TextEncoder().encode(before), new TextEncoder().encode(after));

test('a list does not differ from itself', () => {
  assert.deepEqual(diff('||a.com^\n||b.com^', '||a.com^\n||b.com^'), { added: [], removed: [], unchanged: 2 });
});

test('rules are listed in the order of the file that has them', () => {
  assert.deepEqual(diff('||c.com^\n||a.com^\n||b.com^', '||z.com^\n||a.com^\n||y.com^'), {
    added: ['||z.com^', '||y.com^'],
    removed: ['||c.com^', '||b.com^'],
    unchanged: 1,
  });
});

test('order and duplicates are ignored', () => {
  assert.deepEqual(diff('||a.com^\n||b.com^\n||a.com^', '||b.com^\n||b.com^\n||a.com^'), {
    added: [],
    removed: [],
    unchanged: 2,
  });
  assert.deepEqual(diff('', '||a.com^\n||a.com^').added, ['||a.com^']);
  assert.deepEqual(diff('||a.com^\n||a.com^', '').removed, ['||a.com^']);
});

test('comments, empty lines, surrounding spaces and the type of line breaks are ignored', () => {
  const before = '! Last modified: yesterday\n\n# x\n||a.com^\n||b.com^';
  assert.deepEqual(diff(before, '! Last modified: today\r\n  ||a.com^\t\r\n||b.com^\r\n'), {
    added: [],
    removed: [],
    unchanged: 2,
  });
});

test('comments and the serial of a policy zone are ignored', () => {
  const zone = (serial: number): string =>
    `; made at ${serial}\n@ SOA localhost. root.localhost. ${serial}\na.com CNAME .`;
  assert.deepEqual(diff(zone(1), zone(2)), { added: [], removed: [], unchanged: 1 });
});

test('a small list and a large one are compared in either direction', () => {
  const many = Array.from({ length: 9000 }, (_, at) => `||a${at}.com^`);
  assert.equal(diff('||a1.com^', many.join('\n')).added.length, 8999);
  assert.equal(diff(many.join('\n'), '||a1.com^').removed.length, 8999);
});

test('a summary counts all differences and has the first of each', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  assert.deepEqual(summarizeDiff(bytes('||a.com^\n||b.com^'), bytes('||b.com^\n||c.com^\n||d.com^'), 1), {
    added: { count: 2, examples: ['||c.com^'] },
    removed: { count: 1, examples: ['||a.com^'] },
  });
});

test('removing the removed rules and adding the added ones gives the other list', () => {
  const rules = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 1, maxLength: 3 }));
  fc.assert(
    fc.property(rules, rules, (before, after) => {
      const { added, removed, unchanged } = diff(before.join('\n'), after.join('\n'));
      const kept = new Set(before.filter((rule) => !removed.includes(rule)));
      assert.deepEqual(new Set([...kept, ...added]), new Set(after));
      assert.equal(kept.size, unchanged);
      assert.equal(new Set([...added, ...removed]).size, added.length + removed.length);
    }),
  );
});
