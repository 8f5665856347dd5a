import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from './service-for-tests.ts';

test('the link of the first start leads to a page whose script can do what the link is for', async (t) => {
  const service = await startService(t);
  for (let tries = 0; service.log.length < 2 && tries < 100; tries++) await new Promise((wake) => setTimeout(wake, 20));
  const link = new URL(String(service.log[1]?.['setUpUrl']));
  const page = await fetch(link);
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/);
  assert.match(await page.text(), /<script type="module" src="set-up\.js">/);
  const script = await fetch(new URL('/set-up.js', link));
  assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.ok((await script.text()).includes("'/api/v1/set_up'"));

  const body = {
    token: link.hash.slice(1),
    email: 'me@example.org',
    password: 'correct horse battery',
    time_zone: 'UTC',
  };
  const post = () =>
    fetch(new URL('/api/v1/set_up', link), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  assert.equal((await post()).status, 200);
  assert.equal((await post()).status, 400);
});
