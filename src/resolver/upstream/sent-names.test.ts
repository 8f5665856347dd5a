import assert from 'node:assert/strict';
import { test } from 'node:test';
import { name } from '../../../test/support/resolver/upstream/messages.ts';
import { createSentNamesMemory, sentNames } from './sent-names.ts';

test('a name in flight is recognised by its case until the query ends', () => {
  const sent = sentNames();
  const hash = sent.add(name('wWw.ExaMple.com'));
  assert.ok(sent.has(name('wWw.ExaMple.com')));
  assert.ok(!sent.has(name('www.example.com')));
  assert.ok(!sent.has(name('WWw.ExaMple.com')));
  sent.remove(hash);
  assert.ok(!sent.has(name('wWw.ExaMple.com')));
});

test('a name is known in all threads that share the memory', () => {
  const memory = createSentNamesMemory();
  const hash = sentNames(memory).add(name('eXample.example.com'));
  assert.ok(sentNames(memory).has(name('eXample.example.com')));
  sentNames(memory).remove(hash);
  assert.ok(!sentNames(memory).has(name('eXample.example.com')));
});

test('names with few letters, or without capitals, prove nothing', () => {
  const sent = sentNames();
  for (const text of ['aB.cd', 'Example.com', 'www.example.com', '1234567890.A']) {
    sent.add(name(text));
    assert.ok(!sent.has(name(text)), text);
  }
});
