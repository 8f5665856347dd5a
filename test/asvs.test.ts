import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { connect as connectTls, type SecureVersion } from 'node:tls';
import { makeHome, OWNER, PASSWORD, startDns } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { sendRaw } from './support/hostile.ts';

// Requirements of ASVS 5.0 that can be checked with one request. Others have separate tests; docs/security.md lists the exceptions.

const world = await startWorld({ after });
const home = await makeHome(await startDns({ after }, world.address));
const { service, authorization } = home;

const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const changePassword = (password: string, newPassword: string): Promise<Response> =>
  fetch(`${service.url}/api/v1/password`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ current_password: password, new_password: newPassword }),
  });

/** Whether the listener completes a handshake with no newer version than this. */
async function speaks(port: number, version: SecureVersion): Promise<boolean> {
  const options = { port, host: '127.0.0.1', rejectUnauthorized: false, minVersion: version, maxVersion: version };
  // OpenSSL offers the old versions only at this level.
  const socket = connectTls({ ...options, ciphers: 'DEFAULT@SECLEVEL=0' });
  try {
    await once(socket, 'secureConnect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const checks: Readonly<Record<string, () => Promise<void>>> = {
  '3.3.2, 3.3.4 session cookies are HttpOnly and SameSite': async () => {
    const answer = await post('/api/v1/session', { email: OWNER, password: PASSWORD }, { 'session-in': 'cookie' });
    const cookie = answer.headers.get('set-cookie') ?? '';
    assert.match(cookie, /; HttpOnly/i);
    assert.match(cookie, /; SameSite=(Strict|Lax)/i);
    assert.doesNotMatch(cookie, /; Domain=/i);
    assert.equal(
      cookie.includes('weir_at_') && (await answer.text()).includes('weir_at_'),
      false,
      'only in the cookie',
    );
  },
  '3.4.3, 3.4.6 pages have a policy without framing, plugins and a base': async () => {
    const policy = (await fetch(service.url)).headers.get('content-security-policy') ?? '';
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /base-uri 'none'/);
    assert.match(policy, /object-src 'none'|default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe-eval|script-src[^;]*unsafe-inline/);
  },
  '3.5.1 a cookie of a page of another site signs nobody in': async () => {
    const answer = await post('/api/v1/session', { email: OWNER, password: PASSWORD }, { 'session-in': 'cookie' });
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0]!;
    const headers = { cookie, origin: 'https://other.example', 'sec-fetch-site': 'cross-site' };
    assert.equal((await fetch(`${service.url}/oapi/v1/devices`, { headers })).status, 401);
  },
  '4.1.1 every answer with a body says what it is': async () => {
    for (const path of ['/', '/oapi/v1/devices', '/oapi/v1/nothing', '/nothing', '/health/ready', '/compile']) {
      const answer = await fetch(service.url + path, { headers: { authorization } });
      if ((await answer.text()) !== '') assert.ok(answer.headers.get('content-type'), path);
    }
  },
  '6.2.1, 6.2.4 short, common and one-letter passwords are refused': async () => {
    for (const password of ['short', 'password', 'aaaaaaaaaaaa']) {
      const refused = await changePassword(PASSWORD, password);
      assert.equal(refused.status, 400, password);
      assert.match(await refused.text(), /new_password/);
    }
  },
  '6.2.3 a new password needs the old one': async () => {
    const refused = await changePassword('not the old one', 'a good new password');
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /current_password/);
  },
  '6.4.1 the set-up token works once': async () => {
    const link = service.log.find((entry) => entry['setUpUrl'] !== undefined)?.['setUpUrl'];
    const token = String(link).split('#')[1]!;
    const again = await post('/api/v1/set_up', { token, email: 'second@example.org', password: PASSWORD });
    assert.ok(again.status >= 400 && again.status < 500, `${again.status}`);
  },
  '7.4.1 a session that was ended is over': async () => {
    const signedIn = await post('/api/v1/session', { email: OWNER, password: PASSWORD });
    const { access_token: token } = (await signedIn.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await fetch(`${service.url}/api/v1/session`, { headers })).status, 200);
    await fetch(`${service.url}/api/v1/session`, { method: 'DELETE', headers });
    assert.equal((await fetch(`${service.url}/api/v1/session`, { headers })).status, 401);
  },
  '12.1.1 TLS 1.2 and 1.3 only, on DoT and DoH': async () => {
    for (const port of [service.ports.dot, service.ports.doh]) {
      for (const version of ['TLSv1', 'TLSv1.1'] as const) assert.equal(await speaks(port, version), false, version);
      for (const version of ['TLSv1.2', 'TLSv1.3'] as const) assert.equal(await speaks(port, version), true, version);
    }
  },
  '13.4.1 no file of the program or of the data folder is served': async () => {
    for (const path of ['/.git/config', '/package.json', '/settings.sqlite', '/assets/../package.json'])
      assert.equal((await fetch(service.url + path)).status, 404, path);
  },
  '13.4.4 TRACE is not supported': async () => {
    const answer = await sendRaw(
      service,
      'TRACE / HTTP/1.1\r\nHost: localhost\r\nX-Echo: 4711\r\nConnection: close\r\n\r\n',
    );
    assert.match(answer, /^HTTP\/1\.1 4\d\d /);
    assert.doesNotMatch(answer, /4711/);
  },
  '13.4.6 no answer names the server program': async () => {
    const { headers } = await fetch(service.url);
    assert.equal(headers.get('server'), null);
    assert.equal(headers.get('x-powered-by'), null);
  },
  '14.3.2 answers about an account are not stored by browsers': async () => {
    const answer = await fetch(`${service.url}/oapi/v1/devices`, { headers: { authorization } });
    assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
  },
  '16.5.1 errors tell nothing of the inside': async () => {
    for (const body of ['{', '[]', '{"email":1}']) {
      const answer = await fetch(`${service.url}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      assert.doesNotMatch(await answer.text(), /node:|\.ts:|\bat \w+ \(/);
    }
  },
};

test('requirements of ASVS 5.0 that one request can show', async (t) => {
  let met = 0;
  for (const [requirement, check] of Object.entries(checks))
    await t.test(requirement, async () => {
      await check();
      met++;
    });
  t.diagnostic(`P17 ASVS 5.0: ${met} of ${Object.keys(checks).length} checks met`);
});
