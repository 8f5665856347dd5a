import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { type ConnectionOptions, connect } from 'node:tls';
import fc from 'fast-check';
import { readClientHello } from './client-hello.ts';

/** The ClientHello of Node's TLS client. */
function helloFor(servername: string, options: ConnectionOptions = {}): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer) => resolve(chunk),
    });
    connect({ socket, servername, ...options }).on('error', () => undefined);
  });
}

/** The server name and the protocols of a whole hello. */
function namesIn(hello: Buffer) {
  const read = readClientHello(hello);
  assert.ok(read.kind === 'read' && read.used === 0);
  const { serverName, protocols } = read.value;
  return { serverName, protocols };
}

const record = (payload: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([22, 3, 1, payload.length >> 8, payload.length & 0xff]), payload]);

test('the name is found, in the case it was sent in', async () => {
  for (const name of ['abcdefgh.d.example', 'ABC.example', `${'a'.repeat(63)}.example`])
    assert.deepEqual(namesIn(await helloFor(name)), { serverName: name, protocols: [] });
});

test('a hello without a name has none', async () => {
  assert.deepEqual(namesIn(await helloFor('')), { serverName: undefined, protocols: [] });
});

test('the protocols are found', async () => {
  const protocols = ['h2', 'acme-tls/1'];
  const hello = await helloFor('a.example', { ALPNProtocols: protocols });
  assert.deepEqual(namesIn(hello), { serverName: 'a.example', protocols });
});

test('the request for a status, TLS 1.3 and the signature schemes are found', async () => {
  const found = async (options: ConnectionOptions) => {
    const read = readClientHello(await helloFor('a.example', options));
    assert.ok(read.kind === 'read');
    const { asksForStatus, offersTls13, signatureSchemes } = read.value;
    return { asksForStatus, offersTls13, signatureSchemes };
  };
  const sigalgs = 'ecdsa_secp256r1_sha256:rsa_pss_rsae_sha256';
  const signatureSchemes = [0x0403, 0x0804];
  assert.deepEqual(await found({ sigalgs, requestOCSP: true }), {
    asksForStatus: true,
    offersTls13: true,
    signatureSchemes,
  });
  assert.deepEqual(await found({ sigalgs, maxVersion: 'TLSv1.2' }), {
    asksForStatus: false,
    offersTls13: false,
    signatureSchemes,
  });
});

test('a hello that is cut is not yet whole, and records may cut it anywhere', async () => {
  const hello = await helloFor('abcdefgh.d.example');
  for (let cut = 0; cut < hello.length; cut++)
    assert.deepEqual(readClientHello(hello.subarray(0, cut)), { kind: 'more' });
  const message = hello.subarray(5);
  for (let cut = 1; cut < message.length; cut += 7) {
    const records = Buffer.concat([record(message.subarray(0, cut)), record(message.subarray(cut))]);
    assert.deepEqual(namesIn(records), { serverName: 'abcdefgh.d.example', protocols: [] });
  }
});

const malformed: Readonly<Record<string, Uint8Array>> = {
  HTTP: Buffer.from('GET / HTTP/1.1\r\n\r\n'),
  'DNS over TCP': Buffer.from([0, 17, 0, 0]),
  'another version of records': Buffer.from([22, 2, 0, 0, 5]),
  'another message': record(Buffer.from([2, 0, 0, 1, 0])),
  'a message that announces too much': record(Buffer.from([1, 1, 0, 0, 3, 3])),
  'empty records without end': Buffer.concat(Array.from({ length: 4000 }, () => record(new Uint8Array()))),
};

for (const [name, bytes] of Object.entries(malformed))
  test(`malformed: ${name}`, () => {
    assert.deepEqual(readClientHello(bytes), { kind: 'malformed' });
  });

test('no bytes make it throw, and every name returned is valid', async () => {
  const hello = await helloFor('abcdefgh.d.example');
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(hello.length - 1), fc.nat(255)), { maxLength: 20 }), (changes) => {
      const changed = Buffer.from(hello);
      for (const [at, value] of changes) changed[at] = value;
      const found = readClientHello(changed);
      const name = found.kind === 'read' ? found.value.serverName : undefined;
      if (name !== undefined) assert.match(name, /^[!-~]+$/);
    }),
    { numRuns: 1000 },
  );
});
