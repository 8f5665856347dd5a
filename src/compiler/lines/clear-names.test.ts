import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { plainDomains, suffixesBelow } from '../../rules/public-suffixes.ts';
import { whyInvalid } from '../../rules/validate-rule.ts';
import { isClearlyValid } from './clear-names.ts';
import { look } from './lines-for-tests.ts';

const isClear = (line: string): boolean => look(line, isClearlyValid);

const modes = [false, true].flatMap((allowIp) =>
  [false, true].map((allowPublicSuffix) => ({ allowIp, allowPublicSuffix })),
);

function isClearOnlyIfValid(line: string): void {
  if (!isClear(line)) return;
  for (const mode of modes) assert.equal(whyInvalid(line, mode), undefined, line);
}

test('the plain rules of every list are clear', () => {
  for (const line of [
    '||ads.example.com^',
    '0.0.0.0 ads.example.com',
    '127.0.0.1 a.co.uk',
    'ads.example.com',
    '||a.b^',
    'a.com',
    '||x9.xn--p1ai^',
  ]) {
    assert.equal(isClear(line), true, line);
  }
});

test('whatever a check might object to needs a closer look', () => {
  const lines = [
    '||com^',
    '||co.uk^',
    '0.0.0.0 localhost',
    '||1.2.3.4^',
    'a.b',
    '||a_b.com^',
    '||A.com^',
    '||a.com^$important',
    '||-a.com^',
  ];
  for (const line of [
    ...lines,
    '0.0.0.0  a.com',
    '0.0.0.0 a.com # x',
    '! a.com',
    '',
    '|a.com^',
    '||a.com',
    '@@||a.com^',
    '||a..com^',
  ]) {
    assert.equal(isClear(line), false, line);
  }
});

test('the longest label and the longest name are clear, and no longer ones', () => {
  const long = `${`${'a'.repeat(62)}.`.repeat(3)}${'a'.repeat(60)}.com`;
  assert.equal(long.length, 253);
  assert.equal(isClear(`||${long}^`), true);
  assert.equal(isClear(`||a${long}^`), false);
  assert.equal(isClear(`||${'a'.repeat(63)}.com^`), true);
  assert.equal(isClear(`||${'a'.repeat(64)}.com^`), false);
});

/** Every public suffix, with a name in the place of an asterisk; those in other alphabets are never clear. */
const suffixes = [
  ...plainDomains.split(' '),
  ...Object.entries(suffixesBelow).flatMap(([domain, names]) =>
    names
      .split(' ')
      .map((name) => (name === '.' ? domain : `${name.replace('!', '').replaceAll('*', 'any')}.${domain}`)),
  ),
];

test('no public suffix is clear, and names under one are clear only if valid', () => {
  for (const suffix of suffixes) {
    for (const line of [`||${suffix}^`, `0.0.0.0 ${suffix}`]) isClearOnlyIfValid(line);
    for (const line of [`||a.${suffix}^`, `0 b.a.${suffix}`, suffix]) isClearOnlyIfValid(line);
  }
});

const label = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abz019-'.split('')), minLength: 1, maxLength: 5 }),
  fc.constantFrom(...new Set(suffixes.flatMap((suffix) => suffix.split('.')))),
  fc.constantFrom('', 'A', 'a_b', 'é', '-', '*', 'a'.repeat(63), 'a'.repeat(64), '0', '255'),
);
const name = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.'));
const plainName = fc
  .array(fc.string({ unit: fc.constantFrom(...'abc12'.split('')), minLength: 1, maxLength: 5 }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((labels) => `${labels.join('.')}.com`);
const wrap = fc.constantFrom<readonly [string, string]>(
  ['||', '^'],
  ['||', '^|'],
  ['||', ''],
  ['|', '^'],
  ['@@||', '^'],
  ['', ''],
  [' ', ''],
  ['', '^'],
  ['0.0.0.0 ', ''],
  ['127.0.0.1\t', ''],
  ['1.2.3.4.5..6 ', ''],
  ['. ', ''],
  ['0  ', ''],
  ['0.0.0.0 ', ' # x'],
  ['::1 ', ''],
  ['||', '^$important'],
  ['! ', ''],
);

test('a line that is clear is valid, whatever is allowed', () => {
  fc.assert(
    fc.property(name, wrap, (text, [before, behind]) => isClearOnlyIfValid(`${before}${text}${behind}`)),
    { numRuns: 6000 },
  );
  const bytes = fc.string({ unit: fc.constantFrom(...'|^.a0 -$#!\u0000\u007f\u0080é'.split('')), maxLength: 12 });
  fc.assert(fc.property(bytes, isClearOnlyIfValid), { numRuns: 3000 });
});

test('ordinary names never need a closer look', () => {
  fc.assert(
    fc.property(plainName, (text) => {
      for (const line of [`||${text}^`, `0.0.0.0 ${text}`]) assert.equal(isClear(line), true, line);
    }),
    { numRuns: 2000 },
  );
});
