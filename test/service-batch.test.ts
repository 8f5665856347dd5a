import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { httpOrigin, inTurn } from './support/net/origin.ts';
import { startService } from './support/service.ts';
import { post, postUntilHit } from './support/service-contract.ts';
import { saysLater } from './support/service-origins.ts';

const service = await startService({ after }, [
  '--requests-per-minute',
  '1000',
  '--allow-source-address',
  '127.0.0.1/32',
]);

const inline = (rule: string): object => ({ configuration: { name: rule, sources: [{ source: rule }] } });
const lastRule = (item: { rules?: string[] } | undefined) => item?.rules?.at(-1);

test('a batch answers its requests in their order', async (t) => {
  const origin = await httpOrigin(t, saysLater(300, '||slow.example^'));
  const requests = [
    { id: 'slow', configuration: { name: 'Slow', sources: [{ source: origin.url }] } },
    { id: 'broken', configuration: { name: 'Broken', sources: [{ source: 'nowhere' }] } },
    { id: '2', ...inline('||quick.example^'), benchmark: true },
    { id: '1', configuration: { name: 'Own', sources: [{ source: 'k' }] }, preFetchedContent: { k: '||own.example^' } },
  ];
  const { status, headers, json } = await post(service, '/compile/batch', { requests });
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'application/json');
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.equal(headers.get('x-cache'), null);
  assert.deepEqual(Object.keys(json), ['success', 'results']);
  assert.equal(json.success, true);
  const [slow, broken, quick, own] = json.results!;
  assert.deepEqual(
    json.results?.map(({ id }) => id),
    requests.map(({ id }) => id),
  );
  assert.deepEqual(Object.keys(slow!), ['id', 'success', 'rules', 'ruleCount', 'compiledAt']);
  assert.deepEqual(Object.keys(quick!), ['id', 'success', 'rules', 'ruleCount', 'metrics', 'compiledAt']);
  assert.deepEqual(broken, { id: 'broken', success: false, error: 'No fetcher available for source: nowhere' });
  assert.deepEqual([slow, quick, own].map(lastRule), ['||slow.example^', '||quick.example^', '||own.example^']);
  assert.equal(slow?.ruleCount, slow?.rules?.length);
});

test('a request of a batch whose configuration is wrong fails alone, with details', async () => {
  const requests = [
    { id: 'bad', configuration: { name: 'x', sources: [{ source: '' }] } },
    { id: 'none' },
    { id: 'good', ...inline('||good.example^') },
  ];
  const { status, json } = await post(service, '/compile/batch', { requests });
  assert.equal(status, 200);
  const [bad, none, good] = json.results!;
  assert.deepEqual(Object.keys(bad!), ['id', 'success', 'error', 'details']);
  assert.equal(bad?.error, 'Failed to validate configuration');
  assert.equal(bad?.details?.[0]?.path, 'configuration.sources[0].source');
  assert.equal(none?.error, 'Invalid request body');
  assert.equal(good?.success, true);
});

test('equal requests of one batch are compiled once: the others are deduplicated', async (t) => {
  const origin = inTurn(saysLater(200, '||once.example^'));
  const { url } = await httpOrigin(t, origin);
  const configuration = { name: 'Once', sources: [{ source: url }] };
  const requests = ['a', 'b', 'c'].map((id) => ({ id, configuration }));
  const { json } = await post(service, '/compile/batch', { requests });
  assert.equal(origin.asked.length, 1);
  assert.deepEqual(
    json.results?.map(({ deduplicated }) => deduplicated),
    [undefined, true, true],
  );
  assert.deepEqual(json.results?.[2]?.rules, json.results?.[0]?.rules);
  assert.equal(Object.keys(json.results![1]!).at(-1), 'deduplicated');

  // By design, cached results are marked in a batch, too.
  await postUntilHit(service, { configuration });
  const again = await post(service, '/compile/batch', { requests });
  assert.deepEqual(
    again.json.results?.map(({ cached }) => cached),
    [true, true, true],
  );
  assert.deepEqual(again.json.results?.[0], { ...json.results?.[0], cached: true });
  assert.equal(origin.asked.length, 1);
});

test('an id may be a number, which is answered as a number', async () => {
  const requests = [0, 7, '7'].map((id) => ({ id, ...inline(`||id-${id}.example^`), preFetchedContent: null }));
  const { json } = await post(service, '/compile/batch', { requests });
  assert.deepEqual(
    json.results?.map(({ id, success }) => [id, success]),
    [
      [0, true],
      [7, true],
      ['7', true],
    ],
  );
  assert(!('warnings' in json.results![0]!));
});

test('an unknown member of a request is named in its result only', async () => {
  const requests = [
    { id: 'a', ...inline('||warn-a.example^'), explian: true },
    { id: 'b', ...inline('||warn-b.example^') },
  ];
  const { json } = await post(service, '/compile/batch', { requests });
  const message = 'The request member "explian" is not known and was ignored; did you mean "explain"?';
  assert.deepEqual(
    json.results?.map((result) => result['warnings']),
    [[message], undefined],
  );
});

test('the ten requests of a batch are downloaded at the same time', async (t) => {
  // Each response waits until all ten were requested.
  const all = Promise.withResolvers<void>();
  let arrived = 0;
  const origin = await httpOrigin(t, (_request, response) => {
    if (++arrived === 10) all.resolve();
    void all.promise.then(() => response.writeHead(200, { 'content-type': 'text/plain' }).end('||ten.example^'));
  });
  const requests = Array.from({ length: 10 }, (_, at) => ({
    id: at,
    configuration: { name: 'Ten', sources: [{ source: `${origin.url}${at}` }] },
  }));
  const { json } = await post(service, '/compile/batch', { requests });
  assert.deepEqual(json.results?.map(lastRule), Array(10).fill('||ten.example^'));
});

test('ten requests are a batch', async () => {
  const requests = Array.from({ length: 10 }, (_, at) => ({ id: `${at}`, ...inline(`||ten-${at}.example^`) }));
  const { json } = await post(service, '/compile/batch', { requests });
  assert.deepEqual(
    json.results?.map(lastRule),
    requests.map((_, at) => `||ten-${at}.example^`),
  );
});

const one = inline('||a.example^');
const NO_ARRAY = 'Invalid batch request format. Expected { requests: [...] }';
const NO_ID = 'Each request must have an "id" field';
const refused: readonly (readonly [string, unknown, string | RegExp])[] = [
  ['without requests', { x: 1 }, NO_ARRAY],
  ['whose requests are no array', { requests: { id: 'a', ...one } }, NO_ARRAY],
  ['that is null', null, NO_ARRAY],
  ['that is an array', [one], NO_ARRAY],
  ['of no requests', { requests: [] }, 'Batch request must contain at least one request'],
  [
    'of eleven',
    { requests: Array.from({ length: 11 }, (_, at) => ({ id: `${at}`, ...one })) },
    'Batch request limited to 10 requests maximum',
  ],
  [
    'with an id twice',
    {
      requests: [
        { id: 'a', ...one },
        { id: 'b', ...one },
        { id: 'a', ...one },
      ],
    },
    'Duplicate request ID: a',
  ],
  ['with a request that has no id', { requests: [{ id: 'a', ...one }, one] }, NO_ID],
  ['with a request whose id is empty', { requests: [{ id: '', ...one }] }, NO_ID],
  ['with a request whose id is null', { requests: [{ id: null, ...one }] }, NO_ID],
  ['with a request that is null', { requests: [null] }, NO_ID],
  // By design 400, where the reference service returns 500.
  ['that is not JSON', 'nope', /^Unexpected token 'o', "nope" is not valid JSON$/],
];

for (const [what, body, error] of refused) {
  test(`a batch ${what} is 400 with the reason, without CORS`, async () => {
    const { status, headers, json } = await post(service, '/compile/batch', body);
    assert.equal(status, 400);
    assert.equal(headers.get('content-type'), 'application/json');
    assert.equal(headers.get('access-control-allow-origin'), null);
    assert.deepEqual(Object.keys(json), ['success', 'error']);
    assert.equal(json.success, false);
    if (typeof error === 'string') assert.equal(json.error, error);
    else assert.match(json.error ?? '', error);
  });
}
