import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decider, inWords, profileFromText, queryFor } from '../../../test/support/engine/lists.ts';
import { hostsLineRule } from './hosts-line-rule.ts';

const text = `192.0.2.1 a.com b.com
192.0.2.2 a.com
2001:db8::1 a.com
0.0.0.0 c.com
||b.com^
@@||d.com^
192.0.2.3 d.com
127.0.0.1 e.com`;

function answerTo(name: string, type: number, answering: boolean): string {
  const profile = profileFromText([{ source: 'filter lists', lists: [{ id: 'hosts', text, answering }] }]);
  const verdict = decider.decide(queryFor({ name, type }), profile);
  const { rewrite } = verdict;
  const values = rewrite?.kind === 'records' ? rewrite.values : undefined;
  return [
    inWords(verdict),
    ...(values?.map((value) => (value.kind === 'address' ? value.bytes.join('.') : '?')) ?? []),
  ].join(' -> ');
}

test('a line of a hosts file blocks its names', () => {
  assert.equal(answerTo('a.com', 1, false), 'block 192.0.2.1 a.com b.com');
  assert.equal(answerTo('x.a.com', 1, false), 'pass');
});

test('in an answering list, it returns the first address of the queried family', () => {
  assert.equal(answerTo('a.com', 1, true), 'rewrite 192.0.2.1 a.com -> 192.0.2.1');
  assert.equal(answerTo('a.com', 28, true), 'rewrite 2001:db8::1 a.com -> 32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.1');
  assert.equal(answerTo('e.com', 1, true), 'rewrite 127.0.0.1 e.com -> 127.0.0.1');
  assert.equal(answerTo('a.com', 16, true), 'rewrite 192.0.2.1 a.com', 'and nothing for any other type');
  assert.equal(answerTo('e.com', 28, true), 'rewrite 127.0.0.1 e.com');
});

test('it answers only if no rule of its source matches', () => {
  assert.equal(answerTo('b.com', 1, true), 'block ||b.com^');
  assert.equal(answerTo('d.com', 1, true), 'allow @@||d.com^');
});

test('the unspecified address blocks in any list', () => {
  assert.equal(answerTo('c.com', 1, true), 'block 0.0.0.0 c.com');
  assert.equal(hostsLineRule('::', 'a.com', true).rewrite, undefined);
});
