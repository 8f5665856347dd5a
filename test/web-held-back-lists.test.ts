import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ListHealth } from '../web/api/wire.ts';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { type Home, until } from './support/dns.ts';
import { faketimeFor } from './support/faketime.ts';
import { missing } from './support/programs.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig') || faketimeFor.skip;
const clock = await faketimeFor.clock({ after });
type Ending = { after(end: () => unknown): void };
const file: Ending = { after };

const rules = (count: number): string =>
  Array.from({ length: count }, (_, number) => `||ads-${number}.example^\n`).join('');

/** Serves `text`, which a test may change. */
async function startOrigin(t: Ending, text: string) {
  const served = { text };
  const origin = createServer((_, response) => response.end(served.text)).listen(0, '127.0.0.1');
  await once(origin, 'listening');
  t.after(() => origin.close());
  return { served, url: `http://127.0.0.1:${(origin.address() as AddressInfo).port}/list.txt` };
}

const ofCatalogue = await startOrigin(file, rules(9));
const catalogue = `lists: [{ id: house_list, name: House list, source: '${ofCatalogue.url}' }]`;
const folder = await temporaryFolder(file, { 'catalogue.yaml': catalogue });
const flags = ['--allow-source-address', '127.0.0.0/8', '--catalogue', join(folder, 'catalogue.yaml')];

const healthOf = async (home: Home): Promise<ListHealth> =>
  (await home.ask('GET', '/api/v1/filter_lists/health')).find((list: ListHealth) => list.filter_id === 'house_list');

/** The service downloads the list, and after a restart two hours later a version with fewer rules. */
const past = {
  queries: 10,
  days: 1,
  async furnish(home: Home) {
    const lists = { enabled: true, filter_list: [{ filter_id: 'house_list', enabled: true }] };
    await home.set({ filter_lists_settings: lists });
    await until('the first version', async () => (await healthOf(home)).rules_count === 9 || undefined);
    ofCatalogue.served.text = rules(2);
    await clock.shift('+7200');
  },
};
const web = skip ? ({} as Web) : await startWeb({ after }, flags, past, clock.env);

test('the operator uses a version of a list of the catalogue that lost most of its rules', { skip }, async (t) => {
  const { visit, home } = web;
  await until('the new version to be held back', async () => (await healthOf(home)).is_held_back || undefined);
  assert.equal((await healthOf(home)).rules_count, 9);

  const page = await visit(t, '/system');
  const accept = page.getByRole('button', { name: 'Use new version of House list' });
  await accept.waitFor();
  await page.getByText('The new version has only').waitFor();
  await assertAccessible(page);
  await accept.press('Enter');
  await page.getByText('The new version is in use.').waitFor();
  assert.equal((await healthOf(home)).rules_count, 2);
  await accept.waitFor({ state: 'detached' });
});

test('a version of a custom list that lost most of its rules is used after a click', { skip }, async (t) => {
  const { visit, home } = web;
  const { served, url } = await startOrigin(t, rules(9));
  const { id } = await home.ask('POST', '/api/v1/custom_lists', { name: 'Shrinks', url });
  await home.ask('PUT', `/api/v1/dns_servers/${home.server}/custom_lists`, { custom_lists: [{ id }] });
  const rulesInUse = async (): Promise<number> =>
    (await home.ask('GET', `/api/v1/custom_lists/${id}`)).rules_count ?? 0;
  await until('the first version', async () => (await rulesInUse()) === 9 || undefined);

  const page = await visit(t, `/servers/${home.server}/lists`);
  served.text = rules(2);
  // A list that was checked in the last 30 seconds is not downloaded again.
  await clock.shift('+7260');
  await page.getByRole('button', { name: 'Update now' }).click();
  const accept = page.getByRole('button', { name: 'Use new version' });
  await accept.waitFor();
  await page.getByText('The new version has only').waitFor();
  assert.equal(await rulesInUse(), 9);
  await assertAccessible(page);
  await accept.press('Enter');
  await page.getByText('The new version is in use.').waitFor();
  assert.equal(await rulesInUse(), 2);
  await accept.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Last update: +0 −7' }).last().click();
  const changes = page.getByRole('dialog', { name: 'Last update of Shrinks' });
  await changes.getByText('||ads-8.example^').waitFor();
  await assertAccessible(page);
});
