import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { fromBase32 } from '../src/domain/base-encoding.ts';
import { totpCode } from '../src/domain/totp.ts';
import { OWNER, PASSWORD, until } from './support/dns.ts';
import { missing } from './support/programs.ts';
import { startService } from './support/service.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig');
const BACK = 'https://app.example.org/back';
const web = skip ? ({} as Web) : await startWeb({ after }, ['--oauth-client', `example-app=${BACK}`]);

const codeOf = (secret: string): string =>
  totpCode(fromBase32(secret)!, Math.floor(Date.now() / 30_000), (key, message) =>
    createHmac('sha1', key).update(message).digest(),
  );

async function signIn(page: Page, email = OWNER, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('the set-up link creates and signs in the owner, and works only once', {
  skip,
}, async (t) => {
  // Closed before the service stops.
  const page = await web.stranger(t);
  const service = await startService(t);
  const link = await until('the link', () => service.log.find((entry) => entry['setUpUrl'])?.['setUpUrl'] as string);
  await page.goto(`${service.url}/`);
  // Without the link the page asks for the code.
  await page.getByRole('heading', { name: 'Set up Weir' }).waitFor();
  await page.getByText('Open the set-up link printed in Weir’s log').waitFor();
  await page.getByLabel('Set-up code').waitFor();
  // From another machine, too, which gets a different response.
  await page.route('**/api/v1/session', (route) => route.fulfill({ status: 403, json: { error: 'no account' } }));
  await page.goto(`${service.url}/devices`);
  await page.getByLabel('Set-up code').waitFor();
  await page.unroute('**/api/v1/session');
  // Opened in the same tab, the link changes only the fragment.
  await page.goto(link);
  await page.getByLabel('Set-up code').waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).hash, '');
  await assertAccessible(page);
  await page.getByLabel('E-mail address').fill('me@example.org');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Protect this network?' }).waitFor();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Already set up' }).waitFor();
});

test('the set-up page restores a backup after a check and a confirmation', { skip }, async (t) => {
  await web.home.ask('POST', '/api/v1/system/backup');
  const headers = { authorization: web.home.authorization };
  const backup = Buffer.from(await (await fetch(`${web.url}/api/v1/system/backup`, { headers })).arrayBuffer());
  // Closed before the service stops.
  const page = await web.stranger(t);
  const service = await startService(t);
  const link = await until('the link', () => service.log.find((entry) => entry['setUpUrl'])?.['setUpUrl'] as string);
  await page.goto(link);
  await page.getByRole('button', { name: 'Restore a backup' }).click();
  const choose = async (buffer: Buffer): Promise<void> => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByLabel('Backup file').click();
    await (await choosing).setFiles({ name: 'weir.backup', mimeType: 'application/octet-stream', buffer });
    await page.getByRole('button', { name: 'Check backup' }).click();
  };
  await choose(backup.subarray(0, -20));
  await page.getByText('The backup is damaged or incomplete.').waitFor();
  await assertAccessible(page);
  await choose(backup);
  await page.getByText('1 account', { exact: true }).waitFor();
  await assertAccessible(page);
  const restore = page.getByRole('button', { name: 'Restore', exact: true });
  assert.equal(await restore.isEnabled(), false);
  await page.getByLabel('To confirm, type “restore”').fill('restore');
  await restore.click();
  await page.getByText('Restored: 1 account.').waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(page);
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();

  // The same backup again, in place of what was changed since then.
  await page.goto(`${service.url}/devices`);
  await page.getByRole('button', { name: 'Add device' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Added later');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('“Added later” added.').waitFor();
  await page.goto(`${service.url}/system`);
  await page.getByRole('button', { name: 'Restore a backup…' }).click();
  await choose(backup);
  await page.getByText('Everyone has to sign in again.').waitFor();
  await assertAccessible(page);
  await page.getByLabel('To confirm, type “restore”').fill('restore');
  await restore.click();
  await page.getByText('Restored: 1 account. Sign in again.').waitFor();
  await page.getByRole('dialog').getByRole('link', { name: 'Sign in' }).click();
  await signIn(page);
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  const devices = await page.evaluate<string>("fetch('/oapi/v1/devices').then((response) => response.text())");
  assert.doesNotMatch(devices, /Added later/);
  await page.goto(`${service.url}/account/audit`);
  await page.getByText('Backup restored').waitFor();
});

test('a third-party app is authorised after sign-in and consent', { skip }, async (t) => {
  const page = await web.stranger(t);
  await page.route(`${BACK}*`, (route) => route.fulfill({ body: 'back' }));
  const wish = { client_id: 'example-app', redirect_uri: BACK, response_type: 'code', state: 'a b' };
  const query = new URLSearchParams({ ...wish, code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' });
  await page.goto(`/oapi/v1/oauth_authorize?${query.toString()}`);
  await signIn(page);
  await page.getByRole('heading', { name: 'Allow example-app to access your account?' }).waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(`${BACK}*`);
  const sent = new URL(page.url()).searchParams;
  assert.equal(sent.get('state'), 'a b');
  assert.match(sent.get('code') ?? '', /^weir_/);
});

test('a passkey is added and signs in without a password; an IP address has none', { skip }, async (t) => {
  const page = await web.visit(t, '/account');
  await page.getByText('Passkeys need a host name.').waitFor();
  await assertAccessible(page);
  const here = web.url.replace('127.0.0.1', 'localhost');
  const cookies = await page.context().cookies();
  await page.context().addCookies(cookies.map(({ name, value }) => ({ name, value, url: here })));
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  await page.goto(`${here}/account`);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Laptop');
  await dialog.getByLabel('Your password').fill('wrong');
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Add passkey' }).click();
  await dialog.getByText('Incorrect.').waitFor();
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByText('Passkey “Laptop” added.').waitFor();
  const list = page.getByRole('list', { name: 'Passkeys' });
  await list.getByText('Never used').waitFor();
  await assertAccessible(page);
  await page.context().clearCookies();
  await page.goto(`${here}/`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  await page.goto(`${here}/account`);
  await list.getByText('Last used').waitFor();
  await page.getByRole('button', { name: 'Rename Laptop' }).click();
  const renaming = page.getByRole('dialog', { name: 'Rename' });
  await renaming.getByLabel('Name').fill('Notebook');
  await assertAccessible(page);
  await renaming.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('button', { name: 'Remove Notebook' }).click();
  await page.getByLabel('To confirm, type “Notebook”').fill('notebook');
  await assertAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No passkeys yet.').waitFor();
  await page.context().clearCookies();
  await page.goto(`${here}/`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('This passkey isn’t registered here.').waitFor();
  await assertAccessible(page);
});

test('the two-factor code is requested if it is enabled', { skip }, async (t) => {
  const { ask } = web.home;
  const begun = await ask('POST', '/api/v1/second_factor', { password: PASSWORD });
  const { recovery_codes } = await ask('POST', '/api/v1/second_factor/confirm', { code: codeOf(begun.secret) });
  const page = await web.stranger(t);
  await page.goto('/');
  await signIn(page);
  const code = page.getByLabel('Two-factor code');
  await code.fill('000000');
  await assertAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByText('Wrong code. Enter the code that the app shows now.').waitFor();
  assert.equal(await code.inputValue(), '');
  await assertAccessible(page);
  await page.getByLabel('Keep me signed in').check();
  await code.fill(recovery_codes[0]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  const [cookie] = await page.context().cookies();
  assert.ok(cookie!.expires * 1000 - Date.now() > 300 * 86_400_000, `${cookie!.expires}`);
});
