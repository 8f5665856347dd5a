import assert from 'node:assert/strict';
import { test } from 'node:test';
import { profileOf, queryFor, type Rules, readLine, secret } from '../../../test/support/engine/lists.ts';
import type { Client } from '../match/conditions.ts';
import { explain } from './explain.ts';

function explained(rules: Rules, name: string, client: Client = {}): readonly (readonly string[])[] {
  const { rules: all } = explain(queryFor({ name, client }), profileOf(rules), { secret, readLine });
  return all.map(({ list, text, outcome }) => [list.id, text, outcome]);
}

test('every rule that matches is listed in the order of precedence, the strongest of a source first', () => {
  const rules = {
    'filter lists': ['||com^$dnstype=A\n||a.com^\n/a/', '@@||a.com^\n||a.com^$important'],
    'user rules': '||b.com^',
  };
  assert.deepEqual(explained(rules, 'x.a.com'), [
    ['filter lists 2', '||a.com^$important', 'won'],
    ['filter lists 2', '@@||a.com^', 'lost to a stronger rule'],
    ['filter lists 1', '||a.com^', 'lost to a stronger rule'],
    ['filter lists 1', '||com^$dnstype=A', 'lost to a stronger rule'],
    ['filter lists 1', '/a/', 'lost to a stronger rule'],
  ]);
});

test('matches of later sources are listed too', () => {
  const rules = { 'filter lists': '@@||a.com^', 'dangerous domains': '||a.com^', adult: '||a.com^' };
  assert.deepEqual(explained(rules, 'a.com'), [
    ['filter lists 1', '@@||a.com^', 'overruled by a later source'],
    ['dangerous domains 1', '||a.com^', 'won'],
    ['adult 1', '||a.com^', 'not asked'],
  ]);
  assert.deepEqual(explained({ 'filter lists': '@@||a.com^', adult: '@@||a.com^' }, 'a.com'), [
    ['filter lists 1', '@@||a.com^', 'won'],
    ['adult 1', '@@||a.com^', 'lost to a stronger rule'],
  ]);
});

test('a rule that matches without effect is listed with the reason', () => {
  const rules = {
    'user rules':
      '||c.com^$badfilter\n||a.com^$client=tv\n||a.com^$dnstype=AAAA\n||com^$denyallow=a.com\n||a.com^$respgeo=DE',
    'filter lists': '||a.com^$dnsrewrite=1.2.3.4\n||a.com^$client=phone\n||a.com^$ctag=kid',
    'custom lists': '||c.com^',
  };
  const outcome = (text: string, name: string): string | undefined =>
    explained(rules, name, { name: 'phone', tags: ['kid'] }).find(([, rule]) => rule === text)?.[2];
  assert.equal(outcome('||a.com^$client=tv', 'a.com'), 'does not apply');
  assert.equal(outcome('||a.com^$dnstype=AAAA', 'a.com'), 'does not apply');
  assert.equal(outcome('||com^$denyallow=a.com', 'a.com'), 'does not apply');
  assert.equal(outcome('||a.com^$respgeo=DE', 'a.com'), 'does not apply');
  assert.equal(outcome('||a.com^$dnsrewrite=1.2.3.4', 'a.com'), 'not honoured in this source');
  assert.equal(outcome('||a.com^$client=phone', 'a.com'), 'not honoured in this source');
  assert.equal(outcome('||a.com^$ctag=kid', 'a.com'), 'not honoured in this source');
  assert.equal(outcome('||c.com^', 'c.com'), 'switched off by $badfilter');
  assert.equal(outcome('||com^$denyallow=a.com', 'c.com'), 'won');
});

test('rewrites are listed as answered or removed', () => {
  const rules = {
    'user rules': `||a.com^$dnsrewrite=1.2.3.4
||a.com^$dnsrewrite=1.2.3.5
||a.com^$dnsrewrite=1.2.3.6
||a.com^$dnsrewrite=x.a.com
@@||a.com^$dnsrewrite=1.2.3.6
@@||a.com^`,
  };
  assert.deepEqual(explained(rules, 'x.a.com'), [
    ['user rules 1', '@@||a.com^$dnsrewrite=1.2.3.6', 'an exception to rewrites'],
    ['user rules 1', '||a.com^$dnsrewrite=1.2.3.4', 'won'],
    ['user rules 1', '||a.com^$dnsrewrite=1.2.3.5', 'won'],
    ['user rules 1', '||a.com^$dnsrewrite=1.2.3.6', 'switched off by an exception'],
    ['user rules 1', '||a.com^$dnsrewrite=x.a.com', 'leads to the name itself'],
    ['user rules 1', '@@||a.com^', 'lost to a stronger rule'],
  ]);
});

test('each outcome has its reason in a sentence', () => {
  const rules = { 'user rules': '||a.com^\n@@||x.a.com^\n||a.com^$important', adult: '||a.com^' };
  const { rules: all } = explain(queryFor({ name: 'x.a.com' }), profileOf(rules), { secret, readLine });
  assert.deepEqual(
    all.map(({ why }) => why),
    [
      'strongest matching rule of the first source that decides: block',
      '"||a.com^$important" is stronger: what is $important comes first',
      '"||a.com^$important" is stronger: what is $important comes first',
      '"user rules" comes first and has decided',
    ],
  );
});

test('a name without a matching rule passes without an explanation', () => {
  const { verdict, rules } = explain(queryFor({ name: 'a.com' }), profileOf({ adult: '||b.com^' }), {
    secret,
    readLine,
  });
  assert.deepEqual({ verdict, rules }, { verdict: { kind: 'pass' }, rules: [] });
});
