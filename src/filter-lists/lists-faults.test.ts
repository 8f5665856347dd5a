import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import {
  collectGarbage,
  fromAccount,
  fromOperator,
  rules,
  secret,
  statusOf,
  testLists,
  until,
} from '../../test/support/filter-lists/lists.ts';
import { httpOrigin } from '../../test/support/net/origin.ts';
import { loadTable } from './table-file.ts';

const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1000;
};

test('replacing a large list takes hardly any time of the answering thread', async (t) => {
  const files = await temporaryFolder(t, { 'list.txt': rules(200_000) });
  const setUp = await testLists(t, { wanted: [] });
  const lists = await setUp.open();
  setUp.wanted.lists = [fromOperator(join(files, 'list.txt'))];
  const before = process.threadCpuUsage();
  await lists.review();
  await lists.check('own');
  const spent = cpuMs(before);
  assert.equal(statusOf(lists, 'own').rules, 200_000);
  // Parsing the list would take many times as long; starting two threads takes 10 to 35 ms.
  assert.ok(spent < 100, `${spent} ms`);

  const { lines } = lists.tableOf('own')!;
  const beforeLoad = process.threadCpuUsage();
  assert.ok(loadTable(lines.table, secret).ok);
  assert.ok(cpuMs(beforeLoad) < 50);
});

test('replaced tables are released', async (t) => {
  let version = 0;
  const origin = await httpOrigin(t, (_request, response) => void response.end(rules(1000, `v${++version}x`)));
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)] });
  const lists = await setUp.open();
  const tables: WeakRef<SharedArrayBuffer>[] = [];
  for (let check = 0; check < 4; check++) {
    await lists.check('custom');
    tables.push(new WeakRef(lists.tableOf('custom')!.buffer));
    lists.swaps.splice(0);
  }
  // The target of a weak reference stays alive until the current job ends.
  await new Promise((resolve) => setTimeout(resolve, 50));
  collectGarbage();
  assert.deepEqual(
    tables.map((table) => table.deref() !== undefined),
    [false, false, false, true],
  );
});

test('on a full disk the lists stay in use, and are updated when there is space again', async (t) => {
  const folder = await temporaryFolder(t);
  const files = await temporaryFolder(t, { 'list.txt': rules(1000) });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]);
  if (mounted.status !== 0) return t.skip('only root can make a disk that is soon full');
  try {
    const setUp = await testLists(t, { folder, wanted: [fromOperator(join(files, 'list.txt'))] });
    const lists = await setUp.open();
    await until(() => lists.checks().new === 1, 'the list');

    fill(join(folder, 'filler'));
    await writeFile(join(files, 'list.txt'), rules(2000));
    await lists.check('own');
    const { rules: count, problem, isLoaded } = statusOf(lists, 'own');
    assert.deepEqual([count, isLoaded, problem?.why], [1000, true, 'there is no room on the disk to keep it']);

    rmSync(join(folder, 'filler'));
    await lists.check('own');
    assert.deepEqual([statusOf(lists, 'own').rules, statusOf(lists, 'own').problem], [2000, undefined]);
    await lists.close();
  } finally {
    spawnSync('umount', ['-l', folder]);
  }
});

function fill(path: string): void {
  for (let size = 4 * 2 ** 20; size >= 4096; size /= 2)
    try {
      writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // The disk is full: fill the rest with smaller writes.
    }
}

test('a list with a damaged state is downloaded at the start', async (t) => {
  const origin = await httpOrigin(t, (_request, response) => void response.end(rules(10)));
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)] });
  const lists = await setUp.open();
  await until(() => lists.checks().new === 1, 'the list');
  const { text } = lists.tableOf('custom')!.lines;
  await lists.close();
  await writeFile(join(text, '..', 'state.json'), '{"layout": 1, "id": "cus');
  const again = await setUp.open();
  await until(() => again.tableOf('custom') !== undefined, 'the list');
  assert.match(setUp.told.join('\n'), /warn \| state of a filter list is unreadable/);
});
