import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { canonicalText, resultKey } from './result-key.ts';

const asked = {
  configuration: { name: 'n', sources: [{ source: 'https://list.example/a.txt' }] },
  format: 'adblock',
  explain: false,
  compilerVersion: '1.2.3',
};

const parse = (json: string): unknown => JSON.parse(json);

test('the order of members is ignored, that of lists is not', () => {
  assert.equal(canonicalText(parse('{"a":1,"b":{"c":2,"d":3}}')), canonicalText(parse('{"b":{"d":3,"c":2},"a":1}')));
  assert.notEqual(canonicalText(['a', 'b']), canonicalText(['b', 'a']));
});

test('similar but different values have different texts', () => {
  const different = String.raw`
    1 "1" -0 0 1e21 "1e21" true "true" null "null" "" [] {} [[]] [{}] [1,2] ["1,2"] ["1","2"] [12]
    {"a":1} ["a",1] {"a":"1"} {"a":{"b":1}} {"a":1,"b":1} {"a":null} {"":""} [null] [[],[]] [[[]]]
    {"__proto__":1} {"__proto__":{"a":1}} {"constructor":1} "é" "e\u0301" "a" "1:a" ["a","b"] ["a1:b"] ["","a"] ["a",""]
    "\ud800" "\udbff" "\ufffd" "\\ud800" "\"\\ud800\"" {"\ud800":1} {"\ud801":1} ["\ud800","~"] ["~","\ud800"]`
    .trim()
    .split(/\s+/)
    .map(parse);
  assert.equal(new Set(different.map(canonicalText)).size, different.length);
  const keys = different.map((configuration) => resultKey({ ...asked, configuration }));
  assert.equal(new Set(keys).size, different.length);
});

// Mostly equal or nearly equal: independently generated values would hardly ever be.
const json = fc.jsonValue({ maxDepth: 4 }).map((value) => parse(JSON.stringify(value)));
const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, shuffled(member)] as const)
      .reverse(),
  );
};
const small = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, false, 0, -0, 1, '', '0', '1', 'a', 'null', '\ud800', '"'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__', ''), tie('value'), { maxKeys: 2, noNullPrototype: true }),
  ),
})).value;

test('two values have the same text exactly if they are deeply equal', () => {
  fc.assert(
    fc.property(fc.oneof(fc.tuple(small, small), fc.tuple(json, json)), ([a, b]) => {
      assert.equal(canonicalText(a) === canonicalText(b), isDeepStrictEqual(a, b));
    }),
    { numRuns: 3000 },
  );
});

test('the same members in another job have the same text, also deep inside', () => {
  fc.assert(
    fc.property(json, (value) => {
      assert.equal(canonicalText(shuffled(value)), canonicalText(value));
    }),
  );
});

test('64 levels are accepted, and 65 are rejected without a crash', () => {
  const nested = (levels: number): unknown => parse('['.repeat(levels) + ']'.repeat(levels));
  assert.equal(canonicalText(nested(64)), '['.repeat(64) + ']'.repeat(64));
  for (const levels of [65, 100_000]) assert.throws(() => canonicalText(nested(levels)), /too deep for a key.*64/);
  assert.throws(() => canonicalText(parse(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)), /too deep/);
});

test('a few lines that expand to a billion values are rejected quickly', () => {
  let bomb: unknown = ['lol'];
  for (let i = 0; i < 30; i++) bomb = Array.from({ length: 10 }, () => bomb);
  assert.throws(() => canonicalText(bomb), /too large for a key: more than 1000000 values/);
});

test('a value that is not JSON is rejected', () => {
  const refused: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /not JSON: undefined/],
    [{ a: undefined }, /not JSON: undefined/],
    [Object.assign([], { length: 1 }), /not JSON: undefined/],
    [Number.NaN, /not JSON: NaN/],
    [Number.POSITIVE_INFINITY, /not JSON: Infinity/],
    [1n, /not JSON: bigint/],
    [() => 1, /not JSON: function/],
  ];
  for (const [value, message] of refused) assert.throws(() => canonicalText(value), message);
});

test('a key is a SHA-256 in hex and depends on the whole request', () => {
  const key = resultKey(asked);
  assert.match(key, /^[0-9a-f]{64}$/);
  assert.equal(resultKey(structuredClone(asked)), key);
  const others = [
    { ...asked, format: 'hosts' },
    { ...asked, explain: true },
    { ...asked, compilerVersion: '1.2.4' },
    { ...asked, configuration: { ...asked.configuration, name: 'm' } },
    { ...asked, configuration: { ...asked.configuration, $schema: 's' } },
    {
      ...asked,
      configuration: { ...asked.configuration, sources: [{ ...asked.configuration.sources[0], type: 'hosts' }] },
    },
  ];
  assert.equal(new Set([key, ...others.map(resultKey)]).size, others.length + 1);
});

test('parts of a key are delimited unambiguously', () => {
  assert.notEqual(
    resultKey({ ...asked, compilerVersion: '1', format: '23' }),
    resultKey({ ...asked, compilerVersion: '12', format: '3' }),
  );
  assert.notEqual(
    resultKey({ ...asked, format: 'a', configuration: 'b' }),
    resultKey({ ...asked, format: 'b', configuration: 'a' }),
  );
});
