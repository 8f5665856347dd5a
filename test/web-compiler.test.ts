import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from './support/dns.ts';
import { missing } from './support/programs.ts';
import { assertAccessible, startWeb } from './support/web.ts';

const skip = missing('chromium', 'dig');
const MANY = 300_000;

/** Starts the service and a server with lists: `/some`, `/many`, `/none` (404) and `/slow`, which never ends. */
async function start() {
  let hungUp = 0;
  const many = Array.from({ length: MANY }, (_, at) => `||name-${at}.example^`).join('\n');
  const origin = createServer((request, response) => {
    if (request.url === '/none') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/plain' });
    if (request.url === '/some') return void response.end('! A list\n||ads.example.com^\n||banners.ads.example.com^\n');
    if (request.url === '/many') return void response.end(many);
    response.write('||slow.example^\n');
    response.on('close', () => {
      hungUp += 1;
    });
  });
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  after(() => {
    origin.closeAllConnections();
    origin.close();
  });
  const web = await startWeb({ after }, ['--allow-source-address', '127.0.0.0/8', '--requests-per-minute', '1000']);
  const lists = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  return { ...web, lists, hungUp: () => hungUp };
}

type Started = Awaited<ReturnType<typeof start>>;
const web = skip ? ({} as Started) : await start();

const compileButton = (page: Page) => page.getByRole('button', { name: 'Compile', exact: true });
const editor = (page: Page) => page.getByRole('textbox', { name: 'Configuration' });
const preview = (page: Page) => page.getByRole('region', { name: 'Lines of the list' });

/** Types over the whole text. */
async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

test('private clients compile without signing in, in a page without navigation', { skip }, async (t) => {
  const page = await web.stranger(t, {}, /401/);
  await page.goto('/devices');
  await page.getByRole('link', { name: 'Compile filter lists without signing in' }).click();
  await page.getByRole('heading', { name: 'Compiler', level: 1 }).waitFor();
  assert.equal(await page.getByRole('navigation').count(), 0);
  await assertAccessible(page);
  await page.getByLabel('List name').fill('Anonymous');
  await page.getByLabel('Custom rules').fill('||anonymous.example^');
  await compileButton(page).click();
  await preview(page).getByText('||anonymous.example^').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Use as a filter list' }).count(), 0);
  await page.goto('/compiler');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail address').waitFor();
});

test('URLs and rules are compiled, with progress per source, preview, dropped rules and differences', {
  skip,
}, async (t) => {
  const { visit, lists } = web;
  const page = await visit(t, '/compiler', { permissions: ['clipboard-read', 'clipboard-write'] });
  await compileButton(page).click();
  await page.getByText('Enter at least one URL or rule.').waitFor();
  await assertAccessible(page);
  await page.getByLabel('List name').fill('Ours');
  await page.getByLabel('List URLs').fill(`${lists}/some\n`);
  await page.getByLabel('Custom rules').fill('0.0.0.0 tracker.example.net\n||first.example.org^');
  await compileButton(page).click();
  await preview(page).getByText('||tracker.example.net^').waitFor();
  assert.equal(await page.getByRole('progressbar').count(), 2);
  await page.getByText('Compress: ').waitFor();
  assert.equal(await preview(page).getByText('||banners.ads.example.com^').count(), 0);
  await assertAccessible(page);

  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByText('List copied.').waitFor();
  const copied = String(await page.evaluate('navigator.clipboard.readText()'));
  assert.match(copied, /^!\n! Title: Ours\n.*\|\|ads\.example\.com\^\n/s);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'Ours.txt');
  assert.equal(await readFile(await download.path(), 'utf8'), copied);

  await page.getByRole('tab', { name: /dropped/ }).click();
  await page.getByText('A parent domain is blocked by').waitFor();
  await page.getByLabel('Dropped by').selectOption('Remove comments (1)');
  await page.getByText('It’s a comment.').waitFor();
  await assertAccessible(page);

  await page.getByLabel('Custom rules').fill('0.0.0.0 tracker.example.net\n||second.example.org^');
  await compileButton(page).click();
  await page.getByRole('tab', { name: 'Difference: +1 −1' }).click();
  await page.getByRole('region', { name: '1 added' }).getByText('||second.example.org^').waitFor();
  await page.getByRole('region', { name: '1 removed' }).getByText('||first.example.org^').waitFor();
  await assertAccessible(page);
});

test('the editor completes and marks errors, and no input is lost', {
  skip,
}, async (t) => {
  const { visit } = web;
  const page = await visit(t, '/compiler', { colorScheme: 'dark' });
  await page.getByRole('button', { name: 'Examples' }).click();
  const example = page.getByRole('menuitem', { name: 'Hosts file for a router' });
  await example.hover();
  await assertAccessible(page);
  await example.click();
  await page.getByText('This configuration has more settings than this form shows.').waitFor();
  await page.getByText('Advanced', { exact: true }).click();
  await page.getByText('exclusions:').waitFor();
  await assertAccessible(page);

  await write(page, 'name: Typed\nsources:\n  - source: "||a.example^\\n||b.example^"\ntransformations: [Compres]\n');
  await page.locator('.cm-lintRange-error', { hasText: 'Compres' }).hover();
  await page.getByText('Expected one of: ConvertToAscii').waitFor();
  await page.getByText('Simple', { exact: true }).click();
  await page.getByText('Fix the errors first').waitFor();
  await editor(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Control+Space');
  const offered = page.getByRole('option', { name: 'Compress' });
  await offered.waitFor();
  await page.getByText('removes domains whose parent is already blocked').waitFor();
  await offered.click();
  await page.getByText('JSON', { exact: true }).click();
  await page.getByText('"Compress"').waitFor();
  await page.reload();
  await page.getByText('"Compress"').waitFor();
  await page.getByLabel('Output format').selectOption('hosts');
  await compileButton(page).click();
  await preview(page).getByText('0.0.0.0 a.example').waitFor();
  await page.getByText('Simple', { exact: true }).click();
  assert.equal(await page.getByLabel('Custom rules').inputValue(), '||a.example^\n||b.example^');
  assert.equal(await page.getByLabel('List name').inputValue(), 'Typed');

  // Errors that only the service can detect are marked too.
  await page.getByText('Advanced', { exact: true }).click();
  await write(page, "name: Typed\nsources:\n  - source: '||a.example^'\nexclusions: ['/(/']\n");
  await compileButton(page).click();
  await page.getByText('Compilation failed').waitFor();
  await page.locator('.cm-lintRange-error', { hasText: '/(/' }).waitFor();
});

test('a compilation can be cancelled, and a failing source is named', { skip }, async (t) => {
  const { visit, lists, hungUp } = web;
  const page = await visit(t, '/compiler');
  await page.getByLabel('List URLs').fill(`${lists}/slow`);
  await compileButton(page).click();
  await page.getByText('Reading…').waitFor();
  // Navigating away does not stop the compilation.
  await page.getByRole('link', { name: 'Devices' }).click();
  await page.getByRole('link', { name: 'Compiler' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Cancelled. Your input is kept.').waitFor();
  await page.getByText('Not finished').first().waitFor();
  await until('the download to be given up', async () => (hungUp() > 0 ? true : undefined));
  assert.equal(await page.getByLabel('List URLs').inputValue(), `${lists}/slow`);
  await page.getByLabel('List URLs').fill(`${lists}/none`);
  await compileButton(page).click();
  await page.getByText('Compilation failed').waitFor();
  await page.getByText('HTTP 404').first().waitFor();
  await assertAccessible(page);
});

test('a long list renders only visible lines and is searchable, on a phone too', { skip }, async (t) => {
  const { visit, lists } = web;
  const page = await visit(t, '/compiler', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
  await page.getByLabel('List URLs').fill(`${lists}/many`);
  await compileButton(page).click();
  await preview(page).getByText('||name-0.example^').waitFor();
  assert.ok((await preview(page).locator('code').count()) < 100);
  await page.getByRole('button', { name: 'Next lines' }).click();
  await page.getByText(/Lines 200,001 to 300,0\d\d of 300,0\d\d/).waitFor();
  await preview(page).focus();
  await page.keyboard.press('End');
  await preview(page)
    .getByText(`||name-${MANY - 1}.example^`)
    .waitFor();
  await page.getByLabel('Search the list').fill('NAME-12345.');
  await page.getByText('1 line found').waitFor();
  await preview(page).getByText('||name-12345.example^').waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
  await assertAccessible(page);
});

test('a compiled list that is used as a filter list applies to the next query', { skip }, async (t) => {
  const { visit, home } = web;
  const device = await home.device('Filtered');
  const page = await visit(t, '/compiler');
  await page.getByLabel('List name').fill('Used');
  await page.getByLabel('Custom rules').fill('||www.example.org^');
  await compileButton(page).click();
  await page.getByRole('button', { name: 'Use as a filter list' }).click();
  const dialog = page.getByRole('dialog', { name: 'Use as a filter list' });
  await dialog.getByRole('checkbox').first().waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Use', exact: true }).click();
  await page.getByText('“Used” is now in use.').waitFor();
  await until('the list to filter', async () => {
    const { answer } = await home.dug(device.id, 'udp', 'www.example.org');
    return answer.some((line) => line.endsWith(' 0.0.0.0')) ? true : undefined;
  });
  await page.getByRole('button', { name: 'Use as a filter list' }).click();
  await dialog.getByText('Replaces the existing list “Used”').waitFor();
});
