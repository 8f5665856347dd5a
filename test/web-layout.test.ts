import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { allLanguages } from '../web/locales/languages.ts';
import { LANGUAGE_KEY } from '../web/shell/stored-keys.ts';
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

// Headers with more than one line, and headers, times, types and latencies that are wider than their columns.
const logColumnProblems = `(() => {
  const problems = [];
  const check = (cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell.tagName === 'TH' ? cell.firstElementChild : cell);
    const isCut = range.getBoundingClientRect().width > cell.getBoundingClientRect().width + 0.5;
    // Text in two directions has several boxes in one line.
    const [first, ...others] = range.getClientRects();
    if (isCut || others.some((box) => box.top >= first.bottom - 1)) problems.push(cell.textContent);
  };
  const isLabel = (head) => head.checkVisibility() && getComputedStyle(head.firstElementChild).clipPath === 'none';
  [...document.querySelectorAll('th')].filter(isLabel).forEach(check);
  document.querySelectorAll('tbody td:is(:nth-child(1), :nth-child(4), :nth-child(6))').forEach(check);
  return [...new Set(problems)];
})()`;

test('headers of the log have one line, and no time is cut off, in all languages', { skip }, async (t) => {
  const page = await web.visit(t, '/nowhere');
  await page.route('**/query_log?*', async (route) => {
    const response = await route.fetch();
    const { items, ...rest } = (await response.json()) as { items: readonly object[] };
    // Among the longest texts of these columns in most languages.
    const wide = items.map((item, at) => ({
      ...item,
      latency_millis: at % 2 === 0 ? 910 : 12_300,
      time_millis: Date.UTC(2026, 7, 28, 0, 48, 28, at),
    }));
    await route.fulfill({ response, json: { ...rest, items: wide } });
  });
  const problems: string[] = [];
  for (const { id } of allLanguages) {
    await page.evaluate(`localStorage.setItem('${LANGUAGE_KEY}', '${id}')`);
    await page.goto('/log');
    await page.locator('tbody tr').first().waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await layoutProblems(page), [], `${id} at ${width}`);
      for (const text of await page.evaluate<string[]>(logColumnProblems)) problems.push(`${id} at ${width}: ${text}`);
    }
  }
  assert.deepEqual(problems, []);
});
