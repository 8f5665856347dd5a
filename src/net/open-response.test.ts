import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type LookupFunction, type Socket } from 'node:net';
import { test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { inspect } from 'node:util';
import { fairTime } from '../../test/support/kit/fair-time.ts';
import { httpOrigin, httpsOrigin, noWaiting, rawOrigin, says } from '../../test/support/net/origin.ts';
import { makeSelfSigned } from '../resolver/transport/make-self-signed.ts';
import { downloader } from './download.ts';
import { DownloadError } from './download-error.ts';

fairTime();

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n||a.com^';
const silence = (_socket: Socket) => {};

test('a response that is not HTTP fails once, and is not quoted', async (t) => {
  const texts = [
    'SSH-2.0-OpenSSH_9.6 secret-banner\r\n',
    '220 mail.example ESMTP secret-banner\r\n',
    '<html>secret-banner</html>',
    `HTTP/1.1 200 OK\r\nSecret-Banner: ${'a'.repeat(65_536)}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\n${'Secret-Banner: 1\r\n'.repeat(501)}\r\n`,
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: secret-banner\r\n\r\n',
  ];
  for (const text of texts) {
    const origin = await rawOrigin(t, text, silence);
    await assert.rejects(downloader()(origin.url), (error) => {
      assert.ok(error instanceof DownloadError);
      assert.deepEqual(error.failure, { kind: 'bad response' });
      assert.match(error.message, /^Failed to request url '/);
      assert.doesNotMatch(inspect(error, { depth: 9 }), /secret-banner|53 45 43|73 65 63 72 65 74/i);
      return true;
    });
    await origin.allClosed();
    assert.equal(origin.connections.length, 1);
  }
});

test('any number of informational responses is accepted', async (t) => {
  for (const provisional of ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n']) {
    const origin = await rawOrigin(t, provisional.repeat(10_000) + ok);
    assert.equal((await downloader()(origin.url)).bytes.length, 8);
  }
});

test('silence, slow headers, a slow body and endless informational responses end with the timeout', async (t) => {
  const dripping = (text: string) => (socket: Socket) => {
    const drip = setInterval(() => socket.write(text), 5);
    socket.once('close', () => clearInterval(drip));
  };
  const origins = [
    await rawOrigin(t, '', silence),
    await rawOrigin(t, 'HTTP/1.1 200 OK\r\nX: ', dripping('a')),
    await rawOrigin(t, 'HTTP/1.1 200 OK\r\n\r\n', dripping('a')),
    await rawOrigin(t, 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n', silence),
    await rawOrigin(t, '', dripping('HTTP/1.1 103 Early Hints\r\n\r\n')),
  ];
  const download = downloader({ timeoutMs: 60, maxRetries: 0 });
  for (const origin of origins) {
    await assert.rejects(download(origin.url), { failure: { kind: 'timeout' } });
    await origin.allClosed();
  }
});

test('redirects are part of the timeout of the attempt', async (t) => {
  const origin = await httpOrigin(t, (request, response) => {
    const step = Number(request.url?.slice(1));
    setTimeout(() => response.writeHead(302, { location: `/${step + 1}` }).end(), 20);
  });
  await assert.rejects(downloader({ timeoutMs: 100, maxRetries: 0 })(origin.url), { failure: { kind: 'timeout' } });
  await origin.allClosed();
});

test('a refused connection is retried', async () => {
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const address = gone.address();
  assert.ok(address !== null && typeof address === 'object');
  gone.close();
  await once(gone, 'close');
  const { waits, settings } = noWaiting();
  await assert.rejects(downloader(settings)(`http://127.0.0.1:${address.port}/`), {
    failure: { kind: 'unreachable', code: 'ECONNREFUSED' },
    message: `Failed to request url 'http://127.0.0.1:${address.port}/': the connection was refused`,
  });
  assert.equal(waits.length, 3);
});

test('a connection that is reset before a response is retried', async (t) => {
  const { settings } = noWaiting();
  const origin = await rawOrigin(t, '', (socket) => socket.resetAndDestroy());
  await assert.rejects(downloader(settings)(origin.url), { failure: { kind: 'unreachable', code: 'ECONNRESET' } });
  assert.equal(origin.connections.length, 4);
});

test('a name that does not exist is looked up once', async () => {
  let lookups = 0;
  const lookup: LookupFunction = (_hostname, _options, callback) => {
    lookups++;
    callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
  };
  await assert.rejects(downloader({ lookup })('http://nowhere.invalid/list.txt'), {
    failure: { kind: 'unreachable', code: 'ENOTFOUND' },
    message: "Failed to request url 'http://nowhere.invalid/list.txt': there is no such host",
  });
  assert.equal(lookups, 1);
});

test('the connect timeout is shorter than that of the attempt', async () => {
  const lookup: LookupFunction = () => {};
  const download = downloader({ connectTimeoutMs: 30, maxRetries: 0, lookup });
  await assert.rejects(download('http://black-hole.example/'), { failure: { kind: 'timeout' } });
});

test('a stalled handshake is a connect timeout, and its socket is closed', async (t) => {
  const origin = await rawOrigin(t, '', silence);
  const download = downloader({ connectTimeoutMs: 50, maxRetries: 0 });
  await assert.rejects(download(`https://127.0.0.1:${origin.port}/`), { failure: { kind: 'timeout' } });
  await origin.allClosed();
});

test('the connect timeout does not apply to an established connection', async (t) => {
  const origin = await httpOrigin(t, (_request, response) => void setTimeout(() => response.end('late'), 300));
  assert.equal((await downloader({ connectTimeoutMs: 200 })(origin.url)).bytes.length, 4);
});

test('a server without TLS is not retried', async (t) => {
  const origin = await httpOrigin(t, says(200));
  await assert.rejects(downloader()(`https://127.0.0.1:${origin.port}/`), (error) => {
    assert.ok(error instanceof DownloadError);
    return error.failure.kind === 'tls';
  });
  assert.equal(origin.connections.length, 1);
});

test('a certificate that is untrusted, or for another name, is rejected with the reason and not retried', async (t) => {
  const certificate = await makeSelfSigned(['localhost'], [], Date.now());
  const origin = await httpsOrigin(t, certificate, says(200, {}, 'secret'));
  await assert.rejects(downloader()(origin.url), {
    failure: { kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    message: `Failed to request url '${origin.url}': no secure connection (DEPTH_ZERO_SELF_SIGNED_CERT)`,
  });
  assert.equal(origin.connections.length, 1);

  const usual = getCACertificates('default');
  t.after(() => setDefaultCACertificates(usual));
  setDefaultCACertificates([certificate.cert]);
  await assert.rejects(downloader()(`https://127.0.0.1:${origin.port}/`), {
    failure: { kind: 'tls', code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  });
  assert.equal(Buffer.from((await downloader()(origin.url)).bytes).toString(), 'secret');
});
