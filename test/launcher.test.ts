import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { bin } from './support/weir.ts';

// bin/weir in an installed copy whose program only prints which Node runs it.

const SYSTEM = '/usr/bin:/bin';

async function installedCopy(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t, { 'app/dist/cli/main.js': 'x' });
  mkdirSync(join(folder, 'app/bin'));
  for (const name of ['weir', 'hostlist-compiler']) copyFileSync(`${bin}${name}`, join(folder, 'app/bin', name));
  return folder;
}

/** A program that takes the place of Node and prints its name. */
function fakeNode(path: string, name: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --version ] && echo v24.99.0 && exit\necho ${name} "$@"\n`);
  chmodSync(path, 0o755);
}

/** As the bundled Node is on Alpine: the file exists, the loader that it names does not. */
function nodeWithoutLoader(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '#!/nonexistent/ld-linux-x86-64.so.2\n');
  chmodSync(path, 0o755);
}

function run(program: string, path: string, words: readonly string[] = ['query', 'x']) {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', env: { PATH: path } });
  return { status, node: stdout.split(' ')[0]!.trim(), words: stdout.trim().split(' ').slice(1), stderr };
}

test('the first Node that runs is chosen: of the archive, of the project, beside the package, of the system', async (t) => {
  const folder = await installedCopy(t);
  const weir = join(folder, 'app/bin/weir');
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  fakeNode(join(folder, 'path/node'), 'system');
  const path = `${join(folder, 'path')}:${SYSTEM}`;
  assert.equal(run(weir, path).node, 'system');
  fakeNode(join(folder, `node-linux-${arch}/bin/node`), 'beside');
  assert.equal(run(weir, path).node, 'beside');
  fakeNode(join(folder, 'app/node_modules/.bin/node'), 'project');
  assert.equal(run(weir, path).node, 'project');
  fakeNode(join(folder, 'app/node/bin/node'), 'archive');
  assert.equal(run(weir, path).node, 'archive');
  nodeWithoutLoader(join(folder, 'app/node/bin/node'));
  nodeWithoutLoader(join(folder, 'app/node_modules/.bin/node'));
  nodeWithoutLoader(join(folder, `node-linux-${arch}/bin/node`));
  assert.deepEqual(run(weir, path), {
    status: 0,
    node: 'system',
    words: [`${folder}/app/bin/../dist/cli/main.js`, 'query', 'x'],
    stderr: '',
  });
});

test('a package with a scope finds the Node beside it', async (t) => {
  const folder = await installedCopy(t);
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  mkdirSync(join(folder, 'modules/@scope'), { recursive: true });
  renameSync(join(folder, 'app'), join(folder, 'modules/@scope/name'));
  fakeNode(join(folder, `modules/node-linux-${arch}/bin/node`), 'beside');
  assert.equal(run(join(folder, 'modules/@scope/name/bin/weir'), SYSTEM).node, 'beside');
});

test('symbolic links to the commands and to the folder are followed', async (t) => {
  const folder = await installedCopy(t);
  fakeNode(join(folder, 'app/node/bin/node'), 'archive');
  symlinkSync(join(folder, 'app/bin/weir'), join(folder, 'link'));
  symlinkSync(join(folder, 'app'), join(folder, 'renamed'));
  symlinkSync(join(folder, 'app/bin/hostlist-compiler'), join(folder, 'compiler'));
  assert.equal(run(join(folder, 'link'), SYSTEM).node, 'archive');
  assert.equal(run(join(folder, 'renamed/bin/weir'), SYSTEM).node, 'archive');
  assert.ok(run(join(folder, 'compiler'), SYSTEM, ['-o', 'x']).words.join(' ').endsWith('main.js compile -o x'));
});

test('without a Node that runs, the message says what to install, and the exit code is 1', async (t) => {
  const folder = await installedCopy(t);
  nodeWithoutLoader(join(folder, 'app/node_modules/.bin/node'));
  mkdirSync(join(folder, 'empty'));
  for (const name of ['sh', 'uname', 'readlink', 'id']) symlinkSync(`/bin/${name}`, join(folder, 'empty', name));
  const { status, stderr } = run(join(folder, 'app/bin/weir'), join(folder, 'empty'));
  assert.equal(status, 1);
  assert.match(stderr, /^weir: Node 24\.11 or newer is required, .*apk add nodejs/);
});

test('a Node of the system that is too old is named, with the one that is needed', () => {
  const main = new URL('../dist/cli/main.js', import.meta.url).pathname;
  const old = `Object.defineProperty(process.versions,'node',{value:'22.1.0'});process.argv[2]='serve';await import('${main}')`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', old], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /^weir: Node 24\.11 or newer is required, but this is 22\.1\.0\./);
});
