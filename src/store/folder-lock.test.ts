import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstLine, otherProcess } from '../../test/support/store/processes.ts';
import { temporaryFolder } from '../../test/support/store/stores.ts';
import { lockFolder } from './folder-lock.ts';
import { openStore } from './store.ts';

const server = (folder: string): string => `
  import { openStore } from './store.ts';
  const store = await openStore({ folder: ${JSON.stringify(folder)} });
  console.log('open');
  process.stdin.on('end', () => store.close()).resume();
`;

test('a second server on a folder is rejected at once, with the process that holds it', async (t) => {
  const folder = temporaryFolder(t);
  const { child, lines, ended } = otherProcess(t, server(folder));
  assert.equal(await firstLine(lines), 'open');
  const started = performance.now();
  await assert.rejects(openStore({ folder }), {
    name: 'StoreError',
    kind: 'in use',
    message: `another server (process ${child.pid}) uses the folder ${folder}`,
  });
  // A regular lock would wait for five seconds.
  assert.ok(performance.now() - started < 4000);
  child.stdin.end();
  assert.equal(await ended, 0);
  await (await openStore({ folder })).close();
});

test('the lock of a server that was killed is gone with it', async (t) => {
  const folder = temporaryFolder(t);
  const { child, lines, ended } = otherProcess(t, server(folder));
  assert.equal(await firstLine(lines), 'open');
  child.kill('SIGKILL');
  assert.equal(await ended, 'SIGKILL');
  await (await openStore({ folder })).close();
});

test('a folder is locked against the same process, too, and stays so after a try', async (t) => {
  const folder = temporaryFolder(t);
  const lock = lockFolder(folder);
  assert.throws(() => lockFolder(folder), { kind: 'in use' });
  const other = otherProcess(
    t,
    `
      import { lockFolder } from './folder-lock.ts';
      try { lockFolder(${JSON.stringify(folder)}); console.log('got it'); } catch (error) { console.log(error.kind); }
    `,
  );
  assert.equal(await firstLine(other.lines), 'in use');
  lock.release();
  lockFolder(folder).release();
});
