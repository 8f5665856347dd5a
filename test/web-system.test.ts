import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { DEVICE_DOMAIN, DNS_HOST, until } from './support/dns.ts';
import { opensslResponder } from './support/ocsp/openssl-responder.ts';
import { missing } from './support/programs.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig');

// No authority listens there.
const acme = ['--acme-domains', DNS_HOST, '--acme-directory', 'https://127.0.0.1:9/directory'];
const releases = createServer((_, response) => void response.end('{"tag_name":"v99.1.0"}')).listen(0, '127.0.0.1');
await once(releases, 'listening');
after(() => releases.close());
const updateUrl = `http://127.0.0.1:${(releases.address() as AddressInfo).port}/releases/latest`;
const web = skip ? ({} as Web) : await startWeb({ after }, [...acme, '--update-url', updateUrl]);

test('the operator sees upstreams, listeners, lists and counters, and creates a backup', { skip }, async (t) => {
  const { visit, home } = web;
  const { id } = await home.device('asker');
  await home.dug(id, 'udp', 'www.example.org');
  const { version, update, listeners, dns } = await until('the newest version', async () => {
    const system = await home.ask('GET', '/api/v1/system');
    return system.update.version === undefined ? undefined : system;
  });
  assert.equal(update.version, '99.1.0');
  const page = await visit(t, '/system');
  await page.getByText(`Weir ${version}`).waitFor();
  await page.getByText('Weir 99.1.0 is available').waitFor();
  for (const { host, port } of listeners) await page.getByText(`${host}:${port}`, { exact: true }).first().waitFor();
  await page.getByRole('row', { name: new RegExp(`^${dns.upstreams[0].upstream} Responding`) }).waitFor();
  await page.getByRole('heading', { name: 'Filter lists' }).waitFor();
  await page.getByText('No backup has been made yet.').waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Back up now' }).click();
  await page.getByText('Last backup:').waitFor();
  const { last_backup } = await home.ask('GET', '/api/v1/system');
  await page.getByText(last_backup.file).waitFor();
  assert.equal((await stat(last_backup.file)).size, last_backup.size_bytes);
});

test('the operator tests upstreams, clears the cache, runs the checks and changes a setting', { skip }, async (t) => {
  const { home } = web;
  const page = await web.visit(t, '/system');
  await page
    .getByRole('button', { name: /^Test / })
    .first()
    .click();
  await page.getByText(/^Answered in \d+/).waitFor();
  await page.getByRole('button', { name: 'Clear cache' }).click();
  await page.getByText('Cache cleared.').waitFor();
  await page.getByRole('button', { name: 'Read files again' }).click();
  await page.getByText('Certificate files read again.').waitFor();
  await page.getByRole('button', { name: 'Run checks' }).click();
  await page
    .getByRole('list', { name: 'Check this installation' })
    .getByText(/^permissions: /)
    .waitFor();
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('log-level');
  await page.getByRole('button', { name: 'Change log-level' }).click();
  await page.getByRole('dialog', { name: 'log-level' }).getByLabel('Value').selectOption('warn');
  await assertAccessible(page);
  await page.getByRole('dialog', { name: 'log-level' }).getByRole('button', { name: 'Save' }).click();
  await page.getByText('“log-level” changed.').waitFor();
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('upstream-timeout');
  await page.getByRole('button', { name: 'Change upstream-timeout' }).click();
  const dialog = page.getByRole('dialog', { name: 'upstream-timeout' });
  await dialog.getByLabel('Value').fill('soon');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Not a time: "soon". Enter for example 90s, 5m or 1h.').waitFor();
  await assertAccessible(page);
  await dialog.getByLabel('Value').fill('3s');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('“upstream-timeout” changed.').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Changed here' }).getByText('3s', { exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('acme-domains');
  await page.getByText('Set by --acme-domains').waitFor();
  await assertAccessible(page);
  const { items } = await home.ask('GET', '/api/v1/audit');
  assert.deepEqual([items[0].action, items[0].subject], ['system.setting', 'upstream-timeout']);
});

test('the operator creates a node key, which is shown once, sees the report of its node, and revokes it', {
  skip,
}, async (t) => {
  const page = await web.visit(t, '/system');
  const section = page.getByRole('region', { name: 'DNS nodes' });
  await section.getByText('No nodes yet.').waitFor();
  await section.getByRole('button', { name: 'Add node' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('edge-1');
  await dialog.getByRole('button', { name: 'Add node' }).click();
  const key = await dialog.getByText(/^weir_node_[\w-]{49}$/).textContent();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await section.getByRole('row', { name: /^edge-1 weir_node_.* never/ }).waitFor();
  const { status } = await fetch(`${web.home.service.url}/internal/v1/status`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ version: '1.2.3', revision: 47, lagMs: 2000 }),
  });
  assert.equal(status, 200);
  await page.reload();
  await section.getByRole('row', { name: /^edge-1 127\.0\.0\.1 .+ Revision 47, Lag 2 s 1\.2\.3/ }).waitFor();
  await section.getByRole('button', { name: 'Revoke edge-1' }).click();
  await dialog.getByRole('textbox').fill('edge-1');
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await section.getByText('No nodes yet.').waitFor();
  assert.deepEqual(await web.home.ask('GET', '/api/v1/nodes'), []);
});

test('certificates are shown with their state, and a failed request with what to do', { skip }, async (t) => {
  const shown = [
    {
      width: 1280,
      colorScheme: 'light',
      locale: 'en',
      words: ['Certificates', 'Self-signed', 'Next attempt', 'Check the server’s internet connection'],
    },
    {
      width: 390,
      colorScheme: 'dark',
      locale: 'de-DE',
      words: ['Zertifikate', 'Selbstsigniert', 'Nächster Versuch', 'Prüfen Sie die Internetverbindung'],
    },
  ] as const;
  for (const { width, colorScheme, locale, words } of shown) {
    const page = await web.visit(t, '/system', { viewport: { width, height: 900 }, colorScheme, locale });
    const [title, ...texts] = words;
    const section = page.getByRole('region', { name: title });
    for (const text of texts) await section.getByText(text).waitFor();
    await section.getByText(`*.${DEVICE_DOMAIN}`).waitFor();
    await section.getByText('ECONNREFUSED').waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
    await assertAccessible(page);
  }

  // A certificate of an authority whose OCSP responder cannot be reached.
  const authority = opensslResponder(await temporaryFolder(t));
  authority.issueServer('server', 'tlsfeature=status_request');
  const files = await Promise.all(['pem', 'key'].map((kind) => readFile(authority.file(`server.${kind}`))));
  await writeFile(join(web.home.service.data, 'acme/certificate.pem'), Buffer.concat(files));
  await web.home.ask('POST', '/api/v1/system/certificates/reload');
  await until('the state of the response', async () => {
    const { dns } = await web.home.ask('GET', '/api/v1/system');
    return dns.certificates[0].ocsp?.problem;
  });
  const page = await web.visit(t, '/system', { viewport: { width: 390, height: 900 }, locale: 'de-DE' });
  await page.getByText('Keine gültige OCSP-Antwort, obwohl dieses Zertifikat sie verlangt').waitFor();
  await page.getByText(/^ocsp\.example: /).waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
  await assertAccessible(page);
});

test('a list that fails to download is shown with its error, on a dark phone in German', {
  skip,
}, async (t) => {
  const { visit, home } = web;
  const [list] = await home.ask('GET', '/oapi/v1/filter_lists');
  await home.set({
    filter_lists_settings: { enabled: true, filter_list: [{ filter_id: list.filter_id, enabled: true }] },
  });
  const page = await visit(t, '/system', {
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
    locale: 'de-DE',
  });
  const row = page.getByRole('row', { name: list.name });
  await row.getByText('Eingebaute Liste in Verwendung').waitFor();
  // A value that is wider than the page.
  await page.getByRole('searchbox').fill('update-url');
  await page.getByText(updateUrl, { exact: true }).waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
  await assertAccessible(page);
});
