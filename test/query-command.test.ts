import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { parseServer } from '../src/cli/query/ask-server.ts';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { sameLetters } from './support/attacks/regex-rules.ts';
import { bin, type Ended, start } from './support/weir.ts';

const files = {
  'list.txt': [
    '||ads.example.org^',
    '@@||good.ads.example.org^',
    '||ads.example.org^',
    '||phone.example.org^$client=phone',
    '||kids.example.org^$ctag=user_child',
    '||nas.example.org^$dnsrewrite=192.0.2.7',
    '||nas.example.org^$dnsrewrite=192.0.2.8',
    '||bücher.example^',
    '||shop.example.org^$third-party',
    '||shop.example.org/banner',
  ].join('\n'),
  'mine.txt': '@@||ads.example.org^',
  'home.hosts': '192.0.2.9 home.example.org',
  'slow.txt': sameLetters(60).join('\n'),
};

async function query(t: TestContext, ...words: readonly string[]): Promise<Ended> {
  return start(`${bin}weir`, ['query', ...words], { cwd: await temporaryFolder(t, files) }).ended;
}

test('the verdict comes first, with the rule and its list; then every rule that matches', async (t) => {
  const { code, stdout, stderr } = await query(t, 'x.ads.example.org', '--list', 'list.txt', '--rules', 'mine.txt');
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(
    stdout,
    `x.ads.example.org A: allowed
  by @@||ads.example.org^ of mine.txt, user rules

Matching rules in order of precedence:
  ● @@||ads.example.org^
      mine.txt: strongest matching rule of the first source that decides: allow
  ○ ||ads.example.org^
      list.txt: "user rules" comes first and has decided

mine.txt: 1 rule

list.txt: 7 rules, 1 repeated, 1 ignored (third-party), 1 invalid
  line 10, column 19: ||shop.example.org/banner
      a DNS filter sees only host names: remove the path after "/"
`,
  );
});

test('a name that no rule knows passes', async (t) => {
  const { code, stdout } = await query(t, 'www.example.org', '--list', 'list.txt');
  assert.equal(code, 0);
  assert.match(stdout, /^www\.example\.org A: allowed: no rule applies\n\nlist\.txt: 7 rules/);
});

const firstLines: readonly [words: string, first: RegExp][] = [
  ['phone.example.org -c Phone -l list.txt', /^phone\.example\.org A: blocked\n {2}by \|\|phone/],
  ['phone.example.org -c tv -l list.txt', /^phone\.example\.org A: allowed(?:.|\n)*its \$client excludes this device/],
  [
    'www.example.org --answer x.ads.example.org 192.0.2.1 -l list.txt',
    /^www\.example\.org A: allowed(?:.|\n)*Answer:\n {2}x\.ads\.example\.org: blocked by \|\|ads\.example\.org\^\n(?!.*192\.0\.2\.1)/,
  ],
  ['www.example.org --answer 192.0.2.1 -l list.txt', /Answer:\n {2}192\.0\.2\.1: allowed/],
  ['kids.example.org --tag user_child -l list.txt', /^kids\.example\.org A: blocked/],
  ['nas.example.org -l list.txt', /^nas\.example\.org A: rewritten\n.*\n {2}answer: 192\.0\.2\.7, 192\.0\.2\.8\n/],
  ['nas.example.org aaaa -l list.txt', /^nas\.example\.org AAAA: rewritten\n.*\n {2}answer: no AAAA records\n/],
  ['bücher.example -l list.txt', /^bücher\.example A: blocked\n {2}by \|\|bücher\.example\^ of list\.txt/],
  ['xn--bcher-kva.example -l list.txt', /^xn--bcher-kva\.example A: blocked/],
  ['home.example.org --answering home.hosts', /^home\.example\.org A: rewritten\n.*\n {2}answer: 192\.0\.2\.9\n/],
  ['home.example.org --list home.hosts', /^home\.example\.org A: blocked/],
  ['ads.example.org. --type https -l list.txt', /^ads\.example\.org\. HTTPS: blocked/],
];
for (const [words, first] of firstLines)
  test(`weir query ${words}`, async (t) => assert.match((await query(t, ...words.split(' '))).stdout, first));

const refusals: readonly [words: string, message: RegExp][] = [
  ['', /^weir: missing domain name: weir query NAME \(see weir query --help\)\n$/],
  ['--list list.txt ads.example.org', /^weir: missing domain name: weir query NAME \[FLAGS\]/],
  ['ads.example.org', /^weir: missing rules: add --list FILE or --rules FILE/],
  ['ads.example.org --list none.txt', /^weir: cannot read none\.txt: there is no such file\n$/],
  ['ads.example.org --list .', /^weir: cannot read \.: it is a folder\n$/],
  ['ads.example.org --lst list.txt', /unknown option --lst ignored; did you mean --list\?/],
  ['ads.example.org --list', /^weir: --list needs FILE…\n$/],
  ['ads.example.org -t AAAAA -l list.txt', /^weir: "AAAAA" is not a DNS record type/],
  ['ads.example.org A -t A -l list.txt', /^weir: give either "A" or --type A, not both\n$/],
  ['ads.example.org A B -l list.txt', /^weir: unexpected argument "B"\n$/],
  ['ads..example.org -l list.txt', /^weir: "ads\.\.example\.org" is not a host name/],
  ['. -l list.txt', /^weir: "\." is not a host name/],
  ['https://ads.example.org/x -l list.txt', /^weir: ".*" is more than a host name: use ads\.example\.org\n$/],
  ['@127.0.0.1', /^weir: missing domain name/],
  ['@127.0.0.1:99999 example.org', /^weir: "@127\.0\.0\.1:99999" is not a server such as/],
  ['@no-such-server.invalid example.org', /^weir: no-such-server\.invalid:53 cannot be reached/],
];
for (const [words, message] of refusals)
  test(`weir query ${words}: refused`, async (t) => {
    const { code, stdout, stderr } = await query(t, ...words.split(' ').filter((word) => word !== ''));
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, message);
  });

test('the same as JSON is for machines: numbers and bytes are words', async (t) => {
  const { stdout } = await query(t, 'nas.example.org', '--list', 'list.txt', '--json');
  const { files: told, ...found } = JSON.parse(stdout) as { files: { file: string; invalid: { first: unknown[] } }[] };
  const rule = { source: 'custom lists', list: 'list.txt', outcome: 'won' };
  assert.deepEqual(found, {
    name: 'nas.example.org',
    type: 'A',
    verdict: {
      kind: 'rewrite',
      source: 'custom lists',
      list: 'list.txt',
      rule: '||nas.example.org^$dnsrewrite=192.0.2.7',
      rewrite: { kind: 'records', type: 'A', values: ['192.0.2.7', '192.0.2.8'] },
    },
    answer: {
      filtered: false,
      why: 'a rewritten answer is not filtered',
      lists: [],
      locationRules: [],
      verdict: { kind: 'pass' },
      parts: [],
    },
    rules: [
      {
        ...rule,
        text: '||nas.example.org^$dnsrewrite=192.0.2.7',
        why: 'rewrites come before block and allow, and no earlier source decides',
      },
      {
        ...rule,
        text: '||nas.example.org^$dnsrewrite=192.0.2.8',
        why: 'its record is part of the answer',
      },
    ],
    skipped: 0,
  });
  assert.deepEqual(told, [
    {
      file: 'list.txt',
      source: 'custom lists',
      rules: 7,
      repeated: 1,
      comments: 0,
      disabledByBadfilter: 0,
      ignored: { 'third-party': 1 },
      invalid: {
        count: 1,
        first: [
          {
            line: 10,
            text: '||shop.example.org/banner',
            fault: {
              reason: 'a DNS filter sees only host names: remove the path after "/"',
              start: 18,
              end: 19,
            },
          },
        ],
      },
    },
  ]);
});

test('on a terminal the verdict has a colour', async (t) => {
  const cwd = await temporaryFolder(t, files);
  const words = ['query', 'ads.example.org', '--list', 'list.txt'];
  const plain = await start(`${bin}weir`, words, { cwd }).ended;
  assert.doesNotMatch(plain.stdout, /\u001b/);
  const coloured = await start(`${bin}weir`, words, { cwd, env: { FORCE_COLOR: '1' } }).ended;
  assert.match(coloured.stdout, /\u001b\[31mblocked\u001b\[39m/);
});

test('the help teaches with examples', async (t) => {
  const { code, stdout } = await query(t, '--help');
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^Usage: weir query NAME (?:.|\n)*Examples:\n {2}weir query ads\.example\.org --list blocklist\.txt/,
  );
});

test('a server is named by its address, or in brackets with a port', () => {
  assert.deepEqual(parseServer('127.0.0.1'), { host: '127.0.0.1', port: 53 });
  assert.deepEqual(parseServer('127.0.0.1:5300'), { host: '127.0.0.1', port: 5300 });
  assert.deepEqual(parseServer('::1'), { host: '::1', port: 53 });
  assert.deepEqual(parseServer('[::1]:5300'), { host: '::1', port: 5300 });
  assert.deepEqual(parseServer('dns.example.org'), { host: 'dns.example.org', port: 53 });
  for (const wrong of ['', ':53', '127.0.0.1:70000', '[::1', 'a:b:c'])
    assert.equal(parseServer(wrong), undefined, wrong);
});

test('with @SERVER a server is queried; one that drops the second question causes no wait', async (t) => {
  const server = createSocket('udp4');
  t.after(() => server.close());
  server.on('message', (message, { address, port }) => {
    // The class is in the last two bytes of the question; CHAOS is 3.
    const end = message.indexOf(0, 12) + 5;
    if (message[end - 1] === 3) return;
    const answer = Buffer.concat([
      message.subarray(0, 2),
      Buffer.from('81800001000100000000', 'hex'),
      message.subarray(12, end),
      Buffer.from('c00c000100010000003c0004c0000207', 'hex'),
    ]);
    server.send(answer, port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const { code, stdout } = await query(t, `@127.0.0.1:${server.address().port}`, 'www.example.org');
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^www\.example\.org A from 127\.0\.0\.1:\d+ in \d+ ms: NOERROR\n {2}www\.example\.org 60 A 192\.0\.2\.7\n$/,
  );
});

test('rules that are skipped because others took too long are counted', async (t) => {
  const name = `${['abxyz', 'xyzab', 'zabxy'].map((letters) => letters.repeat(12)).join('.')}.example`;
  const { code, stdout } = await query(t, name, '--rules', 'slow.txt');
  assert.equal(code, 0);
  assert.match(stdout, /^\d+ rules skipped: .*limit .* was reached; simplify or remove some$/m);
  const json = await query(t, name, '--rules', 'slow.txt', '--json');
  assert.ok(JSON.parse(json.stdout).skipped > 0);
});
