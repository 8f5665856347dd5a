import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { damage, openBackend, someRecords } from '../../../test/support/query-log/tables.ts';
import { type LogQuery, parseLogCursor } from '../../domain/log-query.ts';
import { mayMatch, readPage } from './read-page.ts';

const DAY = 86_400_000;
const all: LogQuery = { from: 0, to: NOW, limit: 4 };

test('pages continue after the last row, over flushed and unflushed rows of one millisecond', async (t) => {
  const { append, flush, reading } = await openBackend(t);
  const names = (from: number, count: number) =>
    Array.from({ length: count }, (_, row) => aRecord({ time: NOW - 5, domain: `${from + row}.example` }));
  await append(names(0, 5));
  await flush();
  await append(names(5, 4));
  const seen: string[] = [];
  for (let query: LogQuery | undefined = all; query; ) {
    const { items, pages } = await reading((own) => readPage(own, 'home', query!));
    seen.push(items.map(({ domain }) => domain[0]).join(''));
    const next = pages[pages.findIndex(({ isCurrent }) => isCurrent) + 1];
    query = next && { ...all, cursor: parseLogCursor(next.cursor)! };
  }
  assert.deepEqual(seen, ['8765', '4321', '0']);
});

test('an empty range and an account without rows have one empty page', async (t) => {
  const { append, reading } = await openBackend(t);
  await append(someRecords(3));
  for (const [account, query] of [
    ['other', all],
    ['home', { ...all, from: NOW, to: NOW - DAY }],
    ['home', { ...all, cursor: { time: 0, sequence: 0, page: 3 }, from: 1 }],
  ] as const) {
    const { items, pages } = await reading((own) => readPage(own, account, query));
    assert.equal(items.length, 0);
    assert.equal(pages.at(-1)!.isCurrent, true);
  }
});

test('a corrupt segment is reported, and the page has the rows of the others', async (t) => {
  const { append, flush, reading, folder, problems } = await openBackend(t);
  await append([aRecord({ time: NOW - DAY, domain: 'old.example' })]);
  await append([aRecord({ domain: 'new.example' })]);
  await flush();
  damage(folder, `UPDATE blocks SET spots = x'00' WHERE newest > ${NOW - DAY}`);
  const { items } = await reading((own) => readPage(own, 'home', all));
  assert.deepEqual(
    items.map(({ domain }) => domain),
    ['old.example'],
  );
  assert.equal(problems.length, 1);
});

test('zone maps exclude segments of days and hours without a matching value; unflushed rows have none', async (t) => {
  const { append, flush, reading, segments } = await openBackend(t);
  await append([aRecord({ device: 'phone', time: NOW - DAY })]);
  await append([aRecord({ device: 'tv', time: NOW })]);
  await flush();
  await append([aRecord({ device: 'phone', time: NOW })]);
  const wanted = async (device?: string) => {
    const predicates = device === undefined ? [] : [['device', new Set([device])] as const];
    const isWanted = await reading((own) => mayMatch(own, 'home', { predicates }, { from: 0, to: NOW }));
    return (await segments()).filter(isWanted).map(({ level, first }) => [level, first === NOW]);
  };
  assert.deepEqual(await wanted('phone'), [
    [0, true],
    [1, false],
  ]);
  assert.deepEqual(await wanted('missing'), [[0, true]]);
  assert.equal((await wanted()).length, 3);
});
