import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eachBlock } from '../src/compiler/lines/blocks.ts';
import { TO_BE_WRITTEN } from '../src/compiler/lines/kernels.ts';
import { addLine } from '../src/compiler/lines/lines.ts';
import { decode } from '../src/compiler/lines/text.ts';
import { plainDomains, suffixesBelow } from '../src/rules/public-suffixes.ts';
import { whyInvalid } from '../src/rules/validate-rule.ts';
import { isPicked, linesInWorkspace, lookAtLine } from '../test/support/kernels-workspace.ts';
import { slow } from '../test/support/kit/slow.ts';

type Found = { readonly name: string; readonly isRule: boolean; readonly hashIsItsOwn: boolean };

/** The result for a line; undefined if it is not simple. */
const read = (line: string): Found | undefined =>
  lookAtLine(line, (lines) => {
    let found: Found | undefined;
    eachBlock(lines, ({ bytes, kernels, block }) => {
      if (kernels.readNames(1, 0) === 1) return;
      const [start, end] = [block.nameStart[0]!, block.nameEnd[0]!];
      found = {
        name: decode(bytes, start, end),
        isRule: (block.traits[0]! & TO_BE_WRITTEN) === 0,
        hashIsItsOwn: kernels.hashOf(start, end) === block.hash[0],
      };
    });
    return found;
  });

const label = fc.constantFrom(
  'a',
  'ads',
  'x-1',
  '-',
  'com',
  'uk',
  '0',
  'A',
  'a_b',
  '',
  'é',
  'a'.repeat(63),
  'a'.repeat(64),
);
const name = fc.array(label, { minLength: 1, maxLength: 6 }).map((labels) => labels.join('.'));
const before = fc.constantFrom('', '||', '|', '0.0.0.0 ', '9.1 ', '. ', ' ', '0  ', 'a ', '0\t', '@@||', '! ');
const behind = fc.constantFrom('', '', '^', '^', '^|', '^$', ' ', ' b.com', '#x', '.', '||');
const line = fc.tuple(before, name, behind).map((parts) => parts.join(''));

/** Reference with regular expressions: the name of a simple line and whether it already is a rule. */
function plainly(text: string): { name: string; isRule: boolean } | undefined {
  const rule = /^\|\|([a-z0-9.-]+)\^$/.exec(text)?.[1];
  if (rule !== undefined) return { name: rule, isRule: true };
  const properLabel = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
  const isDomain = new RegExp(`^(?:${properLabel}\\.)+${properLabel}$`).test(text) && text.length <= 253;
  const found = isDomain ? text : /^[0-9.]+ ([a-zA-Z0-9._-]+)$/.exec(text)?.[1];
  return found === undefined ? undefined : { name: found, isRule: false };
}

test('lines are classified as by regular expressions, and the name is hashed', () => {
  fc.assert(
    fc.property(line, (text) => {
      const expected = plainly(text);
      assert.deepEqual(read(text), expected && { ...expected, hashIsItsOwn: true }, text);
    }),
    { numRuns: 5000 },
  );
});

test('an empty line has no name, even at the start of the memory', () => {
  const lines = linesInWorkspace([]);
  addLine(lines, 0, 0, 0, 0);
  eachBlock(lines, ({ kernels, block }) => {
    assert.equal(kernels.readNames(1, 0), 1);
    assert.equal(block.nameEnd[0], 0);
  });
});

const isNormalized = (text: string): boolean => !isPicked(text, 'pickUnnormalized');

const modes = [false, true].flatMap((allowIp) =>
  [false, true].map((allowPublicSuffix) => ({ allowIp, allowPublicSuffix })),
);

function isNormalizedOnlyIfValid(text: string): void {
  if (!isNormalized(text)) return;
  for (const mode of modes) assert.equal(whyInvalid(text, mode), undefined, text);
  // Compress copies the mark to the rule that it writes.
  const found = read(text)!;
  for (const mode of modes) assert.equal(whyInvalid(`||${found.name}^`, mode), undefined, text);
}

test('plain rules are marked as normalised', () => {
  for (const text of [
    '||ads.example.com^',
    '0.0.0.0 ads.example.com',
    '127.0.0.1 a.co.uk',
    'ads.example.com',
    '||a.b^',
    'a.com',
    '||x9.xn--p1ai^',
  ]) {
    assert.equal(isNormalized(text), true, text);
  }
});

test('a name that might be invalid is picked for the parser', () => {
  for (const text of [
    '||com^',
    '||co.uk^',
    'co.uk',
    '0.0.0.0 co.uk',
    '0.0.0.0 localhost',
    '||1.2.3.4^',
    'a.b',
    '||a_b.com^',
    '||A.com^',
    '||a.com^$important',
    '||-a.com^',
    '||a-.com^',
    '0.0.0.0  a.com',
    '0.0.0.0 a.com # x',
    '! a.com',
    '',
    '|a.com^',
    '||a.com',
    '@@||a.com^',
    '||a..com^',
    'a.com.',
  ]) {
    assert.equal(isNormalized(text), false, text);
  }
});

test('labels and names of the maximum length are normalised, longer ones are not', () => {
  const long = `${`${'a'.repeat(62)}.`.repeat(3)}${'a'.repeat(60)}.com`;
  assert.equal(long.length, 253);
  assert.equal(isNormalized(`||${long}^`), true);
  assert.equal(isNormalized(`||a${long}^`), false);
  assert.equal(isNormalized(`||${'a'.repeat(63)}.com^`), true);
  assert.equal(isNormalized(`||${'a'.repeat(64)}.com^`), false);
});

/** Every public suffix, with a label in place of an asterisk; those in other scripts are never normalized. */
const suffixes = [
  ...plainDomains.split(' '),
  ...Object.entries(suffixesBelow).flatMap(([domain, names]) =>
    names
      .split(' ')
      .map((text) => (text === '.' ? domain : `${text.replace('!', '').replaceAll('*', 'any')}.${domain}`)),
  ),
];

test('public suffixes are not normalised, and names under them only if they are valid', slow, () => {
  assert.ok(suffixes.length > 6000);
  for (const suffix of suffixes) {
    for (const text of [`||${suffix}^`, `0.0.0.0 ${suffix}`, suffix, `||a.${suffix}^`, `0 b.a.${suffix}`]) {
      isNormalizedOnlyIfValid(text);
    }
  }
});

test('the suffix filter has few false positives', () => {
  const names = ['jp', 'uk', 'br', 'no', 'tr', 'com'].flatMap((domain) =>
    Array.from({ length: 500 }, (_, at) => [`shop-${at}.${domain}`, `www.shop-${at}.co.${domain}`]).flat(),
  );
  const unnormalized = names.filter((text) => !isNormalized(`||${text}^`));
  assert.ok(unnormalized.length < names.length / 50, `${unnormalized.length} of ${names.length}`);
});

const anyLabel = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abz019-'.split('')), minLength: 1, maxLength: 5 }),
  fc.constantFrom(...new Set(suffixes.flatMap((suffix) => suffix.split('.')))),
  label,
  fc.constantFrom('*', '255'),
);
const anyName = fc.array(anyLabel, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.'));
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

test('a normalised line is valid with all options', () => {
  fc.assert(
    fc.property(anyName, wrap, (text, [front, back]) => isNormalizedOnlyIfValid(`${front}${text}${back}`)),
    { numRuns: 6000 },
  );
  const bytes = fc.string({ unit: fc.constantFrom(...'|^.a0 -$#!\u0000\u007f\u0080é'.split('')), maxLength: 12 });
  fc.assert(fc.property(bytes, isNormalizedOnlyIfValid), { numRuns: 3000 });
});
