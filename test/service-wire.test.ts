import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { httpOrigin, says } from './support/net/origin.ts';
import { type Answered, startService } from './support/service.ts';
import { post, postUntilHit } from './support/service-contract.ts';

const service = await startService({ after }, [
  '--requests-per-minute',
  '1000',
  '--allow-source-address',
  '127.0.0.1/32',
]);

const texts = { morning: '! news\n||spam.example^\n||beacon.example^', evening: '0.0.0.0 pixel.example.org\n' };
const configuration = {
  name: 'Daily',
  sources: [
    { name: 'Morning', source: 'morning' },
    { source: 'evening', type: 'hosts', transformations: ['Compress'] },
  ],
  transformations: ['RemoveEmptyLines'],
};

/** The rules of a list, without date and version. */
const undated = (rules: readonly string[] = []): string[] =>
  rules.map((rule) =>
    rule.replace(/^(! Last modified: ).+/, '$1DATE').replace(/^(! Compiled by Weir v).+/, '$1VERSION'),
  );

test('a response has success, rules, ruleCount and compiledAt, in this order and nothing else', async () => {
  const { status, headers, json } = await post(service, '/compile', { configuration, preFetchedContent: texts });
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'application/json');
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.equal(headers.get('x-cache'), 'MISS');
  assert.equal(headers.get('x-request-deduplication'), null);
  assert.deepEqual(Object.keys(json), ['success', 'rules', 'ruleCount', 'compiledAt']);
  assert.equal(json.success, true);
  assert.equal(json.ruleCount, json.rules?.length);
  assert.equal(json.compiledAt, new Date(json.compiledAt!).toISOString());
});

test('rules are all lines of the list, its header included', async () => {
  const { json } = await post(service, '/compile', { configuration, preFetchedContent: texts });
  // By design, the header has no checksum, and names Weir.
  assert.deepEqual(undated(json.rules).slice(0, 6), [
    '!',
    '! Title: Daily',
    '! Last modified: DATE',
    '!',
    '! Compiled by Weir vVERSION',
    '!',
  ]);
  assert.equal(json.rules?.[2], `! Last modified: ${json.compiledAt}`);
  const rules = json.rules?.filter((rule) => !rule.startsWith('!'));
  assert.deepEqual(rules, ['||spam.example^', '||beacon.example^', '||pixel.example.org^']);
});

test('the header of a source names the key of its text', async () => {
  const { json } = await post(service, '/compile', { configuration, preFetchedContent: texts });
  assert.deepEqual(undated(json.rules).slice(6), [
    '!',
    '! Source name: Morning',
    '! Source: morning',
    '!',
    '! news',
    '||spam.example^',
    '||beacon.example^',
    '!',
    '! Source: evening',
    '!',
    '||pixel.example.org^',
  ]);
});

test('Deduplicate keeps the last of equal rules, and the remarks above the others go with them', async () => {
  // By design, as in the original compiler; the reference service kept the first one.
  const { json } = await post(service, '/compile', {
    configuration: { name: 'Twice', sources: [{ source: 'both' }], transformations: ['Deduplicate'] },
    preFetchedContent: { both: '! first\n||twin.example^\n||other.example^\n! second\n||twin.example^' },
  });
  assert.deepEqual(json.rules?.slice(-3), ['||other.example^', '! second', '||twin.example^']);
  assert(!json.rules?.includes('! first'));
});

type Stage = { name: string; durationMs: number; itemCount: number; itemsPerSecond: number };

test('with benchmark, metrics are between ruleCount and compiledAt, and their counts match the list', async () => {
  const { json } = await post(service, '/compile', { configuration, preFetchedContent: texts, benchmark: true });
  assert.deepEqual(Object.keys(json), ['success', 'rules', 'ruleCount', 'metrics', 'compiledAt']);
  const metrics = json.metrics as Record<string, number> & { stages: Stage[] };
  // The last member is ours: the format of each source.
  assert.deepEqual(Object.keys(metrics), [
    'totalDurationMs',
    'stages',
    'sourceCount',
    'ruleCount',
    'outputRuleCount',
    'sources',
  ]);
  const [fetched, applied] = metrics.stages;
  assert.deepEqual(Object.keys(fetched!), ['name', 'durationMs', 'itemCount', 'itemsPerSecond']);
  assert.deepEqual(
    metrics.stages.map(({ name }) => name),
    ['Fetch & compile sources', 'Apply transformations'],
  );
  // Three lines and one; with the headers of both sources eleven, none of which goes; with that of the list seventeen.
  assert.equal(fetched?.itemCount, 4);
  assert.equal(applied?.itemCount, 11);
  assert.equal(metrics['sourceCount'], 2);
  assert.equal(metrics['ruleCount'], 11);
  assert.equal(metrics['outputRuleCount'], 17);
  assert.equal(json.ruleCount, 17);
  assert.deepEqual(metrics['sources'], [
    { source: 'morning', format: 'adblock', lines: 3 },
    { source: 'evening', format: 'hosts', lines: 1 },
  ]);
  const total = metrics['totalDurationMs']!;
  // Clients in Go, Rust and C# read them as integers.
  for (const ms of [total, ...metrics.stages.map(({ durationMs }) => durationMs)])
    assert(Number.isInteger(ms), `${ms}`);
  assert(Math.abs(fetched!.durationMs + applied!.durationMs - total) <= 2, 'the stages are the whole');
});

test('null for an optional member is the same as its absence', async () => {
  const nothing = { name: null, type: null, transformations: null, mirrors: null, exclusions: null };
  const body = {
    configuration: {
      name: 'Nulls',
      description: null,
      sources: [{ ...nothing, source: '||a.example^' }],
      license: null,
    },
    preFetchedContent: null,
    benchmark: null,
    format: null,
    explain: null,
  };
  const { status, json } = await post(service, '/compile', body);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(json), ['success', 'rules', 'ruleCount', 'compiledAt']);
  const refused = await post(service, '/compile', {
    configuration: { name: null, sources: [{ source: null }], nothing: null },
  });
  assert.deepEqual(
    refused.json.details?.map(({ path }) => path),
    ['configuration.name', 'configuration.sources[0].source', 'configuration.nothing'],
  );
});

test('an unknown member of the request is named in a warning', async () => {
  const body = { configuration, preFetchedContent: texts, benchmrak: true, zzzzzzzzz: 1 };
  const { status, json } = await post(service, '/compile', body);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(json), ['success', 'rules', 'ruleCount', 'compiledAt', 'warnings']);
  assert.deepEqual(json['warnings'], [
    'The request member "benchmrak" is not known and was ignored; did you mean "benchmark"?',
    'The request member "zzzzzzzzz" is not known and was ignored',
  ]);
  const cacheable = { configuration: { name: 'Warned', sources: [{ source: '||a.example^' }] } };
  await postUntilHit(service, cacheable);
  const again = await post(service, '/compile', { ...cacheable, id: 'x' });
  assert.equal(again.json.cached, true);
  assert.deepEqual(again.json['warnings'], ['The request member "id" is not known and was ignored']);
  assert(!('warnings' in (await post(service, '/compile', cacheable)).json));
});

test('pages of other origins may read the headers of the answer', async () => {
  const { headers } = await post(service, '/compile', { configuration, preFetchedContent: texts });
  const exposed = headers.get('access-control-expose-headers')?.split(', ');
  for (const name of [
    'X-Cache',
    'X-Request-Deduplication',
    'Retry-After',
    'Content-Location',
    'ETag',
    'RateLimit-Limit',
  ])
    assert(exposed?.includes(name), name);
});

test('with onSourceError "skip" a source that cannot be read is left out and named', async (t) => {
  const origin = await httpOrigin(t, says(404, { 'content-type': 'text/plain' }, 'no'));
  const url = `${origin.url}list.txt`;
  const body = {
    configuration: { name: 'Skip', sources: [{ source: url }, { source: '||a.example^' }] },
    onSourceError: 'skip',
  };
  const { status, headers, json } = await post(service, '/compile', body);
  assert.equal(status, 200);
  assert.deepEqual(json['warnings'], [`Source left out: ${url}: HTTP 404: Not Found`]);
  assert.equal(json.rules?.at(-1), '||a.example^');
  assert(json.rules?.includes(`! Skipped source: ${url} (${url}: HTTP 404: Not Found)`), json.rules?.join('\n'));
  // A list without one of its sources is not stored.
  assert.equal(headers.get('content-location'), null);
  assert.equal((await post(service, '/compile', body)).headers.get('x-cache'), 'MISS');
  // Sources that came with the request are not downloaded, and skipped as well.
  const local = await post(service, '/compile', {
    configuration: { name: 'Local', sources: [{ source: 'nowhere' }, { source: '||b.example^' }] },
    onSourceError: 'skip',
  });
  assert.deepEqual(local.json['warnings'], ['Source left out: nowhere: No fetcher available for source: nowhere']);
});

test('with onSourceError "stale" the earlier copy of a source is used and named', async (t) => {
  let status = 200;
  const origin = await httpOrigin(t, (_request, response) =>
    response.writeHead(status, { 'content-type': 'text/plain', etag: '"1"' }).end('||stale.example^'),
  );
  const sources = [{ source: `${origin.url}list.txt` }];
  const first = await post(service, '/compile', { configuration: { name: 'Before', sources } });
  assert.equal(first.status, 200);
  status = 404;
  const stale = { configuration: { name: 'After', sources }, onSourceError: 'stale' };
  const { json } = await post(service, '/compile', stale);
  assert.equal(json.rules?.at(-1), '||stale.example^');
  assert.deepEqual(json['warnings'], [
    `Source could not be downloaded, its earlier copy is used: ${origin.url}list.txt`,
  ]);
  const failing = await post(service, '/compile', { ...stale, onSourceError: 'fail' });
  assert.equal(failing.status, 500);
});

test('of several sources the failed one is named with its place', async (t) => {
  const origin = await httpOrigin(t, says(404, { 'content-type': 'text/plain' }, 'no'));
  const url = `${origin.url}list.txt`;
  const sources = [{ source: '||a.example^' }, { source: url }];
  const { status, json } = await post(service, '/compile', { configuration: { name: 'Two', sources } });
  assert.equal(status, 500);
  assert.deepEqual(json, {
    success: false,
    error: 'HTTP 404: Not Found',
    details: [{ path: 'configuration.sources[1].source', message: `"${url}" could not be read: HTTP 404: Not Found` }],
  });
  const patterns = await post(service, '/compile', {
    configuration: { name: 'Patterns', sources: [{ source: '||a.example^', exclusions_sources: [url] }] },
  });
  assert.equal(patterns.json.details?.[0]?.path, 'configuration.sources[0].exclusions_sources[0]');
});

const failures: readonly (readonly [string, unknown, Answered])[] = [
  [
    // By design, errors of the caller are 400 with a path; the reference service returns 500.
    'a configuration that is wrong',
    { configuration: { name: '', sources: [], transformations: ['Dedupe'] } },
    {
      error: 'Failed to validate configuration',
      details: [
        { path: 'configuration.name', message: 'must not be empty' },
        { path: 'configuration.sources', message: 'must name at least one source' },
        { path: 'configuration.transformations[0]', message: 'DETAIL' },
      ],
    },
  ],
  [
    'a body without a configuration',
    {},
    {
      error: 'Invalid request body',
      details: [{ path: '', message: 'must have required properties configuration' }],
    },
  ],
  [
    'a body that is not JSON',
    '{nope',
    { error: "Expected property name or '}' in JSON at position 1 (line 1 column 2)" },
  ],
  ['an empty body', '', { error: 'Unexpected end of JSON input' }],
  [
    // By design, sources that can never be read are errors of the caller, too.
    'a source that is neither a URL nor rules nor a key',
    { configuration: { name: 'Lost', sources: [{ source: 'nowhere' }] }, preFetchedContent: texts },
    { error: 'No fetcher available for source: nowhere' },
  ],
];

for (const [what, body, { error, details }] of failures) {
  test(`${what} is 400 with the reason`, async () => {
    const { status, headers, json } = await post(service, '/compile', body);
    assert.equal(status, 400);
    assert.equal(headers.get('content-type'), 'application/json');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(headers.get('x-cache'), null);
    assert.deepEqual(Object.keys(json), ['success', 'error', ...(details ? ['details'] : [])]);
    assert.equal(json.success, false);
    assert.equal(json.error, error);
    assert.deepEqual(
      json.details?.map(({ path }) => path),
      details?.map(({ path }) => path),
    );
    for (const [at, { message }] of (details ?? []).entries())
      if (message !== 'DETAIL') assert.equal(json.details?.[at]?.message, message);
  });
}

test('the error for an unknown transformation suggests the nearest name', async () => {
  const { json } = await post(service, '/compile', {
    configuration: { name: 'N', sources: [{ source: '||a.example^' }], transformations: ['Deduplicte'] },
  });
  assert.match(json.details?.[0]?.message ?? '', /Deduplicate/);
});

test('a body that is not JSON by its Content-Type is 415', async () => {
  const { status, json } = await post(service, '/compile', '<x/>', { 'content-type': 'text/xml' });
  assert.equal(status, 415);
  assert.deepEqual(Object.keys(json), ['success', 'error']);
});

test('JSON responses have the type application/json without parameters, also for 415', async () => {
  const { headers } = await post(service, '/compile', '<x/>', { 'content-type': 'text/xml' });
  const others = await Promise.all(
    ['/api/openapi.json', '/health/live', '/health/ready'].map((path) => fetch(`${service.url}${path}`)),
  );
  for (const each of [headers, ...others.map((other) => other.headers)])
    assert.equal(each.get('content-type'), 'application/json');
});

const origins: readonly (readonly [string, number, string, string])[] = [
  ['answers 404', 404, 'nothing here', 'HTTP 404: Not Found'],
  ['answers 403', 403, 'no', 'HTTP 403: Forbidden'],
  ['has nothing to say', 200, '', 'Empty response received'],
];

for (const [what, originStatus, text, error] of origins) {
  test(`a source whose server ${what} is 500 "${error}"`, async (t) => {
    const origin = await httpOrigin(t, says(originStatus, { 'content-type': 'text/plain' }, text));
    const body = { configuration: { name: 'Failing', sources: [{ source: `${origin.url}list.txt` }] } };
    const { status, headers, json } = await post(service, '/compile', body);
    assert.equal(status, 500);
    assert.equal(headers.get('content-type'), 'application/json');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(headers.get('x-cache'), null);
    assert.deepEqual(json, { success: false, error });
  });
}

test('the list of a URL names it in its header, is MISS first, and HIT and cached then', async (t) => {
  const origin = await httpOrigin(t, says(200, { 'content-type': 'text/plain' }, '||one.example^\n||two.example^\n'));
  const body = { configuration: { name: 'Remote', sources: [{ source: `${origin.url}list.txt` }] } };
  const first = await post(service, '/compile', body);
  const second = await postUntilHit(service, body);
  assert.deepEqual(undated(first.json.rules).slice(6), [
    '!',
    `! Source: ${origin.url}list.txt`,
    '!',
    '||one.example^',
    '||two.example^',
  ]);
  assert.equal(first.headers.get('x-cache'), 'MISS');
  assert.equal(second.headers.get('content-type'), 'application/json');
  assert.equal(second.headers.get('access-control-allow-origin'), '*');
  assert.deepEqual(Object.keys(second.json), ['success', 'rules', 'ruleCount', 'compiledAt', 'cached']);
  assert.deepEqual(second.json, { ...first.json, cached: true });
});

for (const path of ['/api/compile', '/api/compile/stream', '/api/compile/batch']) {
  test(`POST ${path} does the same as without /api`, async () => {
    const order = { configuration, preFetchedContent: texts };
    const body = path.endsWith('batch') ? { requests: [{ id: 'one', ...order }] } : order;
    const [alias, plain] = await Promise.all([post(service, path, body), post(service, path.slice(4), body)]);
    assert.equal(alias.status, 200);
    assert.equal(alias.headers.get('content-type'), plain.headers.get('content-type'));
    const withoutTimes = (text: string) =>
      text.replace(/\d{4}-[\dT:.-]+Z|"durationMs":[\d.]+|"totalDurationMs":[\d.]+/g, '');
    assert.equal(withoutTimes(alias.text), withoutTimes(plain.text));
  });
}
