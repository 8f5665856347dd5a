import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { httpOrigin, httpsOrigin, inTurn, rawOrigin, says } from '../../test/support/net/origin.ts';
import { makeSelfSigned } from '../resolver/transport/make-self-signed.ts';
import { downloader } from './download.ts';
import { DownloadError } from './download-error.ts';
import { defaultSettings } from './download-settings.ts';
import { type EndpointPolicy, publicEndpoints } from './endpoint-policy.ts';
import { type Asking, fetchOnce } from './fetch-once.ts';
import { turns } from './semaphore.ts';

const list = says(200, { 'content-type': 'text/plain' }, '||a.com^');
const textOf = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).toString();
const redirect = (location: string, status = 302) => says(status, { location });

/** Redirects from /n to /n-1 until /0, which is the list. */
const chain = inTurn((request, response) => {
  const left = Number(request.url?.slice(1));
  (left === 0 ? list : redirect(`/${left - 1}`))(request, response);
});

test('all five kinds of redirect are followed, and the last address is returned', async (t) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const origin = await httpOrigin(t, inTurn(redirect('../lists/ads.txt?v=1#top', status), list));
    const downloaded = await downloader()(`${origin.url}a/b`);
    assert.equal(textOf(downloaded), '||a.com^');
    assert.equal(downloaded.url, `${origin.url}lists/ads.txt?v=1`);
    await origin.allClosed();
  }
});

test('twenty-one redirects are followed, twenty-two are too many', async (t) => {
  const origin = await httpOrigin(t, chain);
  assert.equal(textOf(await downloader()(`${origin.url}21`)), '||a.com^');
  await assert.rejects(downloader()(`${origin.url}22`), {
    failure: { kind: 'too many redirects' },
    message: `Failed to request url '${origin.url}22': too many redirects`,
  });
  await origin.allClosed();
});

test('a redirect loop ends at the limit and is not retried', async (t) => {
  const origin = await httpOrigin(t, redirect('/'));
  await assert.rejects(downloader({ maxRedirects: 5 })(origin.url), { failure: { kind: 'too many redirects' } });
  assert.equal(origin.connections.length, 6);
});

test('a redirect without a Location is an ordinary status', async (t) => {
  const origin = await httpOrigin(t, says(302));
  await assert.rejects(downloader()(origin.url), { failure: { kind: 'status', status: 302 } });
});

test('a redirect to anything but http and https is refused', async (t) => {
  for (const location of ['file:///etc/passwd', 'data:text/plain,x', 'ftp://127.0.0.1/', 'http://[']) {
    const origin = await httpOrigin(t, redirect(location));
    await assert.rejects(downloader()(origin.url), { failure: { kind: 'refused redirect' } }, location);
    assert.equal(origin.connections.length, 1);
  }
});

test('the bodies of redirects and failures are not read', async (t) => {
  const endless = (socket: Socket) => socket.write('a'.repeat(1_000_000));
  const moved = await rawOrigin(t, 'HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n', endless);
  await assert.rejects(downloader({ maxRedirects: 2 })(moved.url), { failure: { kind: 'too many redirects' } });
  await moved.allClosed();
  const missing = await rawOrigin(t, 'HTTP/1.1 404 Not Found\r\n\r\n', endless);
  await assert.rejects(downloader()(missing.url), { failure: { kind: 'status', status: 404 } });
  await missing.allClosed();
});

test('a redirect is read as UTF-8', async (t) => {
  const asked = inTurn(redirect(Buffer.from('/списки').toString('latin1')), list);
  const origin = await httpOrigin(t, asked);
  await downloader()(origin.url);
  assert.equal(asked.asked[1]?.url, encodeURI('/списки'));
});

test('whether https may redirect to http is a setting', async (t) => {
  const certificate = await makeSelfSigned(['localhost'], [], Date.now());
  const usual = getCACertificates('default');
  t.after(() => setDefaultCACertificates(usual));
  setDefaultCACertificates([certificate.cert]);

  const plain = await httpOrigin(t, list);
  const secure = await httpsOrigin(t, certificate, redirect(plain.url));
  await assert.rejects(downloader({ allowDowngrade: false })(secure.url), { failure: { kind: 'refused redirect' } });
  assert.equal(plain.connections.length, 0);
  assert.equal((await downloader()(secure.url)).url, plain.url);
});

// Only a download that violates the policy reaches this server.
const onlyLoopback = publicEndpoints({ ports: [80, 443], allowNetworks: ['127.0.0.1'] });

test('a redirect to a forbidden address sends no packet there', async (t) => {
  const canary = await httpOrigin(t, list);
  for (const location of [
    `http://0.0.0.0:${canary.port}/`,
    `//0:${canary.port}/`,
    `http://[::ffff:7f00:1]:${canary.port}/`,
  ]) {
    const origin = await httpOrigin(t, redirect(location));
    const expected = { failure: { kind: 'refused address' } };
    await assert.rejects(downloader({ endpoints: onlyLoopback })(origin.url), expected, location);
    assert.equal(origin.connections.length, 1);
  }
  assert.equal(canary.connections.length, 0);
});

test('a redirect to a port that is not listed, or with credentials, is refused under a policy', async (t) => {
  const canary = await httpOrigin(t, list);
  const elsewhere = await httpOrigin(t, redirect(canary.url));
  const endpoints: EndpointPolicy = ({ port }) => port === elsewhere.port;
  await assert.rejects(downloader({ endpoints })(elsewhere.url), { failure: { kind: 'refused address' } });
  const userinfo = await httpOrigin(t, redirect(`http://good.example@127.0.0.1:${canary.port}/`));
  const download = downloader({ endpoints: onlyLoopback });
  await assert.rejects(download(userinfo.url), { failure: { kind: 'refused redirect' } });
  assert.equal(canary.connections.length, 0);
});

test('a name with one forbidden address is not connected to, and the message does not contain the address', async (t) => {
  const canary = await httpOrigin(t, list);
  const lookup: LookupFunction = (_hostname, _options, callback) =>
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '10.11.12.13', family: 4 },
    ]);
  const url = `http://inside.example:${canary.port}/`;
  await assert.rejects(downloader({ endpoints: onlyLoopback, lookup })(url), {
    failure: { kind: 'refused address' },
    message: `Failed to request url '${url}': its address or port is not allowed`,
  });
  assert.equal(canary.connections.length, 0);
});

test('a name is looked up once for a connection, so what was checked is what is connected to', async (t) => {
  const origin = await httpOrigin(t, list);
  const answers = ['127.0.0.1', '10.11.12.13'];
  const lookup: LookupFunction = (_hostname, _options, callback) =>
    callback(null, [{ address: answers.shift() ?? '', family: 4 }]);
  const download = downloader({ endpoints: onlyLoopback, lookup });
  assert.equal(textOf(await download(`http://rebinding.example:${origin.port}/`)), '||a.com^');
  assert.deepEqual(answers, ['10.11.12.13']);
});

test('credentials are only sent to their origin', async (t) => {
  const seen: IncomingHttpHeaders[] = [];
  const other = await httpOrigin(t, (request, response) => {
    seen.push(request.headers);
    list(request, response);
  });
  const asked = inTurn(
    redirect('/moved'),
    (_request, response) => void response.writeHead(302, { location: `${origin.url}again` }).end(),
    redirect(other.url),
  );
  const origin = await httpOrigin(t, asked);
  await downloader()(`http://user:secret@127.0.0.1:${origin.port}/`);
  const basic = `Basic ${Buffer.from('user:secret').toString('base64')}`;
  assert.deepEqual(
    asked.asked.map(({ headers }) => headers.authorization),
    [basic, basic, basic],
  );
  assert.equal(seen[0]?.authorization, undefined);
});

test('cookies are neither kept nor sent', async (t) => {
  const asked = inTurn(says(302, { location: '/', 'set-cookie': 'a=b' }), list);
  const origin = await httpOrigin(t, asked);
  await downloader()(origin.url);
  assert.equal(asked.asked[1]?.headers.cookie, undefined);
});

test('only status 200 is a success', async (t) => {
  for (const status of [201, 203, 204, 206, 300, 304, 400, 401, 403, 404, 410, 451]) {
    const origin = await httpOrigin(t, says(status, {}, status === 204 || status === 304 ? '' : '||a.com^'));
    await assert.rejects(downloader()(origin.url), {
      failure: { kind: 'status', status },
      message: `Response status for url ${origin.url} is invalid: ${status}`,
    });
    assert.equal(origin.connections.length, 1, String(status));
  }
});

const asking = async (url: string): Promise<Asking> => ({
  turn: await turns(1)(new URL(url).origin),
  settings: defaultSettings,
  signal: new AbortController().signal,
  copy: { bytes: Buffer.from('kept'), url, contentType: 'text/plain', etag: '"1"' },
  onProgress: () => {},
  fail: (failure, cause) => new DownloadError(url, failure, cause),
});

test('validators are only sent to the URL of the copy, also after a redirect', async (t) => {
  const answers = inTurn(redirect('/moved'), says(304));
  const origin = await httpOrigin(t, answers);
  const { freshness, copy } = await fetchOnce(new URL(origin.url), await asking(`${origin.url}moved`));
  assert.equal(freshness, 'not modified');
  assert.equal(textOf(copy), 'kept');
  assert.deepEqual(
    answers.asked.map(({ headers }) => headers['if-none-match']),
    [undefined, '"1"'],
  );
});

test('a 304 to an unconditional request is a failure', async (t) => {
  const origin = await httpOrigin(t, says(304));
  const expected = { failure: { kind: 'status', status: 304 } };
  await assert.rejects(fetchOnce(new URL(origin.url), await asking(`${origin.url}elsewhere`)), expected);
});
