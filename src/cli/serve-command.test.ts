import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

function serve(words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'serve', ...words], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
    timeout: 20_000,
  });
  return { status, stdout, stderr };
}

test('the help has the settings in sections, the ways to give them, and examples', () => {
  const { status, stdout, stderr } = serve(['--help']);
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  assert.match(stdout, /^Usage: weir serve/);
  assert.match(stdout, /^Listening:\n {2}--http ADDRESS:PORT /m);
  assert.match(stdout, /WEIR_MAX_BODY/);
  assert.match(stdout, /^Examples:\n {2}weir serve\n/m);
  for (const line of stdout.split('\n')) assert.ok(line.length <= 80, line);
  assert.match(stdout, /--unknown-clients/);
  assert.doesNotMatch(stdout, /strangers|lists-every|work-seconds/);
});

test('--help takes precedence over all other flags', () => {
  const help = serve(['--help']);
  assert.deepEqual(serve(['-h']), help);
  assert.deepEqual(serve(['--nothing', '--http', '-h'], { WEIR_NOTHING: 'x' }), help);
});

test('invalid settings are printed, one per line, and nothing is started', () => {
  assert.deepEqual(serve(['--http', 'x', '--config', 'none.yaml'], { WEIR_LOG: 'xml' }), {
    status: 1,
    stdout: '',
    stderr: `weir: invalid settings:
  --http: "x" is not an ADDRESS:PORT such as 127.0.0.1:8080
  WEIR_LOG: "xml" is not one of text, json
  none.yaml: it cannot be read: ENOENT: no such file or directory, open '${process.cwd()}/none.yaml'
`,
  });
});
