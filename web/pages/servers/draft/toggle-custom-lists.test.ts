import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withToggled } from './toggle-custom-lists.ts';

const on = (id: string) => ({ id, enabled: true });
const off = (id: string) => ({ id, enabled: false });

test('lists that were switched are changed in the current state, and others stay', () => {
  const draft = { base: [on('a'), on('b')], edited: [off('a'), on('b'), on('new')] };
  assert.deepEqual(withToggled([on('a'), on('b'), on('of others')], draft), [on('b'), on('of others'), on('new')]);
  const undo = { base: draft.edited, edited: draft.base };
  assert.deepEqual(withToggled([on('b'), on('new')], undo), [on('b'), on('a')]);
});

test('a list that was deleted meanwhile is not chosen again', () => {
  assert.deepEqual(withToggled([on('b')], { base: [on('a'), on('b')], edited: [on('b')] }), [on('b')]);
});
