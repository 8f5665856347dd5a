import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { address, startWorld, worldOf } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig');
const phone = { viewport: { width: 360, height: 740 } };

const web = skip ? ({} as Web) : await startWeb({ after });
const server = skip
  ? undefined
  : await startWorld({ after }, worldOf([address('rebound.example.org', '192.168.1.60')]));

const answerOf = async (device: string, name: string): Promise<string> =>
  (await web.home.dug(device, 'doh', name, 'A')).answer.join();
const saved = (page: Page) => page.getByText('Saved. Takes effect immediately.').waitFor();

test('records are added, edited, removed and restored, and apply to the next query', { skip }, async (t) => {
  const { visit, home } = web;
  const { id } = await home.device('Asks');
  const page = await visit(t, '/local-names');
  await page.getByText('No local records yet.').waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Add record' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('nas.home.arpa');
  await dialog.getByRole('textbox', { name: 'Value' }).fill('not an address');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter an IPv4 address').waitFor();
  await assertAccessible(page);
  await dialog.getByRole('textbox', { name: 'Value' }).fill('192.168.1.10');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await saved(page);
  await page.getByRole('cell', { name: 'All profiles' }).waitFor();
  assert.match(await answerOf(id, 'nas.home.arpa'), /192\.168\.1\.10$/);

  await page.getByRole('button', { name: 'Edit nas.home.arpa' }).click();
  await dialog.getByRole('textbox', { name: 'Value' }).fill('192.168.1.11');
  await dialog.getByRole('combobox', { name: 'Profile' }).selectOption('Default');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: 'A 192.168.1.11' }).waitFor();
  await page.getByRole('cell', { name: 'Default' }).waitFor();
  await page.getByRole('button', { name: 'Remove nas.home.arpa' }).click();
  await page.getByText('No local records yet.').waitFor();
  assert.doesNotMatch(await answerOf(id, 'nas.home.arpa'), /192\.168/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('cell', { name: 'A 192.168.1.11' }).waitFor();
  assert.match(await answerOf(id, 'nas.home.arpa'), /192\.168\.1\.11$/);
});

test('a hosts file is imported, with errors by line', { skip }, async (t) => {
  const page = await web.visit(t, '/local-names', phone);
  await page.getByRole('button', { name: 'Import hosts file' }).click();
  const dialog = page.getByRole('dialog');
  const hosts = Array.from({ length: 120 }, (_, i) => `10.0.0.${i + 1} host${i}.home.arpa`).join('\n');
  await dialog.getByRole('textbox', { name: 'Hosts file content' }).fill(`${hosts}\nnonsense`);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByText('120 records added. 0 existed already.').waitFor();
  await dialog.getByText('Line 121:').waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText(/^100 of \d+ records$/).waitFor();
  await page.getByRole('searchbox', { name: 'Search records' }).fill('host119');
  await page.getByRole('cell', { name: 'host119.home.arpa A 10.0.0.120 All profiles' }).waitFor();
  assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 360, 'no scrolling sideways');
});

test('forwarding rules and settings of a DNS server are live', { skip }, async (t) => {
  const { visit, home } = web;
  const { id } = await home.device('Forwards');
  const page = await visit(t, '/local-names');
  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Domain or network' }).fill('rebound.example.org');
  await dialog
    .getByRole('textbox', { name: 'Servers, one per line' })
    .fill(`${server!.address}\ntcp://${server!.address}`);
  await dialog.getByRole('combobox', { name: 'Server selection' }).selectOption('In parallel');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await saved(page);
  await page.getByRole('cell', { name: server!.address }).waitFor();
  assert.match(await answerOf(id, 'rebound.example.org'), /192\.168\.1\.60$/);
  const { forward_rules: rules } = await home.ask('GET', '/api/v1/forward_rules');
  assert.equal(rules[0].strategy, 'parallel');
  await page.getByRole('button', { name: 'Edit rebound.example.org' }).click();
  await dialog.getByText('Every query goes to all servers').waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await assertAccessible(page);

  await page.goto(`/servers/${home.server}/names`);
  await page.getByRole('button', { name: 'plex.direct' }).click();
  await page.getByRole('textbox', { name: 'Search domains, one per line' }).fill('home.arpa');
  await page.getByRole('switch', { name: 'Use DNS64' }).click();
  await page.getByRole('textbox', { name: 'NAT64 prefix' }).fill('10.0.0.0/8');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Enter an IPv6 network').waitFor();
  await page.getByRole('textbox', { name: 'NAT64 prefix' }).fill('64:ff9b::/96');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await saved(page);
  await assertAccessible(page);
  const { rebinding_presets: _, ...settings } = await home.ask('GET', `/api/v1/dns_servers/${home.server}/local_names`);
  assert.deepEqual(settings, {
    dns64: { prefix: '64:ff9b::/96' },
    rebinding_allowed: ['plex.direct'],
    search_domains: ['home.arpa'],
  });
});

test('the log and the domain test say which record answers', { skip }, async (t) => {
  const { visit, home } = web;
  const { id } = await home.device('Reads');
  const name = 'shown.home.arpa';
  await home.ask('POST', '/api/v1/local_records', { name, type: 'A', value: '10.9.0.1' });
  await answerOf(id, name);
  await home.logged(name);
  const page = await visit(t, `/log?search=${name}`, phone);
  await page.getByRole('table').getByRole('button', { name }).first().click();
  await page.getByText(`Local record: ${name}`).waitFor();
  await page.getByText(`${name} A 10.9.0.1`).waitFor();
  await assertAccessible(page);
  await page.goto(`/servers/${home.server}/rules`);
  await page.getByRole('textbox', { name: 'Domain' }).fill(name);
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByText(`Local record: ${name}`).waitFor();
});

test('a row of the rebinding protection allows its domain with one click', { skip }, async (t) => {
  const { visit, home } = web;
  const { id } = await home.device('Rebinds');
  const name = 'private.example.org';
  assert.match(await answerOf(id, name), /0\.0\.0\.0$/);
  await home.logged(name);
  const page = await visit(t, `/log?search=${name}`);
  await page.getByRole('table').getByRole('button', { name }).first().click();
  await page.getByRole('dialog').getByText('DNS rebinding protection: a public name with a private address').waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Allow private addresses' }).click();
  await page.getByText(`${name} may now resolve to private addresses.`).waitFor();
  assert.match(await answerOf(id, name), /192\.168\.1\.61$/);
  const undone = page.waitForResponse((response) => response.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Undo' }).click();
  await undone;
  assert.match(await answerOf(id, name), /0\.0\.0\.0$/);
});
