import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { chromium } from 'playwright-core';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { makeHome, startDns } from './support/dns.ts';
import { address, startWorld, worldOf } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';

const PROGRAM = '/usr/bin/chromium';
// Flags that disable background activity.
const quiet =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(
    ' ',
  );

/** A browser that uses only this resolver, and trusts its certificate. */
async function startBrowser(t: { after(end: () => unknown): void }, template: string, certificate: string) {
  // Ended before its folder is removed, because hooks run in the order of registration.
  let end = async (): Promise<void> => undefined;
  t.after(() => end());
  const secureDns = { dns_over_https: { mode: 'secure', templates: template } };
  const folder = await temporaryFolder(t, { 'Local State': JSON.stringify(secureDns) });
  const { publicKey } = new X509Certificate(await readFile(certificate));
  const key = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
  const args = [...quiet, `--ignore-certificate-errors-spki-list=${key}`];
  const browser = await chromium.launchPersistentContext(folder, { executablePath: PROGRAM, args });
  end = () => browser.close();
  return browser;
}

test('Chromium with secure DNS finds pages as its device, and not those that are blocked', {
  skip: missing('chromium'),
}, async () => {
  const records = ['page', 'blocked'].map((label) => address(`${label}.site.example`, '127.0.0.1'));
  const world = await startWorld({ after }, worldOf(records));
  const home = await makeHome(await startDns({ after }, world.address, ['--private-domain', 'site.example']));
  await home.set({
    blocking_mode_settings: { blocking_mode: 'NXDOMAIN' },
    user_rules_settings: { enabled: true, rules: ['||blocked.site.example^'] },
  });
  const { id } = await home.device('Chromium');
  const server = createServer((_, response) => response.end('<title>The page</title>')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { ports, certificate } = home.service;
  const template = `https://127.0.0.1:${ports.doh}/dns-query/${id}`;
  const page = await (await startBrowser({ after }, template, certificate)).newPage();

  await page.goto(`http://page.site.example:${port}/`);
  assert.equal(await page.title(), 'The page');
  await assert.rejects(page.goto(`http://blocked.site.example:${port}/`), /ERR_NAME_NOT_RESOLVED/);

  const statusOf = async (domain: string): Promise<string> => {
    const rows = (await home.logged(domain)).filter((row) => row.domain === domain);
    assert.ok(rows.every(({ device_id, dns_proto_type }) => device_id === id && dns_proto_type === 'DOH'));
    return rows[0]!.filtering_info.filtering_status;
  };
  assert.equal(await statusOf('page.site.example'), 'NONE');
  assert.equal(await statusOf('blocked.site.example'), 'REQUEST_BLOCKED');
});
