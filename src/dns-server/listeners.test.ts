import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { MessageChannel } from 'node:worker_threads';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { answersForTests } from '../../test/support/resolver/transport/answers.ts';
import { askHttps1 } from '../../test/support/resolver/transport/doh.ts';
import { createPortStreams } from '../platform/port-streams.ts';
import { networkSet } from '../resolver/identity/networks.ts';
import { ensureSelfSigned } from '../resolver/transport/self-signed.ts';
import { openListeners } from './listeners.ts';

// Not a loopback address: those are exempt from limits.
const outside = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
const skip = outside === undefined && 'this machine has no other address than itself';

test('a network that begins too many handshakes over TLS and HTTPS is refused further ones', { skip }, async (t) => {
  const folder = await temporaryFolder(t);
  const certificate = await ensureSelfSigned({ folder, names: ['localhost'], addresses: [], now: Date.now() });
  const connections = { total: 1000, perClient: 1000 };
  const settings = {
    certificates: [certificate],
    proxies: [],
    connections,
    sharePorts: false,
    web: { from: 'off', forwarders: [], timeoutMs: 1000 } as const,
    isUnlimited: networkSet(['127.0.0.0/8']),
  };
  const listeners = openListeners(settings, () => undefined, 10);
  t.after(() => listeners.stop());
  const places = [
    await listeners.listen('dot', { host: outside!, port: 0 }, answersForTests),
    await listeners.listen('doh', { host: outside!, port: 0 }, answersForTests),
  ];
  /** How many of `count` concurrent handshakes are refused. */
  const refusedOf = async (count: number): Promise<number> => {
    const sockets = Array.from({ length: count }, (_, at) =>
      connect({ port: places[at % 2]!.port, host: outside!, rejectUnauthorized: false, servername: 'localhost' }),
    );
    const served = await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<boolean>((resolve) => {
            socket.on('error', () => socket.destroy());
            socket.once('secureConnect', () => resolve(true)).once('close', () => resolve(false));
          }),
      ),
    );
    for (const socket of sockets) socket.destroy();
    return served.filter((isServed) => !isServed).length;
  };
  assert.equal(await refusedOf(10), 0);
  const refused = await refusedOf(100);
  // Tokens are added while a slow machine completes the handshakes.
  assert.ok(refused > 0, 'all of 100 were served');
});

test('an OCSP response is stapled until it expires', async (t) => {
  const folder = await temporaryFolder(t);
  const certificate = await ensureSelfSigned({ folder, names: ['localhost'], addresses: [], now: Date.now() });
  const { fingerprint256: fingerprint } = new X509Certificate(await readFile(certificate.certFile));
  const settings = {
    certificates: [certificate],
    proxies: [],
    connections: { total: 10, perClient: 10 },
    sharePorts: false,
    web: { from: 'off', forwarders: [], timeoutMs: 1000 } as const,
    isUnlimited: networkSet(['127.0.0.0/8']),
  };
  const listeners = openListeners(settings, () => undefined);
  t.after(() => listeners.stop());
  const { port } = await listeners.listen('doh', { host: '127.0.0.1', port: 0 }, answersForTests);
  const stapledWith = async (endsAt: number): Promise<string | undefined> => {
    listeners.useStaples([{ fingerprint, response: Buffer.from('response'), endsAt }]);
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, requestOCSP: true });
    const [response] = (await once(socket, 'OCSPResponse')) as [Buffer | null];
    socket.destroy();
    return response?.toString();
  };
  assert.equal(await stapledWith(Date.now() + 60_000), 'response');
  assert.equal(await stapledWith(Date.now()), undefined);
});

test('with web "off", the listener for DNS over HTTPS serves nothing else, even when the HTTP server runs', async (t) => {
  const folder = await temporaryFolder(t);
  const certificate = await ensureSelfSigned({ folder, names: ['localhost'], addresses: [], now: Date.now() });
  const statusWith = async (from: 'off' | 'private'): Promise<number> => {
    const settings = {
      certificates: [certificate],
      proxies: [],
      connections: { total: 10, perClient: 10 },
      sharePorts: false,
      web: { from, forwarders: [], timeoutMs: 1000 },
      isUnlimited: networkSet(['127.0.0.0/8']),
    };
    const listeners = openListeners(settings, () => undefined);
    const { port1, port2 } = new MessageChannel();
    const server = createServer((_request, response) => response.end());
    createPortStreams(port2, (stream) => server.emit('connection', stream));
    listeners.serveWeb(port1);
    const { port } = await listeners.listen('doh', { host: '127.0.0.1', port: 0 }, answersForTests);
    const { status } = await askHttps1(t, port, { path: '/' });
    port2.close();
    await listeners.stop();
    return status;
  };
  assert.deepEqual([await statusWith('off'), await statusWith('private')], [404, 200]);
});
