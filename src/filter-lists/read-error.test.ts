import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyNotRead } from './read-error.ts';

test('what went wrong is told from the outside in, and nothing of it twice', () => {
  const refused = new Error('connection refused');
  const download = new Error('cannot be downloaded', { cause: refused });
  const source = new Error('https://lists.example/a: cannot be downloaded', { cause: download });
  assert.equal(whyNotRead(source).details, 'https://lists.example/a: cannot be downloaded: connection refused');
});

test('what is no error at all is told, too', () => {
  assert.equal(whyNotRead(new Error('no table', { cause: 7 })).details, 'no table: 7');
});
