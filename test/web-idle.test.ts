import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { OWNER, PASSWORD } from './support/dns.ts';
import { missing } from './support/programs.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig');
const web = skip ? ({} as Web) : await startWeb({ after });

const notice = (page: Page) => page.getByRole('dialog', { name: 'You will be signed out in a minute' });
const again = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });

/** Opens a page with a mocked clock. */
async function visit(t: Parameters<Web['visit']>[0], path: string): Promise<Page> {
  const page = await web.visit(t, '/sign-in');
  await page.clock.install();
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

const minutes = (page: Page, count: number): Promise<void> => page.clock.fastForward(count * 60_000);

test('an idle user is warned a minute before, and can stay signed in', { skip }, async (t) => {
  const page = await visit(t, '/devices');
  await minutes(page, 28.5);
  assert.equal(await notice(page).count(), 0);
  await minutes(page, 0.7);
  await notice(page).waitFor();
  await assertAccessible(page);
  await page.mouse.move(200, 200);
  await minutes(page, 0.1);
  assert.equal(await notice(page).isVisible(), true);
  const asked = page.waitForResponse((response) => response.url().endsWith('/api/v1/session'));
  await notice(page).getByRole('button', { name: 'Stay signed in' }).click();
  assert.equal((await asked).status(), 200);
  await notice(page).waitFor({ state: 'hidden' });
  await minutes(page, 28.5);
  assert.equal(await notice(page).count(), 0);
  await minutes(page, 0.7);
  await notice(page).waitFor();
});

test('keyboard and pointer input count as activity and extend the session', { skip }, async (t) => {
  const page = await visit(t, '/devices');
  const signs = [() => page.keyboard.press('Shift'), () => page.mouse.move(100, 100), () => page.mouse.wheel(0, 10)];
  for (const sign of signs) {
    await minutes(page, 20);
    const asked = page.waitForResponse((response) => response.url().endsWith('/api/v1/session'));
    await sign();
    await minutes(page, 0.1);
    assert.equal((await asked).status(), 200);
  }
  assert.equal(await notice(page).count(), 0);
  assert.equal(await again(page).count(), 0);
});

test('an idle user is signed out, and input is kept', { skip }, async (t) => {
  const page = await visit(t, '/devices');
  await page.getByRole('button', { name: 'Add device' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add device' });
  await dialog.getByLabel('Name').fill('Typed before');
  await minutes(page, 29.2);
  await notice(page).waitFor();
  const left = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await minutes(page, 1);
  assert.equal((await left).status(), 200);
  await again(page).waitFor();
  await notice(page).waitFor({ state: 'hidden' });
  assert.deepEqual(await page.context().cookies(), []);
  await again(page).getByLabel('E-mail address').fill(OWNER);
  await again(page).getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await again(page).getByRole('button', { name: 'Sign in' }).click();
  await again(page).waitFor({ state: 'hidden' });
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Typed before');
  await minutes(page, 1);
  assert.equal(await again(page).count(), 0);
});

test('activity in one tab keeps the other tabs signed in', { skip }, async (t) => {
  const page = await visit(t, '/devices');
  const other = await page.context().newPage();
  await other.goto('/');
  await other.getByRole('heading', { level: 1 }).waitFor();
  await minutes(page, 29.2);
  await notice(page).waitFor();
  await notice(other).getByRole('button', { name: 'Stay signed in' }).click();
  await minutes(page, 0.1);
  await notice(page).waitFor({ state: 'hidden' });
});
