import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ListPage } from '../domain/repositories.ts';
import { listPage } from './lists.ts';

const NOW = 1000;
type Row = { readonly createdAt: number };

/** Rows in the order of the store: newest first, none later than `asOf`. */
const rowsOf =
  (all: readonly Row[]) =>
  async ({ after, limit }: ListPage): Promise<readonly Row[]> =>
    all
      .filter(({ createdAt }) => createdAt < after!.createdAt)
      .toSorted((one, other) => other.createdAt - one.createdAt)
      .slice(0, limit);

async function walk(
  limit: number,
  rows: (page: ListPage) => Promise<readonly Row[]>,
  keep?: (row: Row) => boolean,
): Promise<Row[]> {
  const seen: Row[] = [];
  let cursor: string | undefined;
  for (let number = 1; ; number++) {
    const page = await listPage({ limit, cursor }, NOW, rows, keep);
    assert.ok(page.ok);
    seen.push(...page.value.items);
    assert.equal(page.value.navigation.prev?.page_number, number === 1 ? undefined : number - 1);
    if (!page.value.navigation.next) return seen;
    cursor = page.value.navigation.next.page_cursor;
  }
}

const ages = fc.uniqueArray(fc.integer({ min: 0, max: NOW }), { maxLength: 30 });

test('all pages together have each row once, newest first, for any page size', () =>
  fc.assert(
    fc.asyncProperty(ages, fc.integer({ min: 1, max: 7 }), async (times, limit) => {
      const all = times.map((createdAt) => ({ createdAt }));
      const newestFirst = all.toSorted((one, other) => other.createdAt - one.createdAt);
      assert.deepEqual(await walk(limit, rowsOf(all)), newestFirst);
      const isEven = ({ createdAt }: Row): boolean => createdAt % 2 === 0;
      assert.deepEqual(await walk(limit, rowsOf(all), isEven), newestFirst.filter(isEven));
    }),
  ));

test('an invalid cursor is rejected', async () => {
  for (const cursor of ['', 'x', '1:0:1', '1:1:1001', '1:1:0', '-1:1:1', '1:1:1:1', '9'.repeat(40)])
    assert.equal((await listPage({ cursor }, NOW, rowsOf([]))).ok, false, cursor);
});
