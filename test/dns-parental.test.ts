import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { overs } from './support/dig.ts';
import { makeHome, startDns } from './support/dns.ts';
import { HERE, startWorld } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';

const needs = { skip: missing('dig', 'kdig') };

const world = await startWorld({ after });
const home = await makeHome(await startDns({ after }, world.address));
const { id } = await home.device('of a child');
const parental = (settings: object): Promise<void> => home.set({ parental_control_settings: settings });

const engines: Readonly<Record<string, readonly string[]>> = {
  'forcesafesearch.google.com': ['www.google.com', 'www.google.de', 'www.google.co.uk'],
  'strict.bing.com': ['www.bing.com'],
  'safe.duckduckgo.com': ['duckduckgo.com', 'www.duckduckgo.com'],
  'familysearch.yandex.ru': ['ya.ru', 'yandex.ru', 'www.yandex.com'],
  'safesearch.pixabay.com': ['pixabay.com'],
  'forcesafe.search.brave.com': ['search.brave.com'],
  'strict-safe-search.ecosia.org': ['www.ecosia.org'],
};
const youtube: typeof engines = {
  'restrictmoderate.youtube.com': ['www.youtube.com', 'm.youtube.com', 'youtubei.googleapis.com'],
};

const searches = [
  { switched: 'engines_safe_search_enabled', source: 'PARENTAL_SAFE_SEARCH', table: engines },
  { switched: 'youtube_safe_search_enabled', source: 'PARENTAL_YOUTUBE', table: youtube },
];

for (const { switched, source, table } of searches)
  for (const [target, names] of Object.entries(table))
    test(`${names[0]} is answered from ${target} with ${switched}`, needs, async () => {
      await parental({ enabled: true, [switched]: true });
      for (const name of names) {
        for (const type of ['A', 'AAAA', 'HTTPS']) {
          const { answer } = await home.dug(id, 'udp', name, type);
          assert.match(answer[0]!, new RegExp(`^${name}\\. \\d+ IN CNAME ${target}\\.$`));
          assert.ok(answer.slice(1).every((record) => record.startsWith(`${target}. `)));
        }
        const [row] = await home.logged(name);
        assert.equal(row!.filtering_info.filtering_status, 'MODIFIED');
        assert.equal(row!.filtering_info.filtering_type, source);
      }
      await parental({ [switched]: false });
      assert.deepEqual((await home.dug(id, 'udp', names[0]!)).answer, [`${names[0]}. 300 IN A ${HERE}`]);
    });

const isBlocked = async (domain: string): Promise<boolean> => {
  const answers = await Promise.all(overs.map((over) => home.dug(id, over, domain)));
  const [first, ...others] = answers.map(({ answer }) => answer[0]!.endsWith(' 0.0.0.0'));
  for (const other of others) assert.equal(other, first);
  return first!;
};

test('a blocked service is blocked with all its domains, and the log names the service', needs, async () => {
  await parental({ enabled: true, blocked_services: [{ id: 'chatgpt', enabled: true }] });
  for (const domain of ['chatgpt.com', 'api.openai.com']) {
    assert.equal(await isBlocked(domain), true);
    for (const { filtering_info } of await home.logged(domain))
      assert.deepEqual(filtering_info, {
        filtering_status: 'REQUEST_BLOCKED',
        filtering_type: 'PARENTAL_BLOCKED_SERVICE',
        blocked_service_id: 'chatgpt',
      });
  }
  await parental({ blocked_services: [{ id: 'chatgpt', enabled: false }] });
  assert.equal(await isBlocked('chatgpt.com'), false);
});

test('a blocked category blocks its web services; log and statistics name the category', needs, async () => {
  const categories: { id: string }[] = await home.ask('GET', '/oapi/v1/parental_control_categories');
  assert.ok(categories.some(({ id: category }) => category === 'gambling'));
  await parental({
    enabled: true,
    blocked_filtering_categories: [{ id: 'gambling' }, { id: 'dating', enabled: false }],
  });
  for (const domain of ['www.bet365.com', 'bwin.com']) {
    assert.equal(await isBlocked(domain), true, domain);
    for (const { filtering_info } of await home.logged(domain))
      assert.deepEqual(filtering_info, {
        filtering_status: 'REQUEST_BLOCKED',
        filtering_type: 'PARENTAL_FILTERING_CATEGORY',
        filtering_category_id: 'gambling',
      });
  }
  assert.equal(await isBlocked('tinder.com'), false);
  const range = `time_from_millis=0&time_to_millis=${Date.now() + 60_000}`;
  const { stats } = await home.ask('GET', `/oapi/v1/stats/blocked_parental_categories?${range}`);
  assert.deepEqual(stats, [{ blocked: 2 * overs.length, category: 'gambling' }]);
  const explained = await home.ask('POST', `/api/v1/dns_servers/${home.server}/explain`, {
    name: 'bwin.com',
    type: 'A',
  });
  assert.deepEqual([explained.verdict.kind, explained.verdict.source], ['block', 'filtering categories']);
  await parental({ blocked_filtering_categories: [] });
  assert.equal(await isBlocked('bwin.com'), false);
});

test('parental control pauses by its schedule, in the time zone of the account', needs, async () => {
  await parental({ enabled: true, blocked_services: [{ id: 'claude', enabled: true }] });
  // East and west of the date line: never the same day in both.
  const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
  const today = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: east }).format().toUpperCase();
  const day = {
    day_of_week: today,
    enabled: true,
    from_time: { hours: 0, minutes: 0 },
    to_time: { hours: 23, minutes: 59 },
  };
  await parental({ screen_time_schedule: { daily_schedule: [day] } });
  await home.ask('PUT', '/api/v1/account', { time_zone: west });
  assert.equal(await isBlocked('claude.ai'), true);
  await home.ask('PUT', '/api/v1/account', { time_zone: east });
  assert.equal(await isBlocked('claude.ai'), false);
  await parental({ screen_time_schedule: { daily_schedule: [{ ...day, enabled: false }] } });
  assert.equal(await isBlocked('claude.ai'), true);
});

test('the pause is of parental control and of nothing else', needs, async () => {
  const week = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'].map((day_of_week) => ({
    day_of_week,
    enabled: true,
    from_time: { hours: 0, minutes: 0 },
    to_time: { hours: 23, minutes: 59 },
  }));
  await home.set({ user_rules_settings: { enabled: true, rules: ['||always.example.com^'] } });
  await parental({ screen_time_schedule: { daily_schedule: week } });
  assert.equal(await isBlocked('claude.ai'), false);
  assert.equal(await isBlocked('always.example.com'), true);
});
