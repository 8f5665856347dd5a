import assert from 'node:assert/strict';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { listFolder, readStates, removeList, removeOldFiles, textPath, writeState } from './list-folder.ts';

const [old, current] = ['a'.repeat(64), 'b'.repeat(64)];
const noProblem = (problem: unknown): void => assert.fail(String(problem));

test('no id results in a path outside of the folder, and different ids have different paths', () => {
  const ids = ['a', 'A', 'a/b', 'a-b', '..', '.', '../../etc', '', 'ü', '\0', 'x'.repeat(500), `${'x'.repeat(500)}y`];
  const places = ids.map((id) => relative('/lists', listFolder('/lists', id)));
  for (const place of places) assert.match(place, /^[A-Za-z0-9_-]{0,48}\.[0-9a-f]{16}$/);
  assert.equal(new Set(places).size, ids.length);
});

test('the saved state of lists is loaded again, and readable by its owner only', async (t) => {
  const root = await temporaryFolder(t);
  await writeState(root, { id: 'one', checkedAt: 1 });
  await writeState(root, { id: 'two' });
  await writeState(root, { id: 'one', checkedAt: 2 });
  const states = await readStates(root, noProblem);
  assert.deepEqual(
    states.toSorted((a, b) => a.id.localeCompare(b.id)),
    [{ id: 'one', checkedAt: 2 }, { id: 'two' }],
  );
  const { mode } = await stat(join(listFolder(root, 'one'), 'state.json'));
  assert.equal(mode & 0o077, 0);
});

test('a state that is damaged or of another list is logged and not used; a list without one was never downloaded', async (t) => {
  const root = await temporaryFolder(t, { 'a file': '' });
  await mkdir(join(root, 'empty'));
  await mkdir(listFolder(root, 'broken'));
  await writeFile(join(listFolder(root, 'broken'), 'state.json'), '{"layout":1,"id":"bro');
  await mkdir(listFolder(root, 'moved'));
  await writeFile(join(listFolder(root, 'moved'), 'state.json'), '{"layout":1,"id":"other"}');
  await writeState(root, { id: 'good' });
  const problems: unknown[] = [];
  assert.deepEqual(await readStates(root, (problem) => problems.push(problem)), [{ id: 'good' }]);
  assert.equal(problems.length, 2);
});

test('files of killed writers are removed at the start', async (t) => {
  const root = await temporaryFolder(t);
  await writeState(root, { id: 'one' });
  await writeFile(join(listFolder(root, 'one'), 'state.json.1.unfinished'), '{');
  await readStates(root, noProblem);
  assert.deepEqual(await readdir(listFolder(root, 'one')), ['state.json']);
});

test('files of unused versions are removed, and nothing else', async (t) => {
  const root = await temporaryFolder(t);
  await writeState(root, { id: 'one' });
  const names = [`${old}.txt`, `${old}.table`, `${current}.txt`, `${current}.table`, `${current}.table.x.unfinished`];
  for (const name of [...names, 'notes']) await writeFile(join(listFolder(root, 'one'), name), '');
  await removeOldFiles(root, 'one', [current]);
  assert.deepEqual((await readdir(listFolder(root, 'one'))).toSorted(), [
    `${current}.table`,
    `${current}.txt`,
    'notes',
    'state.json',
  ]);
  await removeList(root, 'one');
  assert.deepEqual(await readdir(root), []);
});

test('the text of a version is in the folder of its list', () => {
  assert.equal(textPath('/lists', 'one', current), join(listFolder('/lists', 'one'), `${current}.txt`));
});
