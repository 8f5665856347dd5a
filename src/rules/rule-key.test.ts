import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRule } from './parse-rule.ts';
import { ruleKey } from './rule-key.ts';

function key(text: string): string {
  const parsed = parseRule(text);
  assert.ok(parsed.kind === 'rule', text);
  return ruleKey(parsed.rule);
}

const same: readonly (readonly [sentence: string, ...rules: string[]])[] = [
  ['marks that mean the same', '||example.com^', '||example.com|', '||example.com^|', '||example.com.^'],
  ['case and script', '||ПРИМЕР.рф^', '||пример.рф^', '||xn--e1afmkfd.XN--P1AI^'],
  ['a bare name and the same between bars', 'example.com', '|example.com|', '|example.com^'],
  ['stars in a row', '||ads**.com^', '||ads*.com^'],
  ['the order of modifiers', '||a.com^$important,dnstype=A', '||a.com^$dnstype=A,important'],
  ['the order of types, their case and their numbers', '||a.com^$dnstype=A|AAAA', '||a.com^$dnstype=TYPE28|a'],
  ['the order of clients, their case and quotes', "||a.com^$client='x'|10.1.2.3/8", '||a.com^$client=10.0.0.0/8|X|x'],
  ['the order of tags', '||a.com^$ctag=a|~b|c', '||a.com^$ctag=c|a|~b'],
  ['the order of names to leave alone', '*$denyallow=com|net', '*$denyallow=NET|com.'],
  ['the order of places', '||a.com^$respgeo=US|AS1', '||a.com^$respgeo=as1|us'],
  ['ways to write a rewrite', '||a.com^$dnsrewrite=1.2.3.4', '||a.com^$dnsrewrite=NOERROR;A;1.2.3.4'],
  [
    'the order of parameters',
    '||a.com^$dnsrewrite=NOERROR;HTTPS;1 . port=1 alpn=h3',
    '||a.com^$dnsrewrite=NOERROR;HTTPS;1 . alpn=h3 port=1',
  ],
  ['badfilter', '||a.com^$badfilter', '||a.com^'],
  ['badfilter among others', '||a.com^$dnstype=A,badfilter,important', '||a.com^$important,dnstype=A'],
  ['a modifier that says nothing', '||a.com^$~important', '||a.com^'],
];
for (const [sentence, ...rules] of same) {
  test(`rules are equivalent whatever ${sentence}`, () => {
    assert.deepEqual(
      rules.map(key),
      rules.map(() => key(rules[0]!)),
    );
  });
}

test('rules that mean different things have different keys', () => {
  const rules = [
    '||a.com^',
    '|a.com^',
    '||*.a.com^',
    '||a.com',
    '|a.com',
    'a.com^',
    '||a*com^',
    '/a.com/',
    '@@||a.com^',
    '||a.com^$important',
    '||a.com^$dnstype=A',
    '||a.com^$dnstype=~A',
    '||a.com^$client=x',
    '||a.com^$client=~x',
    '||a.com^$client=10.0.0.0/8',
    '||a.com^$client=10.0.0.0/9',
    '||a.com^$ctag=x',
    '||a.com^$denyallow=x',
    '||a.com^$respgeo=XX',
    '||a.com^$dnsrewrite=1.2.3.4',
    '||a.com^$dnsrewrite=1.2.3.5',
    '||a.com^$dnsrewrite=b.com',
    '||a.com^$dnsrewrite=NOERROR;PTR;b.com',
    '||a.com^$dnsrewrite=NOERROR;;',
    '@@||a.com^$dnsrewrite',
  ];
  assert.equal(new Set(rules.map(key)).size, rules.length);
});
