import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { leased, leaseFile } from './support/leases.ts';
import { missing } from './support/programs.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig');
const phone = { viewport: { width: 390, height: 844 } };
const web = skip ? ({} as Web) : await startWeb({ after }, ['--dhcp-leases', await leaseFile({ after })]);

const heading = (page: Page, name: string, level: 1 | 2 = 1) => page.getByRole('heading', { name, level });

async function askFromNetwork(): Promise<void> {
  const { home } = web;
  await home.set({ ip_log_enabled: true });
  await home.ask('PUT', '/api/v1/networks', { networks: [{ network: '127.0.0.0/8', dns_server_id: home.server }] });
  const addresses = Object.values(leased).map(({ address }) => address);
  for (const address of addresses) await home.dug(undefined, 'udp', '-b', address, 'www.example.org');
  // Later tests read the log once.
  await home.logged('www.example.org', addresses.length);
}

const isWiderThanPage = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

test('without clients the page says why, and shows them as they come', { skip }, async (t) => {
  const page = await web.visit(t, '/clients');
  await heading(page, 'No clients yet', 2).waitFor();
  await assertAccessible(page);
  await askFromNetwork();
  await page.getByText(leased.tv.name).waitFor();
  await page.getByText('Raspberry Pi Foundation').filter({ visible: true }).waitFor();
  await page.getByText('Private MAC address').filter({ visible: true }).waitFor();
  await assertAccessible(page);
  await page.getByRole('searchbox', { name: 'Search clients' }).fill(leased.laptop.mac);
  await page.getByText('1 client', { exact: true }).waitFor();
  assert.equal(await page.getByText(leased.tv.name).count(), 0);
});

test('a client becomes a device by keyboard, and is shown with its name everywhere', { skip }, async (t) => {
  const { visit, home } = web;
  const page = await visit(t, '/clients');
  await page.getByRole('button', { name: `Add as device: ${leased.tv.name}` }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add as device' });
  assert.equal(await dialog.getByLabel('Name').inputValue(), leased.tv.name);
  assert.equal(await dialog.getByLabel(`MAC address ${leased.tv.mac}`).isChecked(), true);
  await assertAccessible(page);
  await dialog.getByLabel('Name').fill('Television');
  await dialog.getByLabel('Name').press('Enter');
  await page.getByText('“Television” added as a device.').waitFor();
  const [device] = (await home.ask('GET', '/oapi/v1/devices')) as readonly { id: string; name: string }[];
  assert.equal(device!.name, 'Television');
  await page
    .getByRole('row', { name: /Television/ })
    .getByRole('link', { name: 'Device' })
    .click();
  await heading(page, 'Television').waitFor();

  await page.goto('/log');
  await page.getByRole('row', { name: new RegExp(leased.laptop.name) }).waitFor();
  await page.goto('/');
  const top = page.getByRole('list', { name: 'Network clients in the last 24 hours' });
  await top.getByText(leased.laptop.name).waitFor();
  await top.getByText('Television').waitFor();
});

test('the address is suggested for a client with a private MAC address', { skip }, async (t) => {
  const page = await web.visit(t, '/clients', phone);
  await page.getByRole('button', { name: `Add as device: ${leased.phone.name}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Add as device' });
  assert.equal(await dialog.getByLabel(`Address ${leased.phone.address}`).isChecked(), true);
  await dialog.getByText('This is a private MAC address').waitFor();
  assert.equal(await isWiderThanPage(page), false);
  await assertAccessible(page);
});

test('the log and the statistics of a client that is not a device are one click away', { skip }, async (t) => {
  const page = await web.visit(t, '/clients');
  const row = page.getByRole('row', { name: new RegExp(leased.laptop.name) });
  await row.getByRole('link', { name: 'Query log' }).click();
  await heading(page, 'Query log').waitFor();
  await page.getByRole('row', { name: new RegExp(leased.laptop.name) }).waitFor();
  assert.equal(await page.getByRole('row', { name: /www\.example\.org/ }).count(), 1);
  assert.match(page.url(), new RegExp(`clients=${leased.laptop.address}`));
  await page.getByRole('main').getByText(`${leased.laptop.name} (${leased.laptop.address})`).waitFor();
  await assertAccessible(page);
  await page.goto('/statistics?by=clients');
  const cells = page.getByRole('row', { name: new RegExp(leased.laptop.name) }).getByRole('cell');
  await cells.first().waitFor();
  assert.deepEqual(await cells.allInnerTexts(), [leased.laptop.name, '1', '0', '0%']);
  await assertAccessible(page);
});

test('a domain is tested for a client that is described by its MAC address or its address', { skip }, async (t) => {
  const { visit, home } = web;
  const page = await visit(t, `/servers/${home.server}/rules`, phone);
  await page.getByRole('textbox', { name: 'Domain' }).fill('www.example.org');
  await page.getByLabel('Device', { exact: true }).selectOption('A client in the network…');
  const ask = () => page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByLabel('MAC address').fill('a0:b1');
  await ask();
  await page.getByText('Enter a MAC address').waitFor();
  await page.getByLabel('MAC address').fill(leased.tv.mac.toUpperCase());
  await page.getByLabel('IP address').fill('127.0.0.77');
  await ask();
  await page
    .getByText(new RegExp(`is the device “Television” .* Recognised by: MAC address ${leased.tv.mac}`))
    .waitFor();
  await page.getByText('Also matches: network 127.0.0.0/8').waitFor();
  await assertAccessible(page);
  assert.equal(await isWiderThanPage(page), false);
  await page.getByLabel('MAC address').fill('');
  await ask();
  await page.getByText(/is not a device\. It uses the profile .* Reason: network 127\.0\.0\.0\/8/).waitFor();
  await page.getByLabel('IP address').fill('203.0.113.9');
  await ask();
  await page.getByText('This client is refused').waitFor();
});

test('a client is removed from the list', { skip }, async (t) => {
  const page = await web.visit(t, '/clients');
  await page.getByRole('button', { name: `Remove ${leased.laptop.name} from the list` }).click();
  await page.getByText('It appears again with its next query.').waitFor();
  await page.getByText('2 clients').waitFor();
});

test('the log shows domain and client at every width', { skip }, async (t) => {
  for (const width of [390, 820, 1024, 1280]) {
    const page = await web.visit(t, '/log', { viewport: { width, height: 800 } });
    const row = page.getByRole('row', { name: /www\.example\.org/ }).first();
    const domain = await row.getByRole('button', { name: 'www.example.org', exact: true }).boundingBox();
    assert.ok(domain && domain.width >= 100, `${width}: ${domain?.width}`);
    await page
      .getByRole('row', { name: new RegExp(`${leased.phone.name}.*www\\.example\\.org`) })
      .getByText(leased.phone.name)
      .waitFor();
    assert.equal(await isWiderThanPage(page), false);
  }
});
