import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from './support/dns.ts';
import { missing } from './support/programs.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig');

const web = skip ? ({} as Web) : await startWeb({ after });

test('lists are searched by name and category, and enabled', { skip }, async (t) => {
  const { visit, home } = web;
  const page = await visit(t, `/servers/${home.server}/lists`);
  await page.getByLabel('Search lists').fill('adguard dns');
  await page.getByLabel('Show').selectOption('General');
  await page.getByRole('switch', { name: 'AdGuard DNS filter', exact: true }).press('Space');
  await page.getByText('1 enabled').waitFor();
  await page.getByRole('switch', { name: 'AdGuard DNS filter', exact: true }).press('Space');
  await page.getByText('0 enabled').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Save', exact: true }).count(), 0);
  await page.getByRole('switch', { name: 'AdGuard DNS filter', exact: true }).press('Space');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved. Takes effect immediately.').waitFor();
  const { filter_lists_settings } = await home.ask('GET', `/oapi/v1/dns_servers/${home.server}/settings`);
  assert.equal(filter_lists_settings.filter_list.length, 1);
  // A preset replaces the enabled lists; nothing is saved before the button is used.
  await page.getByLabel('Search lists').fill('hagezi');
  await page.getByRole('button', { name: /^Light/ }).click();
  await page.getByText('1 enabled').waitFor();
  await page.getByLabel('Show').selectOption('All');
  await page
    .getByRole('switch', { name: /Normal/ })
    .first()
    .press('Space');
  await page.getByText('already contains this list').waitFor();
  await assertAccessible(page);
  await home.set({ filter_lists_settings: { filter_list: [] } });
});

test('lists are described in the language of the page', { skip }, async (t) => {
  const page = await web.visit(t, `/servers/${web.home.server}/lists`, { locale: 'de-DE' });
  await page.getByLabel('Listen suchen').fill('unerwünschter Pop-up');
  await page.getByRole('switch', { name: 'AdGuard DNS Popup Hosts filter' }).waitFor();
  const described = page.locator('p[lang=de]').filter({ hasText: 'Pop-up' });
  assert.equal(await described.count(), 1);
  await assertAccessible(page);
});

test('custom lists and temporary rules apply from the next query on and can be ended', {
  skip,
}, async (t) => {
  const { visit, home } = web;
  const { id } = await home.device('With own lists');
  const answers = async (isAnswered: boolean): Promise<void> => {
    await until(isAnswered ? 'an answer' : 'no answer', async () => {
      const { answer } = await home.dug(id, 'doh', 'www.example.org', 'A');
      return answer.some((line) => line.includes('192.0.2.1')) === isAnswered ? true : undefined;
    });
  };
  await answers(true);
  const page = await visit(t, `/servers/${home.server}/lists`);
  await page.getByRole('button', { name: 'Add custom list' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Ours');
  await dialog.getByText('Type rules').click();
  await dialog.getByRole('textbox', { name: 'Rules, one per line' }).fill('||www.example.org^');
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  // A new list is switched on; the profile uses it when it is saved.
  await page.getByText('Unsaved changes in Blocklists').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await answers(false);
  await page.goto(`/servers/${home.server}/rules`);
  await page.getByRole('textbox', { name: 'Rule', exact: true }).fill('@@||www.example.org^');
  await page.getByLabel('For', { exact: true }).selectOption('10 minutes');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'End now' }).waitFor();
  await answers(true);
  await page.getByRole('button', { name: 'End now' }).click();
  await page.getByText('None', { exact: true }).waitFor();
  await answers(false);
  await page.goto(`/servers/${home.server}/lists`);
  await page.getByRole('button', { name: 'Remove Ours' }).click();
  await page.getByText('No custom lists yet.').waitFor();
  await answers(true);
  assert.equal(await page.getByText('Unsaved changes').count(), 0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('switch', { name: 'Ours', checked: true }).waitFor();
  await answers(false);
  await page.getByRole('button', { name: 'Remove Ours' }).click();
  await page.getByText('No custom lists yet.').waitFor();
});
