import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { httpOrigin, inTurn, says } from './support/net/origin.ts';
import { bin, compile, rulesOf, start } from './support/weir.ts';

const plain = { 'content-type': 'text/plain' };
const list = (...rules: string[]): RequestListener => says(200, plain, `${rules.join('\n')}\n`);

/** Answers each path with the table; other paths get 404. */
const byPath =
  (answers: Readonly<Record<string, RequestListener>>): RequestListener =>
  (request, response) =>
    (answers[request.url ?? ''] ?? says(404))(request, response);

/** Sends the beginning of a list and then nothing more. */
const hangs: RequestListener = (_request, response) => void response.writeHead(200, plain).write('||a.example.com^\n');

test('sources are downloaded concurrently, and the list keeps the order of the configuration', async (t) => {
  const cwd = await temporaryFolder(t);
  const othersAsked = Promise.withResolvers<void>();
  // The first list is sent only after the last one was requested, so sequential downloads would never end.
  const { url } = await httpOrigin(t, (request, response) => {
    const send = () => list(`||${request.url?.slice(1)}.example.com^`)(request, response);
    if (request.url === '/fourth') othersAsked.resolve();
    if (request.url === '/first') void othersAsked.promise.then(() => setTimeout(50)).then(send);
    else send();
  });
  const names = ['first', 'second', 'third', 'fourth'];
  const inputs = names.map((name) => `${url}${name}`);
  const { code, stdout } = await compile(['-i', ...inputs, '-o', '-', '-q'], { cwd });
  assert.equal(code, 0);
  assert.deepEqual(
    rulesOf(stdout),
    names.map((name) => `||${name}.example.com^`),
  );
});

test('a list and a file of patterns that are named twice are downloaded once', async (t) => {
  const cwd = await temporaryFolder(t);
  const answer = inTurn(list('||a.example.com^'));
  const { url } = await httpOrigin(t, answer);
  const patterns = { exclusions_sources: [`${url}patterns`] };
  const sources = [
    { source: `${url}list`, ...patterns },
    { source: '||b.example.com^', ...patterns },
    { source: `${url}list` },
  ];
  const stdin = JSON.stringify({ name: 'T', sources, ...patterns });
  assert.deepEqual(rulesOf((await compile(['-c', '-', '-o', '-'], { cwd, stdin })).stdout), ['||b.example.com^']);
  assert.deepEqual(new Set(answer.asked.map((request) => request.url)), new Set(['/patterns', '/list']));
  assert.equal(answer.asked.length, 2);
});

test('unavailable sources can be skipped, and header and summary name them', async (t) => {
  const cwd = await temporaryFolder(t, { 'own.txt': '||own.example.com^' });
  const { url } = await httpOrigin(t, byPath({ '/list': list('||a.example.com^') }));
  const words = ['-i', `${url}gone`, `${url}list`, 'none.txt', 'own.txt', '-o', 'out.txt', '--skip-failed'];
  const { code, stderr } = await compile(words, { cwd });
  const written = await readFile(join(cwd, 'out.txt'), 'utf8');
  assert.equal(code, 0);
  assert.deepEqual(rulesOf(written), ['||a.example.com^', '||own.example.com^']);
  const [header = ''] = written.split('! Compiled by');
  assert.match(header, /^! Skipped source: http:\/\/127\.0\.0\.1:\d+\/gone \(.*is invalid: 404\)$/m);
  assert.match(header, /^! Skipped source: none\.txt \(.*ENOENT.*\)$/m);
  const [, summary = ''] = stderr.split('\n4 sources, ');
  assert.match(summary, /^skipped .*\/gone.*404$/m);
  assert.match(summary, /^skipped none\.txt: ENOENT/m);
});

test('when every source is skipped the list is a header that names them', async (t) => {
  const cwd = await temporaryFolder(t);
  const { code, stdout } = await compile(['-i', 'none.txt', '-o', '-', '--skip-failed', '-q'], { cwd });
  assert.equal(code, 0);
  assert.match(stdout, /^! Skipped source: none\.txt/m);
  assert.deepEqual(rulesOf(stdout), []);
});

test('a source that cannot be had is read from its mirrors', async (t) => {
  const cwd = await temporaryFolder(t);
  const { url } = await httpOrigin(t, byPath({ '/mirror': list('||a.example.com^') }));
  const source = { source: `${url}gone`, mirrors: ['none.txt', `${url}mirror`] };
  const stdin = JSON.stringify({ name: 'T', sources: [source] });
  const { code, stdout } = await compile(['-c', '-', '-o', '-'], { cwd, stdin });
  assert.equal(code, 0);
  assert.deepEqual(rulesOf(stdout), ['||a.example.com^']);
});

test('with a cache the request is conditional', async (t) => {
  const cwd = await temporaryFolder(t);
  const answer = inTurn(
    says(200, { ...plain, etag: '"one"' }, '||one.example.com^'),
    says(304, { etag: '"one"' }),
    says(200, { ...plain, etag: '"two"' }, '||two.example.com^'),
    says(304),
  );
  const { url } = await httpOrigin(t, answer);
  const lists: string[][] = [];
  for (let run = 0; run < 4; run++) {
    const { code, stdout } = await compile(['-i', url, '-o', '-', '--cache', 'kept/copies', '-q'], { cwd });
    assert.equal(code, 0);
    lists.push(rulesOf(stdout));
  }
  assert.deepEqual(lists.flat(), [
    '||one.example.com^',
    '||one.example.com^',
    '||two.example.com^',
    '||two.example.com^',
  ]);
  assert.deepEqual(
    answer.asked.map(({ headers }) => headers['if-none-match']),
    [undefined, '"one"', '"one"', '"two"'],
  );
});

test('without a cache nothing is stored, and every list is downloaded in full', async (t) => {
  const cwd = await temporaryFolder(t);
  const answer = inTurn(says(200, { ...plain, etag: '"one"' }, '||one.example.com^'));
  const { url } = await httpOrigin(t, answer);
  for (let run = 0; run < 2; run++) await compile(['-i', url, '-o', 'out.txt', '-q'], { cwd });
  assert.equal(answer.asked[1]?.headers['if-none-match'], undefined);
  assert.deepEqual(await readdir(cwd), ['out.txt']);
});

test('a copy that was damaged is not used', async (t) => {
  const cwd = await temporaryFolder(t);
  const answer = inTurn(says(200, { ...plain, etag: '"one"' }, '||one.example.com^'));
  const { url } = await httpOrigin(t, answer);
  const words = ['-i', url, '-o', '-', '--cache', 'copies', '-q'];
  await compile(words, { cwd });
  const [name = ''] = await readdir(join(cwd, 'copies'));
  await start('sh', ['-c', `echo damage >> 'copies/${name}'`], { cwd }).ended;
  assert.deepEqual(rulesOf((await compile(words, { cwd })).stdout), ['||one.example.com^']);
  assert.equal(answer.asked[1]?.headers['if-none-match'], undefined);
});

test('an unwritable cache only causes a warning', async (t) => {
  const cwd = await temporaryFolder(t, { copies: 'a file where the folder should be' });
  const { url } = await httpOrigin(t, list('||a.example.com^'));
  const { code, stdout, stderr } = await compile(['-i', url, '-o', '-', '--cache', 'copies', '-q'], { cwd });
  assert.equal(code, 0);
  assert.deepEqual(rulesOf(stdout), ['||a.example.com^']);
  assert.match(stderr, /cop(y|ies)/);
});

test('a stale copy replaces an unavailable source, and the list names it', async (t) => {
  const cwd = await temporaryFolder(t);
  const { url } = await httpOrigin(t, inTurn(list('||a.example.com^'), says(404), says(410)));
  const words = ['-i', url, '-o', '-', '--cache', 'copies'];
  await compile(words, { cwd });
  const { code, stdout, stderr } = await compile([...words, '--stale'], { cwd });
  assert.equal(code, 0);
  assert.deepEqual(rulesOf(stdout), ['||a.example.com^']);
  assert.match(stdout, /^! Earlier copy used: http:\/\/127\.0\.0\.1/m);
  assert.match(stderr, /^warning: .* could not be downloaded; an earlier copy is used$/m);
  assert.equal((await compile(words, { cwd })).code, 1);
});

test('a source that fails for a moment is requested again, and the log has the reason', async (t) => {
  const cwd = await temporaryFolder(t);
  const answer = inTurn(says(503), list('||a.example.com^'));
  const { url } = await httpOrigin(t, answer);
  const { code, stdout, stderr } = await compile(['-i', url, '-o', '-'], { cwd });
  assert.equal(code, 0);
  assert.deepEqual(rulesOf(stdout), ['||a.example.com^']);
  assert.match(stderr, /^source 1: status 503; retrying in \d\.\d s$/m);
  assert.equal(answer.asked.length, 2);
});

test('the proxy of the environment is used, except for hosts in no_proxy', async (t) => {
  const cwd = await temporaryFolder(t);
  const answer = inTurn(list('||by-proxy.example.com^'));
  const proxy = await httpOrigin(t, answer);
  const direct = await httpOrigin(t, list('||direct.example.com^'));
  const env = { HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1' };
  const inputs = ['http://lists.invalid/a.txt', direct.url];
  const { code, stdout } = await compile(['-i', ...inputs, '-o', '-', '-q'], { cwd, env });
  assert.equal(code, 0);
  assert.deepEqual(rulesOf(stdout), ['||by-proxy.example.com^', '||direct.example.com^']);
  assert.deepEqual(
    answer.asked.map((request) => request.url),
    ['http://lists.invalid/a.txt'],
  );
});

test('a failed source ends the run at once, even while another one hangs', async (t) => {
  const cwd = await temporaryFolder(t);
  const origin = await httpOrigin(t, byPath({ '/hangs': hangs }));
  const startedAt = performance.now();
  const { code, stderr } = await compile(['-i', `${origin.url}hangs`, `${origin.url}gone`, '-o', 'out.txt', '-q'], {
    cwd,
  });
  assert.equal(code, 1);
  assert.match(stderr, /\/gone/);
  // The one that hangs has half a minute.
  assert.ok(performance.now() - startedAt < 20_000);
  assert.deepEqual(await readdir(cwd), []);
  await origin.allClosed();
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} during a download that hangs ends the run soon, with 130 and all files as they were`, async (t) => {
    const cwd = await temporaryFolder(t, { 'out.txt': 'old' });
    const asked = Promise.withResolvers<void>();
    const origin = await httpOrigin(t, (request, response) => {
      hangs(request, response);
      asked.resolve();
    });
    const words = ['compile', '-i', origin.url, '-o', 'out.txt', '--explain', 'why.txt', '--cache', 'copies', '-q'];
    const { child, ended } = start(`${bin}weir`, words, { cwd });
    await asked.promise;
    await setTimeout(50);
    const startedAt = performance.now();
    child.kill(signal);
    const { code, stdout, stderr } = await ended;
    assert.deepEqual({ code, stdout, stderr }, { code: 130, stdout: '', stderr: 'weir: interrupted\n' });
    // The download would have half a minute.
    assert.ok(performance.now() - startedAt < 20_000);
    assert.equal(await readFile(join(cwd, 'out.txt'), 'utf8'), 'old');
    assert.deepEqual(await readdir(cwd), ['out.txt']);
    await origin.allClosed();
  });
}

/** Whether a signal ends the process soon; otherwise kills it. */
async function endsSoon(child: ChildProcess): Promise<boolean> {
  child.kill('SIGINT');
  const ended = await Promise.race([
    once(child, 'exit').then(() => true),
    setTimeout(15_000, undefined, { ref: false }).then(() => false),
  ]);
  child.kill('SIGKILL');
  return ended;
}

test('SIGINT ends the wait for a configuration on standard input', { timeout: 60_000 }, async (t) => {
  const cwd = await temporaryFolder(t, { 'out.txt': 'old' });
  const words = ['compile', '--by-this-it-is-known-to-run', '-c', '-', '-o', 'out.txt'];
  const { child, ended } = start(`${bin}weir`, words, { cwd, stdin: null });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stderr!, 'data');
  // More than a pipe buffers, so it is being read.
  await promisify<string, void>(child.stdin!.write.bind(child.stdin))(' '.repeat(2 ** 20));
  assert.ok(await endsSoon(child));
  assert.equal((await ended).code, 130);
});

test('a list that would include thousands of millions of files is refused', async (t) => {
  const includes = Array.from({ length: 9 }, (_, at) => [`${at}.txt`, `!#include ${at + 1}.txt\n`.repeat(9)]);
  const cwd = await temporaryFolder(t, { ...Object.fromEntries(includes), '9.txt': '||a.example.com^' });
  const { ended } = start(`${bin}weir`, ['compile', '-i', '0.txt', '-o', 'out.txt', '-q'], { cwd });
  const { code, stderr } = await ended;
  assert.equal(code, 1);
  assert.match(stderr, /0\.txt: .*more than 1000 includes/);
});
