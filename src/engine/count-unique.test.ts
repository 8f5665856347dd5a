import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTable } from './build/build-table.ts';
import { countUnique } from './count-unique.ts';
import { openTable } from './list-table.ts';

const tableOf = (rules: readonly string[]) =>
  openTable('list', buildTable(new TextEncoder().encode(rules.join('\n')), { secret: new Uint8Array(8) }).buffer);

function counted(rules: readonly string[], ...others: readonly (readonly string[])[]) {
  const counting = countUnique(tableOf(rules), others.map(tableOf));
  for (let parts = 0; ; parts++) {
    const { done, value } = counting.next();
    if (done) return { ...value, parts };
  }
}

test('a domain counts as unique if no other table has a rule for it in any form', () => {
  const rules = ['||a.example^', '||b.example^', '0.0.0.0 c.example', '||sub.d.example^'];
  const others = [
    ['||a.example^', '||x.example^'],
    ['c.example', '||d.example^'],
  ];
  assert.deepEqual(counted(rules, ...others), { domains: 4, unique: 2, parts: 0 });
});

test('rules with modifiers, wildcards and regular expressions are not counted', () => {
  const rules = ['||a.example^$client=10.0.0.1', '||b*.example^', '/ads[0-9]/', '||c.example^'];
  assert.deepEqual(counted(rules), { domains: 1, unique: 1, parts: 0 });
});

test('a large table is counted in parts', () => {
  const rules = Array.from({ length: 60_000 }, (_, at) => `||a${at}.example^`);
  const { parts, ...counts } = counted(rules, rules.slice(0, 59_999));
  assert.deepEqual(counts, { domains: 60_000, unique: 1 });
  assert.ok(parts > 0);
});
