import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from './support/dns.ts';
import { missing } from './support/programs.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig');
const phone = { viewport: { width: 360, height: 740 } };

const web = skip ? ({} as Web) : await startWeb({ after }, ['--dedicated-address', '127.0.0.53']);

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

test('an account without devices shows a hint, and the first device is added by keyboard', {
  skip,
}, async (t) => {
  const { visit, home } = web;
  const page = await visit(t, '/devices');
  await page.getByRole('heading', { name: 'No devices yet' }).waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Add device' }).first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Name').waitFor();
  await assertAccessible(page);
  await page.keyboard.type("Ann's phone");
  await page.getByLabel('Type', { exact: true }).selectOption('Android');
  await page.getByRole('dialog').getByLabel('Name').press('Enter');
  await heading(page, "Ann's phone").waitFor();
  const [device] = await home.ask('GET', '/oapi/v1/devices');
  assert.deepEqual([device.name, device.device_type], ["Ann's phone", 'ANDROID']);
  await page.getByText(device.dns_addresses.dns_over_https_url, { exact: true }).waitFor();
  await assertAccessible(page);
});

test('addresses are copied and shown as QR codes, and the Apple profile is downloaded', { skip }, async (t) => {
  const { visit, home } = web;
  const { id, dns_addresses } = await home.ask('POST', '/oapi/v1/devices', {
    name: 'To copy',
    device_type: 'IOS',
    dns_server_id: home.server,
  });
  const page = await visit(t, `/devices/${id}`, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Copy: DNS over HTTPS' }).click();
  await until('the address in the clipboard', async () => {
    const copied = await page.evaluate('navigator.clipboard.readText()');
    return copied === dns_addresses.dns_over_https_url || undefined;
  });
  await page.getByRole('button', { name: 'QR code: DNS over HTTPS' }).click();
  await page.getByRole('img', { name: 'QR code: DNS over HTTPS' }).waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Over HTTPS' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), `${id}-doh.mobileconfig`);
});

test('the protection switch applies to the next query and can be undone', { skip }, async (t) => {
  const { visit, home } = web;
  await home.set({ user_rules_settings: { enabled: true, rules: ['||www.example.org^'] } });
  const { id } = await home.device('To switch');
  const answers = async (): Promise<boolean> => {
    const { answer } = await home.dug(id, 'doh', 'www.example.org', 'A');
    return answer.some((line) => line.includes('192.0.2.1'));
  };
  assert.equal(await answers(), false);
  const page = await visit(t, '/devices');
  const control = page.getByRole('switch', { name: 'Protection of To switch' });
  await control.focus();
  await page.keyboard.press('Space');
  await page.getByText('nothing is filtered for it').waitFor();
  assert.equal(await control.isChecked(), false);
  assert.equal(await answers(), true);
  await page.getByRole('button', { name: 'Undo' }).click();
  await until('protection', async () => ((await control.isChecked()) ? true : undefined));
  assert.equal(await answers(), false);
});

test('a device is renamed and moved to another server, and the move can be undone', { skip }, async (t) => {
  const { visit, home } = web;
  const { id: other } = await home.ask('POST', '/oapi/v1/dns_servers', { name: 'Children' });
  const { id } = await home.device('To move');
  const page = await visit(t, `/devices/${id}`);
  const known = () => home.ask('GET', `/oapi/v1/devices/${id}`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Moved');
  await page.getByLabel('Profile', { exact: true }).selectOption('Children');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await heading(page, 'Moved').waitFor();
  assert.equal((await known()).dns_server_id, other);
  await page.getByRole('button', { name: 'Undo' }).click();
  await until('the server of before', async () => ((await known()).dns_server_id === home.server ? true : undefined));
  assert.equal((await known()).name, 'Moved');
});

test('a new password disables the old address, and the password can be required', { skip }, async (t) => {
  const { visit, home } = web;
  const { id, dns_addresses } = await home.device('With password');
  const before = dns_addresses.dns_over_https_with_auth_url;
  const page = await visit(t, `/devices/${id}`);
  await page.getByText(before).waitFor();
  await page.getByRole('button', { name: 'New password' }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'New password' });
  await confirm.waitFor();
  await assertAccessible(page);
  await confirm.click();
  await page.getByText('Password changed.').waitFor();
  const { dns_addresses: after } = await home.ask('GET', `/oapi/v1/devices/${id}`);
  assert.notEqual(after.dns_over_https_with_auth_url, before);
  await page.getByText(after.dns_over_https_with_auth_url).waitFor();
  await page.getByRole('switch', { name: 'Require the password' }).click();
  await until('the password to be needed', async () => {
    const { settings } = await home.ask('GET', `/oapi/v1/devices/${id}`);
    return settings.detect_doh_auth_only === true ? true : undefined;
  });
});

test('addresses are linked, assigned and removed', { skip }, async (t) => {
  const { visit, home } = web;
  const { id } = await home.device('Router');
  const page = await visit(t, `/devices/${id}`);
  await page.getByLabel('IP address or dynamic DNS hostname').fill('203.0.113.7.8');
  await page.getByRole('button', { name: 'Link', exact: true }).click();
  await page.getByText('Check your input.').waitFor();
  await page.getByLabel('IP address or dynamic DNS hostname').fill('203.0.113.7');
  await page.getByRole('button', { name: 'Link', exact: true }).click();
  await page.getByText('203.0.113.7 is not linked yet').waitFor();
  await page.getByText(/dig @\S+ -p \d+ -c CH -t TXT [a-z2-7]{26}\.link\.server/).waitFor();
  await assertAccessible(page);
  await page.getByLabel('IP address or dynamic DNS hostname').fill('192.168.1.7');
  await page.getByRole('button', { name: 'Link', exact: true }).click();
  await page.getByText('Linked: 192.168.1.7').waitFor();
  await page.getByRole('button', { name: 'Unlink' }).click();
  await page.getByText('No address is linked.').waitFor();
  await page.getByRole('button', { name: 'Assign address' }).click();
  await page.getByRole('button', { name: 'Remove 127.0.0.53' }).click();
  await page.getByText('None', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Assign 127.0.0.53' }).waitFor();
  await page.getByRole('button', { name: 'Release 127.0.0.53' }).click();
  await page.getByRole('button', { name: 'Assign address' }).waitFor();
  assert.deepEqual(await home.ask('GET', '/oapi/v1/dedicated_addresses/ipv4'), []);
});

test('identifiers and tags are added, corrected and removed, and apply to the next query', { skip }, async (t) => {
  const { visit, home } = web;
  const { id } = await home.device('Kids tablet', 'ANDROID');
  const known = () => home.ask('GET', `/api/v1/devices/${id}/identifiers`);
  const status = async () => (await home.dug(undefined, 'udp', '-b', '127.0.0.91', 'www.example.org')).status;
  const page = await visit(t, `/devices/${id}`, phone);
  const section = page.getByRole('region', { name: 'Identified by' });
  const save = section.getByRole('button', { name: 'Save identifiers and tags' });
  await section.getByText('No identifiers yet.').waitFor();
  await section.getByText('Set by the device type: device_phone, os_android').waitFor();
  for (const [nth, kind, value] of [
    [0, 'MAC address', 'A0-B1-C2-D3-E4-F5'],
    [1, 'IP address', '203.0.113.7'],
    [2, 'Host name', 'tablet-*'],
  ] as const) {
    await section.getByRole('button', { name: 'Add identifier' }).click();
    await section.getByLabel('Identifier type').nth(nth).selectOption(kind);
    await section.getByRole('textbox', { name: kind }).fill(value);
  }
  await section.getByRole('combobox', { name: 'Tags' }).click();
  await page.getByRole('option', { name: 'user_child' }).waitFor();
  await assertAccessible(page);
  await page.getByRole('option', { name: 'user_child' }).click();
  await page.keyboard.press('Escape');
  await save.click();
  await section.getByText('Only addresses in private networks.').waitFor();
  await assertAccessible(page);
  assert.equal(await status(), 'REFUSED');
  await section.getByRole('textbox', { name: 'IP address' }).fill('127.0.0.91');
  await save.click();
  await page.getByText('Saved. Takes effect immediately.').waitFor();
  const { identifiers, tags } = await known();
  assert.deepEqual(identifiers, [
    { kind: 'address', value: '127.0.0.91' },
    { kind: 'mac', value: 'a0:b1:c2:d3:e4:f5' },
    { kind: 'host name', value: 'tablet-*' },
  ]);
  assert.deepEqual(tags, ['user_child']);
  assert.equal(await status(), 'NOERROR');
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
  await assertAccessible(page);
  await section.getByRole('button', { name: 'Remove 127.0.0.91' }).click();
  await home.ask('PUT', `/api/v1/devices/${id}/identifiers`, { identifiers: identifiers.slice(0, 1), tags: [] });
  await save.click();
  await section.getByText('Someone else saved a change at the same time.').waitFor();
  assert.equal((await known()).identifiers.length, 1);
  await save.click();
  await until('the address to be removed', async () => ((await known()).identifiers.length === 2 ? true : undefined));
  assert.deepEqual((await known()).tags, ['user_child']);
  assert.equal(await status(), 'REFUSED');
});

test('a device is removed, and comes back with its id by undo', { skip }, async (t) => {
  const { visit, home } = web;
  const { id } = await home.device('To remove');
  const page = await visit(t, `/devices/${id}`);
  await page.getByRole('heading', { name: 'Identified by' }).waitFor();
  const missing: string[] = [];
  page.on('response', (response) => void (response.status() === 404 && missing.push(response.url())));
  await page.getByRole('button', { name: 'Remove this device' }).click();
  await heading(page, 'Devices').waitFor();
  // The pointer keeps the message open: the check of accessibility may take longer than it is shown.
  await page.getByRole('button', { name: 'Undo' }).hover();
  const isThere = async (): Promise<boolean> =>
    (await home.ask('GET', '/oapi/v1/devices')).some((device: { id: string }) => device.id === id);
  assert.equal(await isThere(), false);
  await assertAccessible(page);
  assert.deepEqual(missing, []);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'To remove' }).waitFor();
  assert.equal(await isThere(), true);
});

test('a list that fails to load shows an error and loads once the service responds', { skip }, async (t) => {
  const { visit, home } = web;
  await home.device('Still there');
  const page = await visit(t, '/compiler', { colorScheme: 'dark' });
  await heading(page, 'Compiler').waitFor();
  await page.route('**/oapi/v1/devices', (route) => route.fulfill({ status: 404, json: {} }));
  await page.getByRole('link', { name: 'Devices' }).click();
  await page.getByText('Couldn’t load this').waitFor();
  await assertAccessible(page);
  await page.unroute('**/oapi/v1/devices');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'Still there' }).waitFor();
  await assertAccessible(page);
});

test('several devices are moved with undo and removed together', { skip }, async (t) => {
  const { visit, home } = web;
  const { id: other } = await home.ask('POST', '/oapi/v1/dns_servers', { name: 'Guests' });
  const ids = [(await home.device('Bulk 1')).id, (await home.device('Bulk 2')).id];
  const placed = async (): Promise<(string | undefined)[]> => {
    const devices: { id: string; dns_server_id: string }[] = await home.ask('GET', '/oapi/v1/devices');
    return ids.map((id) => devices.find((device) => device.id === id)?.dns_server_id);
  };
  const page = await visit(t, '/devices');
  for (const name of ['Bulk 1', 'Bulk 2']) await page.getByRole('checkbox', { name: `Select ${name}` }).click();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Move to profile' }).click();
  await page.getByRole('menuitem', { name: 'Guests' }).click();
  await page.getByText('2 devices moved to “Guests”.').waitFor();
  assert.deepEqual(await placed(), [other, other]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await until('the profiles of before', async () => (await placed()).every((id) => id === home.server) || undefined);
  for (const name of ['Bulk 1', 'Bulk 2']) await page.getByRole('checkbox', { name: `Select ${name}` }).click();
  await page.getByRole('toolbar').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('2 devices removed.').waitFor();
  assert.deepEqual(await placed(), [undefined, undefined]);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await until('the devices of before', async () => (await placed()).every((id) => id === home.server) || undefined);
});

test('ten thousand devices and long names fit on the page at every width', { skip }, async (t) => {
  const { visit, home } = web;
  const { id } = await home.device('One of many');
  const device = await home.ask('GET', `/oapi/v1/devices/${id}`);
  const many = Array.from({ length: 10_000 }, (_, nth) => ({
    ...device,
    id: `many${nth}`,
    name: nth === 0 ? 'W'.repeat(64) : `Device ${nth}`,
  }));
  const page = await visit(t, '/account');
  await page.route('**/oapi/v1/devices', (route) => route.fulfill({ json: many }));
  await page.goto('/devices');
  await page.getByRole('link', { name: 'Device 3', exact: true }).waitFor();
  const nodes = await page.evaluate<number>(`document.querySelectorAll('*').length`);
  assert.ok(nodes <= 3000, `${nodes} nodes`);
  for (const width of [390, 820, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, String(width));
    const name = await page.getByRole('link', { name: 'W'.repeat(64) }).boundingBox();
    assert.ok(name && name.width >= 100, `${width}: ${name?.width}`);
  }
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  await page.getByRole('link', { name: 'Device 9999', exact: true }).waitFor();
});

test('an unknown device shows an error', { skip }, async (t) => {
  const { visit } = web;
  const page = await visit(t, '/devices/nothing1');
  await page.getByText('Not found.').waitFor();
});

test('names with markup are shown as text, on a phone too', { skip }, async (t) => {
  const { visit, home } = web;
  const hostile = '<img src=x onerror=alert(1)>';
  const { id } = await home.device(hostile);
  const page = await visit(t, '/devices', phone);
  let dialogs = 0;
  page.on('dialog', () => {
    dialogs += 1;
  });
  await page.getByRole('link', { name: '<img src=x onerror=alert(1)>' }).click();
  await page.waitForURL(`**/devices/${id}`);
  await heading(page, '<img').waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
  assert.equal(dialogs, 0);
  await assertAccessible(page);
});
