import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOf, profileFromText, readLine, secret } from '../../../test/support/engine/lists.ts';
import { createAutomatonMemory, createHolder } from '../../rules/regex/regex-runner.ts';
import { explain } from '../explain/explain.ts';
import { createDecider } from './decide.ts';

const heavy = Array.from({ length: 300 }, (_, nth) => `/(a|x)[abxyz.]{${40 + nth}}(b|y).*example${nth}/`);
const profileOf = (rules: readonly string[]) =>
  profileFromText([{ source: 'user rules', lists: [{ id: 'custom', text: rules.join('\n') }] }]);
const longName = (nth: number): string =>
  [0, 1, 2]
    .map((label) => Array.from({ length: 60 }, (_, at) => 'abxyz'[(at * (nth + 3) + label + nth) % 5]).join(''))
    .join('.');

test('expressions beyond the step limit of a decision are skipped and reported', () => {
  const profile = profileOf([...heavy, '/^never$/']);
  const counts: number[] = [];
  const decider = createDecider(secret, 16, (of, rules) => {
    assert.equal(of, profile);
    counts.push(rules);
  });
  for (let nth = 0; nth < 20; nth++) {
    const query = { name: nameOf(`${longName(nth)}.example1.example2`), at: 0, type: 1 };
    const before = counts.length;
    // The result does not depend on the automata that earlier names left behind.
    for (let again = 0; again < 3; again++) decider.decide(query, profile);
    const [skipped = 0] = counts.slice(before);
    assert.ok(counts.slice(before).every((rules) => rules === skipped));
    assert.equal(explain(query, profile, { secret, readLine }).skipped, skipped);
  }
  assert.ok(counts.length > 0);
});

test('wildcards are tried before expressions, and domain rules are never skipped', () => {
  const profile = profileOf([...heavy, '||wild*.example1.example2^', '||plain.example2^']);
  const decider = createDecider(secret, 16);
  const kind = (name: string): string => decider.decide({ name: nameOf(name), at: 0, type: 1 }, profile).kind;
  assert.equal(kind(`wild.${longName(1)}.example1.example2`), 'block');
  assert.equal(kind(`${longName(1)}.plain.example2`), 'block');
});

test('automata have a memory limit, and are dropped when they are not used', () => {
  const profile = profileOf(heavy);
  const decider = createDecider(secret, 16);
  for (let nth = 0; nth < 300; nth++)
    decider.decide({ name: nameOf(`${longName(nth)}.example1.example2`), at: 0, type: 1 }, profile);
  assert.ok(decider.automata.bytes() > 0);
  assert.ok(decider.automata.bytes() <= 1024 * 1024);
  decider.automata.evict(31);
  assert.equal(decider.automata.bytes(), 0);
});

test('beyond the total limit, the least recently used automata are dropped', () => {
  const memory = createAutomatonMemory(100, 100, 60);
  const holders = [createHolder(), createHolder(), createHolder()] as const;
  let dropped = 0;
  for (const holder of holders) {
    holder.automata.add({ drop: () => (dropped += 1) });
    assert.equal(memory.take(holder, 40), true);
  }
  assert.deepEqual([dropped, memory.bytes(), holders[0].bytes], [1, 80, 0]);
  assert.equal(memory.take(holders[1], 40), false, 'it has more than its share');
  assert.equal(memory.bytes(), 40);
});
