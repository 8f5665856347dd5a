import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { until } from './support/dns.ts';
import { missing } from './support/programs.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig');
const phone = { viewport: { width: 360, height: 740 } };
const ROWS = 20_000;
const WEEK = 'period=10080m';

const web = skip ? ({} as Web) : await startWeb({ after }, [], { queries: ROWS, days: 6 });

const rowsOf = (page: Page): Locator => page.locator('tbody tr');
const buttonOf = (page: Page, name: string): Locator => page.getByRole('table').getByRole('button', { name });

test('a long log scrolls to its end and renders only visible rows', { skip }, async (t) => {
  const { visit, home } = web;
  const page = await visit(t, `/log?${WEEK}`);
  await rowsOf(page).first().waitFor();
  await assertAccessible(page);
  const range = `time_from_millis=0&time_to_millis=${Date.now()}`;
  const { stats } = await home.ask('GET', `/oapi/v1/stats/devices?${range}`);
  const all = (stats as { value: { queries: number } }[]).reduce((sum, { value }) => sum + value.queries, 0);
  assert.ok(all >= ROWS * 0.9);
  let mostRendered = 0;
  await until('the end of the log', async () => {
    const { drawn, isEnd } = await page.evaluate<{ drawn: number; isEnd: boolean }>(`(() => {
      const scroller = document.querySelector('table').parentElement;
      scroller.scrollTop = scroller.scrollHeight;
      return { drawn: document.querySelectorAll('tbody tr').length, isEnd: scroller.innerText.includes('End of log') };
    })()`);
    mostRendered = Math.max(mostRendered, drawn);
    return isEnd || undefined;
  });
  await page.getByText(`End of log: ${all.toLocaleString('en')} queries`).waitFor();
  assert.ok(mostRendered < 80, `${mostRendered} rows are rendered`);
  // Arrow keys move from row to row, beyond the rows rendered at first.
  await page.evaluate(`document.querySelector('table').parentElement.scrollTop = 0`);
  await page.locator('tr[data-index="0"] button').focus();
  for (let step = 0; step < 30; step += 1) await page.keyboard.press('ArrowDown');
  await until('the row that the keyboard went to', async () => {
    const at = await page.evaluate(`document.activeElement.closest('tr')?.dataset.index`);
    return at === '30' || undefined;
  });
});

test('filters are part of the URL: they survive a reload and follow the back button', {
  skip,
}, async (t) => {
  const { visit } = web;
  const page = await visit(t, `/log?${WEEK}`);
  await rowsOf(page).first().waitFor();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('combobox', { name: 'Result' }).click();
  await page.getByRole('option', { name: 'Blocked', exact: true }).click();
  await page.waitForURL('**/log?*statuses=REQUEST_BLOCKED*');
  await page.keyboard.press('Escape');
  const states = page.locator('tbody tr td:nth-child(4)');
  await until('blocked queries alone', async () => {
    const texts = new Set(await states.allInnerTexts());
    return (texts.size === 1 && texts.has('Blocked')) || undefined;
  });
  await assertAccessible(page);
  await page.getByRole('searchbox', { name: 'Search domains' }).fill('google');
  await page.waitForURL('**/log?*search=google*');
  await until('domains of the search alone', async () => {
    const names = await rowsOf(page).getByRole('button').allInnerTexts();
    return (names.length > 0 && names.every((name) => name.includes('google'))) || undefined;
  });
  await page.reload();
  await buttonOf(page, 'google').first().waitFor();
  assert.equal(await page.getByRole('searchbox').inputValue(), 'google');
  await page.goBack();
  await until('queries of all kinds', async () => (new Set(await states.allInnerTexts()).size > 1 ? true : undefined));
  await page.getByRole('searchbox').fill('no such domain anywhere');
  await page.getByRole('heading', { name: 'No queries' }).waitFor();
  await assertAccessible(page);
});

test('a script in the name of a UDP query is shown as text and does not run', { skip }, async (t) => {
  const { visit, home } = web;
  const { id } = await home.device('<b>Evil</b>');
  await home.dug(id, 'udp', '<img/src=x/onerror=alert\\0401\\041>.example.org');
  await home.logged('onerror');
  for (const options of [{}, phone]) {
    const page = await visit(t, '/log?search=onerror', options);
    let dialogs = 0;
    page.on('dialog', (dialog) => {
      dialogs += 1;
      void dialog.dismiss();
    });
    await buttonOf(page, '<img/src=x/onerror=').click();
    await page.getByRole('dialog').getByText('<img/src=x/onerror=').first().waitFor();
    await page.getByText('Current decision').waitFor();
    assert.equal(await page.locator('img[src=x], tbody b').count(), 0);
    // Names with special characters cannot become rules.
    assert.equal(await page.getByRole('button', { name: 'Block this' }).count(), 0);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
    await assertAccessible(page);
    assert.equal(dialogs, 0);
  }
});

test('live queries appear, and visible rows do not move', { skip }, async (t) => {
  const { visit, home } = web;
  const { id } = await home.device('Asker');
  const page = await visit(t, `/log?${WEEK}`);
  await rowsOf(page).first().waitFor();
  const opened = page.waitForResponse('**/query_log/live*');
  await page.getByRole('button', { name: 'Live', exact: true }).click();
  await opened;
  await home.dug(id, 'udp', 'first-live.example.org');
  await buttonOf(page, 'first-live.example.org').waitFor();
  assert.equal(await buttonOf(page, 'first-live.example.org').count(), 1);
  const scrollTop = (): Promise<number> => page.evaluate(`document.querySelector('table').parentElement.scrollTop`);
  await page.evaluate(`document.querySelector('table').parentElement.scrollTop = 1000`);
  await home.dug(id, 'udp', 'second-live.example.org');
  const show = page.getByRole('button', { name: 'Show one new query' });
  await show.waitFor();
  assert.equal(await scrollTop(), 1000);
  await show.click();
  await buttonOf(page, 'second-live.example.org').waitFor();
  assert.equal(await scrollTop(), 0);
  await page.getByRole('button', { name: 'Pause' }).click();
  await home.dug(id, 'udp', 'third-live.example.org');
  await home.logged('third-live');
  assert.equal(await buttonOf(page, 'third-live.example.org').count(), 0);
  // Queries missed during the pause are loaded.
  await page.getByRole('button', { name: 'Live', exact: true }).click();
  await buttonOf(page, 'third-live.example.org').waitFor();
});

test('a query is explained, and its domain is blocked and allowed from the next query on', {
  skip,
}, async (t) => {
  const { visit, home } = web;
  const { id } = await home.device('Decider');
  const answers = async (): Promise<boolean> => {
    const { answer } = await home.dug(id, 'doh', 'www.example.org', 'A');
    return answer.some((line) => line.includes('192.0.2.1'));
  };
  assert.equal(await answers(), true);
  await home.logged('www.example.org');
  await home.set({ user_rules_settings: { enabled: true, rules: ['@@||www.example.org^', '||kept.example^'] } });
  const rules = async (): Promise<string[]> => {
    const { settings } = await home.ask('GET', `/oapi/v1/dns_servers/${home.server}`);
    return settings.user_rules_settings.rules;
  };
  const page = await visit(t, '/log?search=www.example.org');
  await buttonOf(page, 'www.example.org').first().click();
  const drawer = page.getByRole('dialog', { name: 'Query' });
  await drawer.getByText('Would be allowed').waitFor();
  await assertAccessible(page);
  await drawer.getByRole('button', { name: 'Block this' }).click();
  await page.getByRole('menuitem', { name: 'Always' }).click();
  await page.getByText('www.example.org is blocked from now on.').waitFor();
  assert.equal(await answers(), false);
  assert.deepEqual(await rules(), ['||kept.example^', '||www.example.org^']);
  await drawer.getByText('Would be blocked').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await drawer.getByText('Would be allowed').waitFor();
  assert.deepEqual(await rules(), ['||kept.example^', '@@||www.example.org^']);

  const ends = `/api/v1/dns_servers/${home.server}/temporary_rules`;
  await drawer.getByRole('button', { name: 'Block this' }).click();
  await page.getByRole('menuitem', { name: 'For ten minutes' }).click();
  await page.getByText('www.example.org is blocked for ten minutes.').waitFor();
  assert.equal(await answers(), false);
  const [temporary] = await home.ask('GET', ends);
  assert.equal(temporary.rule, '||www.example.org^$important');
  await page.getByRole('button', { name: 'Undo' }).click();
  await drawer.getByText('Would be allowed').waitFor();
  assert.equal(await answers(), true);
});

test('all matching queries are exported as CSV and JSON, without formulas', {
  skip,
}, async (t) => {
  const { visit, home } = web;
  const { id } = await home.device('Exporter');
  await home.dug(id, 'udp', '=1+1.example.org');
  await home.logged('=1');
  const page = await visit(t, `/log?${WEEK}&devices=${id}`);
  await buttonOf(page, '=1+1.example.org').waitFor();
  const save = async (kind: string): Promise<string> => {
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: kind }).click(),
    ]);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    return readFile(await download.path(), 'utf8');
  };
  const [head, row, ...rest] = (await save('CSV')).trim().split('\r\n');
  assert.match(head!, /^time,domain,type,/);
  assert.match(row!, /^[\dT:.+-]+,'=1\+1\.example\.org,A,/);
  assert.deepEqual(rest, []);
  // All pages of the log end up in one file.
  await page.goto(`/log?${WEEK}`);
  await rowsOf(page).first().waitFor();
  const { length } = JSON.parse(await save('JSON')) as unknown[];
  assert.ok(length >= ROWS * 0.9, `${length} rows`);
});
