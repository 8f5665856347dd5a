import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rightUpdates, roomy } from '../../test/support/domain/settings.ts';
import { defaultSettings } from './default-settings.ts';
import type { FieldError } from './domain-error.ts';
import type { ProfileSettings } from './profile.ts';
import { type SettingsQuota, type SettingsUpdate, updateSettings } from './profile-update.ts';

const before = defaultSettings();

function after(
  update: SettingsUpdate,
  current: ProfileSettings = before,
  quota: SettingsQuota = roomy,
): ProfileSettings {
  const result = updateSettings(current, update, quota);
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

/** The update as a client sends it, with domain names of fields. */
function errorsOf(update: unknown, quota: SettingsQuota = roomy, current = before): readonly FieldError[] {
  const result = updateSettings(current, update as SettingsUpdate, quota);
  assert.ok(!result.ok && result.error.kind === 'invalid');
  return result.error.errors;
}
const fieldsOf = (update: unknown, quota?: SettingsQuota): string[] =>
  errorsOf(update, quota).map(({ field }) => field);

test('an empty update changes nothing', () => {
  assert.deepEqual(after({}), before);
});

test('only the sections and members that are given change', () => {
  assert.deepEqual(after({ protectionEnabled: false }), { ...before, protectionEnabled: false });
  assert.deepEqual(after({ userRules: { rules: ['||ads.example^'] } }), {
    ...before,
    userRules: { enabled: true, rules: ['||ads.example^'] },
  });
  assert.deepEqual(after({ parental: { blockAdult: true } }).parental, { ...before.parental, blockAdult: true });
});

test('arrays replace what was there', () => {
  const once = after({ userRules: { rules: ['a.example', 'b.example'] } });
  assert.deepEqual(after({ userRules: { rules: ['c.example'] } }, once).userRules.rules, ['c.example']);
  assert.deepEqual(after({ filterLists: { lists: [] } }).filterLists, { enabled: true, lists: [] });
});

test('unknown members are ignored: a client may send back the whole object that it read', () => {
  const update = { ...before, userRules: { ...before.userRules, rulesCount: 0 }, parental: undefined, future: 1 };
  assert.deepEqual(after(update), before);
});

test('of an entry that is given twice the last word counts, at the place of the first', () => {
  const lists = [
    { id: '1hosts_lite', enabled: true },
    { id: 'hagezi_pro++', enabled: true },
    { id: '1hosts_lite', enabled: false },
  ];
  assert.deepEqual(after({ filterLists: { lists } }).filterLists.lists, [
    { id: '1hosts_lite', enabled: false },
    { id: 'hagezi_pro++', enabled: true },
  ]);
});

test('an entry without a switch stays as it is, and a new one is on', () => {
  const off = after({ filterLists: { lists: [{ id: 'adguard_dns_filter', enabled: false }] } });
  const lists = [{ id: 'adguard_dns_filter' }, { id: '1hosts_lite' }];
  assert.deepEqual(after({ filterLists: { lists } }, off).filterLists.lists, [
    { id: 'adguard_dns_filter', enabled: false },
    { id: '1hosts_lite', enabled: true },
  ]);
});

test('a list that the catalogue does not know is refused unless it is chosen already', () => {
  const emptied: SettingsQuota = { ...roomy, filterLists: new Set(), services: new Set() };
  const lists = [{ id: 'adguard_dns_filter', enabled: false }];
  assert.deepEqual(after({ filterLists: { lists } }, before, emptied).filterLists.lists, lists);
  assert.deepEqual(fieldsOf({ filterLists: { lists: [...lists, { id: 'gone' }] } }, emptied), [
    'filter_lists_settings.filter_list[1].filter_id',
  ]);
  assert.deepEqual(fieldsOf({ parental: { blockedServices: [{ id: 'gone' }] } }), [
    'parental_control_settings.blocked_services[0].id',
  ]);
});

test('addresses, networks and autonomous systems are kept in one spelling, each once', () => {
  const { blockedClients } = after({
    access: { blockedClients: ['2001:DB8:0::1', '2001:db8::1', ' as15169 ', '10.0.0.0/8', '::/0'] },
  }).access;
  assert.deepEqual(blockedClients, ['2001:db8::1', 'AS15169', '10.0.0.0/8', '::/0']);
});

test('CUSTOM_IP needs at least one valid address', () => {
  assert.deepEqual(after({ blocking: { mode: 'CUSTOM_IP', ipv6: '2001:DB8::5' } }).blocking, {
    mode: 'CUSTOM_IP',
    ipv4: undefined,
    ipv6: '2001:db8::5',
  });
  assert.deepEqual(fieldsOf({ blocking: { mode: 'CUSTOM_IP' } }), ['blocking_mode_settings.ipv4_blocking_address']);
  assert.deepEqual(fieldsOf({ blocking: { mode: 'CUSTOM_IP', ipv4: '1.2.3' } }), [
    'blocking_mode_settings.ipv4_blocking_address',
  ]);
});

test('blocking addresses stay when only the mode is given, and go when they are empty', () => {
  const custom = after({ blocking: { mode: 'CUSTOM_IP', ipv4: '192.0.2.1' } });
  assert.equal(after({ blocking: { mode: 'NULL_IP' } }, custom).blocking.ipv4, '192.0.2.1');
  assert.equal(after({ blocking: { mode: 'NULL_IP', ipv4: '' } }, custom).blocking.ipv4, undefined);
  assert.equal(after({ blocking: { mode: 'NULL_IP', ipv4: null } }, custom).blocking.ipv4, undefined);
});

test('days that are not given stay', () => {
  const week = after({ parental: { pauseSchedule: [{ day: 'FRIDAY', enabled: true, toMinute: 1300 }] } }).parental;
  assert.deepEqual(week.pauseSchedule, {
    ...before.parental.pauseSchedule,
    FRIDAY: { enabled: true, fromMinute: 1200, toMinute: 1300 },
  });
});

const wrongUpdates: readonly (readonly [what: string, update: unknown, fields: readonly string[]])[] = [
  ['a switch that is a word', { protectionEnabled: 'yes' }, ['protection_enabled']],
  ['null', { ipLogEnabled: null }, ['ip_log_enabled']],
  ['a section that is no object', { access: [] }, ['access_settings']],
  ['a time to live beyond an hour', { blockTtlSeconds: 3601 }, ['block_ttl_seconds']],
  ['half a second', { blockTtlSeconds: 0.5 }, ['block_ttl_seconds']],
  ['a mode that does not exist', { blocking: { mode: 'ZERO' } }, ['blocking_mode_settings.blocking_mode']],
  ['addresses without a mode', { blocking: { ipv4: '1.2.3.4' } }, ['blocking_mode_settings.blocking_mode']],
  [
    'an address of the other family',
    { blocking: { mode: 'NONE', ipv6: '1.2.3.4' } },
    ['blocking_mode_settings.ipv6_blocking_address'],
  ],
  [
    'a rule of two lines and a rule that is too long',
    { userRules: { rules: ['a', 'b\nc', 'd', 'e'.repeat(1025)] } },
    ['user_rules_settings.rules[1]', 'user_rules_settings.rules[3]'],
  ],
  ['rules that are one text', { userRules: { rules: 'a' } }, ['user_rules_settings.rules']],
  [
    'clients that are none',
    { access: { allowedClients: ['10.0.0.0/33'], blockedClients: ['15169', 'AS0', 'host.example'] } },
    [
      'access_settings.allowed_clients[0]',
      'access_settings.blocked_clients[0]',
      'access_settings.blocked_clients[1]',
      'access_settings.blocked_clients[2]',
    ],
  ],
  [
    'a day that ends before it begins',
    { parental: { pauseSchedule: [{ day: 'MONDAY', fromMinute: 600, toMinute: 599 }] } },
    ['parental_control_settings.screen_time_schedule.daily_schedule[0].to_time'],
  ],
  [
    'a day given twice, and a time beyond midnight',
    { parental: { pauseSchedule: [{ day: 'MONDAY' }, { day: 'MONDAY' }, { day: 'SUNDAY', fromMinute: 1440 }] } },
    [
      'parental_control_settings.screen_time_schedule.daily_schedule[1].day_of_week',
      'parental_control_settings.screen_time_schedule.daily_schedule[2].from_time',
    ],
  ],
  [
    'a list without an id and one with a wrong switch',
    { filterLists: { lists: [{}, { id: '1hosts_lite', enabled: 1 }] } },
    ['filter_lists_settings.filter_list[0].filter_id', 'filter_lists_settings.filter_list[1].enabled'],
  ],
  [
    'faults in several sections, all told at once',
    { protectionEnabled: 1, blockTtlSeconds: -1, safeBrowsing: { blockNewlyRegistered: 0, blocking: {} } },
    [
      'protection_enabled',
      'block_ttl_seconds',
      'safebrowsing_settings.block_nrd',
      'safebrowsing_settings.blocking_mode_settings.blocking_mode',
    ],
  ],
];
for (const [what, update, fields] of wrongUpdates) {
  test(`refused: ${what}`, () => {
    assert.deepEqual(fieldsOf(update), fields);
  });
}

test('a request that has the settings inside names them so', () => {
  const result = updateSettings(before, { blockTtlSeconds: -1 }, roomy, 'settings');
  assert.ok(!result.ok && result.error.kind === 'invalid');
  assert.equal(result.error.errors[0]?.field, 'settings.block_ttl_seconds');
});

test('limits count what the other DNS servers of the account hold', () => {
  const quota: SettingsQuota = {
    ...roomy,
    userRules: { limit: 5, usedElsewhere: 3 },
    accessRules: { limit: 4, usedElsewhere: 2 },
  };
  after(
    { userRules: { rules: ['a', 'b'] }, access: { blockedClients: ['10.0.0.1'], blockedDomainRules: ['x'] } },
    before,
    quota,
  );
  assert.deepEqual(
    errorsOf({ userRules: { rules: ['a', 'b', 'c'] }, access: { blockedDomainRules: ['x', 'y', 'z'] } }, quota).map(
      ({ field, kind }) => [field, kind],
    ),
    [
      ['access_settings.blocked_domain_rules', 'limit reached'],
      ['user_rules_settings.rules', 'limit reached'],
    ],
  );
  after({ access: { allowedClients: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] } }, before, quota);
});

test('an account above a lowered limit may keep and shorten its lists', () => {
  const many = after({ userRules: { rules: ['a', 'b', 'c'] } });
  const quota: SettingsQuota = { ...roomy, userRules: { limit: 1, usedElsewhere: 0 } };
  assert.deepEqual(after({ userRules: { rules: ['a', 'b', 'c'] } }, many, quota), many);
  after({ userRules: { rules: ['a', 'b'] } }, many, quota);
  assert.equal(errorsOf({ userRules: { rules: ['a', 'b', 'c', 'd'] } }, quota, many)[0]?.kind, 'limit reached');
});

test('fifty thousand bad rules do not become fifty thousand messages', () => {
  assert.equal(errorsOf({ userRules: { rules: Array<string>(50_000).fill('\n') } }).length, 100);
});

test('an update made twice is the update made once', () => {
  fc.assert(
    fc.property(rightUpdates, rightUpdates, (first, second) => {
      const once = after(second, after(first));
      assert.deepEqual(after(second, once), once);
    }),
  );
});

test('the whole settings put back change nothing', () => {
  fc.assert(
    fc.property(rightUpdates, (update) => {
      const settings = after(update);
      const { pauseSchedule, ...parental } = settings.parental;
      const days = Object.entries(pauseSchedule).map(([day, interval]) => ({ day, ...interval }));
      const whole = { ...settings, parental: { ...parental, pauseSchedule: days } } as SettingsUpdate;
      assert.deepEqual(after(whole, settings, { ...roomy, filterLists: new Set(), services: new Set() }), settings);
    }),
  );
});

test('arbitrary JSON never throws', () => {
  const keys = [
    'blocking',
    'access',
    'filterLists',
    'userRules',
    'parental',
    'rules',
    'lists',
    'pauseSchedule',
    'mode',
    'id',
  ];
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue(),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys), tie('tree')),
    ),
  }));
  fc.assert(
    fc.property(tree, (update) => {
      const result = updateSettings(before, update as SettingsUpdate, roomy);
      assert.ok(result.ok || result.error.kind === 'invalid');
    }),
    { numRuns: 500 },
  );
});
