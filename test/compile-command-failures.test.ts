import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { httpOrigin, says } from './support/net/origin.ts';
import { bin, compile, start } from './support/weir.ts';

// For every failure, the exit code is 1, the message names what failed, standard output is empty, the file of an earlier run is unchanged,
// and no other file is left behind.

const earlier = Buffer.from('the list of an earlier run\n\xff\x00', 'latin1');
const html = '<!DOCTYPE html>\n<html><body>Please log in</body></html>';

type Failure = {
  /** The command line without `-o out.txt`; ORIGIN is replaced by the URL of the server. */
  readonly words: readonly string[];
  readonly says: RegExp;
  readonly files?: Readonly<Record<string, string>>;
  readonly configuration?: unknown;
  readonly env?: Readonly<Record<string, string>>;
};

const from = (source: string, more: object = {}, top: object = {}): { configuration: unknown; words: string[] } => ({
  configuration: { name: 'T', sources: [{ source: 'good.txt' }, { source, ...more }], ...top },
  words: ['-c', '-'],
});

const failures: Readonly<Record<string, Failure>> = {
  'a configuration that is missing': { words: ['-c', 'none.json'], says: /none\.json/ },
  'a configuration that is no JSON': {
    files: { 'bad.json': '{"name": "T",, }' },
    words: ['-c', 'bad.json'],
    says: /Failed to validate configuration:\n {2}bad\.json is not valid JSON/,
  },
  'a configuration that is no YAML': {
    files: { 'bad.yaml': 'name: T\nsources: ]\n' },
    words: ['-c', 'bad.yaml'],
    says: /Failed to validate configuration:\n {2}bad\.yaml is not valid YAML.*line 2/,
  },
  'a configuration with faults': {
    configuration: { name: '', sources: [{ source: 'good.txt', transformations: ['Compres'] }] },
    words: ['-c', '-'],
    says: /Failed to validate configuration:\n {2}name: .*\n {2}sources\[0\]\.transformations\[0\]: .*"Compress"/,
  },
  'a type that no list has': { words: ['-i', 'good.txt', '-t', 'adguard'], says: /sources\[0\]\.type: .*"adguard"/ },
  'a file that is missing': { words: ['-i', 'good.txt', 'none.txt'], says: /none\.txt: ENOENT/ },
  'a file that is a folder': { words: ['-i', 'good.txt', 'folder'], says: /folder: EISDIR/ },
  'a list that is not found': { words: ['-i', 'good.txt', 'ORIGIN/gone'], says: /ORIGIN\/gone.* is invalid: 404/ },
  'a list that is forbidden': { words: ['-i', 'ORIGIN/forbidden'], says: /ORIGIN\/forbidden.* is invalid: 403/ },
  'a list that redirects in a circle': { words: ['-i', 'ORIGIN/circle'], says: /ORIGIN\/circle.*too many redirects/ },
  'a list that redirects to a file': { words: ['-i', 'ORIGIN/to-file'], says: /ORIGIN\/to-file.*redirects/ },
  'an HTML page where a list should be': { words: ['-i', 'ORIGIN/page'], says: /ORIGIN\/page answered an HTML page/ },
  'an image where a list should be': { words: ['-i', 'ORIGIN/image'], says: /ORIGIN\/image.*content type.*image\/png/ },
  'a URL that is none': { words: ['-i', 'http://'], says: /http:\/\/.*not a URL/ },
  'an include that is missing': {
    files: { 'includes.txt': '||a.example.com^\n!#include more/none.txt\n' },
    ...from('includes.txt'),
    says: /includes\.txt: .*'!#include more\/none\.txt'.*ENOENT/,
  },
  'an include of another server': {
    ...from('ORIGIN/includes'),
    says: /ORIGIN\/includes: .*Include url is rejected with origin: https:\/\/other\.example/,
  },
  'includes in a circle': {
    files: { 'a.txt': '!#include b.txt', 'b.txt': '!#include a.txt' },
    ...from('a.txt'),
    says: /a\.txt: .*a\.txt -> b\.txt -> a\.txt/,
  },
  'a condition that is never closed': {
    files: { 'open.txt': 'a.example.com\n!#if true\n||a.example.com^\n' },
    ...from('open.txt'),
    says: /open\.txt: line 2: .*!#if/,
  },
  'a pattern that is no regular expression': {
    ...from('good.txt', { exclusions: ['/(/'] }),
    says: /sources\[1\]\.exclusions\[0\]: Invalid regular expression/,
  },
  'a bad pattern in a file of patterns': {
    files: { 'patterns.txt': 'fine\n/[/\n' },
    ...from('good.txt', {}, { inclusions_sources: ['patterns.txt'] }),
    says: /patterns\.txt.*Invalid regular expression/,
  },
  'a file of patterns that is missing': {
    ...from('good.txt', { exclusions_sources: ['no-patterns.txt'] }),
    says: /exclusions of good\.txt: no-patterns\.txt: ENOENT/,
  },
  'a time that is none': { words: ['-i', 'good.txt', '--timestamp', 'tomorrow'], says: /--timestamp: "tomorrow"/ },
  'a time of the environment that is none': {
    words: ['-i', 'good.txt'],
    env: { SOURCE_DATE_EPOCH: 'tomorrow' },
    says: /SOURCE_DATE_EPOCH: "tomorrow"/,
  },
  'an earlier list that is missing': { words: ['-i', 'good.txt', '--diff', 'none.txt'], says: /none\.txt/ },
};

async function server(t: TestContext): Promise<string> {
  const answers: Readonly<Record<string, ReturnType<typeof says>>> = {
    '/forbidden': says(403),
    '/circle': says(302, { location: '/circle' }),
    '/to-file': says(302, { location: 'file:///etc/passwd' }),
    '/page': says(200, { 'content-type': 'text/html' }, html),
    '/image': says(200, { 'content-type': 'image/png' }, '||a.example.com^'),
    '/includes': says(200, { 'content-type': 'text/plain' }, '!#include https://other.example/list.txt'),
  };
  const answer = (path = ''): ReturnType<typeof says> => answers[path] ?? says(404);
  return (await httpOrigin(t, (request, response) => answer(request.url)(request, response))).url.slice(0, -1);
}

async function brokenSetting(t: TestContext, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const cwd = await temporaryFolder(t, { 'good.txt': '||good.example.com^', 'out.txt': earlier, ...files });
  await mkdir(join(cwd, 'folder'));
  return cwd;
}

async function assertUntouched(cwd: string, before: readonly string[]): Promise<void> {
  assert.deepEqual(await readFile(join(cwd, 'out.txt')), earlier);
  assert.deepEqual(await readdir(cwd, { recursive: true }), before);
}

suite('a failed run prints the reason and changes no file', { concurrency: 4 }, () => {
  for (const [what, failure] of Object.entries(failures)) {
    test(what, async (t) => {
      const cwd = await brokenSetting(t, failure.files);
      const before = await readdir(cwd, { recursive: true });
      const origin = await server(t);
      const insert = (text: string): string => text.replaceAll('ORIGIN', origin);
      const words = [...failure.words.map(insert), '-o', 'out.txt', '--explain', 'why.txt', '-q'];
      const { code, stdout, stderr } = await compile(words, {
        cwd,
        ...(failure.configuration !== undefined && { stdin: insert(JSON.stringify(failure.configuration)) }),
        ...(failure.env && { env: failure.env }),
      });
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, new RegExp(`^weir: [^]*${insert(failure.says.source)}`));
      await assertUntouched(cwd, before);
    });
  }
});

test('an unreachable server is tried four times, then the run fails', async (t) => {
  const cwd = await brokenSetting(t);
  const before = await readdir(cwd, { recursive: true });
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as { port: number };
  await new Promise((resolve) => closed.close(resolve));

  const { code, stderr } = await compile(['-i', `http://127.0.0.1:${port}/`, '-o', 'out.txt'], { cwd });
  assert.equal(code, 1);
  assert.equal(stderr.match(/the connection was refused; retrying in/g)?.length, 3);
  assert.match(stderr, new RegExp(`^weir: http://127\\.0\\.0\\.1:${port}/: Failed to request url`, 'm'));
  await assertUntouched(cwd, before);
});

test('a folder for the list that is missing: the run fails with the path that was given', async (t) => {
  const cwd = await brokenSetting(t);
  const before = await readdir(cwd, { recursive: true });
  const { code, stdout, stderr } = await compile(['-i', 'good.txt', '-o', 'none/out.txt', '-q'], { cwd });
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
  assert.match(stderr, /^weir: cannot write none\/out\.txt: ENOENT/);
  await assertUntouched(cwd, before);
});

test('when the output path is a folder, the run fails and the folder stays', async (t) => {
  const cwd = await brokenSetting(t);
  const before = await readdir(cwd, { recursive: true });
  const { code, stderr } = await compile(['-i', 'good.txt', '-o', 'folder', '-q'], { cwd });
  assert.equal(code, 1);
  assert.equal(stderr, 'weir: cannot write folder: EISDIR: it is a folder\n');
  await assertUntouched(cwd, before);
});

test('a disk that is full while the list is written: the run fails and touches no file', async (t) => {
  const rules = Array.from({ length: 1000 }, (_, at) => `||host-${at}.example.com^`).join('\n');
  const cwd = await brokenSetting(t, { 'big.txt': rules });
  const before = await readdir(cwd, { recursive: true });
  const script = `ulimit -f 1; exec '${bin}weir' compile -i big.txt -o out.txt -q`;
  const { code, stderr } = await start('sh', ['-c', script], { cwd }).ended;
  assert.equal(code, 1);
  assert.match(stderr, /^weir: cannot write out\.txt: EFBIG/);
  await assertUntouched(cwd, before);
});

test('an explanation that cannot be written: the list is not touched either', async (t) => {
  const cwd = await brokenSetting(t);
  const before = await readdir(cwd, { recursive: true });
  const { code } = await compile(['-i', 'good.txt', '-o', 'out.txt', '--explain', 'none/why.txt', '-q'], { cwd });
  assert.equal(code, 1);
  await assertUntouched(cwd, before);
});

test('the error for a configuration that is a folder names it', async (t) => {
  const cwd = await brokenSetting(t);
  const { code, stderr } = await compile(['-c', 'folder', '-o', 'out.txt'], { cwd });
  assert.equal(code, 1);
  assert.match(stderr, /folder/);
});
