import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { transform } from '../index.ts';

const convert = (list: string): string[] => transform(list.split('\n'), ['ConvertToAscii']);
const unchanged = (...lines: string[]): void => assert.deepEqual(convert(lines.join('\n')), lines);

test('internationalized names are converted to ASCII at any position in a rule', () => {
  assert.deepEqual(convert('||пример.рф^\n*.bücher.example\n0.0.0.0 ПРИМЕР.рф # x'), [
    '||xn--e1afmkfd.xn--p1ai^',
    '*.xn--bcher-kva.example',
    '0.0.0.0 xn--e1afmkfd.xn--p1ai # x',
  ]);
  assert.deepEqual(convert('||a.com^$denyallow=б.рф|в.рф'), ['||a.com^$denyallow=xn--90a.xn--p1ai|xn--b1a.xn--p1ai']);
});

test('comments, single words and ASCII are not changed', () => {
  unchanged('! пример.рф', '# пример.рф', '||рф^', '||Ads.Example.COM^', '', 'пример');
});

test('cosmetic rules are not changed', () => {
  unchanged('пример.рф##.ad', 'пример.рф#@#.ad', 'пример.рф#$#x', 'пример.рф#?#x', 'пример.рф$$div');
});

test('words other than host names are not changed', () => {
  unchanged('||пример.рф/path^', '||пример.рф:8080^', 'https://пример.рф', '/пример.рф/', '||при%мер.рф^');
});

test('an invalid host name is not changed', () => {
  unchanged('||пример.1^', '||xn--é.com^', '||пример.256^', '||\ufffd.com^');
});

test('each name is converted as by the URL parser', () => {
  const label = fc.string({ unit: fc.constantFrom(...'aZ9äßяЖ名ａ'.split('')), minLength: 1, maxLength: 6 });
  const name = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));
  const isInternational = (text: string): boolean => /[^\x00-\x7f]/.test(text) && domainToASCII(text) !== '';
  fc.assert(
    fc.property(fc.array(name.filter(isInternational)), (names) => {
      assert.deepEqual(
        convert(names.map((text) => `||${text}^`).join('\n')),
        names.length === 0 ? [''] : names.map((text) => `||${domainToASCII(text)}^`),
      );
    }),
    { numRuns: 500 },
  );
});
