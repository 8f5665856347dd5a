import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { seed } from '../../src/app/seed.ts';
import { DNS_HOST, type DnsService, type Home, homeOf, makeHome, OWNER, PASSWORD, startDns } from './dns.ts';
import { address, startWorld, worldOf } from './dns-upstream.ts';

type Ending = { after(end: () => unknown): void };

const PROGRAM = '/usr/bin/chromium';
// It shall show the pages and do nothing else.
const quiet =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(
    ' ',
  );

/** One browser for all tests of a file; each visit has a profile of its own. */
export async function startBrowser(t: Ending): Promise<Browser> {
  const args = [...quiet, `--host-resolver-rules=MAP ${DNS_HOST} 127.0.0.1`];
  const browser = await chromium.launch({ executablePath: PROGRAM, args });
  t.after(() => browser.close());
  return browser;
}

export type Web = {
  readonly home: Home;
  readonly url: string;
  /** A page in its own browser context, signed out. An error in its console fails the test, unless it is expected. */
  readonly stranger: (t: Ending, options?: BrowserContextOptions, expected?: RegExp) => Promise<Page>;
  /** The same with the owner signed in, at a path. */
  readonly visit: (t: Ending, path: string, options?: BrowserContextOptions, expected?: RegExp) => Promise<Page>;
};

/** State before a test begins: devices, and queries like those of households. */
export type Past = {
  readonly queries: number;
  readonly days: number;
  readonly furnish?: (home: Home) => Promise<unknown>;
};

/** The service with DNS and an owner, and a browser that looks at its pages. Ends with the file's tests. */
export async function startWeb(
  t: Ending,
  flags: readonly string[] = [],
  past?: Past,
  env: Readonly<Record<string, string>> = {},
): Promise<Web> {
  const world = await startWorld(
    t,
    worldOf([address('www.example.org', '192.0.2.1'), address('private.example.org', '192.168.1.61')]),
  );
  const start = (data?: string) => startDns(t, world.address, flags, { env, ...(data !== undefined && { data }) });
  const first = await makeHome(await start());
  const home = past ? await withPast(first, past, start) : first;
  const browser = await startBrowser(t);
  const { url } = home.service;
  const stranger: Web['stranger'] = (t, options, expected) => openPage(t, browser, url, { ...options, expected });
  // Once for all visits: to hash a password takes as long as to open a page. A test may have ended it.
  let cookie: Cookie | undefined;
  const signedIn = async (): Promise<Cookie> => {
    if (!cookie || !(await isGood(url, cookie))) cookie = await sessionCookie(url);
    return cookie;
  };
  return {
    home,
    url,
    stranger,
    async visit(t, path, options, expected) {
      const page = await stranger(t, options, expected);
      const { name, value } = await signedIn();
      await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
      await page.goto(path);
      return page;
    },
  };
}

/** Writes the log while no other process has it open. */
async function withPast(first: Home, past: Past, start: (data: string) => Promise<DnsService>): Promise<Home> {
  const { service, authorization } = first;
  await past.furnish?.(first);
  assert.equal(await service.stop(), 0);
  const when = { now: Date.now(), random: sameRandom(), onProgress: () => undefined };
  await seed({ data: service.data, database: undefined }, { email: OWNER, ...past, ...when });
  return homeOf(await start(service.data), authorization);
}

/** Numbers that look like chance and are the same in every run. */
function sameRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

type PageOptions = BrowserContextOptions & { readonly expected?: RegExp | undefined };

async function openPage(
  t: Ending,
  browser: Browser,
  url: string,
  { expected = /^$/, ...options }: PageOptions,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    // Requests of a service worker are not intercepted by `page.route`.
    serviceWorkers: 'block',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A refusal is an answer that pages expect, as they expect none from a test that cuts them off; whatever else is an error is a
    // mistake, above all what the policy forbids.
    const isRefusal = /^Failed to load resource: (?:.* status of 4\d\d|net::ERR_FAILED$)/.test(message.text());
    if (message.type() === 'error' && !isRefusal && !expected.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  return page;
}

type Cookie = { readonly name: string; readonly value: string };

const isGood = async (url: string, { name, value }: Cookie): Promise<boolean> =>
  (await fetch(`${url}/api/v1/session`, { headers: { cookie: `${name}=${value}` } })).ok;

/** The cookie of a new session. */
async function sessionCookie(url: string): Promise<Cookie> {
  const response = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'session-in': 'cookie' },
    body: JSON.stringify({ email: OWNER, password: PASSWORD }),
  });
  assert.equal(response.status, 200);
  const [pair = ''] = response.headers.getSetCookie()[0]?.split(';') ?? [];
  const [name = '', value = ''] = pair.split('=');
  return { name, value };
}

/** Fails on any accessibility violation, except for those of the rules given. */
export async function assertAccessible(page: Page, except: readonly string[] = []): Promise<void> {
  // In the page itself, and not in another one beside it, which takes longer than all rules: there are no frames of other hosts here.
  const axe = new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .disableRules([...except]);
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
  assert.deepEqual(found, []);
}
