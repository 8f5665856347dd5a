import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NOW, temporaryFolder } from '../../../test/support/query-log/logs.ts';
import { openSqliteFiles, weekEnd, weekOf } from './sqlite-files.ts';

const WEEK = 7 * 86_400_000;

async function openFiles(t: { after(end: () => unknown): void }) {
  const folder = await temporaryFolder(t);
  const problems: string[] = [];
  const open = () => {
    const files = openSqliteFiles(folder, () => true, {
      now: () => NOW,
      onProblem: (problem) => problems.push(String(problem)),
    });
    t.after(() => files.close());
    return files;
  };
  return { folder, problems, open, databases: () => readdirSync(folder).filter((name) => name.endsWith('.db')) };
}

test('rows of a week are in one file, which is named after its first day and found again', async (t) => {
  const { open, databases } = await openFiles(t);
  const files = open();
  files.weekFile(NOW);
  files.weekFile(weekEnd(weekOf(NOW)));
  files.weekFile(NOW - WEEK);
  assert.deepEqual(databases(), ['log-2026-11-05.db', 'log-2026-11-12.db']);
  assert.deepEqual(files.weeks(), [weekOf(NOW), weekOf(NOW) - WEEK]);
  files.close();
  const again = open();
  assert.deepEqual(again.weeks(), [weekOf(NOW), weekOf(NOW) - WEEK]);
  again.removeWeek(weekOf(NOW));
  assert.deepEqual([databases(), again.weeks()], [['log-2026-11-05.db'], [weekOf(NOW) - WEEK]]);
});

test('a corrupt file is renamed, reported and replaced', async (t) => {
  const { folder, open, problems } = await openFiles(t);
  writeFileSync(join(folder, 'log-2026-11-12.db'), 'not a database, but longer than a header of SQLite: '.repeat(20));
  const files = open();
  assert.deepEqual(files.weekFile(NOW).all('SELECT * FROM blocks'), []);
  assert.match(problems.join(), /is corrupt; it was renamed to .*corrupt-\d+/);
  assert.deepEqual(
    files.damaged().map(({ since }) => since),
    [NOW],
  );
});

test('other files in the folder are not taken for weeks', async (t) => {
  const { folder, open } = await openFiles(t);
  for (const name of ['log-other.db', 'log-2026-11-12.db-wal', 'notes.txt']) writeFileSync(join(folder, name), '');
  assert.deepEqual(open().weeks(), []);
});
