import assert from 'node:assert/strict';
import { readdir, readFile, stat, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { version } from '../src/platform/version.ts';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { bin, compile, rulesOf, start } from './support/weir.ts';

const files = {
  'ads.hosts': '# ads\n0.0.0.0 ads.example.com\n0.0.0.0 banner.ads.example.com\n127.0.0.1 localhost\n',
  'rules.txt': '! rules\n||tracker.example.net^\n@@||good.example.net^\n||cdn.example.org^$script\n',
  'list.json': JSON.stringify({
    name: 'Mine',
    description: 'All of it',
    sources: [{ source: 'rules.txt' }, { source: 'ads.hosts', name: 'Ads', transformations: ['RemoveComments'] }],
    transformations: ['Compress'],
  }),
  'list.yaml': 'name: Mine\nsources:\n  - source: ads.hosts\ntransformations: [RemoveComments]\n',
};

const folderFor = (t: TestContext) => temporaryFolder(t, files);
const read = (folder: string, name: string) => readFile(join(folder, name), 'utf8');

const date = '2026-11-15T08:00:00.000Z';
const dated = ['--timestamp', date];

/** The whole list that -i makes of these rules. */
const blocklist = (...rules: string[]): string =>
  [
    '!',
    '! Title: Blocklist',
    `! Last modified: ${date}`,
    '!',
    `! Compiled by Weir v${version}`,
    '!',
    ...rules,
    '',
  ].join('\n');

test('a configuration in JSON becomes a list with the header of the original and our name in it', async (t) => {
  const cwd = await folderFor(t);
  const { code, stdout } = await compile(['-c', 'list.json', '-o', 'out.txt', ...dated], { cwd });
  assert.deepEqual({ code, stdout }, { code: 0, stdout: '' });
  assert.equal(
    await read(cwd, 'out.txt'),
    `!
! Title: Mine
! Description: All of it
! Last modified: ${date}
!
! Compiled by Weir v${version}
!
!
! Source: rules.txt
!
! rules
||tracker.example.net^
@@||good.example.net^
||cdn.example.org^$script
!
! Source name: Ads
! Source: ads.hosts
!
||ads.example.com^
||localhost^`,
  );
});

test('a configuration in YAML is compiled the same way', async (t) => {
  const cwd = await folderFor(t);
  const { code, stdout } = await compile(['-c', 'list.yaml', '-o', '-'], { cwd });
  assert.equal(code, 0);
  assert.deepEqual(rulesOf(stdout), [
    '0.0.0.0 ads.example.com',
    '0.0.0.0 banner.ads.example.com',
    '127.0.0.1 localhost',
  ]);
});

test('an input is compiled with the usual transformations', async (t) => {
  const cwd = await folderFor(t);
  const { code } = await compile(['-i', 'ads.hosts', '-o', 'out.txt', ...dated], { cwd });
  assert.equal(code, 0);
  assert.equal(await read(cwd, 'out.txt'), blocklist('||ads.example.com^'));
});

test('many inputs may follow one flag or several, and keep their order', async (t) => {
  const cwd = await folderFor(t);
  const rules = ['||tracker.example.net^', '@@||good.example.net^', '||ads.example.com^', '||own.example.com^'];
  for (const inputs of [
    ['-i', 'rules.txt', 'ads.hosts', '||own.example.com^'],
    ['-i', 'rules.txt', '-i', 'ads.hosts', '--input', '||own.example.com^'],
    ['--input', 'rules.txt', 'ads.hosts', '-t', 'adblock', '-i', '||own.example.com^'],
  ]) {
    const { code, stdout } = await compile([...inputs, '-o', '-', ...dated], { cwd });
    assert.deepEqual({ code, stdout }, { code: 0, stdout: blocklist(...rules) });
  }
});

test('inputs win over a configuration, which is not even read', async (t) => {
  const cwd = await folderFor(t);
  const { code, stdout } = await compile(['-c', 'none.json', '-i', 'ads.hosts', '-o', '-', ...dated], { cwd });
  assert.deepEqual({ code, stdout }, { code: 0, stdout: blocklist('||ads.example.com^') });
});

test('a configuration can come in and a list go out by the standard streams', async (t) => {
  const cwd = await folderFor(t);
  const fromFile = await compile(['-c', 'list.json', '-o', '-', ...dated], { cwd });
  const fromJson = await compile(['-c', '-', '-o', '-', ...dated], { cwd, stdin: files['list.json'] });
  assert.equal(fromJson.stdout, fromFile.stdout);
  const fromYaml = await compile(['-c', '-', '-o', '-'], { cwd, stdin: files['list.yaml'] });
  assert.equal(rulesOf(fromYaml.stdout).length, 3);
});

test('paths in a configuration are relative to the working directory, not to the configuration', async (t) => {
  const configuration = files['list.yaml'];
  const cwd = await temporaryFolder(t, { 'lists/list.yaml': configuration, 'ads.hosts': files['ads.hosts'] });
  assert.equal((await compile(['-c', 'lists/list.yaml', '-o', 'out.txt'], { cwd })).code, 0);
  const missing = await compile(['-c', 'list.yaml', '-o', 'out.txt'], { cwd: join(cwd, 'lists') });
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /^weir: ads\.hosts: ENOENT: .*lists\/ads\.hosts'$/m);
});

test('the program answers to the name of the original, through a link too', async (t) => {
  const cwd = await folderFor(t);
  await symlink(`${bin}hostlist-compiler`, join(cwd, 'hostlist-compiler'));
  for (const command of [`${bin}hostlist-compiler`, './hostlist-compiler']) {
    const words = ['-i', 'ads.hosts', '-o', '-', ...dated];
    const { code, stdout } = await start(command, words, { cwd }).ended;
    assert.deepEqual({ code, stdout }, { code: 0, stdout: blocklist('||ads.example.com^') });
    assert.deepEqual(await start(command, ['--version'], { cwd }).ended, {
      code: 0,
      stdout: `${version}\n`,
      stderr: '',
    });
    assert.match((await start(command, ['-h'], { cwd }).ended).stdout, /--config, -c/);
  }
});

test('progress and summary go to standard error, never into the list', async (t) => {
  const cwd = await folderFor(t);
  const { stdout, stderr } = await compile(['-i', 'ads.hosts', '-o', '-', ...dated, '-v'], { cwd });
  assert.equal(stdout, blocklist('||ads.example.com^'));
  assert.match(stderr, /^reading 1 of 1: ads\.hosts$/m);
  assert.match(stderr, /^1 source, 4 lines -> 1 rule in \d+\.\d s \(standard output, \d+ B\)$/m);
});

test('--quiet prints nothing', async (t) => {
  const cwd = await folderFor(t);
  for (const flag of ['-q', '--quiet']) {
    const ended = await compile(['-c', 'list.json', '-o', 'out.txt', '--verbose', flag], { cwd });
    assert.deepEqual(ended, { code: 0, stdout: '', stderr: '' });
  }
});

const formats: Readonly<Record<string, RegExp>> = {
  adblock: /^\|\|ads\.example\.com\^$/m,
  hosts: /^0\.0\.0\.0 ads\.example\.com$/m,
  domains: /^ads\.example\.com$/m,
  dnsmasq: /^(address|local|server)=\/ads\.example\.com\//m,
  unbound: /^local-zone: "?ads\.example\.com\.?"? /m,
  rpz: /^\*\.ads\.example\.com CNAME \.$/m,
};

for (const [format, line] of Object.entries(formats)) {
  test(`a list can be written as ${format}`, async (t) => {
    const cwd = await folderFor(t);
    const { code } = await compile(['-i', 'ads.hosts', '-o', 'out.txt', '--format', format], { cwd });
    assert.equal(code, 0);
    assert.match(await read(cwd, 'out.txt'), line);
  });
}

test('unsupported rules are counted in the summary and listed in the explanation', async (t) => {
  const cwd = await temporaryFolder(t, { 'a.txt': '||a.example.com^\n/regular[0-9]expression/\n' });
  const words = ['-i', 'a.txt', '-o', 'out.txt', '--format', 'domains', '--explain', 'why.txt'];
  const { code, stderr } = await compile(words, { cwd });
  assert.equal(code, 0);
  assert.match(stderr, /^1 rule not supported by this format:$/m);
  assert.match(await read(cwd, 'why.txt'), /^a\.txt:2: \/regular\[0-9\]expression\/\n {4}format: \S/m);
});

test('every dropped rule is explained: for people, for programs, and on standard output', async (t) => {
  const cwd = await folderFor(t);
  const words = ['-i', 'ads.hosts', '-o', 'out.txt', '-q'];
  await compile([...words, '--explain', 'why.txt'], { cwd });
  await compile([...words, '--explain', 'why.jsonl'], { cwd });
  const { stdout } = await compile([...words, '--explain', '-'], { cwd });
  const lines = (await read(cwd, 'why.jsonl')).trimEnd().split('\n');
  assert.equal(stdout, await read(cwd, 'why.txt'));
  assert.match(stdout, /^ads\.hosts:3: .+\n {4}Compress: a parent domain is blocked by .*line 2 of ads\.hosts$/m);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line) as { line: number; step: string }).map(({ line, step }) => [line, step]),
    [
      [1, 'RemoveComments'],
      [3, 'Compress'],
      [4, 'Validate'],
    ],
  );
});

test('a list compiled twice at a given time is the same byte for byte', async (t) => {
  const cwd = await folderFor(t);
  await compile(['-c', 'list.json', '-o', 'a.txt', ...dated], { cwd });
  await compile(['-c', 'list.json', '-o', 'b.txt'], {
    cwd,
    env: { SOURCE_DATE_EPOCH: String(Date.parse(date) / 1000) },
  });
  assert.equal(await read(cwd, 'a.txt'), await read(cwd, 'b.txt'));
});

test('the time on the command line wins over the one of the environment', async (t) => {
  const cwd = await folderFor(t);
  const env = { SOURCE_DATE_EPOCH: '0' };
  const { stdout } = await compile(['-i', 'ads.hosts', '-o', '-', ...dated], { cwd, env });
  assert.equal(stdout, blocklist('||ads.example.com^'));
  const fromEnvironment = await compile(['-i', 'ads.hosts', '-o', '-'], { cwd, env });
  assert.match(fromEnvironment.stdout, /^! Last modified: 1970-01-01T00:00:00\.000Z$/m);
});

test('without either, the list has the date of its compilation', async (t) => {
  const cwd = await folderFor(t);
  const before = Date.now();
  const { stdout } = await compile(['-i', 'ads.hosts', '-o', '-'], { cwd, env: { SOURCE_DATE_EPOCH: '' } });
  const said = Date.parse(/^! Last modified: (.*)$/m.exec(stdout)![1]!);
  assert.ok(said >= before && said <= Date.now());
});

const justNow = new Date('2020-01-01T00:00:00Z');

for (const format of ['adblock', 'rpz']) {
  test(`with the option to write only changes, a file that differs only in its date stays (${format})`, async (t) => {
    const cwd = await folderFor(t);
    const words = ['-i', 'ads.hosts', '-o', 'out.txt', '--if-changed', '--format', format];
    await compile(words, { cwd, env: { SOURCE_DATE_EPOCH: '1' } });
    await utimes(join(cwd, 'out.txt'), justNow, justNow);
    const first = await read(cwd, 'out.txt');

    const again = await compile(words, { cwd, env: { SOURCE_DATE_EPOCH: '2' } });
    assert.match(again.stderr, /out\.txt is up to date/);
    assert.equal(await read(cwd, 'out.txt'), first);
    assert.deepEqual((await stat(join(cwd, 'out.txt'))).mtime, justNow);

    const changed = await compile([...words, '-i', '||more.example.com^'], { cwd });
    assert.equal(changed.code, 0);
    assert.match(await read(cwd, 'out.txt'), /more\.example\.com/);
    assert.notDeepEqual((await stat(join(cwd, 'out.txt'))).mtime, justNow);
  });
}

test('changes are shown against an earlier list, which may be the output file', async (t) => {
  const cwd = await temporaryFolder(t, { 'out.txt': '! Title: old\n||gone.example.com^\n||stays.example.com^\n' });
  const words = ['-i', '||stays.example.com^\n||new.example.com^', '-o', 'out.txt', '--diff', 'out.txt'];
  const first = await compile(words, { cwd });
  assert.match(first.stdout, /^1 rules? added, 1 removed, 1 unchanged\n/);
  assert.deepEqual(first.stdout.trimEnd().split('\n').slice(1), ['- ||gone.example.com^', '+ ||new.example.com^']);
  assert.equal((await compile(words, { cwd })).stdout, '0 rules added, 0 removed, 2 unchanged\n');
});

test('the report is printed as JSON, to standard error when the list has standard output', async (t) => {
  const cwd = await folderFor(t);
  const words = ['-c', 'list.json', '--json', '-q', '--diff', 'rules.txt'];
  const toFile = await compile([...words, '-o', 'out.txt'], { cwd });
  const report = JSON.parse(toFile.stdout) as Record<string, unknown>;
  assert.equal(report['output'], 'out.txt');
  assert.equal(report['bytes'], (await stat(join(cwd, 'out.txt'))).size);
  assert.equal(report['rules'], 5);
  assert.deepEqual(report['diff'], { added: ['||ads.example.com^', '||localhost^'], removed: [], unchanged: 3 });
  for (const member of ['sources', 'steps', 'kinds', 'overlaps', 'unusedPatterns', 'warnings']) {
    assert.ok(member in report, member);
  }
  const toStandardOutput = await compile([...words, '-o', '-'], { cwd });
  assert.equal((JSON.parse(toStandardOutput.stderr) as { output: string }).output, '-');
  assert.deepEqual(rulesOf(toStandardOutput.stdout), rulesOf(await read(cwd, 'out.txt')));
});

const manyRules = Array.from({ length: 20_000 }, (_, at) => `||host-${at}.example.com^`).join('\n');

test('a reader that closes the pipe early is not an error', async (t) => {
  const cwd = await temporaryFolder(t, { 'a.txt': manyRules });
  const script = `{ '${bin}weir' compile -i a.txt -o - -q; echo "ended with $?" >&2; } | head -1`;
  assert.deepEqual(await start('sh', ['-c', script], { cwd }).ended, {
    code: 0,
    stdout: '!\n',
    stderr: 'ended with 0\n',
  });
});

test('a reader that has seen enough of the log does not cost the list', async (t) => {
  const cwd = await temporaryFolder(t, { 'a.txt': manyRules });
  const script = `{ sleep 0.2; '${bin}weir' compile -i a.txt -o out.txt; echo $? > code; } 2>&1 | true; cat code`;
  assert.equal((await start('sh', ['-c', script], { cwd }).ended).stdout, '0\n');
  assert.deepEqual((await readdir(cwd)).sort(), ['a.txt', 'code', 'out.txt']);
});
