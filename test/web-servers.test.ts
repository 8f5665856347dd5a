import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from './support/dns.ts';
import { missing } from './support/programs.ts';
import { assertAccessible, startWeb, type Web } from './support/web.ts';

const skip = missing('chromium', 'dig');
const phone = { viewport: { width: 360, height: 740 } };

const web = skip ? ({} as Web) : await startWeb({ after });

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved. Takes effect immediately.').waitFor();
};

test('a server is added, renamed, removed and restored; the default one stays', {
  skip,
}, async (t) => {
  const { visit, home } = web;
  const page = await visit(t, '/servers', { colorScheme: 'dark' });
  await page.getByRole('link', { name: 'Default' }).hover();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Add profile' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Children');
  await page.keyboard.press('Enter');
  await heading(page, 'Children').waitFor();
  await assertAccessible(page);
  await page.getByRole('textbox', { name: 'Name' }).fill('Kids');
  await page.getByText('Unsaved changes in Overview').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await heading(page, 'Kids').waitFor();
  await page.getByRole('button', { name: 'Remove this profile' }).click();
  await heading(page, 'Profiles').waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByRole('link', { name: 'Kids' }).click();
  await page.getByRole('button', { name: 'Remove this profile' }).click();
  await heading(page, 'Profiles').waitFor();
  const servers: { name: string }[] = await home.ask('GET', '/oapi/v1/dns_servers');
  assert.equal(servers.length, 1);
  await assertAccessible(page);
  await page.getByRole('link', { name: servers[0]!.name }).click();
  await page.getByText('The default profile can’t be removed').waitFor();
});

test('rules are edited with completion and error marks, saved in one request, and apply to the next query', {
  skip,
}, async (t) => {
  const { visit, home } = web;
  const { id } = await home.device('Asks');
  const isAnswered = async (): Promise<boolean> => {
    const { answer } = await home.dug(id, 'doh', 'www.example.org', 'A');
    return answer.some((line) => line.includes('192.0.2.1'));
  };
  assert.equal(await isAnswered(), true);
  const page = await visit(t, `/servers/${home.server}/rules`);
  const editor = page.getByRole('textbox', { name: 'Custom rules, one per line' });
  await editor.click();
  await page.keyboard.type('||bad..name^\n||example.org^$import');
  await page.getByRole('option', { name: 'important' }).first().waitFor();
  // The completion list ignores keys for its first 75 ms, to not catch normal typing.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))');
  await page.keyboard.press('Enter');
  await page.getByText('1 invalid rule').waitFor();
  await page.locator('.cm-lintRange-error').waitFor();
  await assertAccessible(page);
  const puts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') puts.push(request.postData() ?? '');
  });
  await page.getByRole('link', { name: 'Advanced' }).click();
  await page.getByLabel('Blocked response TTL (seconds)').fill('7');
  await page.reload();
  await page.getByText('Unsaved changes in Custom rules, Advanced').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'Custom rules' }).click();
  await page.getByRole('alert').filter({ hasText: 'line 1: ' }).waitFor();
  assert.equal(await isAnswered(), true, 'an invalid rule rejects the whole change');
  await editor.click();
  await page.keyboard.press('Control+a');
  // Typing over a selection makes Chromium add inline styles of its own, which the policy blocks.
  await page.keyboard.press('Delete');
  await page.keyboard.type('||example.org^$important');
  await page.keyboard.press('Escape');
  await save(page);
  assert.deepEqual(
    puts.map((put) => JSON.parse(put)),
    [['||bad..name^', '||example.org^$important'], ['||example.org^$important']].map((rules) => ({
      user_rules_settings: { rules },
      block_ttl_seconds: 7,
    })),
  );
  assert.equal(await isAnswered(), false);
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'PUT'),
    page.getByRole('button', { name: 'Undo' }).click(),
  ]);
  assert.equal(await isAnswered(), true);
});

test('nothing moves on a phone while the editor of the rules is loaded', { skip }, async (t) => {
  const page = await web.visit(t, '/servers', { viewport: { width: 390, height: 1200 } });
  await page.getByRole('link', { name: 'Default' }).waitFor();
  await page.addInitScript(
    `globalThis.moved = 0;
    new PerformanceObserver((list) => { for (const { value } of list.getEntries()) globalThis.moved += value; })
      .observe({ type: 'layout-shift', buffered: true });`,
  );
  const arrival = Promise.withResolvers<void>();
  let isHeld = false;
  await page.route('**/rule-editor-*.js', async (route) => {
    isHeld = true;
    await arrival.promise;
    await route.continue();
  });
  await page.goto(`/servers/${web.home.server}/rules`);
  await page.getByRole('heading', { name: 'Temporary rules' }).waitFor();
  await page.getByText('None', { exact: true }).waitFor();
  assert.ok(isHeld);
  arrival.resolve();
  await page.locator('.cm-content').waitFor();
  // Reported with the frame after the one that shows it.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))');
  const moved = Number(await page.evaluate('globalThis.moved'));
  assert.ok(moved <= 0.05, `layout shift ${moved}`);
});

test('a rule is switched off and on, and the rule tester shows the applied rule', { skip }, async (t) => {
  const { visit, home } = web;
  await home.set({
    user_rules_settings: { enabled: true, rules: ['! my rules', '||ads.example^', '@@||ok.ads.example^'] },
  });
  const page = await visit(t, `/servers/${home.server}/rules`);
  const ask = async (name: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Domain' }).fill(name);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
  };
  await ask('ok.ads.example');
  await page.getByText('Allowed', { exact: true }).waitFor();
  const won = page.getByRole('row', { name: /@@\|\|ok\.ads\.example\^.*Applied/ });
  await won.waitFor();
  await page.getByRole('row', { name: /\|\|ads\.example\^.*Lower priority/ }).waitFor();
  await assertAccessible(page);
  // One field blocks or allows a domain, also of a pasted address; the second choice replaces the first.
  const quick = page.getByRole('textbox', { name: 'Block or allow a site' });
  await quick.fill('no domain');
  await quick.press('Enter');
  await page.getByText('Enter a domain, for example example.org.').waitFor();
  await assertAccessible(page);
  await quick.fill('https://shop.example/cart');
  await quick.press('Enter');
  // At once: the editor shows a change that follows within its delay for typed text, too.
  await quick.fill('shop.example');
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByText('@@||shop.example^', { exact: true }).waitFor();
  await page.getByText('Rule list').click();
  await page.getByRole('switch', { name: 'Rule @@||ok.ads.example^' }).press('Space');
  await page.getByText('Uses the saved settings').waitFor();
  await save(page);
  const { rules } = (await home.ask('GET', `/oapi/v1/dns_servers/${home.server}/settings`)).user_rules_settings;
  assert.deepEqual(rules, ['! my rules', '||ads.example^', '! @@||ok.ads.example^', '@@||shop.example^']);
  await ask('ok.ads.example');
  await page.getByText('Blocked', { exact: true }).waitFor();
  assert.equal(await page.getByRole('switch', { name: 'Rule @@||ok.ads.example^' }).isChecked(), false);
  await assertAccessible(page);
  await ask('no such name');
  await page.locator('input[aria-invalid=true]').waitFor();
});

test('services are blocked, and pauses are drawn, moved by keyboard and entered', { skip }, async (t) => {
  const { visit, home } = web;
  const page = await visit(t, `/servers/${home.server}/parental`);
  await page.getByRole('switch', { name: 'Parental control' }).click();
  await page.getByRole('checkbox', { name: 'Block Gambling' }).click();
  await page.getByLabel('Search services').fill('tikt');
  await page.getByRole('checkbox', { name: 'Block TikTok' }).click();
  await page.getByText('1 service is blocked').waitFor();
  // An earlier path leads to the section of today.
  assert.match(page.url(), /\/profiles\/\w+\/parental$/);
  await page.getByRole('link', { name: 'Schedule' }).click();
  const saturday = page.locator('[data-day=Saturday]');
  // Not at the edge: the bar with the button covers it.
  await saturday.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const track = (await saturday.boundingBox())!;
  const at = (hour: number): number => track.x + (track.width * hour) / 24;
  await page.mouse.move(at(10), track.y + 10);
  await page.mouse.down();
  await page.mouse.move(at(14), track.y + 10, { steps: 5 });
  await page.mouse.up();
  const end = page.getByRole('slider', { name: 'Saturday: pause to' });
  await end.focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await end.getAttribute('aria-valuenow'), String(14 * 60 + 15));
  await page.getByRole('switch', { name: 'Sunday' }).click();
  await page.locator('input[type=time]').and(page.getByLabel('Sunday: pause from')).fill('09:30');
  await assertAccessible(page);
  await save(page);
  const settings = await home.ask('GET', `/oapi/v1/dns_servers/${home.server}/settings`);
  const parental = settings.parental_control_settings;
  assert.deepEqual(parental.blocked_services, [{ enabled: true, id: 'tiktok' }]);
  assert.deepEqual(parental.blocked_filtering_categories, [{ enabled: true, id: 'gambling' }]);
  assert.deepEqual(parental.screen_time_schedule.daily_schedule.slice(5), [
    {
      day_of_week: 'SATURDAY',
      enabled: true,
      from_time: { hours: 10, minutes: 0 },
      to_time: { hours: 14, minutes: 15 },
    },
    { day_of_week: 'SUNDAY', enabled: true, from_time: { hours: 9, minutes: 30 }, to_time: { hours: 23, minutes: 59 } },
  ]);
  await home.set({ parental_control_settings: { enabled: false } });
});

test('rejected values are reported at their field and section, and no input is lost', {
  skip,
}, async (t) => {
  const { visit, home } = web;
  const page = await visit(t, `/servers/${home.server}/access`);
  await page.getByLabel('Blocked clients', { exact: true }).fill('203.0.113.7\nnonsense');
  await page.getByRole('link', { name: 'Advanced' }).click();
  await page.getByLabel('Answer with').selectOption('Custom IP');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Couldn’t save. Check ').waitFor();
  await page.getByText('Enter an IPv4 or IPv6 address.').waitFor();
  await page.getByRole('link', { name: 'Access Has errors' }).click();
  await page.getByText('line 2: ').waitFor();
  await assertAccessible(page);
  await page.getByLabel('Blocked clients', { exact: true }).fill('203.0.113.7');
  await page.getByRole('link', { name: 'Advanced Has errors' }).click();
  await page.getByLabel('IPv4 address').fill('192.0.2.53');
  await page.route('**/settings', (route) => route.abort());
  await page.route('**/health/live', (route) => route.abort());
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Not saved yet: can’t reach Weir.').waitFor();
  await page.unroute('**/settings');
  await page.unroute('**/health/live');
  await page.getByText('Saved. Takes effect immediately.').waitFor();
  const settings = await home.ask('GET', `/oapi/v1/dns_servers/${home.server}/settings`);
  assert.deepEqual(settings.access_settings.blocked_clients, ['203.0.113.7']);
  assert.equal(settings.blocking_mode_settings.ipv4_blocking_address, '192.0.2.53');
  await home.set({ access_settings: { blocked_clients: [] } });
});

test('concurrent changes are reported, and every section fits a phone', { skip }, async (t) => {
  const { visit, home } = web;
  const page = await visit(t, `/servers/${home.server}`, phone);
  const loading = page.locator('main .mantine-Skeleton-root');
  for (const section of ['Advanced', 'Safety', 'Schedule', 'Services & categories', 'Blocklists', 'Custom rules']) {
    await page.getByRole('combobox', { name: 'Settings' }).selectOption(section);
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await until('what is still loading', async () => (await loading.count()) === 0 || undefined);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, section);
    await assertAccessible(page);
  }
  await page.getByRole('combobox', { name: 'Settings' }).selectOption('Advanced');
  const relay = page.getByRole('switch', { name: 'Block iCloud Private Relay' });
  await relay.click();
  await page.getByText('Unsaved changes in Advanced').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  assert.equal(await relay.isChecked(), false);
  await page.getByRole('combobox', { name: 'Settings' }).selectOption('Custom rules');
  await page.getByRole('textbox', { name: 'Custom rules, one per line' }).click();
  await page.keyboard.type('||mine.example^\n');
  await page.getByText('Unsaved changes in Custom rules').waitFor();
  await home.set({ user_rules_settings: { rules: ['||theirs.example^'] } });
  // Returning to a page refetches its data, unless it is still fresh.
  await until('what others changed', async () => {
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
    return (await page.getByText('Someone else changed Custom rules').isVisible()) || undefined;
  });
  await assertAccessible(page);
  const editor = page.getByRole('textbox', { name: 'Custom rules, one per line' });
  const rulesNow = async (): Promise<string[]> =>
    (await home.ask('GET', `/oapi/v1/dns_servers/${home.server}/settings`)).user_rules_settings.rules;
  const conflict = () =>
    page.waitForResponse((response) => response.request().method() === 'PUT' && response.status() === 412);
  await page.getByRole('button', { name: 'Use their version' }).click();
  await page.getByText('Unsaved changes in Custom rules').waitFor({ state: 'detached' });
  assert.match((await editor.textContent()) ?? '', /theirs/);
  // A change of something else does not disturb.
  const append = async (rule: string): Promise<void> => {
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(`\n${rule}`);
    await page.getByText('Unsaved changes in Custom rules').waitFor();
  };
  await append('||mine.example^');
  await home.set({ block_ttl_seconds: 77 });
  await Promise.all([conflict(), page.getByRole('button', { name: 'Save' }).click()]);
  await page.getByText('Saved. Takes effect immediately.').waitFor();
  assert.deepEqual((await rulesNow()).sort(), ['||mine.example^', '||theirs.example^']);
  // A change of the same setting: the first attempt says so, the second one overwrites it.
  await append('||again.example^');
  await home.set({ user_rules_settings: { rules: ['||third.example^'] } });
  await Promise.all([conflict(), page.getByRole('button', { name: 'Save' }).click()]);
  await page.getByText('Someone else changed Custom rules').waitFor();
  assert.deepEqual(await rulesNow(), ['||third.example^']);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Unsaved changes in Custom rules').waitFor({ state: 'detached' });
  assert.ok((await rulesNow()).includes('||again.example^'));
});

test('invalid upstreams are rejected at their field, and changes of others are not overwritten', {
  skip,
}, async (t) => {
  const { visit, home } = web;
  const page = await visit(t, `/servers/${home.server}/advanced`);
  const field = page.getByRole('textbox', { name: 'Custom upstreams, one per line' });
  await field.fill('not an upstream');
  await page.getByLabel('Blocked response TTL (seconds)').fill('61');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved: Advanced').waitFor();
  await page.locator('textarea[aria-invalid=true]').waitFor();
  await field.fill('tls://1.1.1.1');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Takes effect immediately.').waitFor();
  const { upstreams } = await home.ask('GET', `/api/v1/dns_servers/${home.server}/upstreams`);
  assert.deepEqual(upstreams, ['tls://1.1.1.1']);
  const select = page.getByRole('combobox', { name: 'Server selection' });
  assert.equal(await select.count(), 0, 'hidden for one upstream');
  await field.fill('tls://1.1.1.1\ntls://9.9.9.9');
  await select.selectOption('In order');
  await page.getByText('the next one is used only if it doesn’t answer').waitFor();
  await assertAccessible(page);
  const stored = page.waitForResponse((response) => response.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await stored;
  assert.deepEqual(await home.ask('GET', `/api/v1/dns_servers/${home.server}/upstreams`), {
    upstreams: ['tls://1.1.1.1', 'tls://9.9.9.9'],
    strategy: 'ordered',
  });
  // A change of someone else is not overwritten unseen; the second click is a decision.
  await page.getByText('Unsaved changes in Advanced').waitFor({ state: 'detached' });
  await field.fill('tls://8.8.8.8');
  await home.ask('PUT', `/api/v1/dns_servers/${home.server}/upstreams`, { upstreams: ['tls://9.9.9.9'] });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Someone else saved a change at the same time.').waitFor();
  const others = await home.ask('GET', `/api/v1/dns_servers/${home.server}/upstreams`);
  assert.deepEqual(others.upstreams, ['tls://9.9.9.9']);
  const overwritten = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await overwritten;
  await page.getByText('Someone else saved a change at the same time.').waitFor({ state: 'detached' });
  const saved = await home.ask('GET', `/api/v1/dns_servers/${home.server}/upstreams`);
  assert.deepEqual(saved.upstreams, ['tls://8.8.8.8']);
  await home.ask('PUT', `/api/v1/dns_servers/${home.server}/upstreams`, { upstreams: [] });
});
