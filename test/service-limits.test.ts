import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  ask,
  begin,
  broughtAlong,
  configurationOf,
  RUNAWAY,
  rulesIn,
  sendRaw,
  serviceOfFile,
} from './support/hostile.ts';
import { httpOrigin } from './support/net/origin.ts';

const KIB = 1024;
const generous = ['--requests-per-minute', '1000', '--allow-source-address', '127.0.0.1/32'];
const [usual, proxied, busy, open] = await Promise.all([
  serviceOfFile(),
  serviceOfFile(['--trusted-proxy', '127.0.0.0/8', '--compile-clients', '0.0.0.0/0,::/0']),
  serviceOfFile([...generous, '--cpu-seconds-per-minute', '1']),
  serviceOfFile([...generous, '--max-body', '64KiB', '--max-streams', '2']),
]);

const paths = ['/compile', '/compile/stream', '/compile/batch', '/api/compile', '/api/compile/batch'] as const;
const inline = configurationOf('||a.example^');
const batchOf = (...items: readonly object[]) => ({ requests: items.map((item, at) => ({ id: `${at}`, ...item })) });
const bodyFor = (path: string): object => (path.endsWith('batch') ? batchOf(inline) : inline);
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

test('ten of thirty requests per minute pass, over all compile endpoints, with any headers', async (t) => {
  const spoofs = [
    'x-forwarded-for',
    'cf-connecting-ip',
    'x-real-ip',
    'forwarded',
    'true-client-ip',
    'x-client-ip',
    'fastly-client-ip',
    'x-cluster-client-ip',
  ];
  const answers = await Promise.all(
    range(30).map((at) => {
      const path = paths[at % paths.length]!;
      const address = `203.0.113.${at}`;
      const headers = Object.fromEntries(
        spoofs.map((name) => [name, name === 'forwarded' ? `for=${address};host=h${at}` : address]),
      );
      return ask(usual, path, bodyFor(path), { headers });
    }),
  );
  const [passed, refused] = [200, 429].map((wanted) => answers.filter(({ status }) => status === wanted).length);
  t.diagnostic(`P13 30 requests of one address in a minute: ${passed} compiled, ${refused} rejected with 429`);
  assert.deepEqual([passed, refused], [10, 20]);
});

test('a rejected client gets the limit and Retry-After', async () => {
  const from = '127.0.0.2';
  const left: unknown[] = [];
  for (let at = 0; at < 10; at++)
    left.push((await ask(usual, '/compile', inline, { from })).headers['ratelimit-remaining']);
  assert.deepEqual(left, range(10).map(String).reverse());
  for (const path of paths) {
    const { status, headers, json } = await ask(usual, path, bodyFor(path), { from });
    assert.equal(status, 429);
    assert.deepEqual(json, { success: false, error: 'Rate limit exceeded. Maximum 10 requests per minute.' });
    assert.equal(headers['retry-after'], '60');
    assert.equal(headers['ratelimit-limit'], '10');
    assert.equal(headers['ratelimit-remaining'], '0');
    assert.ok(Number(headers['ratelimit-reset']) > 0 && Number(headers['ratelimit-reset']) <= 60);
    assert.equal(headers['access-control-allow-origin'], '*');
  }
  assert.equal((await ask(usual, '/api', '', { method: 'GET', from })).status, 200);
  assert.equal((await ask(usual, '/health/ready', '', { method: 'GET', from })).status, 200);
});

test('a batch counts as one request, and so does one that is refused', async () => {
  const remaining = async (body: unknown) =>
    (await ask(usual, '/compile/batch', body, { from: '127.0.0.3' })).headers['ratelimit-remaining'];
  assert.equal(await remaining(batchOf(...range(10).map(() => inline))), '9');
  assert.equal(await remaining(batchOf(...range(11).map(() => inline))), '8');
  assert.equal(await remaining('no JSON'), '7');
});

test('behind a trusted proxy the right-most untrusted hop is the client, IPv6 by its /64', async () => {
  const left = async (forwarded: string | string[], more: Record<string, string> = {}): Promise<string> => {
    const manner = { headers: { 'x-forwarded-for': forwarded, ...more } };
    return String((await ask(proxied, '/compile', inline, manner)).headers['ratelimit-remaining']);
  };
  assert.equal(await left('203.0.113.7'), '9');
  assert.equal(await left('198.51.100.1, 203.0.113.7'), '8');
  assert.equal(await left('203.0.113.7, 127.0.0.9'), '7');
  assert.equal(await left('127.0.0.1, 203.0.113.7, 127.3.2.1, 127.0.0.9'), '6');
  assert.equal(await left(['198.51.100.2', '203.0.113.7']), '5');
  assert.equal(await left('203.0.113.7:4711'), '4');
  assert.equal(await left('::ffff:203.0.113.7'), '3');
  assert.equal(await left('203.0.113.7', { 'x-real-ip': '203.0.113.99', forwarded: 'for=203.0.113.98' }), '2');
  assert.equal(await left('203.0.113.8'), '9');
  assert.equal(await left('2001:db8:1:2::1'), '9');
  assert.equal(await left('[2001:db8:1:2:ffff:ffff:ffff:ffff]:443'), '8');
  assert.equal(await left('2001:DB8:1:2:0:0:0:9'), '7');
  assert.equal(await left('2001:db8:1:3::1'), '9');
});

test('invalid addresses behind a trusted proxy are one client, not a new one each time', async () => {
  const forwarded = ['unknown', '', 'unknown2', '1.2.3', '0x7f.1', 'a'.repeat(5000), ', ,', '127.0.0.1'];
  const left: unknown[] = [];
  for (const value of forwarded) {
    const manner = { headers: { 'x-forwarded-for': value } };
    left.push((await ask(proxied, '/compile', inline, manner)).headers['ratelimit-remaining']);
  }
  assert.deepEqual(new Set(left).size, left.length);
});

test('a client over its compile limit gets cached results only', async () => {
  const from = '127.0.0.2';
  const kept = configurationOf('||kept.example^');
  assert.equal((await ask(busy, '/compile', kept, { from })).headers['x-cache'], 'MISS');
  const runaway = broughtAlong(RUNAWAY.line, { exclusions: [RUNAWAY.pattern] });
  assert.equal((await ask(busy, '/compile', runaway, { from })).status, 400);

  const error = 'Work limit exceeded. Maximum 1 seconds of compiling per minute.';
  const fresh = configurationOf('||new.example^');
  const refused = await ask(busy, '/compile', fresh, { from });
  assert.equal(refused.status, 429);
  assert.deepEqual(refused.json, { success: false, error });
  assert.equal(refused.headers['retry-after'], '60');
  const batch = await ask(busy, '/compile/batch', batchOf(kept, fresh), { from });
  assert.deepEqual(
    batch.json.results?.map(({ success, cached, error }) => [success, cached, error]),
    [
      [true, true, undefined],
      [false, undefined, error],
    ],
  );
  const stream = await ask(busy, '/compile/stream', kept, { from });
  assert.equal(stream.status, 429);
  assert.deepEqual(stream.json, { success: false, error });
  assert.equal((await ask(busy, '/validate', { rules: ['||a^'] }, { from })).status, 429);

  assert.equal((await ask(busy, '/compile', kept, { from })).headers['x-cache'], 'HIT');
  assert.equal((await ask(busy, '/compile', fresh, { from: '127.0.0.3' })).status, 200);
});

test('honest work is counted, too', async () => {
  const list = range(60_000)
    .map((at) => `||host${at}.example-${at % 977}.org^`)
    .join('\n');
  const order = broughtAlong(list, { transformations: ['Validate', 'Compress', 'Deduplicate'] });
  for (let at = 0; at < 400; at++) {
    const { status } = await ask(busy, '/compile', order, { from: '127.0.0.4' });
    if (status === 429) return assert.ok(at > 0, 'the first one must pass');
    assert.equal(status, 200);
  }
  assert.fail('forty large compilations take less than a second in all');
});

const padded = (bytes: number): string => {
  const body = JSON.stringify(inline);
  return body + ' '.repeat(bytes - body.length);
};

test('a body over the limit is refused, by its announced length or by the byte that is too much', async () => {
  const chunked = { headers: { 'transfer-encoding': 'chunked' } };
  for (const path of ['/compile', '/compile/stream', '/compile/batch', '/validate', '/diff']) {
    for (const manner of [{}, chunked]) {
      const { status, json } = await ask(open, path, padded(64 * KIB + 1), manner);
      assert.equal(status, 413, path);
      assert.equal(json.success, false);
      assert.ok(json.error);
    }
  }
  assert.equal((await ask(open, '/compile', padded(64 * KIB))).status, 200);
  assert.equal((await ask(open, '/compile', padded(64 * KIB), chunked)).status, 200);
});

test('a body that is announced too long is refused before it comes', async () => {
  for (const length of ['65537', '99999999999', '9007199254740993']) {
    const head = `POST /compile HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n`;
    assert.match(await sendRaw(open, `${head}Connection: close\r\n\r\n{`), /^HTTP\/1\.1 413 /, length);
  }
});

const patterns = (count: number): string[] => range(count).map((at) => `p${at}`);
const overLimits: readonly (readonly [what: string, configuration: object, path: string])[] = [
  ['sources', { sources: range(101).map((at) => ({ source: `||a${at}^` })) }, 'configuration.sources'],
  ['patterns', { exclusions: patterns(5001) }, 'configuration'],
  [
    'patterns of all levels',
    {
      exclusions: patterns(2000),
      inclusions: patterns(2000),
      sources: [{ source: '||a^', exclusions: patterns(1001) }],
    },
    'configuration',
  ],
  ['a long pattern', { exclusions: ['a', 'b'.repeat(1025)] }, 'configuration.exclusions[1]'],
  ['a long inclusion', { inclusions: [`/${'b'.repeat(1024)}/`] }, 'configuration.inclusions[0]'],
  [
    'a long pattern of a source',
    { sources: [{ source: '||a^' }, { source: '||a^', inclusions: ['b'.repeat(1025)] }] },
    'configuration.sources[1].inclusions[0]',
  ],
  ['transformations', { transformations: Array(33).fill('Compress') }, 'configuration.transformations'],
  [
    'transformations of a source',
    { sources: [{ source: '||a^', transformations: Array(33).fill('Compress') }] },
    'configuration.sources[0].transformations',
  ],
];

test('too many sources, patterns and transformations are refused with their place', async () => {
  for (const [what, configuration, path] of overLimits) {
    const { status, json } = await ask(open, '/compile', configurationOf('||a^', configuration));
    assert.equal(status, 400, what);
    assert.equal(json.error, 'Failed to validate configuration');
    assert.deepEqual(
      json.details?.map((detail) => detail.path),
      [path],
      what,
    );
  }
});

test('requests up to the limit are accepted', async () => {
  const most = {
    sources: range(100).map((at) => ({ source: `||a${at}.example^` })),
    exclusions: patterns(4999),
    inclusions: ['||a'],
    transformations: Array(32).fill('Compress'),
  };
  const { status, json } = await ask(open, '/compile', configurationOf('||a^', most));
  assert.equal(status, 200, JSON.stringify(json).slice(0, 300));
  assert.equal(rulesIn({ json }).length, 100);
  const long = configurationOf('||a^', { exclusions: ['b'.repeat(1024)] });
  assert.equal((await ask(open, '/compile', long)).status, 200);
});

test('the number of open event streams is limited, and one that ends makes room', async (t) => {
  const endless = await httpOrigin(t, (_request, response) => void response.writeHead(200).write('||a^\n'));
  const follow = (at: number, signal: AbortSignal) =>
    begin(open, '/compile/stream', JSON.stringify(configurationOf(`${endless.url}${at}`)), { signal });
  const ends = [new AbortController(), new AbortController()];
  const streams = await Promise.all(ends.map(({ signal }, at) => follow(at, signal)));
  for (const stream of streams) stream.on('error', () => {}).resume();
  assert.deepEqual(
    streams.map(({ statusCode }) => statusCode),
    [200, 200],
  );

  const third = await ask(open, '/compile/stream', inline);
  assert.equal(third.status, 503);
  assert.equal(third.headers['retry-after'], '60');
  assert.equal(third.json.success, false);
  assert.equal((await ask(open, '/compile', inline)).status, 200);

  ends[0]!.abort();
  for (let at = 0; at < 400; at++) {
    const { status } = await ask(open, '/compile/stream', inline);
    if (status === 200) break;
    assert.ok(at < 399, 'no room was made');
    await setTimeout(50);
  }
  ends[1]!.abort();
  await endless.allClosed();
});

test('of a request with thousands of errors some are reported, at once', async () => {
  const unknown = Object.fromEntries(range(4000).map((at) => [`k${at}`, 1]));
  for (const order of [
    configurationOf('||a^', unknown),
    configurationOf('', { sources: [{ source: '||a^', mirrors: Array(20_000).fill(1) }] }),
  ]) {
    const { status, text } = await ask(open, '/compile', order);
    assert.equal(status, 400);
    assert.ok(text.length < 100 * KIB, `${text.length} bytes`);
  }
});

test('there is an end to files of patterns, and to mirrors', async () => {
  const files = Array(2000).fill('p') as string[];
  for (const order of [
    configurationOf('||a^', { exclusions_sources: files }),
    configurationOf('||a^', { inclusions_sources: files }),
    configurationOf('', { sources: [{ source: '||a^', exclusions_sources: files }] }),
    configurationOf('', { sources: [{ source: '||a^', mirrors: files }] }),
  ]) {
    const { status, json } = await ask(open, '/compile', { ...order, preFetchedContent: { p: 'pattern' } });
    assert.equal(status, 400);
    assert.match(json.details?.[0]?.path ?? '', /sources|mirrors/);
  }
});
