import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { certificateAuthority } from '../../../test/support/resolver/upstream/certificates.ts';
import { a, addressesOf, answerTo, question, whyFailed } from '../../../test/support/resolver/upstream/messages.ts';
import { now, openOne, sleep } from '../../../test/support/resolver/upstream/one-upstream.ts';
import {
  honestHttps,
  type OnRequest,
  startHttpsUpstream,
  startTlsUpstream,
  startWire,
} from '../../../test/support/resolver/upstream/upstream.ts';

const LONG = { timeoutMs: 3000 };
const authority = certificateAuthority();
const good = authority.issue('dns.example');
const DNS = { 'content-type': 'application/dns-message' };

const open = async (t: TestContext, onRequest: OnRequest = honestHttps, certificate = good) => {
  const server = await startHttpsUpstream(t, certificate, onRequest);
  const text = `https://dns.example:${server.port}/dns-query#127.0.0.1`;
  return { ...server, upstream: (more = {}) => openOne(t, text, { ca: [authority.cert], ...more }) };
};

test('a question is posted with id 0, padded, and its answer read', async (t) => {
  const server = await open(t);
  assert.deepEqual(addressesOf(await server.upstream().ask(question('example.com'), LONG)), ['192.0.2.1']);
  const { message, bytes } = server.queries[0]!;
  assert.equal(message.id, 0);
  assert.equal(bytes.length, 128);
  const { headers } = server.requests[0]!;
  assert.equal(headers[':method'], 'POST');
  assert.equal(headers[':path'], '/dns-query');
  assert.equal(headers[':authority'], `dns.example:${server.port}`);
  assert.equal(headers['content-type'], 'application/dns-message');
  assert.equal(headers['accept'], 'application/dns-message');
});

test('many questions share one connection', async (t) => {
  const server = await open(t, (query, response) => {
    const last = Number(query.name.split('.')[0]!.slice(1));
    setTimeout(
      () => response.writeHead(200, DNS).end(answerTo(query, { answer: [a(query.name, `192.0.2.${last}`)] })),
      60 - last,
    );
  });
  const upstream = server.upstream();
  const numbers = Array.from({ length: 60 }, (_, index) => index);
  const answers = await Promise.all(numbers.map((number) => upstream.ask(question(`n${number}.example`), LONG)));
  assert.deepEqual(
    answers.flatMap(addressesOf),
    numbers.map((number) => `192.0.2.${number}`),
  );
  assert.equal(server.opened(), 1);
});

const refused: Readonly<Record<string, { readonly does: OnRequest; readonly why: string }>> = {
  'another type': {
    does: (query, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(answerTo(query)),
    why: 'malformed',
  },
  'no type': { does: (query, response) => void response.end(answerTo(query)), why: 'malformed' },
  'more than 65,535 bytes': {
    does: (query, response) =>
      void response.writeHead(200, DNS).end(Buffer.concat([answerTo(query), Buffer.alloc(65_536)])),
    why: 'malformed',
  },
  'a redirection': {
    does: (_, response) => void response.writeHead(302, { location: 'https://elsewhere.example/' }).end(),
    why: 'status',
  },
  'status 404': { does: (_, response) => void response.writeHead(404).end(), why: 'status' },
  'status 429': { does: (_, response) => void response.writeHead(429, { 'retry-after': '7' }).end(), why: 'status' },
  'status 503': { does: (_, response) => void response.writeHead(503, DNS).end(), why: 'status' },
  'an id that is not 0': {
    does: (query, response) => {
      const bytes = Uint8Array.from(answerTo(query));
      bytes[1] = 1;
      response.writeHead(200, DNS).end(bytes);
    },
    why: 'malformed',
  },
  'another question': {
    does: (query, response) => {
      const bytes = Uint8Array.from(answerTo(query));
      bytes[13]! ^= 1;
      response.writeHead(200, DNS).end(bytes);
    },
    why: 'malformed',
  },
  'nothing in it': { does: (_, response) => void response.writeHead(200, DNS).end(), why: 'malformed' },
  'half a message': {
    does: (query, response) => void response.writeHead(200, DNS).end(answerTo(query).slice(0, -3)),
    why: 'malformed',
  },
};
for (const [what, { does, why }] of Object.entries(refused))
  test(`an answer with ${what} is rejected and not queried again`, async (t) => {
    const server = await open(t, does);
    assert.equal(whyFailed(await server.upstream().ask(question('example.com'), LONG)), why);
    assert.equal(server.queries.length, 1);
  });

test('how long to wait is passed on, up to half a minute', async (t) => {
  for (const [told, ms] of [
    ['7', 7000],
    ['3600', 30_000],
  ] as const) {
    const server = await open(t, (_, response) => void response.writeHead(429, { 'retry-after': told }).end());
    const answer = await server.upstream().ask(question('example.com'), LONG);
    assert.equal(answer.kind === 'failed' && answer.retryAfterMs, ms);
  }
});

test('a connection that the server closed is opened again', async (t) => {
  const server = await open(t);
  const upstream = server.upstream();
  await upstream.ask(question('example.com'), LONG);
  for (const session of server.sessions) session.destroy();
  assert.deepEqual(addressesOf(await upstream.ask(question('example.com'), LONG)), ['192.0.2.1']);
  assert.equal(server.opened(), 2);
});

test('a question whose stream is reset is posted once more', async (t) => {
  let asked = 0;
  const server = await open(t, (query, response, request) => {
    asked++;
    if (asked === 1) response.stream.close(2);
    else honestHttps(query, response, request);
  });
  assert.deepEqual(addressesOf(await server.upstream().ask(question('example.com'), LONG)), ['192.0.2.1']);
  assert.equal(asked, 2);
});

test('a server that always resets is queried twice', async (t) => {
  const server = await open(t, (_, response) => response.stream.close(2));
  assert.equal(whyFailed(await server.upstream().ask(question('example.com'), LONG)), 'closed');
  assert.equal(server.queries.length, 2);
});

test('a server that does not answer runs out of time, and its stream is given up', async (t) => {
  const server = await open(t, () => {});
  const upstream = server.upstream();
  assert.equal(whyFailed(await upstream.ask(question('example.com'), { timeoutMs: 200 })), 'timeout');
  await sleep(50);
  assert.ok(server.requests[0]!.stream.destroyed);
});

test('a connection on which not even a ping is answered is replaced within the time of the question', async (t) => {
  const server = await open(t);
  const wire = await startWire(t, server.port);
  const upstream = openOne(t, `https://dns.example:${wire.port}/dns-query#127.0.0.1`, { ca: [authority.cert] });
  await upstream.ask(question('example.com'), LONG);
  wire.cut();
  const begun = now();
  assert.deepEqual(addressesOf(await upstream.ask(question('example.com'), { timeoutMs: 5000 })), ['192.0.2.1']);
  const tookMs = now() - begun;
  assert.ok(tookMs > 1500 && tookMs < 4000, `${tookMs} ms`);
  assert.equal(server.opened(), 2);
});

test('an idle connection is closed', async (t) => {
  const server = await open(t);
  const upstream = server.upstream({ idleMs: 50 });
  await upstream.ask(question('example.com'), LONG);
  assert.equal(upstream.counters().open, 1);
  await sleep(150);
  assert.equal(upstream.counters().open, 0);
});

test('a server without HTTP/2 is refused', async (t) => {
  const server = await startTlsUpstream(t, { ...good, ALPNProtocols: ['http/1.1'] });
  const upstream = openOne(t, `https://dns.example:${server.port}/dns-query#127.0.0.1`, { ca: [authority.cert] });
  assert.equal(whyFailed(await upstream.ask(question('example.com'), LONG)), 'unreachable');
});

test('an invalid certificate is rejected before any query is sent', async (t) => {
  for (const certificate of [authority.issue('other.example'), authority.issue('dns.example', 'expired')]) {
    const server = await open(t, honestHttps, certificate);
    assert.equal(whyFailed(await server.upstream().ask(question('example.com'), LONG)), 'certificate');
    assert.equal(server.queries.length, 0);
  }
});

test('stopping ends what waits', async (t) => {
  const server = await open(t, () => {});
  const upstream = server.upstream();
  const asking = upstream.ask(question('example.com'), LONG);
  await sleep(100);
  upstream.stop();
  assert.equal(whyFailed(await asking), 'stopped');
  assert.equal(upstream.counters().open, 0);
});
