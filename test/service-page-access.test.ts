import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from './support/service.ts';

const body = JSON.stringify({ configuration: { name: 'Own', sources: [{ source: '||a.example^' }] } });
const headers = { 'content-type': 'application/json' };

// Clients by X-Forwarded-For of a trusted proxy; expected: the page without signing in, and compiling without credentials.
const cases: readonly (readonly [string, readonly string[], string, boolean, number])[] = [
  ['private, a private client', [], '192.168.1.9', true, 200],
  ['private, a public client', [], '198.51.100.9', false, 403],
  ['private, a public client that may compile', ['--compile-clients', '0.0.0.0/0,::/0'], '198.51.100.9', false, 200],
  ['private, a private client that may not compile', ['--compile-clients', '127.0.0.1'], '192.168.1.9', false, 403],
  ['public, a public client', ['--compile-page', 'public'], '198.51.100.9', true, 200],
  ['off, a private client', ['--compile-page', 'off'], '192.168.1.9', false, 200],
];

for (const [what, flags, client, page, status] of cases) {
  test(`compile-page ${what}: page ${page}, compiling ${status}`, async (t) => {
    const { url } = await startService(t, ['--trusted-proxy', '127.0.0.1', ...flags]);
    const from = { ...headers, 'x-forwarded-for': client };
    const access = await fetch(`${url}/compile/access`, { headers: from });
    assert.deepEqual(await access.json(), { page });
    assert.equal(access.headers.get('cache-control'), 'no-store');
    assert.equal((await fetch(`${url}/compile`, { method: 'POST', headers: from, body })).status, status);
  });
}
