// Takes screenshots of all pages, or of those whose names start with NAME: light and dark, on a desktop, a laptop, a tablet and a phone.
// Usage: `npm run screenshots -- FOLDER NAME …`; the default folder is .cache/screenshots. `--locale de-DE` for another
// language: pages that are opened by their English texts are left out. `scripts/contact-sheet.ts` makes sheets of them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import type { Home } from '../test/support/dns.ts';
import { startWeb } from '../test/support/web.ts';

type Shot = {
  readonly name: string;
  readonly path: string | ((things: Things) => string);
  /** Taken without a session. */
  readonly isSignedOut?: boolean;
  /** Runs before the screenshot. */
  readonly act?: (page: Page) => Promise<unknown>;
};

type Things = { readonly device: string; readonly laptop: string; readonly server: string };

const shots: readonly Shot[] = [
  { name: 'sign-in', path: '/sign-in', isSignedOut: true },
  { name: 'dashboard', path: '/' },
  { name: 'statistics', path: '/statistics?compare=yes&period=4320m' },
  { name: 'devices', path: '/devices' },
  {
    name: 'device-add',
    path: '/devices',
    act: (page) => page.getByRole('button', { name: 'Add device' }).first().click(),
  },
  { name: 'device', path: ({ device }) => `/devices/${device}` },
  { name: 'connect-first', path: '/connect' },
  { name: 'connect-android', path: ({ device }) => `/devices/${device}/connect` },
  {
    name: 'connect-ios',
    path: ({ device }) => `/devices/${device}/connect`,
    act: (page) => page.getByRole('tab', { name: 'iPhone, iPad' }).click(),
  },
  {
    name: 'connect-linux',
    path: ({ laptop }) => `/devices/${laptop}/connect`,
    act: (page) => page.getByRole('tab', { name: 'Linux' }).click(),
  },
  { name: 'join', path: '/join#weir_inv_example', isSignedOut: true },
  { name: 'network', path: '/network' },
  { name: 'clients', path: '/clients' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'servers', path: '/profiles' },
  { name: 'server', path: ({ server }) => `/profiles/${server}` },
  { name: 'local-names', path: '/local-names' },
  {
    name: 'local-names-add',
    path: '/local-names',
    act: (page) => page.getByRole('button', { name: 'Add record' }).click(),
  },
  ...['lists', 'rules', 'services', 'safety', 'schedule', 'names', 'access', 'advanced'].map((section) => ({
    name: `server-${section}`,
    path: ({ server }: Things) => `/profiles/${server}/${section}`,
  })),
  {
    name: 'server-test',
    path: ({ server }) => `/profiles/${server}/rules`,
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Domain' }).fill('cdn.ads.example');
      await page.getByRole('button', { name: 'Test', exact: true }).click();
      await page.getByText('Decided by').waitFor();
      await page.getByRole('textbox', { name: 'Custom rules, one per line' }).click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('\n||half..done^');
      await page.getByText('invalid rule').waitFor();
    },
  },
  { name: 'log', path: '/log' },
  { name: 'log-filters', path: '/log?statuses=REQUEST_BLOCKED&categories=ADS' },
  {
    name: 'log-details',
    path: '/log?statuses=REQUEST_BLOCKED',
    act: async (page) => {
      await page.getByRole('table').getByRole('button').nth(2).click();
      await page.getByText('Current decision').waitFor();
    },
  },
  { name: 'compiler', path: '/compiler', act: (page) => openExample(page) },
  { name: 'compiler-advanced', path: '/compiler', act: (page) => openExample(page, 'Advanced') },
  { name: 'compiler-result', path: '/compiler', act: compileExample },
  { name: 'account', path: '/account' },
  { name: 'account-settings', path: '/account/settings' },
  { name: 'account-members', path: '/account/members' },
  {
    name: 'account-invited',
    path: '/account/members',
    act: async (page) => {
      await page.getByRole('button', { name: 'Invite member' }).click();
      await page.getByLabel('E-mail address').fill('carol@example.org');
      await page.getByRole('dialog').getByRole('button', { name: 'Invite member' }).click();
      await page.getByText('/join#').waitFor();
    },
  },
  { name: 'account-keys', path: '/account/keys' },
  {
    name: 'account-audit',
    path: '/account/audit',
    act: (page) => page.getByRole('button', { name: 'Details' }).first().click(),
  },
  { name: 'system', path: '/system' },
  { name: 'authorize', path: '/authorize?client_id=example-app&redirect_uri=https://app.example.org/back' },
];

async function openExample(page: Page, mode = 'Simple'): Promise<void> {
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('menuitem', { name: 'Custom rules' }).click();
  await page.getByText(mode, { exact: true }).click();
  await page.getByText('ads.example.com').first().waitFor();
}

async function compileExample(page: Page): Promise<void> {
  await openExample(page);
  await page.getByRole('button', { name: 'Compile', exact: true }).click();
  await page.getByRole('region', { name: 'Lines of the list' }).getByText('||tracker.example.net^').waitFor();
}

const widths = {
  desk: { width: 1280, height: 800 },
  laptop: { width: 1024, height: 768 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 390, height: 844 },
};
const schemes = ['light', 'dark'] as const;
const names: readonly [string, string][] = [
  ["Ann's phone", 'ANDROID'],
  ['Laptop', 'MAC'],
  ['Living room', 'SMART_TV'],
  ['Router', 'ROUTER'],
];

const pause = (day_of_week: string, from: number, to: number) => ({
  day_of_week,
  enabled: true,
  from_time: { hours: from, minutes: 0 },
  to_time: { hours: to, minutes: 30 },
});

const childrensSettings = {
  user_rules_settings: {
    rules: [
      '! School',
      '@@||school.example^',
      '||ads.example^',
      '@@||cdn.ads.example^$important',
      '! ||games.example^',
      '||tracker.example^$dnstype=A|AAAA',
      '/^metrics[0-9]+\\./',
      '||printer.home.example^$dnsrewrite=192.0.2.20',
    ],
  },
  parental_control_settings: {
    enabled: true,
    block_adult_websites_enabled: true,
    engines_safe_search_enabled: true,
    blocked_services: ['tiktok', 'instagram', 'roblox'].map((id) => ({ id })),
    screen_time_schedule: {
      daily_schedule: [pause('FRIDAY', 18, 20), pause('SATURDAY', 10, 20), pause('SUNDAY', 10, 19)],
    },
  },
  access_settings: { blocked_clients: ['203.0.113.7', 'AS64496'] },
};

const HOSTS = '192.168.1.10 nas.home.arpa nas\nfd00::10 nas.home.arpa\n192.168.1.20 printer.home.arpa\n';

type Made = Awaited<ReturnType<Home['device']>>;

/** Seeds data for the pages. */
async function furnish({ device, ask, dug }: Home): Promise<Things> {
  const made = [];
  for (const [name, type] of names) made.push(await device(name, type));
  const { id: children } = await ask('POST', '/oapi/v1/dns_servers', { name: 'Children', settings: childrensSettings });
  await ask('POST', '/api/v1/invitations', { email: 'bob@example.org', role: 'admin' });
  await ask('POST', '/api/v1/api_keys', { name: 'Home automation' });
  await ask('POST', '/api/v1/local_records/import', { hosts: HOSTS });
  await ask('POST', '/api/v1/local_records', { name: '*.apps.home.arpa', type: 'CNAME', value: 'nas.home.arpa' });
  await ask('POST', '/api/v1/forward_rules', { domain: 'lan', upstreams: ['192.168.1.1'], dns_server_id: children });
  await ask('POST', '/api/v1/forward_rules', { domain: '192.168.0.0/16', upstreams: ['192.168.1.1'] });
  await ask('PUT', `/api/v1/dns_servers/${children}/local_names`, {
    dns64: {},
    rebinding_allowed: ['plex.direct'],
    search_domains: ['home.arpa', 'lan'],
  });
  const [{ id: phone }, { id: laptop }] = made as [Made, Made];
  await ask('PUT', `/oapi/v1/devices/${laptop}`, { dns_server_id: children });
  await dug(laptop, 'doh', 'www.example.org', 'A');
  return { device: phone, laptop, server: children };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { locale: { type: 'string', default: 'en-GB' } },
});
const { locale } = values;
const [folder = '.cache/screenshots', ...wanted] = positionals;
const chosen = shots
  .filter(({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)))
  .filter(({ act }) => act === undefined || locale.startsWith('en'));
mkdirSync(folder, { recursive: true });

type Ends = { after(end: () => unknown): void; all(): Promise<void> };

function collectEnds(): Ends {
  const ends: (() => unknown)[] = [];
  return {
    after: (end) => void ends.push(end),
    all: async () => {
      for (const end of ends.reverse()) await end();
    },
  };
}

const service = collectEnds();
try {
  let things: Things = { device: '', laptop: '', server: '' };
  const { visit, stranger } = await startWeb(service, [], {
    queries: 40_000,
    days: 7,
    furnish: async (home) => {
      things = await furnish(home);
    },
  });
  for (const { name, path, isSignedOut = false, act } of chosen)
    for (const colorScheme of schemes) {
      const to = typeof path === 'string' ? path : path(things);
      const opened = collectEnds();
      const options = { viewport: widths.desk, colorScheme, locale };
      const page = await (isSignedOut ? stranger(opened, options) : visit(opened, to, options));
      if (isSignedOut) await page.goto(to);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await act?.(page);
      await page.waitForLoadState('networkidle');
      await page.locator('main .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      for (const [size, viewport] of Object.entries(widths)) {
        await page.setViewportSize(viewport);
        // Waits until charts are redrawn for the new width.
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
        await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: true });
      }
      await opened.all();
    }
  console.log(`${chosen.length * schemes.length * Object.keys(widths).length} pictures in ${folder}`);
} finally {
  await service.all();
}
