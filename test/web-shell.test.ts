import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import type { Request } from 'playwright-core';
import { webPaths } from '../src/app/web-paths.ts';
import { allLanguages } from '../web/locales/languages.ts';
import { LANGUAGE_KEY } from '../web/shell/stored-keys.ts';
import { OWNER, PASSWORD } from './support/dns.ts';
import { missing } from './support/programs.ts';
import { ask as askRaw } from './support/service-raw.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

const MAX_FIRST_LOAD = 300_000;
const skip = missing('chromium', 'dig');

const web = skip ? ({} as Web) : await startWeb({ after });

test('every page has the same document, with a policy that only allows own scripts', {
  skip,
}, async () => {
  const { url } = web;
  for (const path of webPaths) {
    const { status, headers } = await fetch(url + path.replace('*', 'x'));
    assert.equal(status, 200, path);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/]{22}=='; /);
    assert.match(policy, /base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/);
    assert.doesNotMatch(policy, /unsafe/);
    const { 'x-content-type-options': sniff, 'referrer-policy': referrer, ...rest } = Object.fromEntries(headers);
    assert.deepEqual([sniff, referrer, rest['cache-control']], ['nosniff', 'no-referrer', 'no-cache']);
    assert.equal(rest['cross-origin-opener-policy'], 'same-origin');
    assert.equal(rest['cross-origin-resource-policy'], 'same-origin');
    assert.equal(rest['server'] ?? rest['x-powered-by'], undefined);
  }
});

test('the style nonce changes with every response, and the document has no inline script', { skip }, async () => {
  const { url } = web;
  const documents = await Promise.all([1, 2].map(async () => (await fetch(url)).text()));
  const nonces = documents.map((text) => /property="csp-nonce" nonce="([^"]+)"/.exec(text)?.[1]);
  assert.ok(nonces[0] && nonces[1] && nonces[0] !== nonces[1]);
  assert.doesNotMatch(documents[0]!, /<script(?![^>]* src=)/);
  assert.doesNotMatch(documents[0]!, /__STYLE_NONCE__|https?:\/\//);
});

test('assets are compressed and immutable; no other files are served from their folder', {
  skip,
}, async () => {
  const { url } = web;
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await (await fetch(url)).text()) ?? [];
  for (const [accepted, sent] of [
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1, br;q=0', 'gzip'],
    ['identity', null],
  ] as const) {
    const { status, headers } = await fetch(url + script, { headers: { 'accept-encoding': accepted } });
    assert.equal(status, 200);
    assert.equal(headers.get('content-encoding'), sent);
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8');
  }
  for (const path of ['/assets/', '/assets/..%2findex.html', '/assets/%2e%2e%2f.built', '/assets/x.js', `${script}.br`])
    assert.equal((await fetch(url + path)).status, 404, path);
});

test('page paths do not shadow API paths', { skip }, async () => {
  const { url } = web;
  for (const [path, status] of [
    ['/oapi/v1/devices', 401],
    ['/api/v1/nothing', 404],
    ['/health/live', 200],
    ['/swagger', 200],
    ['/api/docs', 200],
    ['/nothing', 404],
  ] as const)
    assert.equal((await fetch(url + path)).status, status, path);
});

test('the page of components is only in development', { skip }, async () => {
  assert.equal((await fetch(`${web.url}/dev/components`)).status, 404);
  const assets = await readdir(new URL('../dist/web/assets/', import.meta.url));
  assert.ok(assets.length > 10);
  assert.deepEqual(
    assets.filter((name) => name.startsWith('components-page')),
    [],
  );
});

test('every path of the router is served', { skip }, async () => {
  const router = await readFile(new URL('../web/shell/router.tsx', import.meta.url), 'utf8');
  const known = [...router.matchAll(/path: '([^']+)'/g)].map(([, path]) => path!);
  const isServed = (path: string): boolean =>
    webPaths.some((served) => (served.endsWith('*') ? path.startsWith(served.slice(0, -1)) : path === served));
  assert.ok(known.length >= 9);
  assert.deepEqual(
    known.filter((path) => !isServed(path)),
    ['/dev/components'],
  );
});

test('the first load transfers at most 300 kB', { skip }, async (t) => {
  const { visit } = web;
  const page = await visit(t, '/sign-in');
  // Ends requests of the first page, which would be counted.
  await page.goto('about:blank');
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const sizes: Promise<number>[] = [];
  const addSize = (request: Request): void => {
    if (['document', 'script', 'stylesheet'].includes(request.resourceType()))
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  };
  page.on('requestfinished', addSize);
  await page.goto(`${web.url}/`, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Lazily loaded files may still be in flight when the page is closed.
  page.off('requestfinished', addSize);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  assert.ok(bytes > 50_000 && bytes <= MAX_FIRST_LOAD, `${bytes} bytes`);
  t.diagnostic(`${bytes} bytes`);
});

test('signed-out users sign in and return to the requested page', { skip }, async (t) => {
  const { stranger } = web;
  const page = await stranger(t);
  const refused: string[] = [];
  page.on('response', (response) => response.status() === 401 && refused.push(new URL(response.url()).pathname));
  await page.goto('/');
  await page.getByLabel('E-mail address').waitFor();
  assert.deepEqual(refused, ['/api/v1/session'], 'nothing else is requested without a session');
  assert.equal(await page.locator('page-outline').count(), 0);
  const colour = await page.evaluate(`getComputedStyle(document.querySelector('[type=submit]')).backgroundColor`);
  assert.equal(colour, 'rgb(11, 114, 133)', 'the theme has precedence over the style sheets');
  await page.goto('/devices');
  await page.getByLabel('E-mail address').fill(OWNER);
  await page.getByRole('textbox', { name: 'Password' }).fill('a wrong password');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Wrong e-mail address, password or code.').waitFor();
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/devices');

  const [cookie, ...others] = await page.context().cookies();
  assert.deepEqual(others, []);
  assert.equal(cookie?.httpOnly, true);
  assert.equal(cookie?.sameSite, 'Strict');
  assert.equal(await page.evaluate('document.cookie'), '');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.deepEqual(await page.context().cookies(), []);
  await page.goto('/devices');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('signing in never redirects to another host', { skip }, async (t) => {
  const { stranger, url } = web;
  const page = await stranger(t);
  await page.goto('/sign-in?next=//other.example/');
  await page.getByLabel('E-mail address').fill(OWNER);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  assert.equal(page.url(), `${url}/`);
});

test('an expired session is renewed in a dialog, and input is kept', { skip }, async (t) => {
  const { visit } = web;
  const page = await visit(t, '/devices');
  await page.getByRole('button', { name: 'Add device' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add device' });
  await dialog.getByLabel('Name').fill('Typed before');
  await page.context().clearCookies();
  await dialog.getByRole('button', { name: 'Add' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('E-mail address').fill(OWNER);
  await again.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.waitFor({ state: 'hidden' });
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Typed before');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('heading', { name: 'Typed before', level: 1 }).waitFor();
});

test('language and theme are stored', { skip }, async (t) => {
  const { visit } = web;
  const page = await visit(t, '/');
  await page.getByLabel('Language').selectOption('de');
  await page.getByRole('link', { name: 'Geräte', exact: true }).waitFor();
  await page.getByLabel('Design').selectOption('dark');
  await page.reload();
  await page.getByRole('link', { name: 'Geräte', exact: true }).waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'de');
  assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark');
  await assertAccessible(page);
});

test('the skip link works, and the phone menu opens and closes', { skip }, async (t) => {
  const { visit } = web;
  const page = await visit(t, '/', { viewport: { width: 360, height: 740 } });
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await assertAccessible(page);
  await page.getByRole('link', { name: 'Devices', exact: true }).click();
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Open menu' }).waitFor();
  const width = await page.evaluate('document.documentElement.scrollWidth');
  assert.equal(width, 360);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open menu' }).waitFor();
});

test('the search finds settings and devices by keyboard, and leads to the log of a domain', { skip }, async (t) => {
  const { visit, home } = web;
  await home.device('Kitchen radio');
  const page = await visit(t, '/account');
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  const find = async (query: string, option: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search Weir' }).fill(query);
    await page.getByRole('option', { name: option }).waitFor();
  };
  await find('kitch', 'Kitchen radio');
  await assertAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Kitchen radio', level: 1 }).waitFor();
  await find('sched', 'Schedule Default');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/profiles/${home.server}/schedule`);
  await find('2fa', 'Two-factor authentication Account');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/account');
  await find('ads.example', 'Queries for ads.example');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/log?search=ads.example');
});

test('a page that is opened while the service is unreachable shows that, and loads when it is back', {
  skip,
}, async (t) => {
  const page = await web.visit(t, '/account', {}, /unreachable/);
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  await page.route('**/*', (route) => route.abort());
  await page.getByRole('link', { name: 'System', exact: true }).click();
  await page.getByText('Can’t reach Weir').first().waitFor();
  await page.getByRole('link', { name: 'Account', exact: true }).waitFor();
  await page.unroute('**/*');
  await page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
});

test('the texts of a language are requested by the document, and no other chunk of the language', {
  skip,
}, async (t) => {
  for (const { id } of allLanguages) {
    const page = await web.stranger(t);
    await page.addInitScript(`localStorage.setItem('${LANGUAGE_KEY}', '${id}')`);
    const requested: string[] = [];
    page.on('request', (request) => {
      const [, language] = /\/assets\/(\w{2}(?:-[A-Z]{2})?)-[\w-]{8}\.js$/.exec(request.url()) ?? [];
      if (language !== undefined) requested.push(language);
    });
    await page.goto('/sign-in');
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.deepEqual(requested, [id]);
  }
});

test('an action that fails while the service is unreachable shows the banner, and no notification', {
  skip,
}, async (t) => {
  const { visit, home } = web;
  const { id } = await home.device('Out of reach');
  const page = await visit(t, `/devices/${id}`, { viewport: { width: 390, height: 600 } });
  // At the end of the page.
  const remove = page.getByRole('button', { name: 'Remove this device' });
  await remove.waitFor();
  // The first input loads the code of notifications.
  await page.keyboard.press('Tab');
  await page.locator('[class*=Notifications-root]').first().waitFor({ state: 'attached' });
  await page.route('**/*', (route) => route.abort());
  for (const _attempt of ['first', 'second']) {
    await page.evaluate(`document.querySelector('main [role=status][class*=Alert]')?.setAttribute('data-old', '')`);
    await remove.click();
    const banner = page.locator('main [role=status]:not([data-old])').filter({ hasText: 'Can’t reach Weir' });
    await banner.waitFor();
    const { y } = (await banner.boundingBox())!;
    assert.ok(y >= 0 && y < 300, `the banner is at ${y} px`);
    assert.equal(await page.getByText('Can’t reach Weir').count(), 1);
    assert.equal(await page.getByRole('alert').count(), 0);
    await assertAccessible(page);
  }
});

test('a page that is loading, and one that cannot be loaded, has a heading and a main landmark', {
  skip,
}, async (t) => {
  const page = await web.visit(t, '/account', {}, /^Failed to load resource|: fault\n/);
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  let goOn = (): void => undefined;
  const waiting = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route('**/assets/system-page*', async (route) => {
    await waiting;
    await route.continue();
  });
  await page.getByRole('link', { name: 'System', exact: true }).click();
  await page.getByRole('heading', { name: 'Loading…', level: 1 }).waitFor();
  await assertAccessible(page);
  goOn();
  await page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
  const fault = { status: 500, contentType: 'application/json', body: '{"error_code":"UNKNOWN","message":"Broken"}' };
  await page.route('**/api/v1/session', (route) => route.fulfill(fault));
  await page.goto('/devices');
  await page.getByRole('heading', { name: 'Couldn’t load this', level: 1 }).waitFor();
  await assertAccessible(page);
});

test('an unknown section of a page is not found', { skip }, async (t) => {
  const { visit, home } = web;
  const page = await visit(t, `/profiles/${home.server}/rulez`);
  for (const path of [`/profiles/${home.server}/rulez`, '/account/keyz', '/nothing']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await assertAccessible(page);
  }
  await page.getByRole('link', { name: 'Go to dashboard' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
});

test('the session cookie is accepted only from the same origin, not from another port', { skip }, async () => {
  const { url } = web;
  const signedIn = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'session-in': 'cookie' },
    body: JSON.stringify({ email: OWNER, password: PASSWORD }),
  });
  assert.deepEqual(Object.keys((await signedIn.json()) as object).sort(), ['expires_in', 'member']);
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!;
  const ask = async (method: string, headers: Record<string, string>): Promise<number> => {
    const path = method === 'GET' ? '/api/v1/session' : '/api/v1/password';
    const body = method === 'GET' ? {} : { body: {} };
    return (await askRaw({ url }, method, path, { headers: { cookie, ...headers }, ...body })).status;
  };
  assert.equal(await ask('GET', {}), 200);
  assert.equal(await ask('GET', { 'sec-fetch-site': 'same-origin' }), 200);
  assert.equal(await ask('GET', { 'sec-fetch-site': 'same-site' }), 401);
  assert.equal(await ask('GET', { origin: 'http://127.0.0.1:1' }), 401);
  assert.equal(await ask('GET', { origin: 'null' }), 401);
  assert.equal(await ask('PUT', {}), 401);
  assert.equal(await ask('PUT', { origin: 'http://other.example' }), 401);
  assert.equal(await ask('PUT', { 'sec-fetch-site': 'cross-site' }), 401);
  assert.equal(await ask('PUT', { origin: url }), 400);
  assert.equal(await ask('PUT', { 'sec-fetch-site': 'same-origin' }), 400);
});
