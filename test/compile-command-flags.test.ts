import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { until } from './support/kit/until.ts';
import { httpOrigin } from './support/net/origin.ts';
import { bin, compile, rulesOf, start } from './support/weir.ts';

/** A folder with these files. */
async function folderWith(t: TestContext, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const cwd = await temporaryFolder(t);
  for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content);
  return cwd;
}

const configuration = (more: object = {}): string =>
  JSON.stringify({ name: 'T', sources: [{ source: 'list.txt' }], ...more });

/** User time of a process, from Linux. */
async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return Number(stat.split(') ')[1]?.split(' ')[11] ?? 0) / 100;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} ends a step at once, and the previous file stays`, { timeout: 60_000 }, async (t) => {
    const cwd = await folderWith(t, {
      // Takes longer than the age of the universe.
      'list.txt': `||${'a'.repeat(60)}!.example.com^`,
      'c.json': configuration({ exclusions: ['/(a+)+$/'], transformations: ['RemoveComments'] }),
      'out.txt': 'previous',
    });
    const { child, ended } = start(`${bin}weir`, ['compile', '-c', 'c.json', '-o', 'out.txt'], { cwd });
    t.after(() => child.kill('SIGKILL'));
    // The step takes all time that the process uses from now on.
    await until('a busy process', async () => (await cpuSeconds(child.pid!)) > 3);
    const closed = once(child, 'close');
    child.kill(signal);
    assert.deepEqual(await closed, [null, signal]);
    await ended;
    assert.equal(await readFile(join(cwd, 'out.txt'), 'utf8'), 'previous');
  });
}

test('a compressed file is decompressed', async (t) => {
  const cwd = await folderWith(t, { 'list.txt.gz': gzipSync('||zipped.example.org^\n') });
  const { code, stdout } = await compile(['-i', 'list.txt.gz', '-o', '-', '-q'], { cwd });
  assert.equal(code, 0);
  assert.deepEqual(rulesOf(stdout), ['||zipped.example.org^']);
});

test('UTF-16 with a byte order mark is converted', async (t) => {
  const cwd = await folderWith(t, { 'list.txt': Buffer.from('\ufeff||wide.example.org^\n', 'utf16le') });
  const { stdout } = await compile(['-i', 'list.txt', '-o', '-', '-q'], { cwd });
  assert.deepEqual(rulesOf(stdout), ['||wide.example.org^']);
});

const notLists: Readonly<Record<string, readonly [Uint8Array, RegExp]>> = {
  'an HTML page': [Buffer.from('\n<!DOCTYPE html><p>Not here'), /list\.txt is an HTML page, not a list/],
  'a binary file': [Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]), /list\.txt is binary, not text/],
  'a binary file without NUL': [
    Buffer.from(Array.from({ length: 400 }, (_, at) => 1 + ((at * 37) % 255))),
    /list\.txt is binary, not text/,
  ],
  'UTF-16 without a byte order mark': [Buffer.from('||a.example.org^', 'utf16le'), /UTF-16 needs a byte order mark/],
  'damaged gzip': [gzipSync('||a.example.org^').subarray(0, 15), /list\.txt is not valid gzip/],
};

for (const [what, [content, says]] of Object.entries(notLists)) {
  test(`${what} is refused as a source`, async (t) => {
    const cwd = await folderWith(t, { 'list.txt': content, 'out.txt': 'previous' });
    const { code, stderr } = await compile(['-i', 'list.txt', '-o', 'out.txt', '-q'], { cwd });
    assert.equal(code, 1);
    assert.match(stderr, says);
    assert.equal(await readFile(join(cwd, 'out.txt'), 'utf8'), 'previous');
  });
}

test('an empty result is a warning, and an error on request', async (t) => {
  const cwd = await folderWith(t, { 'list.txt': '! nothing' });
  const words = ['-i', 'list.txt', '-o', 'out.txt', '-q'];
  const warned = await compile(words, { cwd });
  assert.deepEqual([warned.code, warned.stderr], [0, 'weir: warning: the list has no rules\n']);
  await writeFile(join(cwd, 'out.txt'), 'previous');
  const failed = await compile([...words, '--fail-if-empty'], { cwd });
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /out\.txt is not written: the list has no rules \(--fail-if-empty\)/);
  assert.equal(await readFile(join(cwd, 'out.txt'), 'utf8'), 'previous');
});

test('a list that shrinks or grows too much is not written', async (t) => {
  const rules = (count: number): string => Array.from({ length: count }, (_, at) => `||a${at}.example.org^`).join('\n');
  const cwd = await folderWith(t, { 'list.txt': rules(6), 'out.txt': rules(10) });
  const words = ['-i', 'list.txt', '-o', 'out.txt', '-q'];
  const shrunk = await compile([...words, '--max-shrink', '30%'], { cwd });
  assert.equal(shrunk.code, 1);
  assert.match(shrunk.stderr, /the list has 6 rules, the file has 10 \(--max-shrink 30%\)/);
  assert.match((await compile([...words, '--max-rules', '5'], { cwd })).stderr, /--max-rules 5/);
  assert.equal(await readFile(join(cwd, 'out.txt'), 'utf8'), rules(10));
  assert.equal((await compile([...words, '--max-shrink', '40%', '--max-rules', '6'], { cwd })).code, 0);
  assert.match((await compile([...words, '--max-shrink', 'much'], { cwd })).stderr, /"much" must be a percentage/);
  assert.match((await compile([...words, '--max-rules', '-1'], { cwd })).stderr, /must be a whole number/);
});

test('patterns and transformations of the command line are added to a configuration', async (t) => {
  const cwd = await folderWith(t, {
    'list.txt': '||a.example.org^\n||b.example.org^\n||c.example.org^\n! d\nb.example.org',
    'c.json': configuration({ exclusions: ['a.example'], transformations: ['RemoveComments'] }),
  });
  const words = ['-c', 'c.json', '-o=-', '-q'];
  const excluded = await compile([...words, '--exclude', '||c.example.org^'], { cwd });
  assert.deepEqual(rulesOf(excluded.stdout), ['||b.example.org^', 'b.example.org']);
  const included = await compile([...words, '--include', '||b*', '||c*'], { cwd });
  assert.deepEqual(rulesOf(included.stdout), ['||b.example.org^', '||c.example.org^']);
  const transformed = await compile([...words, '--transformation', 'Compress', '--transformation', 'InvertAllow'], {
    cwd,
  });
  assert.deepEqual(rulesOf(transformed.stdout), ['@@||b.example.org^', '@@||c.example.org^']);
  const wrong = await compile([...words, '--transformation', 'Compres'], { cwd });
  assert.match(wrong.stderr, /did you mean "Compress"/);
});

test('--retries and --timeout limit a download', async (t) => {
  let asked = 0;
  const origin = await httpOrigin(t, (_request, response) => {
    asked++;
    response.writeHead(503).end();
  });
  const cwd = await folderWith(t, {});
  const words = ['-i', origin.url, '-o', '-', '-q', '--timeout', '1'];
  assert.equal((await compile([...words, '--retries', '0'], { cwd })).code, 1);
  assert.equal(asked, 1);
  const silent = await httpOrigin(t, () => undefined);
  const stalled = await compile(['-i', silent.url, '-o', '-', '-q', '--timeout', '1', '--retries', '0'], { cwd });
  assert.equal(stalled.code, 1);
  assert.match(stalled.stderr, /it took too long/);
});

test('--benchmark prints the duration of each source and step', async (t) => {
  const cwd = await folderWith(t, { 'list.txt': '||a.example.org^' });
  const { stderr } = await compile(['-i', 'list.txt', '-o', '-', '-q', '--benchmark'], { cwd });
  for (const what of ['read list.txt', 'Compress', 'Validate', 'total'])
    assert.match(stderr, new RegExp(`^ +[\\d.]+ ms {2}${what}$`, 'm'));
});

test('--lenient accepts configurations that the original refuses, with warnings', async (t) => {
  const cwd = await folderWith(t, {
    'list.txt': '||a.example.org^',
    'c.json': JSON.stringify({
      name: 'T',
      output: 'x',
      sources: [{ source: 'list.txt', transformations: ['Validate'] }],
      transformations: ['Validate'],
    }),
  });
  const words = ['-c', 'c.json', '-o', '-', '-q'];
  assert.equal((await compile(words, { cwd })).code, 1);
  const { code, stdout, stderr } = await compile([...words, '--lenient'], { cwd });
  assert.equal(code, 0);
  assert.deepEqual(rulesOf(stdout), ['||a.example.org^']);
  assert.match(
    stderr,
    /warning: output is not known and is ignored\n.*sources\[0\]\.transformations: Validate is ignored/,
  );
});

test('--watch compiles again after a change of a source or of the configuration', { timeout: 60_000 }, async (t) => {
  const cwd = await folderWith(t, { 'list.txt': '||first.example.org^', 'c.json': configuration() });
  const { child, ended } = start(`${bin}weir`, ['compile', '-c', 'c.json', '-o', 'out.txt', '--watch'], { cwd });
  t.after(() => child.kill('SIGKILL'));
  const waits: string[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => {
    if (line === 'waiting for changes') waits.push(line);
  });
  const outputHas = (text: string) => async (): Promise<boolean> =>
    (await readFile(join(cwd, 'out.txt'), 'utf8').catch(() => '')).includes(text);
  const waitsAgain = (): Promise<void> => {
    const before = waits.length;
    return until('the next wait', () => waits.length > before);
  };
  await until('the first list', outputHas('||first.example.org^'));
  await until('the first wait', () => waits.length > 0);
  // As editors do: the file is replaced.
  let waiting = waitsAgain();
  await writeFile(join(cwd, 'new.txt'), '||second.example.org^');
  await rename(join(cwd, 'new.txt'), join(cwd, 'list.txt'));
  await until('the second list', outputHas('||second.example.org^'));
  await waiting;
  waiting = waitsAgain();
  // An error does not end it.
  await rm(join(cwd, 'list.txt'));
  await waiting;
  waiting = waitsAgain();
  await writeFile(join(cwd, 'list.txt'), '||third.example.org^');
  await until('the third list', outputHas('||third.example.org^'));
  await waiting;
  await writeFile(join(cwd, 'c.json'), configuration({ name: 'Renamed' }));
  await until('the fourth list', outputHas('! Title: Renamed'));
  child.kill('SIGINT');
  const { code } = await ended.catch(() => ({ code: undefined }));
  assert.equal(code, 130);
});
