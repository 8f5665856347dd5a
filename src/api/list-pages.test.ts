import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startManagement } from '../../test/support/management.ts';
import { type ListInput, pageOfList } from './list-pages.ts';

const items = (ids: string): { id: string }[] => Array.from(ids, (id) => ({ id }));

function read(ids: string, input: ListInput): { ids: string; next: string | undefined } {
  const page = pageOfList(items(ids), input, ({ id }) => id);
  assert.ok(page.ok);
  const { headers, content } = page.value;
  const read = JSON.parse(content as string) as { id: string }[];
  return { ids: read.map(({ id }) => id).join(''), next: headers['next-cursor'] };
}

test('without parameters the list is whole; with a limit the pages have every item once', () => {
  assert.deepEqual(read('abcde', {}), { ids: 'abcde', next: undefined });
  assert.deepEqual(read('', { limit: 2 }), { ids: '', next: undefined });
  let pages = '';
  let cursor: string | undefined;
  do {
    const page = read('abcde', { limit: 2, cursor });
    pages += `${page.ids} `;
    cursor = page.next;
  } while (cursor !== undefined);
  assert.equal(pages, 'ab cd e ');
});

test('items that are added and removed between two pages neither repeat nor hide others', () => {
  const { next } = read('abcde', { limit: 2 });
  assert.equal(read('Xabcde', { limit: 2, cursor: next }).ids, 'cd');
  assert.equal(read('bcde', { limit: 2, cursor: next }).ids, 'cd');
  // The last item of the first page is gone: its place has the next one.
  assert.equal(read('acde', { limit: 2, cursor: next }).ids, 'cd');
  assert.deepEqual(read('', { limit: 2, cursor: next }), { ids: '', next: undefined });
});

test('an invalid cursor is an error of the field', () => {
  for (const cursor of ['', 'b', '1', '1:', '-1:b', '9999999999:b'])
    assert.equal(pageOfList(items('abc'), { cursor }, ({ id }) => id).ok, false, cursor);
});

test('lists of the API have pages by limit, cursor and Next-Cursor', async (t) => {
  const { ask, account } = await startManagement(t);
  const as = await account('anna@example.org');
  for (const name of ['a.home', 'b.home', 'c.home'])
    await ask('POST', '/api/v1/local_records', { as, json: { name, type: 'A', value: '192.0.2.1' } });
  const first = await ask('GET', '/api/v1/local_records?limit=2', { as });
  const cursor = encodeURIComponent(first.headers.get('next-cursor')!);
  const second = await ask('GET', `/api/v1/local_records?limit=2&cursor=${cursor}`, { as });
  const names = [first, second].map(({ json }) => json.map(({ name }: { name: string }) => name));
  assert.deepEqual(names, [['a.home', 'b.home'], ['c.home']]);
  assert.equal(second.headers.get('next-cursor'), null);
  assert.equal((await ask('GET', '/api/v1/local_records', { as })).json.length, 3);
  const audit = await ask('GET', '/api/v1/audit?limit=1', { as });
  assert.equal(audit.headers.get('next-cursor'), audit.json.next_cursor);
  const lists = ['members', 'api_keys', 'sessions', 'invitations', 'custom_lists', 'network_clients', 'forward_rules'];
  for (const list of [...lists, 'protection/devices']) {
    assert.equal((await ask('GET', `/api/v1/${list}?limit=0`, { as })).status, 400, list);
    assert.equal((await ask('GET', `/api/v1/${list}?limit=1`, { as })).status, 200, list);
  }
});
