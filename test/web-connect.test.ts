import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { digAs } from './support/dig.ts';
import { DNS_HOST, makeHome, OWNER, PASSWORD, startDns, until } from './support/dns.ts';
import { address, startWorld, worldOf } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig');
const phone = { viewport: { width: 360, height: 740 } };
const web = skip ? ({} as Web) : await startWeb({ after });

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

/** A tab, or an option of the select of narrow pages. */
async function choose(page: Page, name: string): Promise<void> {
  const select = page.getByRole('combobox', { name: 'How to connect' });
  const tab = page.getByRole('tab', { name });
  await select.or(tab).first().waitFor();
  if (await select.isVisible()) await select.selectOption(name);
  else await tab.click();
}

test('the first run protects the network in three steps, counted', { skip }, async (t) => {
  // Closed before the service stops, or the page would log failed requests.
  const page = await web.stranger(t);
  const world = await startWorld(t, worldOf([address('www.example.org', '192.0.2.1')]));
  const service = await startDns(t, world.address);
  const link = await until('the link', () => service.log.find((entry) => entry['setUpUrl'])?.['setUpUrl'] as string);
  const startedAt = Date.now();
  let steps = 0;
  const click = async (name: string): Promise<void> => {
    await page.getByRole('button', { name }).click();
    steps += 1;
  };
  assert.equal((await digAs(service, undefined, 'udp', ['www.example.org', 'A']))?.status, 'REFUSED');

  await page.goto(link);
  await page.getByLabel('E-mail address').fill('ann@example.org');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await click('Create account');

  await page.getByRole('heading', { name: 'Protect this network?' }).waitFor();
  await assertAccessible(page);
  await click('Protect this network');

  await page.getByText('Waiting for the first query from your network').waitFor();
  await page.getByText('127.0.0.1', { exact: true }).first().waitFor();
  await page.getByText(`DNS listens on port ${service.ports.dns}`).waitFor();
  await assertAccessible(page);
  for (const router of ['OpenWrt', 'UniFi', 'ASUS', 'Other routers', 'FRITZ!Box']) {
    await choose(page, router);
    await page.getByRole('tabpanel').getByText('127.0.0.1').first().waitFor();
    await page.getByRole('tabpanel').getByText('devices may also use the router as IPv6 DNS server').waitFor();
  }
  // Step three is the address in the router; from here on its clients send their queries to this server.
  steps += 1;
  assert.equal((await digAs(service, undefined, 'udp', ['www.example.org', 'A']))?.status, 'NOERROR');
  await page.getByText('Queries from your network arrive').waitFor();
  await page.getByRole('status').getByText('www.example.org').waitFor();
  await page.getByRole('status').getByText('from 127.0.0.1').waitFor();
  assert.equal(steps, 3);
  assert.ok(Date.now() - startedAt < 3 * 60_000);
  t.diagnostic(`${steps} steps, ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);

  // The browser of the test does not use this server for DNS, so its lookup is made with dig.
  await page.route('**/*doubleclick.net/**', async (route) => {
    await digAs(service, undefined, 'udp', [new URL(route.request().url()).hostname, 'A']);
    await route.abort();
  });
  await page.getByRole('button', { name: 'Test now' }).click();
  await page.getByText('Blocked. This device is filtered.').waitFor();

  // The private networks are one entry.
  const list = page.getByRole('region', { name: 'Networks and their profiles' });
  await list.getByText('All private networks').waitFor();
  assert.equal(await list.getByRole('combobox').count(), 1);
  await list.getByRole('button', { name: 'Edit each network' }).click();
  await list.getByRole('textbox').nth(7).waitFor();
  await assertAccessible(page);
});

test('a single device can be connected instead', { skip }, async (t) => {
  const page = await web.stranger(t);
  const world = await startWorld(t, worldOf([address('www.example.org', '192.0.2.1')]));
  const service = await startDns(t, world.address);
  const link = await until('the link', () => service.log.find((entry) => entry['setUpUrl'])?.['setUpUrl'] as string);
  const [place, code] = link.split('#') as [string, string];
  await page.goto(place);
  await page.getByLabel('Set-up code').fill(code.toLowerCase().replaceAll('-', ' '));
  await page.getByLabel('E-mail address').fill('ann@example.org');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('link', { name: 'Only connect single devices' }).click();

  await heading(page, 'Connect a device').waitFor();
  // Other devices cannot use the address in the browser.
  await page.getByText('address that only this computer can use').waitFor();
  assert.equal(await page.getByText(service.url).count(), 0);
  await page.getByRole('textbox', { name: 'Name' }).fill("Ann's laptop");
  await page.getByLabel('Type', { exact: true }).selectOption('Linux');
  await page.getByRole('button', { name: 'Add and connect' }).click();

  await heading(page, "Connect Ann's laptop").waitFor();
  await page.getByText("Waiting for the first query from “Ann's laptop”").waitFor();
  await assertAccessible(page);
  const [, id] = /\/devices\/(\w+)\/connect/.exec(page.url())!;
  assert.ok(await digAs(service, id, 'doh', ['www.example.org', 'A']));
  // The lists of malicious domains cannot be downloaded in tests.
  await page.getByText("“Ann's laptop” is connected and partly protected").waitFor();
  await page.getByText('Some lists are not loaded, so they block nothing.').waitFor();
  await page.getByText(/^Safe browsing: (being downloaded|download failed)\./).waitFor();
  await page.getByRole('status').getByText('www.example.org').waitFor();
  await assertAccessible(page);
});

test('every device type has instructions with its own addresses', { skip }, async (t) => {
  const { home, visit } = web;
  const { id } = await home.device('Tablet', 'IOS');
  const { dns_addresses } = await home.ask('GET', `/oapi/v1/devices/${id}`);
  const dot = dns_addresses.dns_over_tls_url.replace('tls://', '');
  const page = await visit(t, `/devices/${id}`, phone);
  await page.getByRole('link', { name: 'Connect' }).click();
  await heading(page, 'Connect Tablet').waitFor();

  const qr = page.getByRole('img', { name: 'QR code of this page' });
  await page.getByText('address that only this computer can use').waitFor();
  assert.equal(await qr.count(), 0);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Profile (DNS over HTTPS)' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), `${id}-doh.mobileconfig`);
  await assertAccessible(page);

  await choose(page, 'Android');
  const shown = page.getByRole('tabpanel');
  await shown.getByText(dot, { exact: true }).waitFor();
  await choose(page, 'Windows');
  await shown.getByText(`-DohTemplate "${dns_addresses.dns_over_https_url}"`).waitFor();
  await choose(page, 'Mac');
  await shown.getByRole('link', { name: 'Profile (DNS over TLS)' }).waitFor();
  await choose(page, 'Linux');
  await shown.getByText(`#${dot}`).first().waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
  await assertAccessible(page);
  await choose(page, 'Router, TV');
  await shown.getByText(`add-cpe-id=${id}`).waitFor();
  await choose(page, 'Browser');
  for (const name of ['Firefox', 'Chrome', 'Edge']) await shown.getByRole('heading', { name }).waitFor();
  await assertAccessible(page);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
});

test('a device without protection is reported, and a test address proves blocking', { skip }, async (t) => {
  const { home, visit } = web;
  await home.set({
    safebrowsing_settings: { enabled: false },
    user_rules_settings: { enabled: true, rules: ['||doubleclick.net^'] },
  });
  const { id } = await home.device('Unprotected');
  await home.ask('PUT', `/oapi/v1/devices/${id}/settings`, { protection_enabled: false });
  await home.dug(id, 'dot', 'www.example.org', 'A');
  await home.logged('www.example.org');
  const page = await visit(t, `/devices/${id}/connect`, { colorScheme: 'dark' });
  await page.getByText('“Unprotected” is connected, but not protected').waitFor();
  await assertAccessible(page);
  await page.getByRole('switch', { name: 'Protection' }).click();
  await page.getByText('“Unprotected” is protected').waitFor();
  const region = page.getByRole('region', { name: 'Test blocking' });
  const openOn = async (device: string): Promise<unknown> => {
    const address = await region.getByText('http://weir-test-').innerText();
    return home.dug(device, 'dot', new URL(address).hostname, 'A');
  };
  await openOn((await home.device('Other')).id);
  await region.getByText('The query came from Other').waitFor();
  await region.getByRole('button', { name: 'Test again' }).click();
  await region.getByText('Waiting for the device').waitFor();
  await openOn(id);
  await region.getByText('Blocked. “Unprotected” is filtered.').waitFor();
  await assertAccessible(page);
});

test('without the query log the check asks to turn it on', { skip }, async (t) => {
  const { home, visit } = web;
  const { id } = await home.device('Unlogged');
  await home.ask('PUT', '/api/v1/account', { log_enabled: false });
  t.after(() => home.ask('PUT', '/api/v1/account', { log_enabled: true }));
  const page = await visit(t, `/devices/${id}/connect`);
  await page.getByText('The query log is off').waitFor();
  await page.getByRole('link', { name: 'Go to account settings' }).click();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
});

test('a page at an address that other devices can use has a QR code', { skip }, async (t) => {
  const { home, stranger } = web;
  const { id } = await home.device('Phone', 'IOS');
  const baseURL = `http://${DNS_HOST}:${new URL(home.service.url).port}`;
  const page = await stranger(t, { baseURL });
  await page.goto(`/devices/${id}/connect`);
  await page.getByLabel('E-mail address').fill(OWNER);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('img', { name: 'QR code of this page' }).waitFor();
  await assertAccessible(page);
});

test('without a host name no encrypted address is offered, and the page says how to get one', { skip }, async (t) => {
  const page = await web.stranger(t, { ...phone });
  const world = await startWorld(t, worldOf([address('www.example.org', '192.0.2.1')]));
  const home = await makeHome(await startDns(t, world.address, ['--dns-host', 'localhost']));
  const { id } = await home.device('Phone', 'IOS');
  const { service, authorization } = home;

  const { dns_addresses: addresses } = await home.ask('GET', `/oapi/v1/devices/${id}`);
  const { ip_addresses: _, ...urls } = addresses;
  assert.deepEqual([...new Set(Object.values(urls))], ['']);
  for (const [protocol, why] of [
    ['doh', /dns-host/],
    ['dot', /device-domain/],
  ] as const) {
    const url = `${service.url}/oapi/v1/devices/${id}/${protocol}.mobileconfig`;
    const answer = await fetch(url, { headers: { authorization } });
    assert.equal(answer.status, 400);
    assert.match(((await answer.json()) as { message: string }).message, why);
  }
  // Designated resolvers (RFC 9462).
  const ddr = await home.dug(id, 'udp', '_dns.resolver.arpa', 'SVCB');
  assert.deepEqual(ddr.answer, []);

  await page.goto(`${service.url}/devices/${id}/connect`);
  await page.getByLabel('E-mail address').fill(OWNER);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await heading(page, 'Connect Phone').waitFor();
  const shown = page.getByRole('tabpanel');
  for (const [tab, title] of [
    ['iPhone, iPad', 'Encrypted DNS is not available on this server'],
    ['Android', 'DNS over TLS on port 853 is not available on this server'],
    ['Windows', 'DNS over HTTPS is not available on this server'],
    ['Mac', 'Encrypted DNS is not available on this server'],
    ['Linux', 'DNS over TLS is not available on this server'],
    ['Browser', 'DNS over HTTPS is not available on this server'],
  ] as const) {
    await choose(page, tab);
    await shown.getByText(title).waitFor();
    await shown.getByText('setting “dns-host”').waitFor();
    await shown.getByText('Plain DNS listens only on this computer').waitFor();
  }
  await assertAccessible(page);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
  assert.equal(await page.getByText('localhost').count(), 0);
  assert.equal(await page.getByRole('link', { name: /profile/i }).count(), 0);
  await shown.getByRole('link', { name: 'Protect the network' }).click();
  await page.getByRole('heading', { name: 'Protect this network?' }).waitFor();
});
