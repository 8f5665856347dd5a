import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { type Service, startService } from './support/service.ts';

async function raw(service: Pick<Service, 'port'>, request: string, address = '127.0.0.1'): Promise<string> {
  const socket = connect(service.port, address);
  socket.end(request);
  return text(socket);
}

const get = (service: Pick<Service, 'port'>, host: string, path = '/health/live', address?: string): Promise<string> =>
  raw(service, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, address);

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1]);

test('a foreign host name that resolves to this machine is rejected', async (t) => {
  const service = await startService(t);
  for (const path of ['/', '/health/live', '/api/v1/session', '/oapi/v1/devices', '/assets/x.js', '/nothing']) {
    const answer = await get(service, `rebound.example:${service.port}`, path);
    assert.equal(statusOf(answer), 421, path);
    assert.match(answer, /content-type: application\/json\r\n/i);
    assert.match(answer, /\{"success":false,"error":"[^"]* set public-url to it"\}$/);
  }
  const posted = 'POST /compile HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}';
  assert.equal(statusOf(await raw(service, posted)), 421);
});

test('addresses, localhost and the name of the machine lead to the service, HTTP/1.0 without a name does not', async (t) => {
  const service = await startService(t);
  for (const host of ['127.0.0.1', '[::1]:8080', 'localhost', 'weir.localhost:80', hostname()])
    assert.equal(statusOf(await get(service, host)), 200, host);
  assert.equal(statusOf(await raw(service, 'GET /health/live HTTP/1.0\r\n\r\n')), 421);
  assert.equal(statusOf(await raw(service, 'GET /health/live HTTP/1.0\r\nHost: localhost\r\n\r\n')), 200);
});

test('so do the names of public-url, dns-host and device-domain', async (t) => {
  const names = ['--public-url', 'https://weir.example', '--dns-host', 'dns.example', '--device-domain', 'd.example'];
  const service = await startService(t, names);
  for (const [host, status] of [
    ['weir.example', 200],
    ['dns.example:443', 200],
    ['a1b2c3d4.d.example', 200],
    ['other.example', 421],
  ] as const)
    assert.equal(statusOf(await get(service, host)), status, host);
});

test('the host name of a request through a trusted proxy is not checked', async (t) => {
  const service = await startService(t, ['--trusted-proxy', '127.0.0.1']);
  assert.equal(statusOf(await get(service, 'other.example')), 200);
});

test('a service on every address knows loopback also as IPv4 over IPv6', async (t) => {
  const service = await startService(t, ['--http', ':0']);
  assert.equal(statusOf(await get(service, 'rebound.example')), 421);
  assert.equal(statusOf(await get(service, 'localhost')), 200);
});

test('the admin listener answers only under names of this service, behind a trusted proxy as well', async (t) => {
  const flags = ['--public-url', 'https://weir.example', '--trusted-proxy', '127.0.0.1'];
  const admin = { port: (await startService(t, flags)).adminPort };
  for (const [host, status] of [
    ['rebound.example', 421],
    [`rebound.example:${admin.port}`, 421],
    ['127.0.0.1:9090', 200],
    ['localhost', 200],
    ['[::1]:9090', 200],
    ['192.0.2.7:8081', 200],
    [hostname(), 200],
    ['weir.example', 200],
  ] as const)
    assert.equal(statusOf(await get(admin, host, '/metrics')), status, host);
  assert.equal(statusOf(await get(admin, 'rebound.example', '/nothing')), 421);
});
