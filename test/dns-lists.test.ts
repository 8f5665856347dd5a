import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { type Over, overs } from './support/dig.ts';
import { type Home, homeOf, type LogItem, makeHome, startDns, until } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';

const needs = { skip: missing('dig', 'kdig') };

const lastOf = async (home: Home, device: string, domain: string, over: Over = 'udp'): Promise<string> =>
  (await home.dug(device, over, domain)).answer[0]!.split(' ').at(-1)!;

const blockedSoon = (home: Home, device: string, domain: string, over: Over = 'udp'): Promise<string> =>
  until(`${domain} to be blocked over ${over}`, async () => {
    const last = await lastOf(home, device, domain, over);
    return last === '0.0.0.0' ? last : undefined;
  });

/** The reason in the query log. Waits for a blocked row: the first queries may precede the list. */
const reasonOf = (home: Home, domain: string): Promise<LogItem['filtering_info']> =>
  until(`a row that says why ${domain} is blocked`, async () => {
    const reasons = (await home.logged(domain)).map(({ filtering_info }) => filtering_info);
    return reasons.find(({ filtering_status }) => filtering_status === 'REQUEST_BLOCKED');
  });

test(
  'a chosen list is fetched and blocks; after a start it still does, also when it cannot be fetched',
  needs,
  async (t) => {
    const origin = createServer((_, response) => response.end('! Title: Ours\n||listed.example.com^\n'));
    origin.listen(0, '127.0.0.1');
    await once(origin, 'listening');
    t.after(() => origin.close());
    const { port } = origin.address() as AddressInfo;
    const catalogue = `lists: [{ id: house_list, name: House list, source: 'http://127.0.0.1:${port}/list.txt' }]`;
    const folder = await temporaryFolder(t, { 'catalogue.yaml': catalogue });
    const flags = ['--catalogue', join(folder, 'catalogue.yaml'), '--allow-source-address', '127.0.0.0/8'];
    const world = await startWorld(t);
    const data = await temporaryFolder(t);
    const first = await startDns(t, world.address, flags, { data });
    const before = await makeHome(first);
    const { id } = await before.device('listed for');
    const lists = { enabled: true, filter_list: [{ filter_id: 'house_list', enabled: true }] };
    await before.set({ filter_lists_settings: lists });
    await blockedSoon(before, id, 'listed.example.com');
    assert.deepEqual(await reasonOf(before, 'listed.example.com'), {
      filtering_status: 'REQUEST_BLOCKED',
      filtering_type: 'FILTERS',
      filter_id: 'house_list',
      filter_rule: '||listed.example.com^',
    });
    const { answer } = await before.dug(id, 'udp', '-c', 'CH', '-t', 'TXT', 'www.listed.example.com');
    assert.deepEqual(
      answer.slice(-3).map((line) => /"(.*)"/.exec(line)![1]),
      ['verdict: block', 'rule: ||listed.example.com^', 'list: house_list'],
    );

    assert.equal(await first.stop(), 0);
    origin.closeAllConnections();
    origin.close();
    const second = await startDns(t, world.address, flags, { data });
    const after = await homeOf(second, before.authorization);
    for (const over of overs) await blockedSoon(after, id, 'sub.listed.example.com', over);
  },
);

test('a start after one that ended before its first list was downloaded reports no error', needs, async (t) => {
  let requests = 0;
  // Accepts requests and never answers them.
  const origin = createServer(() => void requests++).listen(0, '127.0.0.1');
  await once(origin, 'listening');
  t.after(() => {
    origin.closeAllConnections();
    origin.close();
  });
  const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/list.txt`;
  const catalogue = `lists: [{ id: house_list, name: House list, source: '${url}' }]`;
  const folder = await temporaryFolder(t, { 'catalogue.yaml': catalogue });
  const flags = ['--catalogue', join(folder, 'catalogue.yaml'), '--allow-source-address', '127.0.0.0/8'];
  const world = await startWorld(t);
  const data = await temporaryFolder(t);
  const first = await startDns(t, world.address, flags, { data });
  const before = await makeHome(first);
  const lists = { enabled: true, filter_list: [{ filter_id: 'house_list', enabled: true }] };
  await before.set({ filter_lists_settings: lists });
  await until('the download to begin', () => requests > 0 || undefined);
  assert.equal(await first.stop(), 0);

  requests = 0;
  const second = await startDns(t, world.address, flags, { data });
  await until('the download to begin again', () => requests > 0 || undefined);
  const WARN = 40;
  assert.deepEqual(
    second.log.filter(({ level, err }) => Number(level) >= WARN || err !== undefined),
    [],
  );
});

test(
  'the list of a blocked category is downloaded and blocks; the log has list, rule and category',
  needs,
  async (t) => {
    const origin = createServer((_, response) => response.end('||bets.example.com^\n')).listen(0, '127.0.0.1');
    await once(origin, 'listening');
    t.after(() => origin.close());
    const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/list.txt`;
    const catalogue = `lists: [{ id: hagezi_gambling_blocklist, name: Bets, source: '${url}' }]`;
    const folder = await temporaryFolder(t, { 'catalogue.yaml': catalogue });
    const flags = ['--catalogue', join(folder, 'catalogue.yaml'), '--allow-source-address', '127.0.0.0/8'];
    const world = await startWorld(t);
    const home = await makeHome(await startDns(t, world.address, flags));
    const { id } = await home.device('of a child');
    const parental = { enabled: true, blocked_filtering_categories: [{ id: 'gambling' }] };
    await home.set({ parental_control_settings: parental });
    await blockedSoon(home, id, 'bets.example.com');
    assert.deepEqual(await reasonOf(home, 'bets.example.com'), {
      filtering_status: 'REQUEST_BLOCKED',
      filtering_type: 'PARENTAL_FILTERING_CATEGORY',
      filter_id: 'hagezi_gambling_blocklist',
      filter_rule: '||bets.example.com^',
      filtering_category_id: 'gambling',
    });
    // The same list as a filter list decides first.
    const asFilter = { enabled: true, filter_list: [{ filter_id: 'hagezi_gambling_blocklist' }] };
    await home.set({ filter_lists_settings: asFilter });
    await blockedSoon(home, id, 'www.bets.example.com');
    assert.equal((await reasonOf(home, 'www.bets.example.com')).filtering_type, 'FILTERS');
  },
);

test('dangerous, adult and new domains are those of the lists that the operator names', needs, async (t) => {
  const folder = await temporaryFolder(t, {
    dangerous: 'danger.example.com\n',
    adult: '||adult.example.com^\n',
    fresh: '||fresh.example.com^\n',
  });
  const world = await startWorld(t);
  const safety = ['dangerous', 'adult', 'new-domains'].flatMap((kind) => [
    `--${kind}-list`,
    join(folder, kind === 'new-domains' ? 'fresh' : kind),
  ]);
  const home = await makeHome(await startDns(t, world.address, safety));
  const { id } = await home.device('kept safe');
  await home.set({
    safebrowsing_settings: { enabled: true, block_dangerous_domains: true, block_nrd: true },
    parental_control_settings: { enabled: true, block_adult_websites_enabled: true },
  });
  const sources = { danger: 'SAFEBROWSING', adult: 'PARENTAL_ADULT', fresh: 'NEWLY_REGISTERED_DOMAINS' };
  for (const [kind, source] of Object.entries(sources)) {
    const domain = `${kind}.example.com`;
    await blockedSoon(home, id, domain);
    assert.equal((await reasonOf(home, domain)).filtering_type, source);
  }
  const states = (await home.ask('GET', '/api/v1/filter_lists/safety')) as { setting: string; state: string }[];
  assert.deepEqual(Object.fromEntries(states.map(({ setting, state }) => [setting, state])), {
    block_dangerous_domains: 'ready',
    block_adult_websites_enabled: 'ready',
    block_nrd: 'ready',
    typosquatting_protection_enabled: 'unused',
    homoglyph_protection_enabled: 'unused',
  });
  const own = { blocking_mode: 'CUSTOM_IP', ipv4_blocking_address: '198.51.100.99' };
  await home.set({ safebrowsing_settings: { blocking_mode_settings: own } });
  assert.equal(await lastOf(home, id, 'danger.example.com'), '198.51.100.99');
  assert.equal(await lastOf(home, id, 'adult.example.com'), '0.0.0.0');

  await home.set({ parental_control_settings: { enabled: false }, safebrowsing_settings: { enabled: false } });
  for (const kind of Object.keys(sources)) assert.equal(await lastOf(home, id, `${kind}.example.com`), '198.51.100.7');
});
