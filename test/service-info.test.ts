import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { startService } from './support/service.ts';
import { assertDocumented, post } from './support/service-contract.ts';
import { ask } from './support/service-raw.ts';

const [service, counted] = await Promise.all([
  startService({ after }, ['--requests-per-minute', '1000']),
  // Used by one test only, with the default limit.
  startService({ after }),
]);

const inline = (name: string, source = '||a.example^'): object => ({ configuration: { name, sources: [{ source }] } });

test('GET /api has name, version, endpoints and an example', async () => {
  const { status, headers, body } = await ask(service, 'GET', '/api');
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['access-control-allow-origin'], '*');
  await assertDocumented(service, 'GET', '/api', { status, type: 'application/json', body: body.toString() });
  const info = JSON.parse(body.toString());
  assert.deepEqual(Object.keys(info), ['name', 'version', 'endpoints', 'example']);
  assert.equal(info.name, 'Weir');
  assert.match(info.version, /^\d+\.\d+\.\d+/);
  for (const endpoint of [
    'GET /',
    'GET /api',
    'GET /metrics',
    'POST /compile',
    'POST /compile/stream',
    'POST /compile/batch',
  ])
    assert.equal(typeof info.endpoints[endpoint], 'string', endpoint);
  assert.deepEqual(Object.keys(info.example), ['method', 'url', 'body']);
  assert.equal(info.example.method, 'POST');
  assert.equal(info.example.url, '/compile');
  assert.equal(info.example.body.benchmark, true);
});

test('every endpoint that GET /api names exists', async () => {
  const { endpoints } = JSON.parse((await ask(service, 'GET', '/api')).body.toString());
  for (const endpoint of Object.keys(endpoints)) {
    const [method, path] = endpoint.split(' ') as [string, string];
    const { body } = await ask(service, method, path.replace('{id}', '0'), method === 'POST' ? { body: '' } : {});
    assert.notEqual(body.toString(), 'Not Found', endpoint);
  }
});

test('the API page is revalidated: it names files with content hashes', async () => {
  const { status, headers, body } = await ask(service, 'GET', '/api/docs');
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(headers['cache-control'], 'no-cache');
  assert.equal(headers['access-control-allow-origin'], undefined);
  assert.match(body.toString(), /^<!doctype html>/i);
});

const unknown: readonly (readonly [string, string])[] = [
  ['GET', '/nope'],
  ['GET', '/compile'],
  ['GET', '/compile/'],
  ['GET', '/Compile'],
  ['GET', '/lists'],
  ['GET', '/lists/a/b'],
  ['POST', '/api'],
  ['POST', '/metrics'],
  ['PUT', '/compile'],
  ['PATCH', '/compile'],
  ['DELETE', '/compile/batch'],
  ['DELETE', '/'],
  ['TRACE', '/compile'],
  ['PROPFIND', '/compile'],
];

for (const [method, path] of unknown) {
  test(`${method} ${path} is 404 in plain text`, async () => {
    const { status, headers, body } = await ask(service, method, path);
    assert.equal(status, 404);
    assert.equal(headers['content-type'], 'text/plain;charset=UTF-8');
    assert.equal(headers['access-control-allow-origin'], undefined);
    assert.equal(body.toString(), 'Not Found');
  });
}

test('a path that no route can have is 404 like the rest', async () => {
  const xml = { headers: { 'content-type': 'text/xml' } };
  const answers = await Promise.all([
    ask(service, 'QUERY', '/compile'),
    ask(service, 'GET', '/compile%zz'),
    ask(service, 'POST', '/nope', { ...xml, body: '<x/>' }),
  ]);
  for (const { status, body } of answers) assert.equal(`${status} ${body.toString()}`, '404 Not Found');
});

test('HEAD /compile is 404, too, without a body', async () => {
  const { status, body } = await ask(service, 'HEAD', '/compile');
  assert.equal(status, 404);
  assert.equal(body.length, 0);
});

for (const path of ['/compile', '/compile/stream', '/api', '/nope', '/lists/0', '/']) {
  test(`OPTIONS ${path} lists the allowed methods and headers`, async () => {
    const { status, headers, body } = await ask(service, 'OPTIONS', path, {
      headers: { origin: 'https://page.example', 'access-control-request-method': 'POST' },
    });
    assert.equal(status, 200);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['access-control-allow-methods'], 'GET, POST, OPTIONS');
    assert.equal(headers['access-control-allow-headers'], 'Content-Type');
    assert.equal(headers['access-control-max-age'], '86400');
    assert.equal(headers['content-type'], undefined);
    assert.equal(body.length, 0);
  });
}

for (const path of ['/', '/api', '/metrics', '/api/openapi.json', '/api/docs', '/health/live', '/health/ready']) {
  test(`HEAD ${path} has the headers of GET and no body`, async () => {
    const [head, get] = [await ask(service, 'HEAD', path), await ask(service, 'GET', path)];
    assert.equal(head.status, 200);
    assert.equal(head.body.length, 0);
    for (const name of ['content-type', 'content-length', 'cache-control', 'access-control-allow-origin'])
      assert.equal(head.headers[name], get.headers[name], name);
  });
}

test('a method that HTTP does not know ends in 400 and nothing worse', async () => {
  const socket = connect(service.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.end('BREW /compile HTTP/1.1\r\nhost: x\r\n\r\n');
  assert.match(await text(socket), /^HTTP\/1\.1 400 /);
  assert.equal((await ask(service, 'GET', '/health/live')).status, 200);
});

for (const path of ['/health/live', '/health/ready', '/health', '/api/health']) {
  test(`GET ${path} is 200 and not cacheable`, async () => {
    const { status, headers, body } = await ask(service, 'GET', path);
    assert.equal(headers['cache-control'], 'no-store');
    await assertDocumented(service, 'GET', path, { status, type: 'application/json', body: body.toString() });
  });
}

const metricsOf = async () => {
  const { status, headers, body } = await ask(counted, 'GET', '/metrics');
  await assertDocumented(counted, 'GET', '/metrics', { status, type: 'application/json', body: body.toString() });
  return { headers, figures: JSON.parse(body.toString()) };
};

test('a request has an id: its own, or a new one', async () => {
  const idOf = async (headers: Record<string, string>): Promise<string | null> =>
    (await fetch(`${service.url}/health/live`, { headers })).headers.get('x-request-id');
  assert.equal(await idOf({ 'x-request-id': 'proxy-1.a:b' }), 'proxy-1.a:b');
  const [one, other] = [await idOf({}), await idOf({ 'x-request-id': 'not valid' })];
  for (const id of [one, other]) assert.match(id!, /^[0-9a-f]{12}-[0-9a-z]+$/);
  assert.notEqual(one, other);
});

// One test, because counting and limiting use the same requests.
test('GET /metrics counts successes and failures by endpoint, and the eleventh request is 429', async () => {
  const empty = await metricsOf();
  assert.equal(empty.headers['content-type'], 'application/json');
  assert.equal(empty.headers['access-control-allow-origin'], '*');
  assert.equal(empty.headers['cache-control'], 'no-cache');
  assert.deepEqual(Object.keys(empty.figures), ['window', 'timestamp', 'endpoints']);
  assert.equal(empty.figures.window, '30 minutes');
  assert(Math.abs(Date.parse(empty.figures.timestamp) - Date.now()) < 60_000);
  assert.deepEqual(empty.figures.endpoints, {});

  await post(counted, '/compile', inline('A'));
  await post(counted, '/compile', inline('B'));
  await post(counted, '/api/compile', inline('', ''));
  await post(counted, '/compile/stream', inline('A'));
  await post(counted, '/compile/stream', inline('C', 'nowhere'));
  await post(counted, '/compile/stream', inline('D', 'nowhere'));
  await post(counted, '/compile/batch', {
    requests: [
      { id: '1', ...inline('A') },
      { id: '2', ...inline('B') },
    ],
  });
  await post(counted, '/compile/batch', {});
  await post(counted, '/compile/batch', {});
  const tenth = await post(counted, '/compile/batch', {});
  assert.equal(tenth.status, 400);

  const { figures } = await metricsOf();
  const { '/compile': compile, '/compile/stream': stream, '/compile/batch': batch, ...others } = figures.endpoints;
  assert.deepEqual(others, {});
  assert.deepEqual(Object.keys(compile), ['count', 'success', 'failed', 'avgDuration', 'errors']);
  const withoutTime = ({ avgDuration, ...rest }: Record<string, unknown>) => {
    assert(typeof avgDuration === 'number' && avgDuration > 0);
    return rest;
  };
  assert.deepEqual(withoutTime(compile), {
    count: 3,
    success: 2,
    failed: 1,
    errors: { 'Failed to validate configuration': 1 },
  });
  assert.deepEqual(withoutTime(stream), {
    count: 3,
    success: 1,
    failed: 2,
    errors: { 'No fetcher available for source: nowhere': 2 },
  });
  assert.deepEqual(withoutTime(batch), {
    count: 4,
    success: 1,
    failed: 3,
    errors: { 'Invalid batch request format. Expected { requests: [...] }': 3 },
  });

  for (const path of ['/compile', '/compile/stream', '/compile/batch', '/api/compile']) {
    const { status, headers, json } = await post(counted, path, inline('A'));
    assert.equal(status, 429);
    assert.equal(headers.get('content-type'), 'application/json');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(headers.get('retry-after'), '60');
    assert.deepEqual(json, { success: false, error: 'Rate limit exceeded. Maximum 10 requests per minute.' });
  }
  assert.equal((await ask(counted, 'GET', '/api')).status, 200, 'what costs nothing is not counted');
});
