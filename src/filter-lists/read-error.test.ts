import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readError } from './read-error.ts';

test('the message has the error and its causes, without repetition', () => {
  const refused = new Error('connection refused');
  const download = new Error('cannot be downloaded', { cause: refused });
  const source = new Error('https://lists.example/a: cannot be downloaded', { cause: download });
  assert.equal(readError(source).details, 'https://lists.example/a: cannot be downloaded: connection refused');
});

test('a thrown value that is not an error is shown, too', () => {
  assert.equal(readError(new Error('no table', { cause: 7 })).details, 'no table: 7');
});
