import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { transform } from '../index.ts';

const convert = (list: string): string[] => transform(list.split('\n'), ['ConvertToAscii']);
const unchanged = (...lines: string[]): void => assert.deepEqual(convert(lines.join('\n')), lines);

test('international names are written in ASCII, wherever they stand in a rule', () => {
  assert.deepEqual(convert('||пример.рф^\n*.bücher.example\n0.0.0.0 ПРИМЕР.рф # x'), [
    '||xn--e1afmkfd.xn--p1ai^',
    '*.xn--bcher-kva.example',
    '0.0.0.0 xn--e1afmkfd.xn--p1ai # x',
  ]);
  assert.deepEqual(convert('||a.com^$denyallow=б.рф|в.рф'), ['||a.com^$denyallow=xn--90a.xn--p1ai|xn--b1a.xn--p1ai']);
});

test('comments, single words and what is ASCII already stay as they are', () => {
  unchanged('! пример.рф', '# пример.рф', '||рф^', '||Ads.Example.COM^', '', 'пример');
});

test('cosmetic rules stay as they are', () => {
  unchanged('пример.рф##.ad', 'пример.рф#@#.ad', 'пример.рф#$#x', 'пример.рф#?#x', 'пример.рф$$div');
});

test('a word that is more than a host name stays as it is', () => {
  unchanged('||пример.рф/path^', '||пример.рф:8080^', 'https://пример.рф', '/пример.рф/', '||при%мер.рф^');
});

test('a name that no host can have stays as it is', () => {
  unchanged('||пример.1^', '||xn--é.com^', '||пример.256^', '||\ufffd.com^');
});

test('each name becomes what the URL parser makes of it', () => {
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
