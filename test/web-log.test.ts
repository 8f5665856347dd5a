import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
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

const web = skip
  ? ({} as Web)
  : await startWeb({ after }, ['--allow-source-address', '127.0.0.1'], { queries: ROWS, days: 6 });

const rowsOf = (page: Page): Locator => page.locator('tbody tr');
const buttonOf = (page: Page, name: string): Locator =>
  page.getByRole('table').locator('[data-do=open]').and(page.getByRole('button', { name }));

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
  // Arrow keys move from row to row, beyond the rows rendered at first. Only one row is a tab stop.
  assert.equal(await page.locator('tbody [tabindex="0"]').count(), 1);
  await page.evaluate(`document.querySelector('table').parentElement.scrollTop = 0`);
  await page.locator('tr[data-index="0"] [data-do=open]').focus();
  for (let step = 0; step < 30; step += 1) await page.keyboard.press('ArrowDown');
  await until('the row that the keyboard went to', async () => {
    const at = await page.evaluate(`document.activeElement.closest('tr')?.dataset.index`);
    return at === '30' || undefined;
  });
  for (const width of [360, 768, 820, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    await until(`a layout for ${width} px`, async () => (await layoutProblems(page)).length === 0 || undefined);
  }
});

/** Columns of the visible rows that are too narrow or overlap, and horizontal overflow. */
const layoutProblems = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const problems = [];
    if (document.documentElement.scrollWidth > innerWidth) problems.push('the page overflows');
    const scroller = document.querySelector('table').parentElement;
    if (scroller.scrollWidth > scroller.clientWidth) problems.push('the table overflows');
    const rows = [...document.querySelectorAll('tbody tr')].slice(12, 16);
    if (rows.length === 0) problems.push('no rows');
    for (const row of rows) {
      const cells = [...row.cells].filter((cell) => cell.checkVisibility());
      const boxes = cells.map((cell) => cell.getBoundingClientRect());
      boxes.forEach((box, at) => {
        if (box.width < (cells[at].querySelector('[data-do=open]') ? 160 : 30)) problems.push('narrow: ' + cells[at].innerText);
        for (const other of boxes.slice(at + 1)) {
          const isBeside = box.right <= other.left + 1 || other.right <= box.left + 1;
          if (!isBeside && box.bottom > other.top + 1 && other.bottom > box.top + 1) problems.push('overlap: ' + row.innerText);
        }
      });
    }
    return problems;
  })()`);

test('filters are part of the URL: they survive a reload and follow the back button', {
  skip,
}, async (t) => {
  const { visit } = web;
  const page = await visit(t, `/log?${WEEK}`);
  await rowsOf(page).first().waitFor();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('combobox', { name: 'Result' }).click();
  await page.getByRole('option', { name: 'Blocked', exact: true }).waitFor();
  await assertAccessible(page);
  await page.getByRole('option', { name: 'Blocked', exact: true }).click();
  await page.waitForURL('**/log?*statuses=REQUEST_BLOCKED*');
  await page.keyboard.press('Escape');
  const states = page.locator('tbody tr td:nth-child(5) > :first-child');
  await until('blocked queries alone', async () => {
    const texts = new Set(await states.allInnerTexts());
    return (texts.size === 1 && texts.has('Blocked')) || undefined;
  });
  await assertAccessible(page);
  await page.getByRole('combobox', { name: 'Search domains' }).fill('google');
  await page.waitForURL('**/log?*search=google*');
  await until('domains of the search alone', async () => {
    const names = await rowsOf(page).locator('[data-do=open]').allTextContents();
    return (names.length > 0 && names.every((name) => name.includes('google'))) || undefined;
  });
  await page.reload();
  await buttonOf(page, 'google').first().waitFor();
  assert.equal(await page.getByRole('combobox', { name: 'Search domains' }).inputValue(), 'google');
  await page.goBack();
  await until('queries of all kinds', async () => (new Set(await states.allInnerTexts()).size > 1 ? true : undefined));
  // Filters are typed with names, and shown as chips.
  await page.getByRole('combobox', { name: 'Search domains' }).fill('company:google ');
  await page.waitForURL('**/log?*companies=google*');
  await page.getByRole('button', { name: 'Blocked', exact: true }).click();
  await until('blocked queries of Google', async () => {
    const texts = new Set(await states.allInnerTexts());
    return (texts.size === 1 && texts.has('Blocked')) || undefined;
  });
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Remove filter: Google' }).click();
  await page.getByRole('combobox', { name: 'Search domains' }).fill('no such domain anywhere');
  await page.getByRole('heading', { name: 'No matching queries' }).waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await rowsOf(page).first().waitFor();
  assert.equal(await page.getByRole('combobox', { name: 'Search domains' }).inputValue(), '');
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
    assert.equal(await page.getByRole('button', { name: 'Block', exact: true }).count(), 0);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
    await assertAccessible(page);
    assert.equal(dialogs, 0);
  }
});

test('menus and tooltips of the log are accessible', { skip }, async (t) => {
  const page = await web.visit(t, `/log?${WEEK}&statuses=NONE`);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem').first().waitFor();
  await assertAccessible(page);
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(`document.activeElement.getAttribute('role')`), 'menuitem');
  await page.keyboard.press('Escape');
  await rowsOf(page).first().locator('[data-do=open]').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy: Domain' }).hover();
  await page.getByRole('tooltip').waitFor();
  await assertAccessible(page);
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
  await drawer.getByRole('button', { name: 'Block' }).click();
  await page.getByRole('menuitem', { name: 'In this profile', exact: true }).click();
  await page.getByText('www.example.org is blocked from now on.').waitFor();
  assert.equal(await answers(), false);
  assert.deepEqual(await rules(), ['||kept.example^', '||www.example.org^']);
  await drawer.getByText('Would be blocked').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await drawer.getByText('Would be allowed').waitFor();
  assert.deepEqual(await rules(), ['||kept.example^', '@@||www.example.org^']);

  const ends = `/api/v1/dns_servers/${home.server}/temporary_rules`;
  await drawer.getByRole('button', { name: 'Block' }).click();
  await page.getByRole('menuitem', { name: 'In this profile, for ten minutes' }).click();
  await page.getByText('www.example.org is blocked for ten minutes.').waitFor();
  assert.equal(await answers(), false);
  const [temporary] = await home.ask('GET', ends);
  assert.equal(temporary.rule, '||www.example.org^$important');
  await drawer.getByText('Would be blocked').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await drawer.getByText('Would be allowed').waitFor();
  assert.equal(await answers(), true);

  // From the row, with the keyboard, for one device.
  await home.set({ user_rules_settings: { rules: [] } });
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await buttonOf(page, 'www.example.org').first().focus();
  await page.keyboard.press('b');
  await page.getByRole('menuitem', { name: 'On this device' }).waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByText('www.example.org is blocked on Decider.').waitFor();
  assert.equal(await answers(), false);
  assert.deepEqual(await rules(), ["||www.example.org^$client='Decider'"]);
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
    await page.getByRole('button', { name: 'Export', exact: true }).click();
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
  assert.ok(row!.includes(',Exporter,Default,'), row);
  assert.deepEqual(rest, []);
  // All pages of the log end up in one file.
  await page.goto(`/log?${WEEK}`);
  await rowsOf(page).first().waitFor();
  const { length } = JSON.parse(await save('JSON')) as unknown[];
  assert.ok(length >= ROWS * 0.9, `${length} rows`);
});

test('a query without an answer of the upstream has its response code and its seconds', { skip }, async (t) => {
  const { visit, home } = web;
  const silent = createSocket('udp4');
  silent.bind(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => silent.close());
  const { id: server } = await home.ask('POST', '/oapi/v1/dns_servers', { name: 'Silent' });
  const upstreams = [`127.0.0.1:${silent.address().port}`];
  await home.ask('PUT', `/api/v1/dns_servers/${server}/upstreams`, { upstreams });
  const json = { name: 'In vain', device_type: 'LINUX', dns_server_id: server };
  const { id } = await home.ask('POST', '/oapi/v1/devices', json);
  assert.equal((await home.dug(id, 'udp', 'unanswered.example.org')).status, 'SERVFAIL');
  await home.logged('unanswered');
  const page = await visit(t, `/log?${WEEK}&devices=${id}`, { viewport: { width: 1280, height: 800 } });
  const row = rowsOf(page).first();
  await row.getByText('SERVFAIL', { exact: true }).waitFor();
  assert.match(await row.locator('td:nth-child(6)').innerText(), /^\d(?:\.\d)?s$/);
  const isWhole = await page.evaluate(`(() => {
    const cell = document.querySelector('tbody td:nth-child(6)');
    return cell.scrollWidth <= cell.clientWidth;
  })()`);
  assert.ok(isWhole, 'the latency is cut off');
});

test('the log is cleared after a confirmation', { skip }, async (t) => {
  const { visit } = web;
  const page = await visit(t, `/log?${WEEK}`);
  await rowsOf(page).first().waitFor();
  await page.getByRole('button', { name: 'Clear log' }).click();
  const dialog = page.getByRole('dialog', { name: 'Clear the query log?' });
  await dialog.getByRole('button', { name: 'Clear log' }).click();
  await page.getByText('Query log cleared.').waitFor();
  await page.getByRole('heading', { name: 'No queries' }).waitFor();
});
