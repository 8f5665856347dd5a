import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { until } from './support/dns.ts';
import { faketimeFor } from './support/faketime.ts';
import { missing } from './support/programs.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig') || faketimeFor.skip;
const clock = await faketimeFor.clock({ after });
const flags = ['--allow-source-address', '127.0.0.0/8'];
const web = skip ? ({} as Web) : await startWeb({ after }, flags, undefined, clock.env);

test('a version of a custom list that lost most of its rules is used after a click', { skip }, async (t) => {
  const { visit, home } = web;
  const rules = (count: number): string =>
    Array.from({ length: count }, (_, number) => `||ads-${number}.example^\n`).join('');
  let served = rules(9);
  const origin = createServer((_, response) => response.end(served)).listen(0, '127.0.0.1');
  await once(origin, 'listening');
  t.after(() => origin.close());
  const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/list.txt`;
  const { id } = await home.ask('POST', '/api/v1/custom_lists', { name: 'Shrinks', url });
  await home.ask('PUT', `/api/v1/dns_servers/${home.server}/custom_lists`, { custom_lists: [{ id }] });
  const rulesInUse = async (): Promise<number> =>
    (await home.ask('GET', `/api/v1/custom_lists/${id}`)).rules_count ?? 0;
  await until('the first version', async () => (await rulesInUse()) === 9 || undefined);

  const page = await visit(t, `/servers/${home.server}/lists`);
  served = rules(2);
  // A list that was checked in the last 30 seconds is not downloaded again.
  await clock.shift('+60');
  await page.getByRole('button', { name: 'Update now' }).click();
  const accept = page.getByRole('button', { name: 'Use new version' });
  await accept.waitFor();
  await page.getByText('it has shrunk by more than half').waitFor();
  assert.equal(await rulesInUse(), 9);
  await assertAccessible(page);
  await accept.press('Enter');
  await page.getByText('The new version is in use.').waitFor();
  assert.equal(await rulesInUse(), 2);
  assert.equal(await accept.count(), 0);
});
