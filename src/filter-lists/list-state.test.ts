import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ListState, parseState, stateText } from './list-state.ts';

const state: ListState = {
  id: 'a',
  inUse: {
    name: 'ab'.repeat(32),
    source: 'https://lists.example/a.txt',
    fetchedAt: 1,
    rules: 10,
    ignored: 1,
    invalid: 2,
    bytes: 120,
    textBytes: 200,
  },
  seen: [{ kind: 'file', source: '/a.txt', stamp: '1 2 3' }],
  checkedAt: 5,
  problem: { kind: 'failed', why: 'no answer', since: 7, times: 1 },
};

test('a written state is read again', () => {
  assert.deepEqual(parseState(stateText(state)), state);
});

const strange: Readonly<Record<string, string>> = {
  'an empty file': '',
  'half a file': stateText(state).slice(0, 100),
  'no object': '[]',
  'another layout': stateText(state).replace('"layout": 1', '"layout": 2'),
  'no id': stateText(state).replace('"id"', '"ID"'),
  'a version that is a path': stateText(state).replace('ab'.repeat(32), '../../etc/passwd'),
  'a version without figures': stateText(state).replace('"rules": 10', '"rules": "many"'),
  'a problem that is none': stateText({ id: 'a' }).replace('"id"', '"problem": "yes", "id"'),
};

for (const [name, text] of Object.entries(strange))
  test(`${name} is not a valid state`, () => {
    assert.equal(parseState(text), undefined);
  });
