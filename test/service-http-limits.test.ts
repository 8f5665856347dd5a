import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { startHttpConnections } from './support/attacks/http-connections.ts';
import { until } from './support/kit/until.ts';
import { startService } from './support/service.ts';
import { bin, start } from './support/weir.ts';

const service = await startService({ after }, [
  '--compile-clients',
  '127.0.0.3/32',
  '--requests-per-minute',
  '1000',
  '--http-connections-per-address',
  '50',
]);

type Sent = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly localAddress?: string;
  readonly agent?: Agent;
};

async function send(path: string, { method, headers = {}, json, localAddress = '127.0.0.3', agent }: Sent = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    headers: IncomingHttpHeaders;
    body: string;
  }>();
  const sent = request(`${service.url}${path}`, {
    method: method ?? (json === undefined ? 'GET' : 'POST'),
    localAddress,
    agent: agent ?? false,
    headers: { ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) },
  });
  sent.on('error', reject).on('response', (response) => {
    text(response).then(
      (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      reject,
    );
  });
  sent.end(json === undefined ? undefined : JSON.stringify(json));
  return promise;
}

const raw = async (written: string): Promise<string> => {
  const socket = connect(service.port, '127.0.0.1');
  socket.end(written);
  return text(socket);
};

const inline = { configuration: { name: 'a', sources: [{ source: '||a.example^' }] } };

test('an address has 50 connections at most, and another one is served as before', async (t) => {
  const attack = await startHttpConnections({ port: service.port, count: 500 });
  t.after(attack.stop);
  await until('connections to be closed', () => attack.open() <= 50);
  const startedAt = performance.now();
  const { status } = await send('/health/live');
  t.diagnostic(
    `500 connections of one address: ${attack.open()} stay open, ${attack.closed()} closed; another address answered ${status} in ${Math.round(performance.now() - startedAt)} ms`,
  );
  assert.equal(status, 200);
  assert.equal(attack.open(), 50);
  // The oldest idle one is closed for it.
  assert.equal((await send('/health/live', { localAddress: '127.0.0.2' })).status, 200);
});

test('connections with a request are not closed for new ones', async (t) => {
  const attack = await startHttpConnections({ port: service.port, count: 50, localAddress: '127.0.0.3', isBusy: true });
  t.after(attack.stop);
  await assert.rejects(send('/health/live'));
  assert.equal(attack.open(), 50);
  assert.equal((await send('/health/live', { localAddress: '127.0.0.6' })).status, 200);
  await attack.stop();
  const isServed = (): Promise<boolean> =>
    send('/health/live').then(
      ({ status }) => status === 200,
      () => false,
    );
  await until('the closed connections not to be counted', isServed);
});

test('a connection in use stays open', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let at = 0; at < 20; at++) assert.equal((await send('/health/live', { agent })).status, 200);
  agent.destroy();
});

const everywhere: readonly (readonly [string, Sent, number])[] = [
  ['/', {}, 0],
  ['/assets/nothing.js', {}, 404],
  ['/nothing', {}, 404],
  ['/%zz', {}, 404],
  ['/api', {}, 200],
  ['/api/openapi.json', {}, 200],
  ['/swagger', {}, 200],
  ['/metrics', {}, 200],
  ['/health/ready', {}, 200],
  ['/lists/0', {}, 404],
  ['/api/v1/session', {}, 401],
  ['/api/v1/nothing', {}, 404],
  ['/oapi/v1/devices', {}, 401],
  ['/oapi/v1/devices', { method: 'PATCH' }, 405],
  ['/oapi/v1/devices', { method: 'OPTIONS' }, 200],
  ['/compile', { json: inline }, 200],
  ['/compile', { json: {} }, 400],
  ['/compile', { json: inline, localAddress: '127.0.0.5' }, 403],
  ['/compile/stream', { json: inline }, 200],
  ['/validate', { json: {} }, 400],
  ['/health/live', { headers: { host: 'rebound.example' } }, 421],
];
for (const [path, sent, expected] of everywhere) {
  test(`X-Content-Type-Options is on ${sent.method ?? ''} ${path} (${expected})`, async () => {
    const { status, headers } = await send(path, sent);
    if (expected !== 0) assert.equal(status, expected);
    assert.equal(headers['x-content-type-options'], 'nosniff');
  });
}

test('two Host headers are 400, and HTTP/1.0 without one does not pass the host check', async () => {
  const two = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\nHost: rebound.example\r\nConnection: close\r\n\r\n';
  assert.match(await raw(two), /^HTTP\/1\.1 400 /);
  assert.match(await raw('GET /health/live HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 421 /);
});

const origin = { origin: 'https://page.example' };
const cors: readonly (readonly [string, Sent, '*' | undefined])[] = [
  ['/compile', { json: inline }, '*'],
  ['/compile', { method: 'OPTIONS' }, '*'],
  ['/compile/stream', { json: inline }, '*'],
  ['/api', {}, '*'],
  ['/metrics', {}, '*'],
  ['/oapi/v1/devices', {}, '*'],
  ['/oapi/v1/devices', { method: 'OPTIONS' }, '*'],
  ['/api/v1/session', {}, undefined],
  ['/api/v1/session', { method: 'OPTIONS' }, undefined],
  ['/api/v1/nothing', {}, undefined],
  ['/swagger/openapi.json', {}, undefined],
  ['/health/live', {}, undefined],
  ['/nothing', {}, undefined],
  ['/', {}, undefined],
];
for (const [path, sent, expected] of cors) {
  test(`a page of another origin ${expected ? 'may' : 'may not'} read ${sent.method ?? ''} ${path}`, async () => {
    const { headers } = await send(path, { ...sent, headers: origin });
    assert.equal(headers['access-control-allow-origin'], expected);
    assert.equal(headers['access-control-allow-credentials'], undefined);
  });
}

test('clients outside compile-clients need credentials to compile', async () => {
  const elsewhere = { localAddress: '127.0.0.5' };
  for (const path of ['/compile', '/api/compile', '/compile/stream', '/compile/batch', '/diff', '/validate']) {
    const { status, body } = await send(path, { ...elsewhere, json: inline });
    assert.equal(status, 403, path);
    assert.match(body, /compile-clients/);
  }
  const email = 'someone@example.org';
  const password = 'correct horse battery staple';
  const words = ['account', 'create', '--data', service.data, '--email', email, '--password-stdin', '--json'];
  const { code, stderr } = await start(`${bin}weir`, words, { cwd: service.data, stdin: password }).ended;
  assert.equal(code, 0, stderr);
  const signedIn = await fetch(`${service.url}/oapi/v1/oauth_token`, {
    method: 'POST',
    body: new URLSearchParams({ username: email, password }),
  });
  const { access_token } = (await signedIn.json()) as { access_token: string };
  const right = { authorization: `Bearer ${access_token}` };
  assert.equal((await send('/compile', { ...elsewhere, json: inline, headers: right })).status, 200);
  const wrong = { authorization: 'ApiKey nothing' };
  assert.equal((await send('/compile', { ...elsewhere, json: inline, headers: wrong })).status, 403);
});

test('a malformed path of the management API is a JSON 400', async () => {
  for (const path of ['/oapi/v1/devices/%ff', '/api/v1/members/%']) {
    const { status, headers, body } = await send(path);
    assert.deepEqual([status, headers['content-type']], [400, 'application/json'], path);
    assert.equal(JSON.parse(body).error_code, 'BAD_REQUEST');
    assert.ok(headers['x-request-id']);
  }
  assert.equal((await send('/elsewhere/%ff')).status, 404);
});

test('1,000 devices are a filter of the query log', async () => {
  const devices = Array.from({ length: 1000 }, (_, index) => `devices=${index.toString(16).padStart(8, '0')}`);
  const { status } = await send(`/oapi/v1/query_log?time_from_millis=0&time_to_millis=1&${devices.join('&')}`);
  assert.equal(status, 401, 'read completely: only the credentials are missing');
});
