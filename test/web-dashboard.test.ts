import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { missing } from './support/programs.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig');
const phone = { viewport: { width: 360, height: 740 } };
const HOUR_MS = 3_600_000;

const web = skip ? ({} as Web) : await startWeb({ after }, [], { queries: 5000, days: 6 });

type Row = { readonly domain: string; readonly value: { readonly queries: number; readonly blocked: number } };
const stats = async (kind: string, extra = ''): Promise<Row[]> => {
  const range = `time_from_millis=${Date.now() - 7 * 24 * HOUR_MS}&time_to_millis=${Date.now()}`;
  return (await web.home.ask('GET', `/oapi/v1/stats/${kind}?${range}${extra}`)).stats;
};
const shown = (value: number): string => value.toLocaleString('en-GB');

test('the dashboard shows the numbers of the API, and each links to the filtered log', { skip }, async (t) => {
  const page = await web.visit(t, '/?period=10080m');
  const queries = (await stats('time')).reduce((sum, { value }) => sum + value.queries, 0);
  await page.getByText(shown(queries), { exact: true }).waitFor();
  const chart = page.getByRole('img', { name: 'Queries over time' });
  const plot = chart.locator('.u-over');
  const { width } = (await plot.boundingBox())!;
  await plot.hover({ position: { x: width - 1, y: 20 } });
  await chart.getByText('Incomplete').waitFor();
  await page.getByRole('region', { name: 'Alerts' }).getByText('new devices').waitFor();
  const section = (name: string) => page.getByRole('region', { name });
  const domains = (await stats('domains')).toSorted((one, other) => other.value.blocked - one.value.blocked);
  const blocked = domains[0]!;
  await section('Top blocked domains').getByText(shown(blocked.value.blocked), { exact: true }).first().waitFor();
  await page.getByText(/^\d+(\.\d)? ms$/).waitFor();
  for (const name of ['Devices', 'Companies', 'Categories', 'Destination countries'])
    await section(name).getByRole('listitem').first().waitFor();
  await assertAccessible(page);
  await section('Top blocked domains').getByRole('link', { name: blocked.domain }).click();
  await page.waitForURL('**/log?*');
  const { searchParams } = new URL(page.url());
  assert.deepEqual(Object.fromEntries(searchParams), {
    period: '10080m',
    search: `"${blocked.domain}"`,
    statuses: 'REQUEST_BLOCKED,RESPONSE_BLOCKED',
  });
  // The rest is loaded when the log is scrolled.
  await page.locator('tbody tr [data-do=open]').first().focus();
  await page.keyboard.press('End');
  await page.getByText(`End of log: ${shown(blocked.value.blocked)} queries`).waitFor();
  await page.goBack();
  await section('Companies').getByRole('button').first().click();
  await page.waitForURL('**/log?*companies=*');
  await page.locator('tbody tr').first().waitFor();
  await page.goBack();
  await plot.hover({ position: { x: width / 2, y: 20 } });
  await page.mouse.down();
  await plot.hover({ position: { x: width * 0.75, y: 20 } });
  await page.mouse.up();
  await page.waitForURL(/period=\d+-\d+/);
});

test('blocked queries of a list lead from the dashboard and the profile to the filtered log', { skip }, async (t) => {
  const { home } = web;
  const filter_list = [{ filter_id: 'adguard_dns_filter', enabled: true }];
  await home.set({ filter_lists_settings: { enabled: true, filter_list } });
  t.after(() => home.set({ filter_lists_settings: { enabled: false, filter_list: [] } }));
  const blocked = (await stats('time')).reduce((sum, { value }) => sum + value.blocked, 0);
  const page = await web.visit(t, '/?period=10080m');
  const lists = page.getByRole('region', { name: 'Top blocklists' });
  await lists.getByText(shown(blocked), { exact: true }).waitFor();
  await lists.getByText('100%', { exact: true }).waitFor();
  await lists.getByRole('link', { name: 'AdGuard DNS filter' }).click();
  await page.waitForURL('**/log?*lists=adguard_dns_filter*');
  const row = page.locator('tbody tr').first();
  await row.getByText('0 ms', { exact: true }).waitFor();
  await page.getByText('List: AdGuard DNS filter').waitFor();
  await assertAccessible(page);
  await row.locator('[data-do=open]').click();
  await page.getByRole('dialog').getByText('Response time', { exact: true }).waitFor();
  await page.goto(`/profiles/${home.server}/lists`);
  await page.getByRole('link', { name: `Blocked ${shown(blocked)} queries in the last 7 days` }).click();
  await page.waitForURL('**/log?*lists=adguard_dns_filter*');
  await row.waitFor();
});

test('the dashboard of one device on a dark phone; a device without queries shows a hint', {
  skip,
}, async (t) => {
  const { id } = await web.home.device('Silent');
  const page = await web.visit(t, '/?period=10080m', { ...phone, colorScheme: 'dark' });
  const [first] = (await stats('devices')) as unknown as { device_id: string; value: { queries: number } }[];
  // As without a GeoIP database, where all countries are unknown.
  const unknown = [{ country: 'QN', value: { queries: 5, blocked: 0 } }];
  await page.route('**/oapi/v1/stats/countries?*', (route) => route.fulfill({ json: { stats: unknown } }));
  await page.getByLabel('Device', { exact: true }).selectOption(first!.device_id);
  await page.waitForURL(`**/?*device=${first!.device_id}*`);
  await page.getByText(shown(first!.value.queries), { exact: true }).first().waitFor();
  await page.getByRole('region', { name: 'Categories' }).getByRole('listitem').first().waitFor();
  await page.getByRole('region', { name: 'Destination countries' }).waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
  await assertAccessible(page);
  await page.getByLabel('Device', { exact: true }).selectOption(id);
  await page.getByRole('heading', { name: 'No queries in this period' }).waitFor();
  await assertAccessible(page);
});

test('statistics are sorted, compared with the previous period and exported', { skip }, async (t) => {
  const page = await web.visit(t, '/statistics?period=4320m');
  const cells = (column: number) => page.locator(`tbody td:nth-child(${column})`);
  await cells(1).first().waitFor();
  await assertAccessible(page);
  await page.getByRole('columnheader', { name: 'Domain' }).getByRole('button').click();
  const names = await cells(1).allInnerTexts();
  assert.deepEqual(
    names.slice(0, 20),
    names.slice(0, 20).toSorted((one, other) => one.localeCompare(other)),
  );
  await page.getByRole('switch', { name: 'Compare with previous period' }).click();
  await page.getByRole('columnheader', { name: 'Change' }).waitFor();
  await page.getByRole('tab', { name: 'Devices' }).click();
  await page.waitForURL('**/statistics?*by=devices*');
  await page.getByRole('cell', { name: 'Television' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  assert.equal(lines[0], 'devices,queries,blocked,share,before,change');
  assert.equal(lines.length, 7);
  // Without scrolling sideways, with all numbers, and with a select instead of tabs in several lines.
  for (const width of [820, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await page.getByRole('combobox', { name: 'Statistics' }).waitFor();
    const isWithin = `[document.documentElement, ...document.querySelectorAll('main *')]
      .filter((each) => each.scrollWidth > each.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(each).overflowX))
      .map((each) => each.className)`;
    assert.deepEqual(await page.evaluate(isWithin), []);
    await page.getByRole('cell', { name: 'Television' }).waitFor();
    const ofRow = await page.getByRole('row', { name: 'Television' }).innerText();
    assert.match(ofRow, /Television\s+[\d,]+\s+Previous: [\d,]+\s+\S+%\s+[\d,]+\s+[\d.]+%/);
  }
  await assertAccessible(page);
  await page.getByRole('combobox', { name: 'Statistics' }).selectOption('Companies');
  await page.waitForURL('**/statistics?*by=companies*');
});

test('the protection state is the same on all pages, and a pause is shown until it is ended', { skip }, async (t) => {
  const { home, visit } = web;
  await home.set({
    safebrowsing_settings: { enabled: false },
    user_rules_settings: { enabled: true, rules: ['||ads.example^'] },
  });
  const page = await visit(t, '/');
  const card = page.getByRole('region', { name: 'Protection' });
  await card.getByText('Protected', { exact: true }).waitFor();
  await card.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('menuitem').first().waitFor();
  await assertAccessible(page);
  await page.getByRole('menuitem', { name: 'For 1 hour' }).click();
  await card.getByText('Paused until').waitFor();
  assert.equal((await home.ask('GET', '/api/v1/protection')).state, 'paused');
  await assertAccessible(page);
  const [device] = await home.ask('GET', '/oapi/v1/devices');
  for (const path of ['/devices', `/devices/${device.id}`, '/servers', `/servers/${home.server}`, '/log']) {
    await page.goto(path);
    await page.getByRole('main').getByText('Paused until').first().waitFor();
  }
  await page.goto(`/servers/${home.server}`);
  await page.getByRole('button', { name: 'Why?' }).click();
  await page.getByText('Protection is paused in the profile.').waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Resume protection' }).click();
  await page.getByRole('main').getByText('Protected', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Resume protection' }).click();
  await page.getByRole('main').getByText('Protected', { exact: true }).waitFor();

  // A profile whose lists cannot be downloaded is named, with the cause and the way to its settings.
  const { id: children } = await home.ask('POST', '/oapi/v1/dns_servers', { name: 'Children' });
  await page.goto('/');
  await card.getByText('Partly protected').waitFor();
  await card.getByText('Children: Some lists are not loaded, so they block nothing.').waitFor();
  await card.getByText('Safe browsing: download failed. The address doesn’t exist or isn’t allowed.').waitFor();
  const remedy = card.getByRole('link', { name: 'Check the safety settings' });
  assert.equal(await remedy.getAttribute('href'), `/profiles/${children}/safety`);
  await assertAccessible(page);
  await home.ask('DELETE', `/oapi/v1/dns_servers/${children}`);
});

test('with many devices, the filter by device is an accessible search field', { skip }, async (t) => {
  const page = await web.visit(t, '/nowhere');
  await page.route('**/oapi/v1/devices', async (route) => {
    const response = await route.fetch();
    const [first] = (await response.json()) as readonly { readonly id: string }[];
    const many = Array.from({ length: 500 }, (_, at) => ({ ...first!, id: `${at}`, name: `Device ${at}` }));
    await route.fulfill({ response, json: many });
  });
  await page.goto('/');
  await page.getByPlaceholder('All devices').fill('Device 499');
  await page.getByRole('option', { name: 'Device 499' }).waitFor();
  await assertAccessible(page);
});

test('a removed device is not counted as active', { skip }, async (t) => {
  const { home } = web;
  const active = (await stats('devices')) as readonly object[] as readonly { readonly device_id: string }[];
  const page = await web.visit(t, '/?period=10080m');
  const figure = page.getByRole('definition').filter({ hasText: 'Total:' });
  await figure.getByText(String(active.length), { exact: true }).waitFor();
  await home.ask('DELETE', `/oapi/v1/devices/${active[0]!.device_id}`);
  await page.reload();
  await figure.getByText(String(active.length - 1), { exact: true }).waitFor();
});
