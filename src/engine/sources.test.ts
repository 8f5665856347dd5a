import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decided, decider, profileOf, queryFor, type Rules } from '../../test/support/engine/lists.ts';
import { type SourceName, sources } from './sources.ts';

const names = sources.map(({ name }) => name);
const pairs = names.flatMap((first, at) => names.slice(at + 1).map((second) => [first, second] as const));
const together = (first: SourceName, second: SourceName): boolean =>
  first === 'filter lists' && second === 'blocked services';

function sourceOf(rules: Rules): string {
  const { kind, source } = decider.decide(queryFor({ name: 'a.com' }), profileOf(rules));
  return `${kind} by ${source}`;
}

test('a later source does not allow a name that an earlier one blocks', () => {
  for (const [first, second] of pairs) {
    if (together(first, second)) continue;
    assert.equal(sourceOf({ [second]: '@@||a.com^$important', [first]: '||a.com^' }), `block by ${first}`, second);
    assert.equal(sourceOf({ [second]: '||a.com^$important', [first]: '||a.com^' }), `block by ${first}`, second);
  }
});

test('an allow rule of the user or of a custom list ends everything', () => {
  for (const [first, second] of pairs)
    if (first === 'user rules' || first === 'custom lists')
      assert.equal(sourceOf({ [first]: '@@||a.com^', [second]: '||a.com^$important' }), `allow by ${first}`, second);
});

test('an allow rule of any other list applies only if no later source blocks', () => {
  for (const [first, second] of pairs) {
    if (first === 'user rules' || first === 'custom lists' || together(first, second)) continue;
    assert.equal(sourceOf({ [first]: '@@||a.com^$important', [second]: '||a.com^' }), `block by ${second}`, first);
    assert.equal(sourceOf({ [first]: '@@||a.com^', [second]: '@@||a.com^' }), `allow by ${first}`, second);
    assert.equal(sourceOf({ [first]: '@@||a.com^', [second]: '||b.com^' }), `allow by ${first}`, second);
  }
});

test('filter lists and blocked services are one stage', () => {
  const ask = (lists: string, services: string): string =>
    decided({ 'filter lists': lists, 'blocked services': services }, 'x.a.com');
  assert.equal(ask('@@||a.com^', '||x.a.com^'), 'allow @@||a.com^');
  assert.equal(ask('@@||a.com^', '||a.com^$important'), 'block ||a.com^$important');
  assert.equal(ask('||a.com^', '||x.a.com^'), 'block ||x.a.com^');
});

test('only user rules and custom lists may use $client and $ctag, and only these, safe search and YouTube may rewrite', () => {
  const client = { name: 'phone', tags: ['kid'] };
  for (const { name } of sources) {
    const isOfPeople = name === 'user rules' || name === 'custom lists';
    for (const modifier of ['client=phone', 'ctag=kid']) {
      const rule = `||a.com^$${modifier}`;
      assert.equal(decided({ [name]: rule }, { name: 'a.com', client }), isOfPeople ? `block ${rule}` : 'pass', name);
    }
    const rule = '||a.com^$dnsrewrite=1.2.3.4';
    const rewrites = isOfPeople || name === 'safe search' || name === 'youtube';
    assert.equal(decided({ [name]: rule }, 'a.com'), rewrites ? `rewrite ${rule}` : 'pass', name);
  }
});
