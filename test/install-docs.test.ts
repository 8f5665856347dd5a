import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nameOf, targets, version } from '../scripts/release/target.ts';
import { commandsIn } from './support/packaging/documented.ts';

// The commands of docs/install.md need root, a registry or minutes, so other tests run them on their own packages. Here: whether all of them
// are run, and whether the files and scripts that the commands name are those that exist and that the release makes.

const root = fileURLToPath(new URL('..', import.meta.url));
const text = readFileSync(`${root}docs/install.md`, 'utf8');
const commands = Array.from(text.matchAll(/^```(?:console|sh)\n(.*?)^```$/gms), ([, code = '']) => code).join('');

test('the named packages are those that the release makes', () => {
  const archives = targets.map((target) => `${nameOf(target)}.tar.xz`);
  const debs = ['amd64', 'arm64'].map((arch) => `weir_${version}_${arch}.deb`);
  const made = [...archives, ...debs, `weir-dns-${version}.tgz`];
  const named = Array.from(commands.matchAll(/[\w.-]+\.(?:tar\.xz|deb|tgz)/g), ([name]) => name);
  assert.ok(named.length >= 3);
  assert.deepEqual(
    named.filter((name) => !made.includes(name)),
    [],
  );
});

test('the named files exist', () => {
  const files = Array.from(commands.matchAll(/(?:deploy|examples|bin)\/[\w./-]+/g), ([name]) => name);
  assert.ok(files.length >= 5);
  assert.deepEqual(
    files.filter((name) => !existsSync(root + name)),
    [],
  );
});

test('the named npm scripts exist', () => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: Record<string, string> };
  for (const [, name = ''] of text.matchAll(/npm run (\w+)/g)) assert.ok(Object.hasOwn(scripts, name), name);
});

/** Beginnings of commands in console blocks, and the test that runs them as they are documented. */
const runIn: Readonly<Record<string, string>> = {
  'apt install ': 'test/debian-package.test.ts',
  'cd release ': 'test/release-archive.test.ts',
  './weir-': 'test/release-archive.test.ts',
  'npm install ': 'test/npm-package.test.ts',
  'npx ': 'test/npm-package.test.ts',
  'useradd ': 'test/release-archive.test.ts',
  'weir serve --user ': 'test/release-archive.test.ts',
  'curl -s http://127.0.0.1:8080/api/v1/set_up ': 'test/docs.test.ts',
};

const notRun: Readonly<Record<string, string>> = {
  'npm run release -- ':
    'installs and builds everything; its parts are run by the tests of each package and test/start.test.ts',
  'cd ../my-project': 'the folder in which test/npm-package.test.ts runs the commands below it',
  'journalctl ': 'needs systemd as the first process',
  'docker ': 'needs a container daemon; test/container.test.ts builds and runs the image, and checks the compose files',
  'export ': 'only for docker',
};

test('every command of a console block is run by a test, or there is a reason', () => {
  const documents = ['docs/install.md', 'docs/operations.md', 'docs/upgrade.md'];
  const documented = documents
    .flatMap((name) => Array.from(readFileSync(root + name, 'utf8').matchAll(/^```console\n(.*?)^```$/gms)))
    .flatMap(([, code = '']) => commandsIn(code));
  const beginnings = [...Object.keys(runIn), ...Object.keys(notRun)];
  assert.deepEqual(
    documented.filter((command) => !beginnings.some((beginning) => command.startsWith(beginning))),
    [],
  );
  assert.deepEqual(
    beginnings.filter((beginning) => !documented.some((command) => command.startsWith(beginning))),
    [],
  );
  for (const file of Object.values(runIn))
    assert.match(readFileSync(root + file, 'utf8'), /documentedCommands?\('docs/);
});
