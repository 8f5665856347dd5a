import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cursorText, domainSearch, firstCursor, pageLinks, parseLogCursor } from './log-query.ts';

const query = { from: 0, to: 1000, limit: 20 };

test('a cursor comes back from its text', () => {
  const cursor = { time: 1645451419441, page: 7, sequence: 6_700_000_000_000_123 };
  assert.equal(cursorText(cursor, 20), '1645451419441:7:20:6700000000000123');
  assert.deepEqual(parseLogCursor(cursorText(cursor, 20)), cursor);
  assert.deepEqual(parseLogCursor(cursorText(firstCursor(5), 20)), firstCursor(5));
});

test('a search finds parts of domains, and in double quotes whole domains', () => {
  const domains = ['example.org', 'www.example.org', 'example.org.test', 'a"b.test'];
  const found = (search?: string) => domains.filter(domainSearch(search).matches);
  assert.deepEqual(found(), domains);
  assert.deepEqual(found('Example.org'), domains.slice(0, 3));
  assert.deepEqual(found('"Example.org"'), ['example.org']);
  assert.deepEqual(found('"example"'), []);
  for (const literal of ['"', '"b', 'a"']) assert.deepEqual(found(literal), ['a"b.test'], literal);
});

test('an invalid cursor is rejected', () => {
  const wrong = [
    '',
    '1',
    '1:2:3',
    '1:0:3:4',
    '1:2:3:4:5',
    'x:1:1:1',
    '1:1:1:99999999999999999',
    ' 1:1:1:1',
    '1:1:1:9999999999999999',
  ];
  assert.deepEqual(
    wrong.map(parseLogCursor),
    wrong.map(() => undefined),
  );
});

test('the only page of a log has no other page', () => {
  assert.deepEqual(
    pageLinks(query, undefined).map(({ number, isCurrent }) => [number, isCurrent]),
    [[1, true]],
  );
});

test('after the page that is shown comes the next one, before it the first', () => {
  const links = pageLinks({ ...query, cursor: { time: 500, sequence: 3, page: 4 } }, { time: 400, sequence: 2 });
  assert.deepEqual(
    links.map(({ number, isCurrent, cursor }) => [number, isCurrent, cursor]),
    [
      [1, false, `1000:1:20:${Number.MAX_SAFE_INTEGER}`],
      [4, true, '500:4:20:3'],
      [5, false, '400:5:20:2'],
    ],
  );
});
