import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageOf } from './message-of.ts';

test('an error is shown by its message', () => {
  assert.equal(messageOf(new Error('the disk is full')), 'the disk is full');
});

test('the causes of an error follow it', () => {
  const deepest = new Error('connect ECONNREFUSED');
  const below = new Error('the server does not answer', { cause: deepest });
  assert.equal(
    messageOf(new Error('no list', { cause: below })),
    'no list: the server does not answer: connect ECONNREFUSED',
  );
});

test('a cause that the message already contains is not repeated', () => {
  const below = new Error('ENOENT: no such file');
  assert.equal(messageOf(new Error('a.txt: ENOENT: no such file', { cause: below })), 'a.txt: ENOENT: no such file');
  const deepest = new Error('getaddrinfo ENOTFOUND x', { cause: new Error('x: no such host') });
  const wrapped = new Error('a.txt: x: no such host', { cause: new Error('x: no such host', { cause: deepest }) });
  assert.equal(messageOf(wrapped), 'a.txt: x: no such host: getaddrinfo ENOTFOUND x');
});

test('an empty cause is left out', () => {
  assert.equal(messageOf(new Error('no list', { cause: new Error('') })), 'no list');
});

test('a thrown value that is not an error is shown as text', () => {
  assert.equal(messageOf('a word'), 'a word');
  assert.equal(messageOf(undefined), 'undefined');
  assert.equal(messageOf(new Error('stopped', { cause: 'by hand' })), 'stopped: by hand');
});
