import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageOf } from './message-of.ts';

test('an error is told by its message', () => {
  assert.equal(messageOf(new Error('the disk is full')), 'the disk is full');
});

test('the reasons below an error follow it', () => {
  const deepest = new Error('connect ECONNREFUSED');
  const below = new Error('the server does not answer', { cause: deepest });
  assert.equal(
    messageOf(new Error('no list', { cause: below })),
    'no list: the server does not answer: connect ECONNREFUSED',
  );
});

test('a reason that the message has already is not told again', () => {
  const below = new Error('ENOENT: no such file');
  assert.equal(messageOf(new Error('a.txt: ENOENT: no such file', { cause: below })), 'a.txt: ENOENT: no such file');
});

test('a reason that says nothing is left out', () => {
  assert.equal(messageOf(new Error('no list', { cause: new Error('') })), 'no list');
});

test('what is no error is told as text', () => {
  assert.equal(messageOf('a word'), 'a word');
  assert.equal(messageOf(undefined), 'undefined');
  assert.equal(messageOf(new Error('stopped', { cause: 'by hand' })), 'stopped: by hand');
});
