import assert from 'node:assert/strict';
import { get } from 'node:http';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { registerWeb } from './register-web.ts';
import { openWebFiles } from './web-files.ts';

async function startWith(t: TestContext, folder: string, publicUrl = 'http://here'): Promise<string> {
  const server = Fastify();
  t.after(() => server.close());
  registerWeb(
    server,
    () => publicUrl,
    () => openWebFiles(folder),
  );
  return server.listen({ host: '127.0.0.1', port: 0 });
}

const built = {
  'index.html': '<meta nonce="__STYLE_NONCE__"><link nonce="__STYLE_NONCE__">',
  'api-reference.html': '<meta content="__DOCUMENT__"><p>__DOCUMENT__</p>',
  'service-worker.js': 'worker',
  'assets/a-1.js': 'plain',
  'assets/a-1.js.br': 'brotli',
  'assets/a-1.unknown': 'x',
  'secret.js': 'x',
};

test('without a build the page says what to do', async (t) => {
  const folder = await temporaryFolder(t, {});
  const url = await startWith(t, `${folder}/web`);
  const before = await fetch(`${url}/devices/x`);
  assert.equal(before.status, 503);
  assert.match(await before.text(), /npm run build/);
  assert.equal((await fetch(`${url}/assets/a-1.js`)).status, 404);
});

test('every place for the nonce has the nonce of the policy', async (t) => {
  const url = await startWith(t, await temporaryFolder(t, built));
  const response = await fetch(url);
  const nonce = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1];
  assert.equal(await response.text(), `<meta nonce="${nonce}"><link nonce="${nonce}">`);
  assert.equal(response.headers.get('strict-transport-security'), null);
});

test('the opener policy is sent only where browsers accept it', async (t) => {
  const folder = await temporaryFolder(t, built);
  const policyAt = async (publicUrl: string, host: string): Promise<string | undefined> => {
    const { port } = new URL(await startWith(t, folder, publicUrl));
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    // `fetch` does not send another host.
    get({ port, host: '127.0.0.1', headers: { host } }, (response) => {
      response.resume();
      resolve(response.headers['cross-origin-opener-policy'] as string | undefined);
    });
    return promise;
  };
  for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080'])
    assert.equal(await policyAt('http://here', host), 'same-origin', host);
  for (const host of ['192.168.1.2:8080', 'weir.lan', 'localhost.example.org'])
    assert.equal(await policyAt('http://here', host), undefined, host);
  assert.equal(await policyAt('https://weir.example.org', 'weir.example.org'), 'same-origin');
});

test('the document is compressed for clients that accept it', async (t) => {
  const document = `<meta nonce="__STYLE_NONCE__">${'<p>text</p>'.repeat(200)}`;
  const url = await startWith(t, await temporaryFolder(t, { ...built, 'index.html': document }));
  for (const [accepted, sent] of [
    ['gzip, br', 'br'],
    ['identity', null],
  ] as const) {
    const response = await fetch(url, { headers: { 'accept-encoding': accepted } });
    assert.equal(response.headers.get('content-encoding'), sent);
    assert.match(await response.text(), /<p>text<\/p>$/);
  }
});

test('the service worker is never stale and may only ask this service', async (t) => {
  const url = await startWith(t, await temporaryFolder(t, built));
  const response = await fetch(`${url}/service-worker.js`);
  assert.equal(await response.text(), 'worker');
  assert.equal(response.headers.get('cache-control'), 'no-cache');
  assert.equal(response.headers.get('content-security-policy'), "default-src 'none'; connect-src 'self'");
});

test('only files of the folder of assets, of kinds that a page has, are sent', async (t) => {
  const url = await startWith(t, await temporaryFolder(t, built), 'https://here');
  const file = await fetch(`${url}/assets/a-1.js`, { headers: { 'accept-encoding': 'identity' } });
  assert.equal(await file.text(), 'plain');
  assert.equal(file.headers.get('strict-transport-security'), 'max-age=31536000');
  for (const name of ['a-1.js.br', 'a-1.unknown', '..%2fsecret.js', '%2e%2e/secret.js', 'b.js', ''])
    assert.equal((await fetch(`${url}/assets/${name}`)).status, 404, name);
});

test('a file that exists only compressed is sent to clients that accept no compression', async (t) => {
  const url = await startWith(t, await temporaryFolder(t, { ...built, 'assets/b-1.js.gz': gzipSync('text') }));
  const plain = await fetch(`${url}/assets/b-1.js`, { headers: { 'accept-encoding': 'identity' } });
  assert.equal(plain.headers.get('content-encoding'), null);
  assert.equal(await plain.text(), 'text');
  const gzipped = await fetch(`${url}/assets/b-1.js`);
  assert.equal(gzipped.headers.get('content-encoding'), 'gzip');
  assert.equal(await gzipped.text(), 'text');
});

test('each API reference names its OpenAPI document and allows scripts, styles and requests of this origin only', async (t) => {
  const url = await startWith(t, await temporaryFolder(t, built));
  for (const [path, document] of [
    ['/swagger', '/swagger/openapi.json'],
    ['/api/docs', '/api/openapi.json'],
  ] as const) {
    const response = await fetch(url + path);
    assert.equal(await response.text(), `<meta content="${document}"><p>${document}</p>`);
    assert.equal(response.headers.get('cache-control'), 'no-cache');
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(
      policy,
      /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; /,
    );
    assert.doesNotMatch(policy, /unsafe|https?:/);
  }
});

test('a browser gets a page for an unknown address, with status 404', async (t) => {
  const url = await startWith(t, await temporaryFolder(t, built));
  const page = await fetch(`${url}/nope/deeper`, { headers: { accept: 'text/html,*/*' } });
  assert.equal(page.status, 404);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  for (const path of ['/api/v1/nope', '/oapi/v1/nope', '/assets/nope.js'])
    assert.doesNotMatch(
      (await fetch(url + path, { headers: { accept: 'text/html' } })).headers.get('content-type') ?? '',
      /html/,
      path,
    );
  assert.doesNotMatch((await fetch(`${url}/nope`)).headers.get('content-type') ?? '', /html/);
});
