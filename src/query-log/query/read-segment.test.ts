import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW } from '../../../test/support/query-log/logs.ts';
import { openBackend, someRecords, tableFrom } from '../../../test/support/query-log/tables.ts';
import type { LogQuery } from '../../domain/log-query.ts';
import { keyFields } from '../segments/row.ts';
import { findInEncoded, findInRaw, originOf, pageFilter, wantedTuples } from './read-segment.ts';

const all: LogQuery = { from: 0, to: NOW, limit: 100 };
const records = someRecords(40, (row) => ({
  domain: `name-${row % 4}.example`,
  device: `d${row % 2}`,
  ...(row % 5 === 0 ? { clientSubnet: '192.168.1.5', filterId: 'list' } : {}),
}));
const table = tableFrom(records);
const numbers = (query: Partial<LogQuery>): number[] =>
  findInRaw(pageFilter({ ...all, ...query }), table).rows.map(({ number }) => number);
const expected = (isWanted: (row: number) => boolean): number[] => [...records.keys()].filter(isWanted);

/** Every condition that a page can have. */
const cases: readonly (readonly [Partial<LogQuery>, (row: number) => boolean])[] = [
  [{}, () => true],
  [{ devices: ['d1'] }, (row) => row % 2 === 1],
  [{ search: 'NAME-3' }, (row) => row % 4 === 3],
  [{ clientAddresses: ['192.168.1.5'] }, (row) => row % 5 === 0],
  [{ lists: ['list'], devices: ['d0'], search: 'name-0' }, (row) => row % 20 === 0],
  [{ from: records[30]!.time, to: records[33]!.time }, (row) => row >= 30 && row <= 33],
  [{ cursor: { time: records[10]!.time, sequence: table.sequences[10]!, page: 2 } }, (row) => row < 10],
  [{ devices: ['missing'] }, () => false],
  [{ search: '"name-3.example"' }, (row) => row % 4 === 3],
  [{ search: '"name-3"' }, () => false],
  [{ search: 'missing' }, () => false],
  [{ lists: ['missing'] }, () => false],
];

test('rows of a raw segment match every condition', () => {
  for (const [query, isWanted] of cases) assert.deepEqual(numbers(query), expected(isWanted), JSON.stringify(query));
});

test('rows of an encoded segment match the same conditions, newest first', async (t) => {
  const { append, flush, backend } = await openBackend(t);
  await append(records);
  await flush();
  await backend.read(async (view) => {
    for await (const segment of view.segments('home', { from: 0, to: NOW }))
      for (const [{ cursor, ...query }, isWanted] of cases) {
        const filter = pageFilter({ ...all, ...query });
        const found = await findInEncoded(filter, view, segment);
        const wanted = cursor ? expected(() => true) : expected(isWanted);
        assert.deepEqual(
          found.rows.map(({ time }) => time),
          wanted.map((row) => records[row]!.time).reverse(),
          JSON.stringify(query),
        );
        if (found.rows[0])
          assert.equal(found.reader()(found.rows[0].number)[0], records[wanted.at(-1)!]!.domain, JSON.stringify(query));
      }
  });
});

test('at most one row more than shown is read of an encoded segment', async (t) => {
  const { append, flush, backend } = await openBackend(t);
  await append(records);
  await flush();
  await backend.read(async (view) => {
    for await (const segment of view.segments('home', { from: 0, to: NOW }))
      assert.equal((await findInEncoded(pageFilter({ ...all, limit: 3 }), view, segment)).rows.length, 4);
  });
});

test('tuples of decoded rows match if they have a value of every predicate', () => {
  const { keys } = table;
  const count = (device: string): number =>
    wantedTuples(keys, keyFields, [['device', new Set([device])]]).filter((isWanted) => isWanted).length;
  assert.deepEqual([count('d0'), count('missing')], [1, 0]);
  assert.ok(wantedTuples(keys, keyFields, []).every((isWanted) => isWanted));
});

test('format 2 has absolute batch numbers, later formats relative ones', () => {
  const meta = { id: 1, level: 1, batch: 9, first: NOW, last: NOW, rows: 1 };
  const dayStart = Date.UTC(2026, 10, 15);
  assert.deepEqual(originOf({ ...meta, format: 2 }), { dayStart, batch: 0 });
  assert.deepEqual(originOf({ ...meta, format: 4 }), { dayStart, batch: 9 });
});
