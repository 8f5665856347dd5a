import type { Static } from 'typebox';
import type { BlockingSettings, ProfileSettings } from '../../domain/profile.ts';
import type { BlockingUpdate, SettingsUpdate } from '../../domain/profile-update.ts';
import type { DayUpdate } from '../../domain/schedule-update.ts';
import type { BlockingModeSettings, DNSServerSettings, DNSServerSettingsUpdate } from './dns-server-settings.ts';
import { minuteFromWire, type ScheduleWeekUpdate, weekToWire } from './schedule.ts';

type WireSettings = Static<typeof DNSServerSettings>;
type WireUpdate = Static<typeof DNSServerSettingsUpdate>;
type WireBlocking = Static<typeof BlockingModeSettings>;

export const settingsToWire = (settings: ProfileSettings): WireSettings => ({
  access_settings: {
    allowed_clients: [...settings.access.allowedClients],
    block_known_scanners: settings.access.blockKnownScanners,
    blocked_clients: [...settings.access.blockedClients],
    blocked_domain_rules: [...settings.access.blockedDomainRules],
    enabled: settings.access.enabled,
  },
  auto_connect_devices_enabled: settings.autoConnectDevices,
  block_chrome_prefetch: settings.blockChromePrefetch,
  block_firefox_canary: settings.blockFirefoxCanary,
  block_private_relay: settings.blockPrivateRelay,
  block_ttl_seconds: settings.blockTtlSeconds,
  blocking_mode_settings: blockingToWire(settings.blocking),
  filter_lists_settings: {
    enabled: settings.filterLists.enabled,
    filter_list: settings.filterLists.lists.map(({ id, enabled }) => ({ enabled, filter_id: id })),
  },
  ip_log_enabled: settings.ipLogEnabled,
  parental_control_settings: {
    block_adult_websites_enabled: settings.parental.blockAdult,
    blocked_filtering_categories: settings.parental.blockedCategories.map(({ id, enabled }) => ({ enabled, id })),
    blocked_services: settings.parental.blockedServices.map(({ id, enabled }) => ({ enabled, id })),
    enabled: settings.parental.enabled,
    engines_safe_search_enabled: settings.parental.safeSearch,
    screen_time_schedule: weekToWire(settings.parental.pauseSchedule),
    youtube_safe_search_enabled: settings.parental.youtubeSafeSearch,
  },
  protection_enabled: settings.protectionEnabled,
  safebrowsing_settings: safeBrowsingToWire(settings.safeBrowsing),
  user_rules_settings: {
    enabled: settings.userRules.enabled,
    rules: [...settings.userRules.rules],
    rules_count: settings.userRules.rules.length,
  },
});

const blockingToWire = ({ mode, ipv4, ipv6 }: BlockingSettings): WireBlocking => ({
  blocking_mode: mode,
  ...(ipv4 !== undefined && { ipv4_blocking_address: ipv4 }),
  ...(ipv6 !== undefined && { ipv6_blocking_address: ipv6 }),
});

const safeBrowsingToWire = ({
  enabled,
  blockDangerousDomains,
  blockNewlyRegistered,
  blocking,
  typosquattingProtection,
  homoglyphProtection,
}: ProfileSettings['safeBrowsing']): WireSettings['safebrowsing_settings'] => ({
  block_dangerous_domains: blockDangerousDomains,
  block_nrd: blockNewlyRegistered,
  enabled,
  blocking_mode_settings: blockingToWire(blocking),
  typosquatting_protection_enabled: typosquattingProtection,
  homoglyph_protection_enabled: homoglyphProtection,
});

/** Absent fields stay undefined, which means unchanged. */
export const settingsFromWire = (update: WireUpdate): SettingsUpdate => ({
  protectionEnabled: update.protection_enabled,
  blocking: blockingFromWire(update.blocking_mode_settings),
  blockTtlSeconds: update.block_ttl_seconds,
  ipLogEnabled: update.ip_log_enabled,
  autoConnectDevices: update.auto_connect_devices_enabled,
  blockPrivateRelay: update.block_private_relay,
  blockFirefoxCanary: update.block_firefox_canary,
  blockChromePrefetch: update.block_chrome_prefetch,
  access: update.access_settings && {
    enabled: update.access_settings.enabled,
    allowedClients: update.access_settings.allowed_clients,
    blockedClients: update.access_settings.blocked_clients,
    blockedDomainRules: update.access_settings.blocked_domain_rules,
    blockKnownScanners: update.access_settings.block_known_scanners,
  },
  filterLists: update.filter_lists_settings && {
    enabled: update.filter_lists_settings.enabled,
    lists: update.filter_lists_settings.filter_list?.map(({ filter_id, enabled }) => ({ id: filter_id, enabled })),
  },
  userRules: update.user_rules_settings && {
    enabled: update.user_rules_settings.enabled,
    rules: update.user_rules_settings.rules,
  },
  safeBrowsing: update.safebrowsing_settings && {
    enabled: update.safebrowsing_settings.enabled,
    blockDangerousDomains: update.safebrowsing_settings.block_dangerous_domains,
    blockNewlyRegistered: update.safebrowsing_settings.block_nrd,
    blocking: blockingFromWire(update.safebrowsing_settings.blocking_mode_settings),
    typosquattingProtection: update.safebrowsing_settings.typosquatting_protection_enabled,
    homoglyphProtection: update.safebrowsing_settings.homoglyph_protection_enabled,
  },
  parental: parentalFromWire(update.parental_control_settings),
});

const blockingFromWire = (blocking: WireBlocking | undefined): BlockingUpdate | undefined =>
  blocking && {
    mode: blocking.blocking_mode,
    ipv4: blocking.ipv4_blocking_address,
    ipv6: blocking.ipv6_blocking_address,
  };

const parentalFromWire = (parental: WireUpdate['parental_control_settings']): SettingsUpdate['parental'] =>
  parental && {
    enabled: parental.enabled,
    blockAdult: parental.block_adult_websites_enabled,
    safeSearch: parental.engines_safe_search_enabled,
    youtubeSafeSearch: parental.youtube_safe_search_enabled,
    blockedServices: parental.blocked_services,
    blockedCategories: parental.blocked_filtering_categories,
    pauseSchedule: parental.screen_time_schedule && weekFromWire(parental.screen_time_schedule),
  };

const weekFromWire = ({ daily_schedule }: ScheduleWeekUpdate): DayUpdate[] =>
  daily_schedule.map(({ day_of_week, enabled, from_time, to_time }) => ({
    day: day_of_week,
    enabled,
    fromMinute: from_time && minuteFromWire(from_time),
    toMinute: to_time && minuteFromWire(to_time),
  }));
