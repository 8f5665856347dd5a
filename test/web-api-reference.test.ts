import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { missing } from './support/programs.ts';
import { startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig');
const web = skip ? ({} as Web) : await startWeb({ after });

test('the API reference shows every operation, sends requests and contacts no other host', { skip }, async (t) => {
  const { stranger, url } = web;
  const page = await stranger(t);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  await page.goto('/api/docs');
  const ready = page.locator('.opblock', { hasText: '/health/ready' });
  await ready.locator('.opblock-summary-control').click();
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as { paths: Record<string, object> };
  const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
  assert.equal(await page.locator('.opblock').count(), operations.length);

  await ready.getByRole('button', { name: 'Try it out' }).click();
  await ready.getByRole('button', { name: 'Execute' }).click();
  await ready.locator('.live-responses-table').getByText('"ready"').waitFor();
  assert.deepEqual(foreign, []);
});

test('the API reference follows the colour scheme of the browser', { skip }, async (t) => {
  const page = await web.stranger(t);
  const background = (): Promise<string> => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/swagger');
  await page.locator('.opblock').first().waitFor();
  assert.equal(await background(), 'rgb(28, 32, 34)');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('html:not(.dark-mode)').waitFor();
  assert.equal(await background(), 'rgb(255, 255, 255)');
});
