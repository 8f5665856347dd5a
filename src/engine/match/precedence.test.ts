import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRule } from '../../rules/parse-rule.ts';
import { priorityOf, whyStronger } from './precedence.ts';

function priority(text: string): number {
  const line = parseRule(text);
  return line.kind === 'rule' ? priorityOf(line.rule) : assert.fail(text);
}

const labels = Array.from({ length: 120 }, () => 'a').join('.');

// From strongest to weakest, with the reason each precedes the next.
const order: readonly (readonly [rule: string, why?: string])[] = [
  ['@@/a/$important', 'an allow rule comes before a block rule'],
  [`|${labels}.com^$important,dnstype=A,client=a,ctag=b`, 'a rule that names more of the name comes first'],
  ['||com^$important', 'what is $important comes first'],
  [`@@||${labels}^`, 'a rule that names more of the name comes first'],
  ['@@||a.com^', 'a rule that names more of the name comes first'],
  ['@@/a/$dnstype=A', 'a rule with more modifiers comes first'],
  ['@@/a/', 'an allow rule comes before a block rule'],
  [`||${labels}^`, 'a rule that names more of the name comes first'],
  ['|a.b.com^', 'of two at the same name the narrower comes first'],
  ['*.a.b.com^', 'of two at the same name the narrower comes first'],
  ['||a.b.com^$dnstype=A,client=a,ctag=c,denyallow=d.com,respgeo=DE', 'a rule with more modifiers comes first'],
  ['||a.b.com^$dnstype=A', 'a rule with more modifiers comes first'],
  ['||a.b.com^', 'a rule that names more of the name comes first'],
  ['|b.com^$dnstype=A,client=a', 'a rule that names more of the name comes first'],
  ['/a/$dnstype=A', 'a rule with more modifiers comes first'],
  ['/a/'],
];

test('important rules, allow rules, specific rules and rules with modifiers take precedence, in this order', () => {
  for (const [nth, [rule, why]] of order.entries()) {
    const next = order[nth + 1]?.[0];
    if (next === undefined) continue;
    assert.ok(priority(rule) > priority(next), `${rule} before ${next}`);
    assert.equal(whyStronger(priority(rule), priority(next)), why, `${rule} before ${next}`);
  }
});

test('wildcards and expressions are equally generic', () => {
  assert.equal(priority('||a*b.c.d.com^'), priority('/b/'));
  assert.match(whyStronger(1, 1), /equal/);
});
