import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { layoutProblems } from './support/layout-problems.ts';
import { missing } from './support/programs.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig');
const widths = [1920, 1280, 1024, 820, 390];
const longName = 'W'.repeat(64);

const web = skip
  ? ({} as Web)
  : await startWeb({ after }, [], {
      queries: 2000,
      days: 2,
      furnish: async (home) => {
        await home.device(longName);
        await home.device('Phone');
      },
    });

const looks = [
  { locale: 'en-GB', colorScheme: 'light' },
  { locale: 'de-DE', colorScheme: 'dark' },
] as const;

/** Pages that are open at the same time for each look: a page waits for the service most of the time. */
const TABS = 2;

async function pathsOf({ home }: Web): Promise<readonly string[]> {
  const devices = (await home.ask('GET', '/oapi/v1/devices')) as { id: string; name: string }[];
  const { id } = devices.find(({ name }) => name === longName)!;
  const sections = ['overview', 'lists', 'rules', 'services', 'safety', 'schedule', 'names', 'access', 'advanced'];
  return [
    '/',
    '/log',
    '/statistics?by=devices',
    '/devices',
    `/devices/${id}`,
    `/devices/${id}/connect`,
    '/connect',
    '/profiles',
    ...sections.map((section) => `/profiles/${home.server}/${section}`),
    '/network',
    '/clients',
    '/local-names',
    '/compiler',
    '/account',
    '/system',
    '/nowhere',
  ];
}

async function checkPage(page: Page, path: string): Promise<string[]> {
  const found: string[] = [];
  await page.setViewportSize({ width: widths[0]!, height: 800 });
  await page.goto(path, { waitUntil: 'networkidle' });
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    found.push(...(await layoutProblems(page)).map((problem) => `${path} at ${width}: ${problem}`));
  }
  await assertAccessible(page);
  return found;
}

test('every page fits at every width', { skip, concurrency: looks.length }, async (t) => {
  const paths = await pathsOf(web);
  await Promise.all(
    looks.map((look) =>
      t.test(`${look.colorScheme}, ${look.locale}`, async (t) => {
        const waiting = paths.values();
        const found = await Promise.all(
          Array.from({ length: TABS }, async () => {
            const page = await web.visit(t, '/', look);
            const problems: string[] = [];
            for (const path of waiting) problems.push(...(await checkPage(page, path)));
            return problems;
          }),
        );
        assert.deepEqual(found.flat(), []);
      }),
    ),
  );
});

test('times of the log are not cut off with a 12-hour clock', { skip }, async (t) => {
  const page = await web.visit(t, '/log', { locale: 'en-US', viewport: { width: 1024, height: 800 } });
  const times = page.locator('tbody td:first-child');
  await times.first().waitFor();
  // A text: tests are compiled without the types of a browser.
  const cut = await page.evaluate<string[]>(
    `[...document.querySelectorAll('tbody td:first-child')].filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)`,
  );
  assert.match((await times.first().textContent()) ?? '', / [AP]M$/);
  assert.deepEqual(cut, []);
});
