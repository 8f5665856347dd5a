import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { isPrivate, localNetworkAddresses } from '../src/platform/own-addresses.ts';
import { type DnsService, makeHome, OWNER, PASSWORD, startDns } from './support/dns.ts';
import { startService } from './support/service.ts';

type Asked = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string };

/** A request over HTTPS and HTTP/1.1 to the port of DNS over HTTPS, with the certificate verified. */
async function ask(
  service: DnsService,
  path: string,
  { method = 'GET', headers = {}, body }: Asked = {},
  host = '127.0.0.1',
) {
  const ca = await readFile(service.certificate);
  const options = { host, port: service.ports.doh, path, method, headers, ca, servername: 'localhost', agent: false };
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request(options, resolve).on('error', reject).end(body);
  });
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const json = { 'content-type': 'application/json' };
const addresses = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
// Loopback addresses are exempt from the rules for other machines.
const [lan] = localNetworkAddresses();
const publicAddress = addresses.find((address) => !isPrivate(address));
const skip = lan === undefined && 'this machine has no private address besides loopback';
const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address);

test('the web interface, the management API and the compile service are served over HTTPS beside DNS', async (t) => {
  const service = await startDns(t, '127.0.0.1:9');
  await makeHome(service);
  const page = await ask(service, '/sign-in');
  // Without a build there are no pages.
  assert.ok(page.status === 200 || /has not been built/.test(page.body));
  assert.equal(page.headers['strict-transport-security'], undefined);

  const signIn = { email: OWNER, password: PASSWORD };
  const session = await ask(service, '/api/v1/session', {
    method: 'POST',
    headers: { ...json, 'session-in': 'cookie', origin: `https://127.0.0.1:${service.ports.doh}` },
    body: JSON.stringify(signIn),
  });
  assert.equal(session.status, 200, session.body);
  const [cookie = ''] = session.headers['set-cookie'] ?? [];
  assert.match(cookie, /^__Host-weir-session=[^;]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/);
  const account = await ask(service, '/oapi/v1/account/limits', {
    headers: { cookie: cookie.split(';')[0]!, 'sec-fetch-site': 'same-origin' },
  });
  assert.equal(account.status, 200, account.body);
  // Over plain HTTP the cookie of HTTPS does not count, and a session gets a cookie without Secure.
  const plain = await fetch(`${service.url}/api/v1/session`, {
    method: 'POST',
    headers: { ...json, 'session-in': 'cookie', origin: service.url },
    body: JSON.stringify(signIn),
  });
  assert.match(plain.headers.get('set-cookie') ?? '', /^weir-session=[^;]+;(?!.*Secure)/);

  const compiled = await ask(service, '/compile/stream', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({
      configuration: { name: 'x', sources: [{ source: 'inline' }] },
      preFetchedContent: { inline: '||a.example^' },
    }),
  });
  assert.equal(compiled.status, 200);
  assert.match(compiled.body, /event: result/);
  assert.equal((await ask(service, '/dns-query')).status, 400);
});

test('HTTP/2 carries API requests and DNS queries on one connection', async (t) => {
  const service = await startDns(t, '127.0.0.1:9');
  const ca = await readFile(service.certificate);
  const session = connect(`https://127.0.0.1:${service.ports.doh}`, { ca, servername: 'localhost' });
  t.after(() => session.destroy());
  const get = async (path: string): Promise<string> => {
    const stream = session.request({ ':path': path });
    let status = '';
    stream.on('response', (headers) => {
      status = `${headers[':status']} ${headers['content-type']}`;
    });
    await text(stream);
    return status;
  };
  assert.equal(await get('/health/ready'), '200 application/json');
  assert.equal(await get('/dns-query?dns=AAABAAABAAAAAAAAB2V4YW1wbGUDb3JnAAABAAE'), '200 application/dns-message');
  assert.equal(await get('/no-such-path'), '404 text/plain;charset=UTF-8');
});

test('over HTTPS, other machines reach only the set-up page before the first account, and public addresses nothing', {
  skip,
}, async (t) => {
  const service = await startDns(t, '127.0.0.1:9', ['--doh', ':0']);
  assert.notEqual((await ask(service, '/set-up', {}, lan)).status, 403);
  const api = await ask(service, '/oapi/v1/dns_servers', {}, lan);
  assert.equal(api.status, 403);
  assert.match(api.body, /set-up link/);
  if (publicAddress === undefined) return;
  assert.equal((await ask(service, '/set-up', {}, publicAddress)).status, 404);
  assert.equal((await ask(service, '/dns-query', {}, publicAddress)).status, 400);
});

test('https-redirect sends browsers to HTTPS, and programs on this machine nowhere', { skip }, async (t) => {
  const service = await startDns(t, '127.0.0.1:9', ['--https-redirect', 'on', '--http', ':0', '--doh', ':0']);
  const get = (host: string, path: string) =>
    fetch(`http://${inUrl(host)}:${service.port}${path}`, { redirect: 'manual' });
  const plain = await get(lan!, '/log?search=a');
  assert.deepEqual(
    [plain.status, plain.headers.get('location'), plain.headers.get('strict-transport-security')],
    [308, `https://${inUrl(lan!)}:${service.ports.doh}/log?search=a`, null],
  );
  assert.equal((await get(lan!, '/health/live')).status, 200);
  assert.notEqual((await get('127.0.0.1', '/log')).status, 308);
  const secure = await ask(service, '/health/live', {}, lan);
  assert.deepEqual([secure.status, secure.headers['strict-transport-security']], [200, 'max-age=31536000']);
});

test('a redirect to HTTPS without HTTPS is refused at the start', async (t) => {
  await assert.rejects(startService(t, ['--https-redirect', 'on']), /https-redirect/);
});
