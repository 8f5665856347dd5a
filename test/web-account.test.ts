import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { fromBase32 } from '../src/domain/base-encoding.ts';
import { totpCode } from '../src/domain/totp.ts';
import { OWNER, PASSWORD, until } from './support/dns.ts';
import { missing } from './support/programs.ts';
import { addAccount } from './support/second-account.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig');
const phone = { viewport: { width: 360, height: 740 } };
const web = skip ? ({} as Web) : await startWeb({ after });

const OTHER = 'another long password';
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const codeOf = (secret: string): string =>
  totpCode(fromBase32(secret)!, Math.floor(Date.now() / 30_000), (key, message) =>
    createHmac('sha1', key).update(message).digest(),
  );

/** Signs in as another member of the account. */
async function joined(t: Parameters<Web['stranger']>[0], email: string, options = {}): Promise<Page> {
  const { token } = await web.home.ask('POST', '/api/v1/invitations', { email, role: 'viewer' });
  const page = await web.stranger(t, options);
  await page.goto(`/join#${token}`);
  await page.getByRole('textbox', { name: 'Password' }).fill(OTHER);
  await page.getByRole('button', { name: 'Join' }).click();
  await heading(page, 'Dashboard').waitFor();
  return page;
}

test('a member is invited, joins, changes role and is removed', { skip }, async (t) => {
  const email = 'eve@example.org';
  const page = await web.visit(t, '/account/members');
  await page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite member' });
  await dialog.getByLabel('E-mail address').fill(email);
  await dialog.getByRole('button', { name: 'Invite member' }).click();
  const link = (await dialog.getByRole('region', { name: 'Invitation link' }).textContent()) ?? '';
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: `Withdraw invitation for ${email}` }).waitFor();

  const guest = await web.stranger(t, phone);
  await guest.goto(link);
  await heading(guest, 'Join an account').waitFor();
  await guest.waitForURL(({ hash }) => hash === '');
  await assertAccessible(guest);
  await guest.getByRole('textbox', { name: 'Password' }).fill(OTHER);
  await guest.getByRole('button', { name: 'Join' }).click();
  await heading(guest, 'Dashboard').waitFor();
  await guest.goto('/account/members');
  await guest.getByRole('cell', { name: email }).waitFor();
  assert.equal(await guest.getByRole('button', { name: 'Invite member' }).count(), 0);
  assert.equal(await guest.getByRole('link', { name: 'Audit log' }).count(), 0);
  await assertAccessible(guest);
  assert.equal(await guest.evaluate('document.documentElement.scrollWidth'), 360);

  await page.reload();
  const role = page.getByLabel(`Role of ${email}`);
  await role.selectOption('Admin');
  await page.getByText(`Role of ${email} changed to Admin.`).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await until('the role of before', async () => ((await role.inputValue()) === 'viewer' ? true : undefined));
  await assertAccessible(page);
  await page.getByRole('button', { name: `Remove ${email}` }).click();
  const asking = page.getByRole('dialog', { name: `Remove ${email}?` });
  await asking.getByRole('textbox').fill(email);
  await asking.getByRole('button', { name: 'Remove' }).click();
  await page.getByText(`${email} removed.`).waitFor();

  await guest.goto(link);
  await guest.getByRole('textbox', { name: 'Password' }).fill(OTHER);
  await guest.getByRole('button', { name: 'Join' }).click();
  await guest.getByText('This invitation has been used or withdrawn, or it has expired.').waitFor();
});

test('members change their password and two-factor authentication, and can leave', { skip }, async (t) => {
  const page = await joined(t, 'finn@example.org');
  await page.goto('/account');
  const current = page.getByRole('textbox', { name: 'Current password' });
  const next = page.getByRole('textbox', { name: 'New password' });
  const change = page.getByRole('button', { name: 'Change password' });
  await current.fill('a wrong password');
  await next.fill('yet another password');
  await change.click();
  await page.getByText('Incorrect.').waitFor();
  await assertAccessible(page);
  await current.fill(OTHER);
  await change.click();
  await page.getByText('Password changed.').waitFor();

  const signIn = (email: string): Promise<Response> =>
    fetch(`${web.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'yet another password' }),
    });
  const { access_token } = (await (await signIn('finn@example.org')).json()) as { access_token: string };
  await page.reload();
  const sessions = page.getByRole('list', { name: 'Active sessions' });
  const own = sessions.getByRole('listitem').filter({ hasText: 'This device' });
  await own.getByText(/^Chrome \d+ on Linux$/).waitFor();
  await own.getByText(/from 127\.0\.0\.1/).waitFor();
  await sessions.getByRole('listitem').filter({ hasText: 'node' }).getByRole('button').click();
  await page.getByText('Signed out.').waitFor();
  const asked = await fetch(`${web.url}/api/v1/session`, { headers: { authorization: `Bearer ${access_token}` } });
  assert.equal(asked.status, 401);
  await signIn('finn@example.org');
  await page.reload();
  await page.getByRole('button', { name: 'Sign out all other sessions' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('All other sessions are signed out.').waitFor();
  await sessions.getByRole('listitem').nth(1).waitFor({ state: 'detached' });
  assert.equal(await sessions.getByRole('listitem').count(), 1);
  await assertAccessible(page);

  await page.getByLabel('New e-mail address').fill('f@example.org');
  await page.getByRole('textbox', { name: 'Password to confirm' }).fill('yet another password');
  await page.getByRole('button', { name: 'Change address' }).click();
  await page.getByText('You now sign in with f@example.org.').waitFor();
  await page.getByRole('navigation').getByText('f@example.org').waitFor();
  assert.equal((await signIn('f@example.org')).status, 200);

  await page.getByRole('button', { name: 'Set up two-factor authentication' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up two-factor authentication' });
  await dialog.getByRole('textbox', { name: 'Your password' }).fill('yet another password');
  await page.keyboard.press('Enter');
  await dialog.getByRole('img', { name: 'QR code for two-factor authentication' }).waitFor();
  await assertAccessible(page);
  await dialog.getByLabel('Code from the app').fill('000000');
  await page.keyboard.press('Enter');
  await dialog.getByText('Wrong code.').waitFor();
  const secret = await dialog.getByRole('region', { name: 'Two-factor secret' }).textContent();
  await dialog.getByLabel('Code from the app').fill(codeOf(secret!));
  await page.keyboard.press('Enter');
  const codes = (await dialog.getByRole('region', { name: 'Recovery codes' }).textContent())!.split('\n');
  assert.equal(codes.length, 10);
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Two-factor authentication is on.').waitFor();
  await page.getByRole('button', { name: 'Turn off two-factor authentication' }).click();
  const ending = page.getByRole('dialog', { name: 'Turn off two-factor authentication' });
  await ending.getByRole('textbox', { name: 'Your password' }).fill('yet another password');
  const code = ending.getByRole('textbox', { name: 'Code from the app or a recovery code' });
  await code.fill('000000');
  await page.keyboard.press('Enter');
  await ending.getByText('Incorrect.').waitFor();
  await code.fill(codes[0]!.trim());
  await page.keyboard.press('Enter');
  await page.getByText('Two-factor authentication is off.').waitFor();

  await page.getByRole('button', { name: 'Leave' }).click();
  const leaving = page.getByRole('dialog', { name: 'Leave account?' });
  await leaving.getByRole('textbox').fill('f@example.org');
  await leaving.getByRole('button', { name: 'Leave' }).click();
  await heading(page, 'Sign in').waitFor();
});

test('a viewer can open every page read-only, in Arabic, right to left, on a phone', {
  skip,
}, async (t) => {
  const { token } = await web.home.ask('POST', '/api/v1/invitations', { email: 'gerd@example.org', role: 'viewer' });
  const page = await web.stranger(t, { locale: 'ar', viewport: { width: 360, height: 740 } });
  const headers = { 'session-in': 'cookie', origin: web.url };
  await page.request.post('/api/v1/invitations/accept', { headers, data: { token, password: OTHER } });
  const textsOf = async (name: string) =>
    JSON.parse(await readFile(new URL(`../web/locales/ar/${name}.json`, import.meta.url), 'utf8'));
  for (const name of ['devices', 'servers', 'log', 'statistics', 'compiler', 'account']) {
    const { title, add } = await textsOf(name);
    await page.goto(`/${name}`);
    await heading(page, title).waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, name);
    assert.equal(await page.evaluate('getComputedStyle(document.body).direction'), 'rtl');
    if (typeof add === 'string') assert.equal(await page.getByRole('button', { name: add }).count(), 0, name);
  }
  const requests: string[] = [];
  page.on('request', (request) => void requests.push(new URL(request.url()).pathname));
  await page.goto('/system');
  await page.getByText((await textsOf('system')).others.title).waitFor();
  const ofSystem = requests.filter((path) => path === '/api/v1/system').length;
  assert.ok(ofSystem <= 2, `${ofSystem} requests`);
  await page.setViewportSize({ width: 1280, height: 800 });
  const { nav } = await textsOf('shell');
  assert.equal((await page.getByRole('navigation', { name: nav.label }).boundingBox())?.x, 1280 - 216);
});

test('a user of another account joins with the own password, and switches between both accounts', {
  skip,
}, async (t) => {
  const email = 'second@example.org';
  await addAccount(web.home.service, email);
  const { token } = await web.home.ask('POST', '/api/v1/invitations', { email, role: 'viewer' });
  const page = await web.stranger(t, phone);
  await page.goto(`/join#${token}`);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Join' }).click();
  await heading(page, 'Dashboard').waitFor();
  const current = (): Promise<string[]> =>
    page.evaluate(`fetch('/oapi/v1/accounts').then((response) => response.json())
      .then((accounts) => accounts.filter(({ current }) => current).map(({ owner_email }) => owner_email))`);
  assert.deepEqual(await current(), [OWNER]);
  await page.goto('/account');
  const section = page.getByRole('region', { name: 'Your accounts' });
  await section.getByText(`Account of ${OWNER}`).waitFor();
  await assertAccessible(page);
  await section.getByRole('button', { name: `Switch to the account of ${email}` }).click();
  await heading(page, 'Dashboard').waitFor();
  assert.deepEqual(await current(), [email]);
  await page.goto('/account/members');
  await page.getByRole('button', { name: 'Invite member' }).waitFor();
});

test('an API key is shown once, works, and is revoked', { skip }, async (t) => {
  const page = await web.visit(t, '/account/keys');
  await page.getByText('No API keys yet.').waitFor();
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill('Backup');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const key = await dialog.getByRole('region', { name: 'API key' }).textContent();
  await assertAccessible(page);
  const asked = () => fetch(`${web.url}/oapi/v1/devices`, { headers: { authorization: `ApiKey ${key}` } });
  assert.equal((await asked()).status, 200);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke Backup' }).click();
  const asking = page.getByRole('dialog', { name: 'Revoke Backup?' });
  await asking.getByRole('textbox').fill('Backup');
  await asking.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('“Backup” revoked.').waitFor();
  assert.equal((await asked()).status, 401);
});

test('settings are saved, can be undone, and shorter retention needs confirmation', { skip }, async (t) => {
  const known = () => web.home.ask('GET', '/api/v1/account');
  const before = await known();
  const page = await web.visit(t, '/account/settings');
  await page.getByLabel('Time zone').selectOption('Pacific/Auckland');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  assert.equal((await known()).time_zone, 'Pacific/Auckland');
  await page.getByRole('button', { name: 'Undo' }).click();
  await until('the zone of before', async () => ((await known()).time_zone === before.time_zone ? true : undefined));
  await page.getByLabel('Query log retention in days').fill('7');
  await page.getByRole('button', { name: 'Save' }).click();
  const asking = page.getByRole('dialog', { name: 'Shorten query log retention?' });
  await asking.getByText('older than 7 days').waitFor();
  await assertAccessible(page);
  assert.equal((await known()).log_retention_days, 30);
  await asking.getByRole('textbox').fill('7');
  await asking.getByRole('button', { name: 'Save' }).click();
  await asking.waitFor({ state: 'hidden' });
  assert.equal((await known()).log_retention_days, 7);
  await page.getByRole('progressbar', { name: 'Devices' }).waitFor({ state: 'attached' });
  await assertAccessible(page);
});

test('the audit log shows changes with before and after, and is filtered', { skip }, async (t) => {
  const { home } = web;
  const { id } = await home.device('Audited');
  await home.ask('PUT', `/oapi/v1/devices/${id}`, { name: '<b>Renamed</b>' });
  await home.ask('POST', '/api/v1/invitations', { email: 'audited@example.org', role: 'viewer' });
  const page = await web.visit(t, '/account/audit', phone);
  const rows = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem');
  await rows.filter({ hasText: 'Device changed: <b>Renamed</b>' }).waitFor();
  await page.getByLabel('Area').selectOption('Devices');
  assert.equal(await rows.filter({ hasText: 'Signed in' }).count(), 0);
  await page.getByRole('searchbox', { name: 'Search' }).fill('renamed');
  const row = rows.filter({ hasText: 'Device changed' });
  await row.getByRole('button', { name: 'Details' }).click();
  await row.getByRole('cell', { name: 'Audited' }).waitFor();
  await row.getByRole('cell', { name: '<b>Renamed</b>' }).waitFor();
  await row.getByRole('cell', { name: 'Name', exact: true }).waitFor();
  const created = rows.filter({ hasText: 'Device added' }).first();
  await page.getByRole('searchbox', { name: 'Search' }).fill('audited');
  await created.getByRole('button', { name: 'Details' }).click();
  const protection = created.getByRole('row', { name: /^Protection / });
  await protection.getByRole('cell', { name: 'Yes' }).waitFor();
  assert.equal(await created.getByText(/createdAt|dohAuthOnly|[0-9]{13}/).count(), 0);
  await page.getByLabel('Area').selectOption('All');
  const invited = rows.filter({ hasText: 'Member invited' }).first();
  await invited.getByRole('button', { name: 'Details' }).click();
  await invited.getByRole('cell', { name: 'Viewer', exact: true }).waitFor();
  const value = (await invited.getByRole('cell', { name: 'audited@example.org' }).boundingBox())!;
  assert.ok(value.x + value.width <= 360, 'the values are not cut off');
  await assertAccessible(page);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
  await page.getByRole('searchbox', { name: 'Search' }).fill('nothing like it');
  await page.getByText('None of the loaded entries match').waitFor();
  // A select instead of a navigation in several lines.
  await page.getByRole('combobox', { name: 'Account' }).selectOption('API keys');
  await page.waitForURL('**/account/keys');
});
