import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { startManagement } from '../../test/support/management.ts';
import { createClient, WeirError } from './index.ts';

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('path, query, headers and body are sent as the document describes them', async (t) => {
  const seen: unknown[] = [];
  const baseUrl = await serve(t, ({ method, url, headers }, response) => {
    const names = ['authorization', 'x-account-id', 'if-match', 'idempotency-key', 'content-type', 'x-team'];
    seen.push([method, url, ...names.map((name) => headers[name])]);
    response.setHeader('content-type', 'application/json').end('[]');
  });
  const settings = { baseUrl: `${baseUrl}/`, accountId: '7', headers: { 'x-team': 'a' } };
  const client = createClient({ ...settings, apiKey: 'key' });
  await client.request('PUT /oapi/v1/devices/{device_id}', {
    params: { device_id: 'a/b' },
    body: { name: 'x' },
    ifMatch: '"1"',
  });
  await client.request('GET /oapi/v1/query_log', {
    query: { time_from_millis: 1, time_to_millis: 2, devices: ['a', 'b'], search: undefined, companies: 'c' },
    accountId: '8',
  });
  await createClient({ ...settings, accessToken: 'token' }).request('POST /oapi/v1/devices', {
    body: { name: 'x', device_type: 'IOS', dns_server_id: 's' },
    idempotencyKey: 'once',
  });
  assert.deepEqual(seen, [
    ['PUT', '/oapi/v1/devices/a%2Fb', 'ApiKey key', '7', '"1"', undefined, 'application/json', 'a'],
    [
      'GET',
      '/oapi/v1/query_log?time_from_millis=1&time_to_millis=2&devices=a&devices=b&companies=c',
      'ApiKey key',
      '8',
      undefined,
      undefined,
      undefined,
      'a',
    ],
    ['POST', '/oapi/v1/devices', 'Bearer token', '7', undefined, 'once', 'application/json', 'a'],
  ]);
});

test('content other than JSON returns the response, which can be read as a stream', async (t) => {
  const baseUrl = await serve(t, (_request, response) => {
    response.setHeader('content-type', 'text/event-stream').write('event: query\n');
  });
  const stream = await createClient({ baseUrl }).request('GET /api/v1/query_log/live');
  const { value } = await stream.body!.getReader().read();
  assert.equal(new TextDecoder().decode(value), 'event: query\n');
});

test('a WeirError has status, code, fields and request id; without a response its status is 0', async (t) => {
  const field = { error_code: 'FIELD_REQUIRED', field: 'name', message: 'is missing' };
  const baseUrl = await serve(t, ({ method }, response) => {
    response.setHeader('x-request-id', 'r1').setHeader('retry-after', '3');
    if (method === 'DELETE') return response.destroy();
    if (method === 'GET') return response.writeHead(502, { 'content-type': 'text/html' }).end('<p>Bad gateway');
    const body = JSON.stringify({ error_code: 'BAD_REQUEST', message: 'Validation failed', fields: [field] });
    return response.writeHead(400, { 'content-type': 'application/json' }).end(body);
  });
  const client = createClient({ baseUrl });
  await assert.rejects(client.request('POST /api/v1/api_keys', { body: { name: '' } }), {
    name: 'WeirError',
    message: 'POST /api/v1/api_keys: 400, Validation failed, name: is missing',
    status: 400,
    code: 'BAD_REQUEST',
    fields: [field],
    requestId: 'r1',
    retryAfterSeconds: 3,
  });
  await assert.rejects(client.request('GET /api/v1/api_keys'), { status: 502, code: undefined, fields: [] });
  await assert.rejects(
    client.request('DELETE /api/v1/session'),
    (error) => error instanceof WeirError && error.status === 0 && error.cause instanceof TypeError,
  );
});

test('an aborted request throws the reason of the signal', async (t) => {
  const baseUrl = await serve(t, () => {});
  const signal = AbortSignal.timeout(20);
  await assert.rejects(createClient({ baseUrl }).request('GET /api/v1/account', { signal }), { name: 'TimeoutError' });
});

test('a change with the ETag of a replaced state is 412, and a repeated POST is executed once', async (t) => {
  const { url, account } = await startManagement(t);
  const accessToken = (await account('anna@example.org')).replace('Bearer ', '');
  const weir = createClient({ baseUrl: url, accessToken });
  const [server] = await weir.request('GET /oapi/v1/dns_servers');
  const params = { dns_server_id: server!.id };
  const { etag } = await weir.exchange('GET /oapi/v1/dns_servers/{dns_server_id}/settings', { params });
  const change = (seconds: number) =>
    weir.request('PUT /oapi/v1/dns_servers/{dns_server_id}/settings', {
      params,
      ifMatch: etag,
      body: { block_ttl_seconds: seconds },
    });
  await change(30);
  await assert.rejects(change(40), { status: 412 });
  const body = { name: 'Phone', device_type: 'IOS', dns_server_id: server!.id } as const;
  const create = () => weir.request('POST /oapi/v1/devices', { body, idempotencyKey: 'k' });
  assert.equal((await create()).id, (await create()).id);
});
