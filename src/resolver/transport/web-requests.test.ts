import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { query } from '../../../test/support/resolver/transport/answers.ts';
import {
  type Ask,
  askHttp2,
  askHttps1,
  askOn,
  http2Client,
  startDoh,
} from '../../../test/support/resolver/transport/doh.ts';
import { createPortStreams } from '../../platform/port-streams.ts';
import type { Origin } from './connections.ts';
import { createWeb, type WebOptions } from './web-requests.ts';

const dns = `/dns-query?dns=${Buffer.from(query(0, 'atOnce')).toString('base64url')}`;
const versions = [
  { name: 'HTTP/2', ask: askHttp2 },
  { name: 'HTTP/1.1', ask: askHttps1 },
];

/** The listener for DNS over HTTPS with an HTTP server behind it, as in another thread. */
async function start(t: TestContext, answer: RequestListener, options: Partial<WebOptions> = {}) {
  const { port1, port2 } = new MessageChannel();
  t.after(() => port1.close());
  const server = createServer(answer);
  const accepted: Origin[] = [];
  createPortStreams<Origin>(port2, (stream: Duplex, origin) => {
    accepted.push(origin);
    stream.on('error', () => undefined);
    server.emit('connection', stream);
  });
  const { connect, open } = createPortStreams<Origin>(port1);
  const web = createWeb({ from: 'private', forwarders: () => false, connect, ...options });
  const { address } = await startDoh(t, { web });
  return { port: address.port, accepted, open };
}

const echo: RequestListener = (request, response) => {
  void buffer(request).then((body) => {
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    response.writeHead(201, { 'content-type': 'application/json', 'x-long': 'x'.repeat(300) });
    const { method, url, headers, httpVersion } = request;
    response.end(JSON.stringify({ method, url, headers, httpVersion, length: body.length }));
  });
};

for (const { name, ask } of versions) {
  test(`${name}: a request that is not a DNS query reaches the HTTP server, with its fields and its client`, async (t) => {
    const { port, accepted } = await start(t, echo);
    const body = Buffer.alloc(1_500_000, 'x');
    const sent: Ask = {
      method: 'POST',
      path: '/api/v1/thing?a=1',
      headers: { authorization: 'Bearer x', cookie: 'c=1; d=2', 'x-other': 'y' },
      body,
    };
    const { status, headers, body: got } = await ask(t, port, sent);
    assert.equal(status, 201);
    assert.deepEqual([headers['set-cookie'], headers['x-long']], [['a=1', 'b=2'], 'x'.repeat(300)]);
    const seen = JSON.parse(got.toString());
    assert.deepEqual([seen.method, seen.url, seen.length], ['POST', '/api/v1/thing?a=1', 1_500_000]);
    assert.match(seen.headers.host, new RegExp(`:${port}$`));
    assert.deepEqual(
      [seen.headers.authorization, seen.headers.cookie, seen.headers['x-other']],
      ['Bearer x', 'c=1; d=2', 'y'],
    );
    assert.deepEqual(
      [[...accepted[0]!.client], [...accepted[0]!.local]],
      [
        [127, 0, 0, 1],
        [127, 0, 0, 1],
      ],
    );
  });

  test(`${name}: a large response arrives completely, HEAD has no body, and DNS is answered meanwhile`, async (t) => {
    const large = Buffer.alloc(2_000_000, 'abc');
    const { port } = await start(t, (_request, response) => {
      response.writeHead(200, { 'content-length': large.length }).end(large);
    });
    assert.ok((await ask(t, port, { path: '/assets/large.js' })).body.equals(large));
    const head = await ask(t, port, { method: 'HEAD', path: '/' });
    assert.deepEqual([head.status, head.headers['content-length'], head.body.length], [200, '2000000', 0]);
    const answer = await ask(t, port, { path: dns });
    assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'application/dns-message']);
  });

  test(`${name}: while the HTTP server does not run, the request gets 503`, async (t) => {
    const { port } = await start(t, echo, { connect: () => undefined });
    assert.equal((await ask(t, port, { path: '/' })).status, 503);
    assert.equal((await ask(t, port, { path: dns })).status, 200);
  });

  test(`${name}: a server that closes the connection without a response means 503`, async (t) => {
    const { port } = await start(t, (request) => request.socket.destroy());
    assert.equal((await ask(t, port, { path: '/' })).status, 503);
  });

  test(`${name}: a client behind a trusted proxy is not private because the proxy is`, async (t) => {
    const { port } = await start(t, echo, { forwarders: ([first]) => first === 127 });
    const from = (forwarded: string) => ask(t, port, { path: '/', headers: { 'x-forwarded-for': forwarded } });
    assert.equal((await from('8.8.8.8')).status, 404);
    assert.equal((await from('192.168.1.5')).status, 201);
  });
}

test('only private clients on private addresses are served, unless all are', async () => {
  const addresses = { private: Uint8Array.of(192, 168, 1, 5), public: Uint8Array.of(8, 8, 8, 8) };
  const may = (from: 'private' | 'on', client: Uint8Array, local: Uint8Array): boolean =>
    createWeb({ from, forwarders: () => false, connect: () => undefined }).mayServe(
      { client, clientPort: 1, local },
      undefined,
    );
  assert.equal(may('private', addresses.private, addresses.private), true);
  // Port forwarding: the router has a public address, this machine a private one.
  assert.equal(may('private', addresses.public, addresses.private), false);
  assert.equal(may('private', addresses.private, addresses.public), false);
  assert.equal(may('on', addresses.public, addresses.public), true);
});

test('HTTP/2: a malformed path gets 400 and does not split the request', async (t) => {
  const { port } = await start(t, echo);
  const session = await http2Client(t, port);
  const told = await askOn(session, { path: '/a HTTP/1.1' });
  assert.equal(told.status, 400);
});

test('HTTP/2: events of a stream arrive one by one, and a client that leaves ends the request', async (t) => {
  const closed = Promise.withResolvers<void>();
  const next = Promise.withResolvers<void>();
  const { port, open } = await start(t, (_request, response) => {
    response.write('first\n');
    void next.promise.then(() => response.write('second\n'));
    response.on('close', closed.resolve);
  });
  const session = await http2Client(t, port);
  const stream = session.request({ ':path': '/events' });
  assert.equal(String((await once(stream, 'data'))[0]), 'first\n');
  next.resolve();
  assert.equal(String((await once(stream, 'data'))[0]), 'second\n');
  stream.close();
  await closed.promise;
  assert.equal(open(), 0);
});

test('HTTP/2: a client that does not read a response stops the server', async (t) => {
  let written = 0;
  const { port } = await start(t, (_request, response) => {
    const write = (): void => {
      while (written < 20_000_000 && response.write(Buffer.alloc(16_384))) written += 16_384;
    };
    response.on('drain', write);
    write();
  });
  const session = await http2Client(t, port);
  const stream = session.request({ ':path': '/' });
  await once(stream, 'response');
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
  assert.ok(written < 2_000_000, `${written} bytes were written`);
  stream.destroy();
});

test('HTTP/2: requests of one connection run concurrently', async (t) => {
  const { port } = await start(t, (request, response) => {
    void text(request).then(() => response.end(request.url));
  });
  const session = await http2Client(t, port);
  const paths = Array.from({ length: 40 }, (_, nth) => (nth % 2 ? dns : `/page/${nth}`));
  const all = await Promise.all(paths.map((path) => askOn(session, { path })));
  for (const [nth, { status, body }] of all.entries()) {
    assert.equal(status, 200);
    if (nth % 2 === 0) assert.equal(body.toString(), `/page/${nth}`);
  }
});
