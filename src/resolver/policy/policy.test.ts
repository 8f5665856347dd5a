import assert from 'node:assert/strict';
import { test } from 'node:test';
import { profileWith } from '../../../test/support/resolver/directory.ts';
import { types } from '../../dns/numbers.ts';
import { defaultSettings } from '../../domain/default-settings.ts';
import type { AccountId } from '../../domain/ids.ts';
import type { ProfileSettings } from '../../domain/profile.ts';
import type { Week, Weekday } from '../../domain/schedule.ts';
import { createDecider } from '../../engine/match/decide.ts';
import { wireName } from '../../kit/wire-name.ts';
import { shareEqual } from '../identity/structural-sharing.ts';
import { type Composition, compositionNow, createPolicies, type Policy, type PolicyDeps } from './policy.ts';
import { tableFromRules } from './table-from-rules.ts';

const secret = Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 1);
const table = (id: string, ...rules: string[]) => tableFromRules(id, rules, secret)!;
const lists = new Map([
  ['ads', table('ads', '||ads.example^')],
  ['trackers', table('trackers', '||tracker.example^')],
  ['hagezi_gambling_blocklist', table('hagezi_gambling_blocklist', '||listed-bets.example^')],
]);
const safety = {
  dangerous: [table('dangerous', '||malware.example^')],
  adult: [table('adult', '||adult.example^')],
  newlyRegistered: [table('newlyRegistered', '||new.example^')],
  typosquatting: [table('typo', '||typo.example^')],
  homoglyph: [table('glyph', '||glyph.example^')],
  safeSearch: table('safeSearch', '|www.search.example^$dnsrewrite=NOERROR;CNAME;safe.search.example'),
  youtube: table('youtube', '|www.tube.example^$dnsrewrite=NOERROR;CNAME;restrict.tube.example'),
};
const deps: PolicyDeps = {
  secret,
  tableOf: (id) => lists.get(id),
  serviceTable: (ids) => (ids.includes('chat') ? table('blocked_service', '||chat.example^') : undefined),
  categoryTable: (ids) => (ids.includes('gambling') ? table('filtering_category', '||bets.example^') : undefined),
  safety: () => safety,
  wallMs: () => 0,
};

const on = { isProtected: true, pausedUntil: 0 };
const everything: ProfileSettings = {
  ...defaultSettings(),
  userRules: { enabled: true, rules: ['||user.example^'] },
  filterLists: {
    enabled: true,
    lists: [
      { id: 'ads', enabled: true },
      { id: 'trackers', enabled: false },
    ],
  },
  safeBrowsing: {
    ...defaultSettings().safeBrowsing,
    enabled: true,
    blockDangerousDomains: true,
    blockNewlyRegistered: true,
    typosquattingProtection: true,
    homoglyphProtection: true,
  },
  parental: {
    ...defaultSettings().parental,
    enabled: true,
    blockAdult: true,
    safeSearch: true,
    youtubeSafeSearch: true,
    blockedServices: [
      { id: 'chat', enabled: true },
      { id: 'other', enabled: false },
    ],
  },
};

const names = ['user', 'ads', 'tracker', 'chat', 'malware', 'adult', 'www.search', 'www.tube', 'new', 'typo', 'glyph'];
const decider = createDecider(secret);
/** The names that are not passed. */
const stopped = ({ profile }: Composition): string =>
  names
    .filter(
      (name) => decider.decide({ name: wireName(`${name}.example`)!, at: 0, type: types.A }, profile).kind !== 'pass',
    )
    .join(' ');
const policyOf = (settings: ProfileSettings, timeZone = 'UTC', with_ = deps): Policy =>
  createPolicies(with_).of({
    profile: profileWith('aaaaaaaa', settings),
    account: { id: 'a1' as AccountId, timeZone },
  });
const filtered = (changes: Partial<ProfileSettings>): string => stopped(policyOf({ ...everything, ...changes }).full);

test('everything that is switched on filters', () => {
  assert.equal(filtered({}), 'user ads chat malware adult www.search www.tube new typo glyph');
});

test('each switch of a section applies to the whole section', () => {
  const { userRules, filterLists, safeBrowsing, parental } = everything;
  assert.equal(
    filtered({ userRules: { ...userRules, enabled: false } }),
    'ads chat malware adult www.search www.tube new typo glyph',
  );
  assert.equal(
    filtered({ filterLists: { ...filterLists, enabled: false } }),
    'user chat malware adult www.search www.tube new typo glyph',
  );
  assert.equal(
    filtered({ safeBrowsing: { ...safeBrowsing, enabled: false } }),
    'user ads chat adult www.search www.tube',
  );
  assert.equal(filtered({ parental: { ...parental, enabled: false } }), 'user ads malware new typo glyph');
});

test('each switch inside a section applies separately', () => {
  const { safeBrowsing, parental } = everything;
  const parentalWithout = (changes: Partial<ProfileSettings['parental']>) =>
    filtered({ parental: { ...parental, ...changes } });
  assert.equal(
    filtered({ safeBrowsing: { ...safeBrowsing, blockDangerousDomains: false } }),
    'user ads chat adult www.search www.tube new typo glyph',
  );
  assert.equal(
    filtered({ safeBrowsing: { ...safeBrowsing, blockNewlyRegistered: false } }),
    'user ads chat malware adult www.search www.tube typo glyph',
  );
  assert.equal(
    filtered({ safeBrowsing: { ...safeBrowsing, typosquattingProtection: false } }),
    'user ads chat malware adult www.search www.tube new glyph',
  );
  assert.equal(
    filtered({ safeBrowsing: { ...safeBrowsing, homoglyphProtection: false } }),
    'user ads chat malware adult www.search www.tube new typo',
  );
  assert.equal(parentalWithout({ blockAdult: false }), 'user ads chat malware www.search www.tube new typo glyph');
  assert.equal(parentalWithout({ safeSearch: false }), 'user ads chat malware adult www.tube new typo glyph');
  assert.equal(parentalWithout({ youtubeSafeSearch: false }), 'user ads chat malware adult www.search new typo glyph');
  assert.equal(parentalWithout({ blockedServices: [] }), 'user ads malware adult www.search www.tube new typo glyph');
});

test('a pause disables only parental control', () => {
  assert.equal(stopped(policyOf(everything).parentalPaused), 'user ads malware new typo glyph');
});

test('nothing filters where the server or the device is not protected', () => {
  const policy = policyOf(everything);
  assert.equal(compositionNow(policy, on, 0).name, 'full');
  assert.equal(compositionNow(policy, { ...on, isProtected: false }, 0).name, 'off');
  assert.equal(compositionNow(policyOf({ ...everything, protectionEnabled: false }), on, 0).name, 'off');
  assert.equal(stopped(policy.off), '');
});

test('nothing filters before the end of a pause of the server or the device', () => {
  const paused = policyOf({ ...everything, own: { ...everything.own, pausedUntil: 2000 } });
  const namesAt = (policy: Policy, pausedUntil: number): string[] =>
    [999, 1000, 1999, 2000].map((nowMs) => compositionNow(policy, { ...on, pausedUntil }, nowMs).name);
  assert.deepEqual(namesAt(policyOf(everything), 1000), ['paused', 'full', 'full', 'full']);
  assert.deepEqual(namesAt(paused, 1000), ['paused', 'paused', 'paused', 'full']);
  assert.equal(stopped(compositionNow(paused, on, 0)), '');
});

test('a missing list is reported, and the others filter', () => {
  const wanted = { enabled: true, lists: ['ads', 'gone'].map((id) => ({ id, enabled: true })) };
  const noAdult = { ...deps, safety: () => ({ ...safety, adult: [] }) };
  const policy = policyOf({ ...everything, filterLists: wanted }, 'UTC', noAdult);
  assert.deepEqual(policy.missing, ['gone', 'adult_blocking']);
  assert.equal(stopped(policy.full), 'user ads chat malware www.search www.tube new typo glyph');
});

test('a policy is built once for a profile, and again when lists, profile or time zone change', () => {
  const policies = createPolicies(deps);
  const profile = profileWith('aaaaaaaa', everything);
  const account = { id: 'a1' as AccountId, timeZone: 'UTC' };
  const first = policies.of({ profile, account });
  assert.equal(policies.of({ profile, account: { id: 'a1' as AccountId, timeZone: 'UTC' } }), first);
  assert.notEqual(policies.of({ profile, account: { id: 'a1' as AccountId, timeZone: 'Asia/Tokyo' } }), first);
  const again = policies.of({ profile, account });
  policies.listsChanged();
  assert.notEqual(policies.of({ profile, account }), again);
});

test('the table of user rules belongs to its account', () => {
  const [source] = policyOf(everything).full.sources;
  assert.deepEqual([source?.source, source?.tables[0]?.automata.account], ['user rules', 'a1']);
});

test('the table of custom rules is built again only when the rules change', () => {
  const policies = createPolicies(deps);
  const tableOf = (profile: ReturnType<typeof profileWith>) =>
    policies
      .of({ profile, account: { id: 'a1' as AccountId, timeZone: 'UTC' } })
      .full.sources.find(({ source }) => source === 'user rules')?.tables[0];
  const before = profileWith('aaaaaaaa', everything);
  const first = tableOf(before);
  policies.listsChanged();
  assert.equal(tableOf(before), first);
  const copy = structuredClone({ ...everything, blockTtlSeconds: 77 });
  const after = shareEqual(before, profileWith('aaaaaaaa', copy));
  assert.notEqual(after, before);
  assert.equal(tableOf(after), first);
  const other = shareEqual(
    after,
    profileWith('aaaaaaaa', { ...copy, userRules: { enabled: true, rules: ['||x.example^'] } }),
  );
  assert.notEqual(tableOf(other), first);
});

const scheduled = (days: Partial<Record<Weekday, readonly [from: number, to: number]>>): ProfileSettings => {
  const week = { ...everything.parental.pauseSchedule } as Record<Weekday, Week[Weekday]>;
  for (const [day, [fromMinute, toMinute]] of Object.entries(days) as [Weekday, [number, number]][])
    week[day] = { enabled: true, fromMinute, toMinute };
  return { ...everything, parental: { ...everything.parental, pauseSchedule: week } };
};
const at = (hour: number, minute = 0): number => hour * 60 + minute;

// 2:00 to 2:59 on the nights of clock changes: in spring this hour does not exist, in autumn it comes twice.
const sundayNight = scheduled({ SUNDAY: [at(2), at(2, 59)] });
const nights: readonly (readonly [zone: string, iso: string, paused: boolean])[] = [
  ['Europe/Berlin', '2026-03-29T00:59:59Z', false],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', false],
  ['Europe/Berlin', '2026-10-24T23:59:59Z', false],
  ['Europe/Berlin', '2026-10-25T00:00:00Z', true],
  ['Europe/Berlin', '2026-10-25T00:59:59Z', true],
  ['Europe/Berlin', '2026-10-25T01:00:00Z', true],
  ['Europe/Berlin', '2026-10-25T01:59:59Z', true],
  ['Europe/Berlin', '2026-10-25T02:00:00Z', false],
  ['America/New_York', '2026-03-08T06:59:59Z', false],
  ['America/New_York', '2026-03-08T07:00:00Z', false],
  ['America/New_York', '2026-11-01T06:59:59Z', false],
  ['America/New_York', '2026-11-01T07:00:00Z', true],
  // A change of half an hour: 1:30 to 2:00 comes twice, 2:00 to 3:00 once.
  ['Australia/Lord_Howe', '2026-04-04T15:29:59Z', false],
  ['Australia/Lord_Howe', '2026-04-04T15:30:00Z', true],
  ['Australia/Lord_Howe', '2026-04-04T16:30:00Z', false],
  ['Asia/Kathmandu', '2026-01-03T20:14:59Z', false],
  ['Asia/Kathmandu', '2026-01-03T20:15:00Z', true],
  ['Pacific/Kiritimati', '2026-01-03T12:00:00Z', true],
  ['UTC', '2026-01-04T02:59:59Z', true],
  ['UTC', '2026-01-04T03:00:00Z', false],
  ['Mars/Olympus', '2026-01-04T02:30:00Z', true],
];
for (const [zone, iso, paused] of nights) {
  test(`at ${iso} a pause from 2 to 3 on Sunday ${paused ? 'holds' : 'does not hold'} in ${zone}`, () => {
    const policy = policyOf(sundayNight, zone);
    assert.equal(compositionNow(policy, on, Date.parse(iso)).name, paused ? 'parental paused' : 'full');
  });
}

test('the minute of a pause is computed once, and again after any jump of the clock', () => {
  const policy = policyOf(scheduled({ SUNDAY: [at(2), at(2, 59)] }));
  const shown = (iso: string) => policy.isPaused(Date.parse(iso));
  assert.equal(shown('2026-01-04T02:30:00.000Z'), true);
  assert.equal(shown('2026-01-04T02:30:59.999Z'), true);
  assert.equal(shown('2026-01-04T01:59:59.999Z'), false);
  assert.equal(shown('2026-01-05T02:30:00.000Z'), false);
  assert.equal(shown('2026-01-04T02:59:59.999Z'), true);
});

test('a pause of parental control that is off changes nothing', () => {
  const settings = scheduled({ SUNDAY: [0, at(23, 59)] });
  const policy = policyOf({ ...settings, parental: { ...settings.parental, enabled: false } });
  assert.equal(compositionNow(policy, on, Date.parse('2026-01-04T12:00:00Z')).name, 'full');
});

test('a blocked category filters by its domains and its lists, as long as parental control is on', () => {
  const decide = (name: string, { profile }: Composition): string | undefined =>
    decider.decide({ name: wireName(name)!, at: 0, type: types.A }, profile).source;
  const withCategory = (enabled: boolean, blocks: boolean): Policy => {
    const blockedCategories = [{ id: 'gambling', enabled: blocks }];
    return policyOf({ ...defaultSettings(), parental: { ...defaultSettings().parental, enabled, blockedCategories } });
  };
  const { full, parentalPaused, missing } = withCategory(true, true);
  for (const name of ['www.bets.example', 'listed-bets.example']) {
    assert.equal(decide(name, full), 'filtering categories', name);
    assert.equal(decide(name, parentalPaused), undefined, name);
    assert.equal(decide(name, withCategory(false, true).full), undefined, name);
    assert.equal(decide(name, withCategory(true, false).full), undefined, name);
  }
  assert.equal(missing.includes('filtering_category'), false);
  const drugs = [{ id: 'drugs', enabled: true }];
  const parental = { ...defaultSettings().parental, enabled: true, blockedCategories: drugs };
  assert.ok(policyOf({ ...defaultSettings(), parental }).missing.includes('blocklistproject_drugs'));
});
