import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { matchPattern } from './matches-pattern.ts';
import { readPattern } from './read-pattern.ts';
import type { Pattern } from './rule.ts';

function pattern(text: string): Pattern {
  const read = readPattern(text);
  assert.ok(read.ok, text);
  return read.value;
}

const meanings: readonly (readonly [pattern: string, matching: readonly string[], others: readonly string[]])[] = [
  [
    '||example.com^',
    ['example.com', 'a.example.com', 'a.b.example.com'],
    ['notexample.com', 'example.com.evil', 'com'],
  ],
  ['|example.com^', ['example.com'], ['a.example.com', 'example.com.evil']],
  ['example.com', ['example.com'], ['a.example.com', 'xexample.com']],
  ['||*.example.com^', ['a.example.com', 'a.b.example.com'], ['example.com', 'xexample.com']],
  ['||example.com', ['example.com', 'example.com.evil', 'a.example.community'], ['notexample.com']],
  ['example.com^', ['example.com', 'notexample.com'], ['example.com.evil']],
  ['|ads', ['ads.com', 'adserver.com'], ['x.ads.com']],
  ['ads', ['ads.com', 'loads.com', 'x.y.ads'], ['ad.s']],
  ['||ads*.com^', ['ads.com', 'x.ads1.com', 'ads.x.com', 'ads.com.com'], ['loads.com', 'ads.net', 'x.ads.com.net']],
  ['||ab*ab^', ['abab', 'abcab', 'x.ab.ab'], ['ab', 'aba', 'xabab']],
  ['|a*b*c|', ['abc', 'a.b.c', 'axbxbxc'], ['ac', 'acb', 'xabc', 'abcx']],
  ['||a*a', ['aa', 'a.a', 'ba.aa', 'x.aba'], ['a', 'ba', 'x.ab']],
  ['|aa|', ['aa'], ['a', 'aaa']],
  ['*', ['', 'anything'], []],
  ['||1.2.3.*', ['1.2.3.4', '1.2.3.200'], ['11.2.3.4', '1.2.30.4']],
  ['||2001:db8::1^', ['2001:db8::1'], ['2001:db8::11', '2001:db8::2']],
  ['/^ad[0-9]+\\./', ['ad1.com', 'ad22.x'], ['ads.com', 'x.ad1.com']],
];
for (const [text, matching, others] of meanings) {
  test(`${text} matches ${matching[0] || 'everything'}${others.length > 0 ? `, not ${others[0]}` : ''}`, () => {
    const matches = matchPattern(pattern(text));
    for (const name of matching) assert.equal(matches(name), true, `${text} matches ${name}`);
    for (const name of others) assert.equal(matches(name), false, `${text} does not match ${name}`);
  });
}

test('a dot within a label begins no label', () => {
  for (const text of ['||example.com^', '||*.example.com^', '||example']) {
    const matches = matchPattern(pattern(text));
    assert.equal(matches('a\\.example.com'), false, text);
    assert.equal(matches('a\\\\.example.com'), true, text);
  }
});

test('an invalid expression matches nothing', () => {
  assert.equal(matchPattern({ kind: 'expression', source: '(' })('('), false);
});

/** The same with a backtracking regular expression of JavaScript. */
function byTrying({ start, pieces, end }: Extract<Pattern, { kind: 'wildcard' }>): RegExp {
  const starts = { anywhere: '^.*', label: '^(?:.*\\.)?', name: '^' };
  const written = pieces.map((piece) => piece.replace(/[.-]/g, '\\$&')).join('.*');
  return new RegExp(starts[start] + written + (end === 'name' ? '$' : ''));
}

test('wildcards match the names that trying every way finds', () => {
  const text = (maxLength: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', '.', 'ab'), minLength: 1, maxLength });
  const wildcard = fc.record({
    kind: fc.constant('wildcard' as const),
    start: fc.constantFrom('anywhere' as const, 'label' as const, 'name' as const),
    pieces: fc.array(text(4), { minLength: 1, maxLength: 3 }),
    end: fc.constantFrom('anywhere' as const, 'name' as const),
  });
  fc.assert(
    fc.property(wildcard, text(12), (one, name) => {
      assert.equal(matchPattern(one)(name), byTrying(one).test(name));
    }),
    { numRuns: 5000 },
  );
});

test('a wildcard of many pieces takes no longer than its length', () => {
  const matches = matchPattern(pattern(`|${'a*'.repeat(120)}b|`));
  const before = process.cpuUsage();
  for (let time = 0; time < 100; time++) assert.equal(matches('a'.repeat(253)), false);
  const { user } = process.cpuUsage(before);
  assert.ok(user < 1_000_000, `${user} µs for a hundred names`);
});
