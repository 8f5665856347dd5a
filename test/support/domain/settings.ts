import fc from 'fast-check';
import type { SettingsQuota, SettingsUpdate } from '../../../src/domain/profile-update.ts';
import { weekdays } from '../../../src/domain/schedule.ts';

export const roomy: SettingsQuota = {
  userRules: { limit: 1000, usedElsewhere: 0 },
  accessRules: { limit: 1000, usedElsewhere: 0 },
  rules: {
    errorOf: () => undefined,
    expressions: { limit: 1000, usedElsewhere: 0, stepsOf: (rule) => (rule.startsWith('/') ? rule.length : 0) },
  },
  filterLists: new Set(['adguard_dns_filter', 'hagezi_pro++', '1hosts_lite']),
  services: new Set(['9gag', 'tiktok']),
  categories: new Set(['gambling', 'dating']),
};

/** A record of which any members may be missing. */
const some = <T>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(members, { requiredKeys: [] });

const minute = fc.nat(1439);
const times = fc.tuple(minute, minute).map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);
const rule = fc.string({ maxLength: 40 }).filter((text) => !/[\n\r\0\v\f\u0085\u2028\u2029]/.test(text));
const switched = (ids: string[]) =>
  fc.array(fc.record({ id: fc.constantFrom(...ids), enabled: fc.boolean() }, { requiredKeys: ['id'] }));
const client = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.tuple(fc.ipV4(), fc.nat(32)).map(([ip, prefix]) => `${ip}/${prefix}`),
  fc.integer({ min: 1, max: 0xffff_ffff }).map((asn) => `as${asn}`),
);

const blocking = fc.oneof(
  fc.record({ mode: fc.constantFrom('NONE', 'NULL_IP', 'REFUSED', 'NXDOMAIN') }),
  fc.record({ mode: fc.constant('CUSTOM_IP'), ipv4: fc.ipV4(), ipv6: fc.ipV6() }, { requiredKeys: ['mode', 'ipv4'] }),
);

const day = (name: (typeof weekdays)[number]) =>
  fc.record({ enabled: fc.boolean(), times }).map(({ enabled, times: [fromMinute, toMinute] }) => ({
    day: name,
    enabled,
    fromMinute,
    toMinute,
  }));

/** Valid updates. */
export const rightUpdates = some({
  protectionEnabled: fc.boolean(),
  blocking,
  blockTtlSeconds: fc.nat(3600),
  ipLogEnabled: fc.boolean(),
  access: some({
    enabled: fc.boolean(),
    allowedClients: fc.array(client),
    blockedClients: fc.array(client),
    blockedDomainRules: fc.array(rule),
  }),
  filterLists: some({ enabled: fc.boolean(), lists: switched(['adguard_dns_filter', 'hagezi_pro++', '1hosts_lite']) }),
  userRules: some({ enabled: fc.boolean(), rules: fc.array(rule) }),
  safeBrowsing: some({ enabled: fc.boolean(), blocking, typosquattingProtection: fc.boolean() }),
  parental: some({
    enabled: fc.boolean(),
    blockedServices: switched(['9gag', 'tiktok']),
    blockedCategories: switched(['gambling', 'dating']),
    pauseSchedule: fc.subarray([...weekdays]).chain((days) => fc.tuple(...days.map(day))),
  }),
}) as fc.Arbitrary<SettingsUpdate>;
