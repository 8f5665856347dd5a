import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './support/app/temporary-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('npm start reports that nothing must be installed or built, prints the addresses, and the set-up link last', async (t) => {
  const data = await temporaryFolder(t);
  const startedAt = performance.now();
  const flags = ['--data', data, '--http', '127.0.0.1:0', '--admin', 'off', '--dns', '127.0.0.1:0'];
  const child = spawn('npm', ['start', '--silent', '--', ...flags, '--dot', 'off', '--doh', 'off'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const steps = text(child.stderr);
  const ended = once(child, 'exit');
  t.after(() => child.kill('SIGTERM'));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.includes('listening'))
      t.diagnostic(`npm start: listening after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    if (line.includes('You can also enter the set-up code')) child.kill('SIGTERM');
  }
  await ended;
  assert.deepEqual((await steps).trim().split('\n'), upToDate);
  const output = lines.join('\n');
  assert.match(output, / web interface url=http:\/\/127\.0\.0\.1:\d+$/m);
  assert.match(output, / DNS server for routers and devices of this network addresses=127\.0\.0\.1 port=\d+$/m);
  const lastLines = output.slice(0, output.indexOf(' stopping signal=')).split('\n').slice(-8, -1);
  const notice =
    /^\n {2}Weir is running\. To create your account, open this link within 30 minutes:\n\n {4}(http:\S+)\/set-up#(\S+)\n\n {2}You can also enter the set-up code \2 at \1\/set-up\n$/;
  assert.match(lastLines.join('\n'), notice);
  // npm forwards the signal, and the service stops cleanly.
  assert.match(output, / stopped drained=true$/m);
});

/** A project of one package without dependencies, and a build that only writes its mark. */
async function smallProject(t: TestContext): Promise<string> {
  const manifest = (dependency: string): string =>
    JSON.stringify({ name: 'p', version: '1.0.0', type: 'module', dependencies: { part: dependency } });
  const folder = await temporaryFolder(t, {
    'scripts/set-up.js': readFileSync(join(root, 'scripts/set-up.js')),
    'scripts/build.ts':
      "import { mkdirSync, writeFileSync } from 'node:fs';\nmkdirSync('dist', { recursive: true });\nwriteFileSync('dist/.built', '');\n",
    'package.json': manifest('file:part-1.0.0.tgz'),
    'part/package.json': '{"name": "part", "version": "1.0.0"}',
    'src/main.ts': '',
    'src/main.test.ts': '',
    'web/main.tsx': '',
  });
  for (const words of [
    ['pack', './part'],
    ['install', '--package-lock-only'],
  ]) {
    const { status, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }
  return folder;
}

function setUp(folder: string, env: Readonly<Record<string, string>> = {}) {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/set-up.js'], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  });
  return { status, steps: stderr.split('\n').filter((line) => line.startsWith('[')), stderr };
}

const upToDate = ['[1/3] Install packages: up to date', '[2/3] Build: up to date', '[3/3] Start'];

test('packages are installed and the program is built only after a change', async (t) => {
  const folder = await smallProject(t);
  const first = setUp(folder);
  assert.equal(first.status, 0, first.stderr);
  assert.deepEqual(first.steps, [
    '[1/3] Install packages (the first time: about 300 MB of downloads)',
    '[2/3] Build the program and the web interface',
    '[3/3] Start',
  ]);
  assert.deepEqual(setUp(folder).steps, upToDate);

  const soon = new Date(Date.now() + 5000);
  utimesSync(join(folder, 'src/main.test.ts'), soon, soon);
  assert.deepEqual(setUp(folder).steps, upToDate);
  utimesSync(join(folder, 'src/main.ts'), soon, soon);
  assert.match(setUp(folder).steps[1]!, /^\[2\/3\] Build the program/);
  utimesSync(join(folder, 'src/main.ts'), new Date(0), new Date(0));

  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: object };
  const packages = { ...lock.packages, 'node_modules/more': { version: '1.0.0', optional: false } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
  assert.match(setUp(folder).steps[0]!, /^\[1\/3\] Install packages \(/);
});

test('a failed step is named, and the next one does not run', async (t) => {
  const folder = await smallProject(t);
  writeFileSync(join(folder, 'scripts/build.ts'), 'process.exitCode = 3;\n');
  const { status, steps, stderr } = setUp(folder);
  assert.equal(status, 1);
  assert.equal(steps.length, 2);
  assert.match(stderr, /build\.ts --without-types" failed \(exit code 3\) after \d+ s/);
});

test('on Windows the message says where the service runs, before anything is installed', async (t) => {
  const folder = await smallProject(t);
  const NODE_OPTIONS = `--import=data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})`;
  const { status, steps, stderr } = setUp(folder, { NODE_OPTIONS });
  assert.equal(status, 1);
  assert.deepEqual(steps, []);
  assert.match(stderr, /^Weir does not run on Windows: .*Windows Subsystem for Linux/);
});
