import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { missing } from './support/programs.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

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

// Swagger UI nests buttons, skips a level of headings, and has a landmark for the operations only.
const markupOfSwaggerUi = ['nested-interactive', 'heading-order', 'region'];

const HOSTILE =
  '<img src="x" onerror="globalThis.ran=1"><script>globalThis.ran=2</script><svg onload="globalThis.ran=3"></svg>' +
  '<a href="javascript:globalThis.ran=4">link</a> [markdown](javascript:globalThis.ran=5) <style>*{display:none}</style>' +
  '<form action="https://evil.example/"><button>send</button></form>';

test('markup in the texts of an API document is not executed', { skip }, async (t) => {
  const { stranger, url } = web;
  // The sanitizer parses the markup, and the policy reports what it blocks there.
  const page = await stranger(t, {}, /violates the following Content Security Policy directive/);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  const document = {
    openapi: '3.1.0',
    info: { title: `Hostile ${HOSTILE}`, version: HOSTILE, description: HOSTILE },
    tags: [{ name: 'group', description: HOSTILE }],
    paths: {
      '/thing': {
        get: {
          tags: ['group'],
          operationId: 'getThing',
          summary: HOSTILE,
          description: HOSTILE,
          parameters: [{ name: 'id', in: 'query', description: HOSTILE, schema: { type: 'string', default: HOSTILE } }],
          responses: { 200: { description: HOSTILE } },
        },
      },
    },
  };
  await page.route('**/api/openapi.json', (route) => route.fulfill({ json: document }));
  await page.goto('/api/docs');
  const operation = page.locator('.opblock');
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('.responses-table').getByText('link').first().waitFor();
  const left = await page.evaluate(`({
    ran: globalThis.ran,
    scripts: document.querySelectorAll('#api-reference :is(script, style, form)').length,
    handlers: [...document.querySelectorAll('#api-reference *')].filter((element) =>
      element.getAttributeNames().some((name) => name.startsWith('on')),
    ).length,
    links: document.querySelectorAll('#api-reference a[href^="javascript:" i]').length,
  })`);
  assert.deepEqual(left, { ran: undefined, scripts: 0, handlers: 0, links: 0 });
  assert.deepEqual(foreign, []);
});

test('the API reference is accessible, also with an operation open and in the dark', { skip }, async (t) => {
  const page = await web.stranger(t);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto('/api/docs');
    const ready = page.locator('.opblock', { hasText: '/health/ready' });
    await ready.locator('.opblock-summary-control').click();
    await ready.getByRole('button', { name: 'Try it out' }).waitFor();
    await assertAccessible(page, markupOfSwaggerUi);
  }
});
