import assert from 'node:assert/strict';
import { test } from 'node:test';
import { name } from '../../../test/support/resolver/upstream/messages.ts';
import { sentNames } from './sent-names.ts';

test('a name that is under way is known by its spelling until it is over', () => {
  const sent = sentNames();
  const over = sent.add(name('wWw.ExaMple.com'));
  assert.ok(sent.has(name('wWw.ExaMple.com')));
  assert.ok(!sent.has(name('www.example.com')));
  assert.ok(!sent.has(name('WWw.ExaMple.com')));
  over();
  assert.ok(!sent.has(name('wWw.ExaMple.com')));
});

test('of a name that is under way twice each has an end of its own, and it counts once', () => {
  const sent = sentNames();
  const [one, other] = [sent.add(name('eXample.example.com')), sent.add(name('eXample.example.com'))];
  one();
  one();
  assert.ok(sent.has(name('eXample.example.com')));
  other();
  assert.ok(!sent.has(name('eXample.example.com')));
});

test('names with few letters, or without capitals, prove nothing', () => {
  const sent = sentNames();
  for (const text of ['aB.cd', 'Example.com', 'www.example.com', '1234567890.A']) {
    sent.add(name(text));
    assert.ok(!sent.has(name(text)), text);
  }
});
