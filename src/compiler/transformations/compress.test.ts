import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linesOf } from '../../../test/support/compiler/lines.ts';
import { longLists, shortLists } from '../../../test/support/compiler/transformed-lists.ts';
import { transform } from '../index.ts';
import { BLOCK } from '../lines/kernels.ts';
import { compress } from './compress.ts';

const compressed = (list: string): string[] => transform(list.split('\n'), ['Compress']);

test('a parent domain covers its subdomains in any order', () => {
  assert.deepEqual(compressed('||a.b.com^\n||b.com^'), ['||b.com^']);
  assert.deepEqual(compressed('||b.com^\n||a.b.com^\n0.0.0.0 x.y.b.com'), ['||b.com^']);
});

test('a name that only ends like another is not covered by it', () => {
  assert.deepEqual(compressed('||ab.com^\n||b.com^\n||b.com.au^'), ['||ab.com^', '||b.com^', '||b.com.au^']);
});

test('a top-level domain covers everything below it', () => {
  assert.deepEqual(compressed('||a.org^\n||b.c.org^\n||org^\n||org.uk^'), ['||org^', '||org.uk^']);
});

test('of rules for the same name, the first one is kept unchanged', () => {
  assert.deepEqual(compressed('||a.com^$\na.com\n||a.com^'), ['||a.com^$']);
  assert.deepEqual(compressed(' ||a.com^ \n0.0.0.0 a.com'), [' ||a.com^ ']);
});

test('rules with more than a name neither cover others nor are covered', () => {
  const list = ['@@||a.com^', '||a.com^$important', '||a.com^|', '||a.com', '||*.a.com^', '||x.a.com^', '|a.com^'];
  assert.deepEqual(compressed(list.join('\n')), list);
});

test('case matters', () => {
  assert.deepEqual(compressed('B.com\na.b.com\na.B.com'), ['||B.com^', '||a.b.com^']);
});

test('the comments of dropped rules are kept', () => {
  assert.deepEqual(compressed('! one\n||a.com^\n! two\n||a.com^'), ['! one', '||a.com^', '! two']);
});

test('names of Object.prototype members are ordinary names', () => {
  assert.deepEqual(compressed('||constructor^\n||x.constructor^\n0 __proto__\n0 __proto__'), [
    '||constructor^',
    '||__proto__^',
  ]);
});

test('each dropped name is reported once, with the line that makes it redundant', () => {
  const lines = linesOf(['||x.a.com^', '||a.com^', '||x.a.com^', '0 a.com y.a.com', '||com^', '||b.com^']);
  const told: string[] = [];
  compress(lines, (at, reason, other) => told.push(`${at} ${reason} ${other}`));
  assert.deepEqual(told, [
    '2 same name 0',
    '3 same name 1',
    '0 covered by a parent 5',
    '1 covered by a parent 5',
    '4 covered by a parent 5',
    '6 covered by a parent 5',
  ]);
});

test('a line without a name is not treated as normalized, independent of the previous block', () => {
  const names = Array.from({ length: BLOCK }, (_, at) => `||a${at}.com^`);
  const others = names.map((_, at) => `example.com##.ad${at}`);
  assert.deepEqual(transform([...names, ...others], ['Compress', 'Validate']), names);
});

/** Reference with regular expressions and a Set. */
function plainly(lines: readonly string[]): string[] {
  const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
  const plainDomain = new RegExp(`^(?:${label}\\.)+(?:${label}\\.?)?$`);
  const hostsLine = /^[0-9a-f.:[\]]+(?:%[0-9a-z]+)?\s+[^#]+(?:#.*)?$/;
  const rule = (name: string) => ({ text: `||${name}^`, name });
  const rules = lines.flatMap((text): { text: string; name: string | undefined }[] => {
    const names = hostsLine.test(text) ? (text.replace(/#.*/, '').match(/\S+/g) ?? []).slice(1) : [];
    if (names.length > 0) return names.map(rule);
    if (plainDomain.test(text)) return [rule(text)];
    return [{ text, name: /^\|\|([a-z0-9.-]+)\^(?:\$,*)?$/.exec(text.trim())?.[1] }];
  });
  const names = new Set<string>();
  const first = rules.filter(({ name }) => name === undefined || (!names.has(name) && names.add(name)));
  const isCovered = (name: string): boolean => {
    const [, ...labels] = name.split('.');
    return labels.some((_, at) => names.has(labels.slice(at).join('.')));
  };
  return first.filter(({ name }) => name === undefined || !isCovered(name)).map(({ text }) => text);
}

const sameAsPlainly = (lines: readonly string[]): void => {
  assert.deepEqual(transform(lines, ['Compress']), plainly(lines));
};

test('any list is compressed as with a Set of names', () => {
  fc.assert(fc.property(shortLists, sameAsPlainly), { numRuns: 800 });
});

test('so is a list of many blocks', () => {
  fc.assert(fc.property(longLists, sameAsPlainly), { numRuns: 10 });
});

test('names with many listed parents are compressed correctly', () => {
  const names = Array.from({ length: 400 }, (_, at) => `${at.toString(2).split('').join('.')}.x${at % 5}.com`);
  sameAsPlainly(names.map((name) => `||${name}^`));
  sameAsPlainly(names.flatMap((name) => [`0 ${name} www.${name}`, `! ${name}`]));
});
