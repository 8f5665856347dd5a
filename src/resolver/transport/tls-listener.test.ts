import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { type ConnectionOptions, connect, createSecureContext, type TLSSocket } from 'node:tls';
import { answersForTests, query, readAnswer } from '../../../test/support/resolver/transport/answers.ts';
import { identityForTests, tcpClient, tlsClient } from '../../../test/support/resolver/transport/stream.ts';
import { clientLimit, clientLimitMemory } from './client-limit.ts';
import { makeSelfSigned } from './make-self-signed.ts';
import { listenDot } from './stream.ts';
import type { TcpListener } from './tcp-listener.ts';
import { newTicketSecret, ticketKeys } from './ticket-keys.ts';
import type { TlsListenerOptions } from './tls-listener.ts';

const tls = await identityForTests();

async function startDot(t: TestContext, options: Partial<TlsListenerOptions> = {}): Promise<TcpListener> {
  const listener = await listenDot(
    { host: '127.0.0.1', port: 0, report: () => undefined, tls, ...options },
    answersForTests,
  );
  t.after(() => listener.stop());
  return listener;
}

async function seenBy(t: TestContext, options: ConnectionOptions) {
  const client = await tlsClient(t, options);
  client.ask(query(1, 'atOnce'));
  const answer = await client.next();
  return { answer: answer && readAnswer(answer), socket: client.socket as TLSSocket };
}

const handshakes: readonly (readonly [why: string, options: ConnectionOptions, served: boolean])[] = [
  ['TLS 1.3', { minVersion: 'TLSv1.3' }, true],
  ['TLS 1.2', { maxVersion: 'TLSv1.2' }, true],
  ['TLS 1.1', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' }, false],
  ['the protocol dot', { ALPNProtocols: ['dot'] }, true],
  ['dot among others', { ALPNProtocols: ['h2', 'dot'] }, true],
  ['only another protocol', { ALPNProtocols: ['h2', 'http/1.1'] }, false],
];

test('TLS 1.2 and later, with the protocol dot or none, is served; everything else is not', async (t) => {
  const { address } = await startDot(t);
  for (const [why, options, served] of handshakes) {
    const { answer, socket } = await seenBy(t, { port: address.port, ...options });
    assert.equal(answer !== undefined, served, why);
    if (served && options.ALPNProtocols) assert.equal(socket.alpnProtocol, 'dot', why);
  }
});

test('a connection without TLS is closed', async (t) => {
  const server = await startDot(t);
  for (const text of ['GET / HTTP/1.1\r\n\r\n', '\0\x11plain DNS over TCP', '\x16\x03\x01\0\x05hello']) {
    const client = await tcpClient(t, server.address);
    client.socket.write(text);
    await client.closed;
  }
  assert.equal(server.counts().open, 0);
});

test('the server name of the handshake is passed on in its case, and undefined without one', async (t) => {
  const { port } = (await startDot(t)).address;
  const nameFor = async (servername: string) => (await seenBy(t, { port, servername })).answer?.serverName;
  assert.equal(await nameFor('abcdefgh.d.example'), 'abcdefgh.d.example');
  assert.equal(await nameFor('ABCDEFGH.D.example'), 'ABCDEFGH.D.example');
  assert.equal(await nameFor('somewhere.else'), 'somewhere.else');
  assert.equal(await nameFor(''), undefined);
});

for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
  test(`${version}: a resumed session has the server name of its own handshake, not of the first one`, async (t) => {
    const { port } = (await startDot(t)).address;
    const client = await tlsClient(t, {
      port,
      servername: 'first.d.example',
      minVersion: version,
      maxVersion: version,
    });
    const socket = client.socket as TLSSocket;
    let session = socket.getSession();
    socket.on('session', (given) => {
      session = given;
    });
    client.ask(query(1, 'atOnce'));
    await client.next();
    const again = { port, minVersion: version, maxVersion: version, ...(session ? { session } : {}) };
    const same = await seenBy(t, { ...again, servername: 'first.d.example' });
    assert.deepEqual([same.socket.isSessionReused(), same.answer?.serverName], [true, 'first.d.example']);
    const other = await seenBy(t, { ...again, servername: 'second.d.example' });
    assert.equal(other.answer?.serverName, 'second.d.example');
  });

test('a new certificate is used for the next handshake; open connections continue', async (t) => {
  const material = await Promise.all([1, 2].map(() => makeSelfSigned(['localhost'], [], Date.now())));
  let current = material[0]!;
  let changed = (): void => undefined;
  const identity = {
    current: () => current,
    onChange(listener: () => void) {
      changed = listener;
      return () => undefined;
    },
  };
  const { address } = await startDot(t, { tls: identity });
  const print = (socket: TLSSocket): string => socket.getPeerCertificate().fingerprint256;
  const before = await tlsClient(t, address);
  current = material[1]!;
  changed();
  const after = await tlsClient(t, address);
  assert.notEqual(print(before.socket as TLSSocket), print(after.socket as TLSSocket));
  for (const client of [before, after]) {
    client.ask(query(1, 'atOnce'));
    assert.ok(await client.next());
  }
});

for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
  test(`a session of one node is resumed by another with the same ticket keys, also with another certificate (${version})`, async (t) => {
    const [same, other] = [newTicketSecret(Date.now()), newTicketSecret(Date.now())];
    const listeners = {
      first: await startDot(t, { ticketKeys: ticketKeys(same) }),
      second: await startDot(t, { ticketKeys: ticketKeys(same), tls: await identityForTests() }),
      third: await startDot(t, { ticketKeys: ticketKeys(other) }),
    };
    let session: Buffer | undefined;
    const isReused = async (listener: TcpListener): Promise<boolean> => {
      const options = { port: listener.address.port, host: '127.0.0.1', rejectUnauthorized: false } as const;
      const socket = connect({ ...options, minVersion: version, maxVersion: version, ...(session && { session }) });
      const ticket = session ? undefined : once(socket, 'session');
      await once(socket, 'secureConnect');
      session ??= ((await ticket) as [Buffer])[0];
      const reused = socket.isSessionReused();
      socket.destroy();
      return reused;
    };
    assert.equal(await isReused(listeners.first), false);
    assert.equal(await isReused(listeners.second), true);
    assert.equal(await isReused(listeners.third), false);
  });

test('handshakes are limited for each block of clients', async (t) => {
  const limits = { memory: clientLimitMemory(1024), secret: new Uint8Array(8), isExempt: () => false };
  const { address } = await startDot(t, { handshakes: clientLimit({ ...limits, queries: 3, seconds: 1000 }) });
  const served = async () => (await seenBy(t, { port: address.port })).answer !== undefined;
  assert.deepEqual([await served(), await served(), await served(), await served()], [true, true, true, false]);
});

test('openssl cannot renegotiate', { skip: spawnSync('openssl', ['version']).error !== undefined }, async (t) => {
  const { port } = (await startDot(t)).address;
  const client = spawn('openssl', ['s_client', '-connect', `127.0.0.1:${port}`, '-tls1_2']);
  t.after(() => client.kill());
  let said = '';
  for (const stream of [client.stdout, client.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  while (!said.includes('Verify return code')) await once(client.stdout, 'data');
  client.stdin.write('R\n');
  await once(client, 'close');
  assert.match(said, /no renegotiation/);
});

const suites: readonly (readonly [kind: 'ECDSA' | 'RSA', suite: string, served: boolean])[] = [
  ['ECDSA', 'ECDHE-ECDSA-AES128-GCM-SHA256', true],
  ['ECDSA', 'ECDHE-ECDSA-AES256-GCM-SHA384', true],
  ['ECDSA', 'ECDHE-ECDSA-CHACHA20-POLY1305', true],
  ['ECDSA', 'ECDHE-ECDSA-AES128-SHA', false],
  ['ECDSA', 'ECDHE-ECDSA-AES256-SHA384', false],
  ['RSA', 'ECDHE-RSA-AES128-GCM-SHA256', true],
  ['RSA', 'ECDHE-RSA-CHACHA20-POLY1305', true],
  ['RSA', 'ECDHE-RSA-AES128-SHA', false],
  ['RSA', 'ECDHE-RSA-AES256-SHA', false],
  ['RSA', 'AES128-SHA', false],
  ['RSA', 'AES128-GCM-SHA256', false],
];

test('TLS 1.2 has no CBC suites and no RSA key exchange, with certificates of either kind', {
  skip: spawnSync('openssl', ['version']).error !== undefined,
}, async (t) => {
  const ports = {
    ECDSA: (await startDot(t)).address.port,
    RSA: (await startDot(t, { tls: rsaIdentity() })).address.port,
  };
  for (const [kind, suite, served] of suites) {
    const words = ['s_client', '-connect', `127.0.0.1:${ports[kind]}`, '-tls1_2', '-cipher', `${suite}:@SECLEVEL=0`];
    const client = spawn('openssl', words, { stdio: ['pipe', 'pipe', 'ignore'] });
    t.after(() => client.kill());
    client.stdin.end();
    let said = '';
    client.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await once(client, 'close');
    assert.equal(new RegExp(`Cipher is ${suite}\\b`).test(said), served, `${suite}: ${said}`);
  }
});

function rsaIdentity(): TlsListenerOptions['tls'] {
  const words = 'req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -days 2 -keyout - -out -';
  const pem = spawnSync('openssl', words.split(' '), { encoding: 'utf8' }).stdout;
  return { current: () => ({ cert: pem, key: pem }), onChange: () => () => undefined };
}

test('kdig asks over TLS', { skip: spawnSync('kdig', ['--version']).error !== undefined }, async (t) => {
  const { port } = (await startDot(t)).address;
  // AA without RD makes the third byte 4, which requests an echo.
  const flags = ['+tls', '+tls-sni=abcdefgh.d.example', '+norec', '+aaflag', '+noedns', '+time=2'];
  const kdig = spawn('kdig', ['@127.0.0.1', '-p', `${port}`, ...flags, 'a.example', 'A']);
  let said = '';
  kdig.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(kdig, 'close');
  assert.match(said, /status: NOERROR/);
});

test('acme-tls/1 gets the certificate of the pending challenge of its domain, and nothing without one', async (t) => {
  const { cert, key } = await makeSelfSigned(['challenge.example'], [], Date.now());
  const context = createSecureContext({ cert, key });
  const { address } = await startDot(t, {
    challengeOf: (domain) => (domain === 'dns.example' ? context : undefined),
  });
  const handshake = async (servername: string): Promise<string | undefined> => {
    const options = { port: address.port, host: '127.0.0.1', servername, ALPNProtocols: ['acme-tls/1'] };
    const socket = connect({ ...options, rejectUnauthorized: false });
    try {
      await once(socket, 'secureConnect');
      assert.equal(socket.alpnProtocol, 'acme-tls/1');
      return socket.getPeerCertificate().subjectaltname;
    } catch {
      return undefined;
    } finally {
      socket.destroy();
    }
  };
  assert.equal(await handshake('dns.example'), 'DNS:challenge.example');
  assert.equal(await handshake('other.example'), undefined);
});

test('a stapled response is sent to clients that ask, and only with the certificate to which it belongs', async (t) => {
  const [one, other] = await Promise.all([identityForTests(), identityForTests()]);
  const pairOf = ({ current }: typeof tls, fingerprint: string, schemes: readonly number[]) => {
    const { cert, key } = current();
    return { cert: Buffer.from(String(cert)), key: Buffer.from(String(key)), fingerprint, schemes };
  };
  const pairs = [pairOf(one, 'one', [0x0403])];
  const staples = new Map([['one', Buffer.from('response')]]);
  const stapleOf = (fingerprint: string): Uint8Array | undefined => staples.get(fingerprint);
  const { address } = await startDot(t, { tls: { ...one, pairs: () => pairs }, stapleOf });
  const stapled = async (options: ConnectionOptions = {}): Promise<string | undefined> => {
    const socket = connect({
      port: address.port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      requestOCSP: true,
      ...options,
    });
    t.after(() => socket.destroy());
    const [[response]] = await Promise.all([once(socket, 'OCSPResponse'), once(socket, 'secureConnect')]);
    return (response as Buffer | null)?.toString();
  };
  assert.equal(await stapled(), 'response');
  assert.equal(await stapled({ maxVersion: 'TLSv1.2' }), 'response');
  staples.set('one', Buffer.from('renewed'));
  assert.equal(await stapled(), 'renewed');
  assert.ok((await seenBy(t, { port: address.port, requestOCSP: true })).answer, 'queries are answered there, too');
  pairs.push(pairOf(other, 'other', [0x0804]));
  assert.equal(await stapled(), 'renewed');
  assert.equal(await stapled({ maxVersion: 'TLSv1.2' }), undefined, 'the choice cannot be foreseen');
  staples.clear();
  assert.equal(await stapled(), undefined);
});
