import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/store/stores.ts';
import { groupCommit } from './group-commit.ts';
import { type SqliteConnection, sqliteConnection } from './sqlite-connection.ts';

function withTable(t: TestContext) {
  const writer = sqliteConnection(join(temporaryFolder(t), 'test.sqlite'));
  t.after(() => writer.close());
  writer.exec('create table numbers (n integer primary key)');
  let begun = 0;
  const commits = groupCommit(writer, async () => {
    begun++;
    writer.exec('begin immediate');
  });
  const add = (n: number) => () => writer.run({ sql: 'insert into numbers values (?)', parameters: [n] });
  return { writer, commits, add, begun: () => begun };
}

const numbers = (writer: SqliteConnection) =>
  writer.text('select group_concat(n) from (select n from numbers order by n)');

test('transactions that wait together are committed together', async (t) => {
  const { writer, commits, add, begun } = withTable(t);
  await Promise.all([1, 2, 3, 4].map((n) => commits.add(add(n))));
  assert.equal(numbers(writer), '1,2,3,4');
  assert.equal(begun(), 1);
});

test('a change that throws is rolled back alone, and only its caller gets the error', async (t) => {
  const { writer, commits, add } = withTable(t);
  const throwing = async () => {
    await add(2)();
    throw new Error('no');
  };
  const outcomes = await Promise.allSettled([commits.add(add(1)), commits.add(throwing), commits.add(add(3))]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal(numbers(writer), '1,3');
});

test('one that breaks a rule of the database is undone alone', async (t) => {
  const { writer, commits, add } = withTable(t);
  const outcomes = await Promise.allSettled([commits.add(add(1)), commits.add(add(1)), commits.add(add(3))]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal(numbers(writer), '1,3');
});

test('no caller succeeds when the commit fails', async (t) => {
  const { writer, commits, add } = withTable(t);
  // Rolls the transaction back, as SQLite does on a full disk.
  const ending = async () => writer.exec('rollback');
  const outcomes = await Promise.allSettled([commits.add(add(1)), commits.add(ending), commits.add(add(3))]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  assert.equal(numbers(writer), 'null');
  await commits.add(add(4));
  assert.equal(numbers(writer), '4');
});

test('between commits others get a turn', async (t) => {
  const { commits, add } = withTable(t);
  let isOver = false;
  const timer = new Promise<void>((resolve) => setTimeout(resolve, 5)).then(() => {
    isOver = true;
  });
  for (let n = 0; !isOver; n++) await commits.add(add(n));
  await timer;
});
