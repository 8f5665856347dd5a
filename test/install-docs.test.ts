import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nameOf, targets, version } from '../scripts/release/target.ts';

// The commands of docs/install.md need root, a registry or minutes, so other tests run them on their own packages. Here: whether
// the files and scripts that the commands name are those that exist and that the release makes.

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
