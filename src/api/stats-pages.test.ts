import assert from 'node:assert/strict';
import { test } from 'node:test';
import { navigationOf, pageOfRows, statsPageFromWire } from './stats-pages.ts';

const rows = Array.from({ length: 5 }, (_, row) => row);

test('following the cursors shows every row once, forwards and backwards', () => {
  const seen: number[][] = [];
  let cursor: string | undefined;
  let previous: string | undefined;
  do {
    const page = statsPageFromWire({ cursor, limit: 2 });
    assert.ok(page.ok);
    const shown = pageOfRows(rows, page.value, 99);
    seen.push([...shown.rows]);
    previous = shown.navigation.prev?.page_cursor;
    cursor = shown.navigation.next?.page_cursor;
  } while (cursor !== undefined);
  assert.deepEqual(seen, [[0, 1], [2, 3], [4]]);
  const back = statsPageFromWire({ cursor: previous });
  assert.deepEqual(back.ok && pageOfRows(rows, back.value, 99).rows, [2, 3]);
});

test('the first page has the given limit, or the default', () => {
  assert.deepEqual(statsPageFromWire({}), { ok: true, value: { page: 1, limit: 1000 } });
  assert.deepEqual(statsPageFromWire({ limit: 3 }, 10), { ok: true, value: { page: 1, limit: 3 } });
  assert.deepEqual(pageOfRows([], { page: 1, limit: 3 }, 0), { rows: [], navigation: {} });
});

test('an invalid cursor is an error of the field', () => {
  for (const cursor of ['', '1', '1:0:5:9', '1:1:0:9', '1:1:1001:9', '1:1:9999:9', '-1:1:5:9', '1:1:5:9:9', 'a:1:5:9'])
    assert.equal(statsPageFromWire({ cursor }).ok, false, cursor);
});

test('links are those to the page before and after', () => {
  const pages = [1, 2, 3].map((number) => ({ number, cursor: `c${number}`, isCurrent: number === 2 }));
  assert.deepEqual(navigationOf(pages, 2), {
    next: { page_cursor: 'c3', page_number: 3 },
    prev: { page_cursor: 'c1', page_number: 1 },
  });
  assert.deepEqual(navigationOf(pages, 3), { prev: { page_cursor: 'c2', page_number: 2 } });
});
