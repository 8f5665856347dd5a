import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { certificateAuthority } from '../../../test/support/resolver/upstream/certificates.ts';
import {
  addressesOf,
  answered,
  answerTo,
  question,
  whyFailed,
} from '../../../test/support/resolver/upstream/messages.ts';
import { now, openOne, sleep } from '../../../test/support/resolver/upstream/one-upstream.ts';
import { startTlsUpstream, startUpstream } from '../../../test/support/resolver/upstream/upstream.ts';
import { lookedUpAddresses } from './host-addresses.ts';

const LONG = { timeoutMs: 3000 };
const authority = certificateAuthority();
const stranger = certificateAuthority();
const good = authority.issue('dns.example');
const trusting = { ca: [authority.cert] };

const openTls = async (
  t: TestContext,
  certificate = good,
  text = (port: number) => `tls://dns.example:${port}#127.0.0.1`,
) => {
  const sockets: TLSSocket[] = [];
  const server = await startTlsUpstream(t, certificate, {
    onConnect: (socket) => void sockets.push(socket as TLSSocket),
  });
  return { ...server, sockets, upstream: (more = {}) => openOne(t, text(server.port), { ...trusting, ...more }) };
};

test('an upstream with a certificate for its name is queried over TLS, with that server name', async (t) => {
  const server = await openTls(t);
  const answer = answered(await server.upstream().ask(question('example.com'), LONG));
  assert.deepEqual(addressesOf(answer), ['192.0.2.1']);
  assert.equal(server.sockets[0]!.alpnProtocol, 'dot');
  assert.equal((server.sockets[0] as TLSSocket & { servername: string }).servername, 'dns.example');
});

test('queries over TLS are padded, so that their length does not disclose the name', async (t) => {
  const server = await openTls(t);
  const upstream = server.upstream();
  await upstream.ask(question('a.example'), LONG);
  await upstream.ask(question('a-much-longer-name-than-the-other.example'), LONG);
  assert.deepEqual(
    server.queries.map(({ bytes }) => bytes.length),
    [128, 128],
  );
});

test('an upstream that is an address needs a certificate of that address', async (t) => {
  const text = (port: number) => `tls://127.0.0.1:${port}`;
  const right = await openTls(t, authority.issue('127.0.0.1'), text);
  assert.equal((await right.upstream().ask(question('example.com'), LONG)).kind, 'answer');
  const wrong = await openTls(t, authority.issue('127.0.0.2'), text);
  assert.equal(whyFailed(await wrong.upstream().ask(question('example.com'), LONG)), 'certificate');
});

const bad = {
  'that has expired': authority.issue('dns.example', 'expired'),
  'that is not valid yet': authority.issue('dns.example', 'not yet'),
  'of another name': authority.issue('dns.example.org'),
  'of an authority that nobody knows': stranger.issue('dns.example'),
};
for (const [what, certificate] of Object.entries(bad))
  test(`a certificate ${what} is rejected, and no query is sent, neither over TLS nor in plain text`, async (t) => {
    const server = await openTls(t, certificate);
    const answer = await server.upstream().ask(question('secret.example'), LONG);
    assert.equal(whyFailed(answer), 'certificate');
    await sleep(50);
    assert.equal(server.queries.length, 0);
  });

test('a server without TLS is rejected, and no query is sent in plain text', async (t) => {
  const server = await startUpstream(t, {});
  const bytes: Buffer[] = [];
  const plain = await startUpstream(t, {
    onConnect: (socket) => void socket.on('data', (chunk: Buffer) => bytes.push(chunk)).write('hello\n'),
  });
  const upstream = openOne(t, `tls://dns.example:${plain.port}#127.0.0.1`, trusting);
  assert.equal(whyFailed(await upstream.ask(question('secret.example'), LONG)), 'unreachable');
  assert.ok(!Buffer.concat(bytes).includes('secret'));
  assert.equal(server.udpQueries.length + plain.udpQueries.length, 0);
});

test('a server that accepts and then says nothing costs the time of the question', async (t) => {
  const server = await startUpstream(t, { tcp: () => {} });
  server.sockets.clear();
  const upstream = openOne(t, `tls://dns.example:${server.port}#127.0.0.1`, trusting);
  const begun = now();
  assert.equal(whyFailed(await upstream.ask(question('example.com'), { timeoutMs: 300 })), 'timeout');
  assert.ok(now() - begun < 1000);
});

test('the next connection resumes the last session', async (t) => {
  const reused: boolean[] = [];
  const server = await startTlsUpstream(t, good, {
    onConnect: (socket) => void reused.push((socket as TLSSocket).isSessionReused()),
  });
  const upstream = openOne(t, `tls://dns.example:${server.port}#127.0.0.1`, { ...trusting, idleMs: 30 });
  await upstream.ask(question('example.com'), LONG);
  await sleep(100);
  await upstream.ask(question('example.com'), LONG);
  assert.deepEqual(reused, [false, true]);
});

test('a session of one upstream does not help another with a bad certificate', async (t) => {
  const server = await openTls(t);
  await server.upstream().ask(question('example.com'), LONG);
  const other = await openTls(t, bad['that has expired']);
  assert.equal(whyFailed(await other.upstream().ask(question('example.com'), LONG)), 'certificate');
});

test('the AD bit of an upstream is trusted only if the settings say so, and never without encryption', async (t) => {
  const server = await startTlsUpstream(t, good, {
    tcp: (query, { reply }) => reply(answerTo(query, { authenticData: true })),
  });
  const plain = await startUpstream(t, { udp: (query, reply) => reply(answerTo(query, { authenticData: true })) });
  const authentic = async (text: string, trusted: boolean) =>
    answered(await openOne(t, text, { ...trusting, trusted }).ask(question('example.com'), LONG)).message.authenticData;
  assert.equal(await authentic(`tls://dns.example:${server.port}#127.0.0.1`, false), false);
  assert.equal(await authentic(`tls://dns.example:${server.port}#127.0.0.1`, true), true);
  assert.equal(await authentic(plain.text, true), false);
  assert.equal(await authentic(plain.tcpText, true), false);
});

test('an upstream that resolves to this program is not queried', async (t) => {
  const server = await startUpstream(t);
  const isOwn = (address: string, port: number) => address === '127.0.0.1' && port === server.port;
  for (const text of [server.text, server.tcpText, `tls://dns.example:${server.port}#127.0.0.1`])
    assert.equal(whyFailed(await openOne(t, text, { isOwn, ...trusting }).ask(question('example.com'), LONG)), 'loop');
  assert.equal(server.udpQueries.length + server.connections(), 0);
});

test('an address that does not answer is followed by the next, which is used first from then on', async (t) => {
  const server = await openTls(t, good, (port) => `tls://dns.example:${port}`);
  // No host has 192.0.2.1 (RFC 5737): connecting to it fails or gets no reply.
  const found = { addresses: ['192.0.2.1', '2001:db8::1', '127.0.0.1'], ttlSeconds: 60 };
  const addresses = lookedUpAddresses('dns.example', async () => found, now);
  const answer = await server.upstream({ addresses }).ask(question('example.com'), LONG);
  assert.deepEqual(addressesOf(answer), ['192.0.2.1']);
  assert.equal(await addresses.get(), '127.0.0.1');
});
