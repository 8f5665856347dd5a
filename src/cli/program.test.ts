import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { version } from '../platform/version.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

function weir(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('the version is that of the package, and nothing else is printed', () => {
  assert.deepEqual(weir('--version'), { status: 0, stdout: `${version}\n`, stderr: '' });
});

test('help lists the commands, on standard output', () => {
  const help = weir('--help');
  assert.equal(help.status, 0);
  assert.match(help.stdout, /^ {2}compile +\S/m);
  assert.equal(help.stderr, '');
  assert.deepEqual([weir('-h'), weir('help')], [help, help]);
});

test('without a command the help goes to standard error, and it is a failure', () => {
  assert.deepEqual(weir(), { status: 1, stdout: '', stderr: weir('--help').stdout });
});

test('an unknown command suggests the nearest known one', () => {
  const stderr = 'weir: unknown command "complie"; did you mean "compile"? (see weir --help)\n';
  assert.deepEqual(weir('complie', '-o', '-'), { status: 1, stdout: '', stderr });
});

test('an unknown command far from every known one gets no suggestion, nor do property names of objects', () => {
  for (const name of ['restaurant', 'constructor', '__proto__']) {
    const stderr = `weir: unknown command "${name}" (see weir --help)\n`;
    assert.deepEqual(weir(name), { status: 1, stdout: '', stderr });
  }
});
