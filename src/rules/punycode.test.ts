import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { asciiLowerCase, asciiName, punycode } from './punycode.ts';

// RFC 3492, section 7.1. Its capitals mark the case of the original, which names do not preserve.
const samples: readonly (readonly [what: string, label: string, encoded: string])[] = [
  ['Arabic', 'ليهمابتكلموشعربي؟', 'egbpdaj6bu4bxfgehfvwxn'],
  ['simplified Chinese', '他们为什么不说中文', 'ihqwcrb4cv8a8dqg056pqjye'],
  ['traditional Chinese', '他們爲什麽不說中文', 'ihqwctvzc91f659drss3x8bo0yb'],
  ['Czech', 'pročprostěnemluvíčesky', 'proprostnemluvesky-uyb24dma41a'],
  ['Hebrew', 'למההםפשוטלאמדבריםעברית', '4dbcagdahymbxekheh6e0a7fei0b'],
  ['Hindi', 'यहलोगहिन्दीक्योंनहींबोलसकतेहैं', 'i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd'],
  ['Japanese', 'なぜみんな日本語を話してくれないのか', 'n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa'],
  [
    'Korean',
    '세계의모든사람들이한국어를이해한다면얼마나좋을까',
    '989aomsvi5e83db1d2a355cv1e0vak1dwrv93d5xbh15a0dt30a5jpsd879ccm6fea98c',
  ],
  ['Russian', 'почемужеонинеговорятпорусски', 'b1abfaaepdrnnbgefbadotcwatmq2g4l'],
  ['Spanish', 'porquénopuedensimplementehablarenespañol', 'porqunopuedensimplementehablarenespaol-fmd56a'],
  ['Vietnamese', 'tạisaohọkhôngthểchỉnóitiếngviệt', 'tisaohkhngthchnitingvit-kjcr8268qyxafd2f1b9g'],
  ['digits first', '3年b組金八先生', '3b-ww4c5e180e575a65lsy2b'],
  ['hyphens inside', '安室奈美恵-with-super-monkeys', '-with-super-monkeys-pc58ag80a8qai00g7n9n'],
  ['mixed scripts', 'hello-another-way-それぞれの場所', 'hello-another-way--fc4qua05auwb3674vfr0b'],
  ['a digit last', 'ひとつ屋根の下2', '2-u9tlzr9756bt3uc0v'],
  ['ASCII between', 'majiでkoiする5秒前', 'majikoi5-783gue6qz075azm5e'],
  ['a language in kana', 'パフィーdeルンバ', 'de-jg4avhby1noc0d'],
  ['kana alone', 'そのスピードで', 'd9juau41awczczp'],
  ['ASCII that is no name', '-> $1.00 <-', '-> $1.00 <--'],
];
for (const [what, label, encoded] of samples) {
  test(`the sample of the RFC in ${what} becomes its punycode`, () => {
    assert.equal(punycode(label), encoded);
  });
}

const names: readonly (readonly [given: string, ascii: string])[] = [
  ['example.com', 'example.com'],
  ['EXAMPLE.Com', 'example.com'],
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['ПРИМЕР.РФ', 'xn--e1afmkfd.xn--p1ai'],
  ['Bücher.example', 'xn--bcher-kva.example'],
  ['bu\u0308cher.example', 'xn--bcher-kva.example'],
  ['faß.de', 'xn--fa-hia.de'],
  ['ΟΔΟΣ.gr', 'xn--pxavbq.gr'],
  ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
  ['i❤.ws', 'xn--i-7iq.ws'],
  ['XN--E1AFMKFD.рф', 'xn--e1afmkfd.xn--p1ai'],
];
for (const [given, ascii] of names) {
  test(`the name ${given} is ${ascii}, as in a browser`, () => {
    assert.equal(asciiName(given), ascii);
    assert.equal(domainToASCII(given), ascii);
  });
}

test('names of many scripts become what a browser makes of them', () => {
  const letters = Array.from('abzxéüñçőабвяαβωאבشعगनกขあい日本語한국0129');
  const label = fc
    .string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 })
    .map((text) => `m${text}m`);
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
      const name = labels.join('.');
      // Browsers reject names with scripts of both directions; DNS does not.
      const inBrowser = domainToASCII(name);
      if (inBrowser !== '') assert.equal(asciiName(name), inBrowser);
    }),
    { numRuns: 2000 },
  );
});

test('only the capitals of ASCII are folded', () => {
  assert.equal(asciiLowerCase('AbCÄÖ\u212a'), 'abcÄÖ\u212a');
});
