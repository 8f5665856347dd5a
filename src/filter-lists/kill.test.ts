import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { downloading, fromAccount, rules, secret, statusOf, testLists } from '../../test/support/filter-lists/lists.ts';
import { httpOrigin } from '../../test/support/net/origin.ts';

const ROUNDS = Number(process.env['WEIR_KILLS'] ?? 4);

// Checks a list that changes each time, and prints the number of rules of each active version.
const checker = (folder: string, source: string): string => `
  import { openLists } from '${new URL('./open-lists.ts', import.meta.url).href}';
  const silent = () => {};
  const lists = await openLists({
    ...${JSON.stringify({ folder, everySeconds: 3600, downloading })},
    secret: Uint8Array.from(${JSON.stringify([...secret])}),
    wanted: () => [{ id: 'custom', source: '${source}', namedBy: 'account' }],
    ownPorts: () => [],
    log: { info: silent, warn: silent, debug: silent },
  });
  for (;;) {
    await lists.check('custom');
    console.log(lists.fetchedList('custom').rules);
  }
`;

/** A separate process, which is killed at an arbitrary point. */
async function checkingProcess(t: TestContext, folder: string, source: string) {
  const file = join(await temporaryFolder(t), 'checker.mjs');
  await writeFile(file, checker(folder, source));
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  return { child, lines: createInterface({ input: child.stdout }), ended: once(child, 'exit') };
}

test('a process that is killed while it writes a list leaves the old or the new version, never a partial one', async (t) => {
  let version = 0;
  const origin = await httpOrigin(
    t,
    (_request, response) => void response.end(rules(20_000 + ++version, `v${version}x`)),
  );
  const setUp = await testLists(t, { wanted: [] });
  for (let round = 1; round <= ROUNDS; round++) {
    const { child, lines, ended } = await checkingProcess(t, setUp.folder, origin.url);
    let acknowledged = 0;
    for await (const line of lines) {
      acknowledged = Number(line);
      // At another point each time.
      setTimeout(() => child.kill('SIGKILL'), (round * 37) % 150);
    }
    assert.deepEqual(await ended, [null, 'SIGKILL']);
    setUp.wanted.lists = [fromAccount('http://127.0.0.1:9/')];
    const lists = await setUp.open();
    const { rules: count, isLoaded } = statusOf(lists, 'custom');
    assert.ok(isLoaded, 'nothing could be loaded');
    assert.ok(count >= acknowledged && count <= 20_000 + version, `${count} after ${acknowledged}`);
    assert.doesNotMatch(setUp.told.splice(0).join('\n'), /rejected|is not usable|unreadable/);
    await lists.close();
  }
});
