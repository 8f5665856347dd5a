import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pagesToWire } from './pages-to-wire.ts';

test('each page has its number, its cursor and whether it is the current one', () => {
  assert.deepEqual(
    pagesToWire([
      { number: 1, cursor: '1:1:20', isCurrent: false },
      { number: 2, cursor: '2:1:20', isCurrent: true },
    ]),
    [
      { page_number: 1, page_cursor: '1:1:20', current: false },
      { page_number: 2, page_cursor: '2:1:20', current: true },
    ],
  );
  assert.deepEqual(pagesToWire([]), []);
});
