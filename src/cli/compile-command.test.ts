import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { formatNames } from '../compiler/index.ts';
import { version } from '../platform/version.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

function compile(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'compile', ...words], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

const rule = ['-i', '||a.example.com^', '-o', '-', '--quiet'];

test('the help has the flags of the original', () => {
  const { status, stdout, stderr } = compile('--help');
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  for (const flag of [
    '--config, -c',
    '--input, -i',
    '--input-type, -t',
    '--output, -o',
    '--verbose, -v',
    '--version',
    '-h, --help',
  ]) {
    assert.match(stdout, new RegExp(`^  ${flag}\\b`, 'm'));
  }
  assert.equal(compile('-h').stdout, stdout);
});

test('the help has every flag of our own, every format, and examples', () => {
  const { stdout } = compile('--help');
  const own = [
    'format',
    'explain',
    'skip-failed',
    'cache',
    'stale',
    'timestamp',
    'if-changed',
    'diff',
    'json',
    'quiet',
  ];
  for (const flag of own) assert.match(stdout, new RegExp(`^  --${flag}\\b`, 'm'));
  for (const name of formatNames) assert.match(stdout, new RegExp(`\\b${name}\\b`));
  assert.match(stdout, /^Examples:\n {2}weir compile -c/m);
});

test('the list of flags fits a terminal of 80 columns', () => {
  const [list = ''] = compile('--help').stdout.split('Examples:');
  for (const line of list.split('\n')) assert.ok(line.length <= 80, line);
});

test('--help and --version take precedence over all other flags', () => {
  assert.equal(compile('-c', 'none.json', '--help').status, 0);
  assert.deepEqual(compile('-c', 'none.json', '--version'), { status: 0, stdout: `${version}\n`, stderr: '' });
});

test('unknown flags are ignored with a warning', () => {
  const { status, stdout, stderr } = compile('--colour', 'blue', ...rule, '--formta');
  assert.equal(status, 0);
  assert.match(stdout, /^\|\|a\.example\.com\^$/m);
  assert.deepEqual(stderr.trimEnd().split('\n'), [
    'weir: unknown option --colour ignored',
    'weir: unknown option --formta ignored; did you mean --format?',
  ]);
});

test('a flag without its value and an unknown format are refused before anything is read', () => {
  assert.deepEqual(compile('-i', 'none.txt', '-o'), {
    status: 1,
    stdout: '',
    stderr: 'weir: -o needs FILE (see weir compile --help)\n',
  });
  assert.deepEqual(compile('-i', 'none.txt', '-o', '-', '--format', 'xml'), {
    status: 1,
    stdout: '',
    stderr: `weir: --format: "xml" must be one of ${formatNames.join(', ')} (see weir compile --help)\n`,
  });
});

test('a missing input and a missing output are explained', () => {
  assert.match(compile('-o', '-').stderr, /^weir: missing input: add -c CONFIGURATION or -i SOURCE/);
  assert.match(compile('-i', 'none.txt').stderr, /^weir: missing output: add -o FILE/);
  assert.equal(compile('-o', '-').status, 1);
  assert.equal(compile('-i', 'none.txt').status, 1);
});

test('--stale requires --cache', () => {
  const { status, stderr } = compile(...rule, '--stale');
  assert.equal(status, 1);
  assert.match(stderr, /^weir: --stale needs --cache FOLDER/);
});
