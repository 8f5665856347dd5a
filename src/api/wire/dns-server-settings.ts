import Type from 'typebox';
import { blockingModes } from '../../domain/profile.ts';
import { enumeration, int32, object } from './named.ts';
import { ScheduleWeek, ScheduleWeekUpdate } from './schedule.ts';

const flag = Type.Boolean;
const optionalFlag = Type.Optional(Type.Boolean());
const texts = Type.Array(Type.String());
const ruleTexts = Type.Array(Type.String({ minLength: 0, maxLength: 1024 }));

const BlockingMode = enumeration('BlockingMode', blockingModes);

const blockingMembers = {
  blocking_mode: BlockingMode,
  ipv4_blocking_address: Type.Optional(Type.String({ description: 'Response to A queries with `CUSTOM_IP`.' })),
  ipv6_blocking_address: Type.Optional(Type.String({ description: 'Response to AAAA queries with `CUSTOM_IP`.' })),
};

export const BlockingModeSettings = object('BlockingModeSettings', 'Response to blocked queries.', blockingMembers);
const BlockingModeSettingsUpdate = object('BlockingModeSettingsUpdate', 'Blocking mode update.', blockingMembers);

const AccessSettings = object(
  'DNSServerAccessSettings',
  'Access settings: allowed and blocked clients, blocked domains.',
  {
    allowed_clients: Type.Array(Type.String(), {
      description: 'IP addresses, networks or autonomous systems (`AS15169`).',
    }),
    block_known_scanners: flag(),
    blocked_clients: texts,
    blocked_domain_rules: texts,
    enabled: flag(),
  },
);

const AccessSettingsUpdate = object('DNSServerAccessSettingsUpdate', 'Access settings update.', {
  allowed_clients: Type.Optional(texts),
  block_known_scanners: optionalFlag,
  blocked_clients: Type.Optional(texts),
  blocked_domain_rules: Type.Optional(ruleTexts),
  enabled: optionalFlag,
});

const FilterListItem = object('FilterListItem', 'An enabled filter list.', {
  enabled: flag(),
  filter_id: Type.String(),
});
const FilterListItemUpdate = object('FilterListItemUpdate', 'A filter list to enable or disable.', {
  enabled: optionalFlag,
  filter_id: Type.String({ minLength: 1 }),
});

const FilterListsSettings = object('FilterListsSettings', 'Filter list settings.', {
  enabled: flag(),
  filter_list: Type.Array(FilterListItem),
});
const FilterListsSettingsUpdate = object(
  'FilterListsSettingsUpdate',
  'Filter list settings update; the given lists replace the current ones.',
  {
    enabled: optionalFlag,
    filter_list: Type.Optional(Type.Array(FilterListItemUpdate)),
  },
);

const BlockedWebService = object('BlockedWebService', 'A blocked web service.', { enabled: flag(), id: Type.String() });
const BlockedWebServiceUpdate = object('BlockedWebServiceUpdate', 'A web service to block or unblock.', {
  enabled: optionalFlag,
  id: Type.String({ minLength: 1, maxLength: 64 }),
});

const BlockedFilteringCategory = object('BlockedFilteringCategory', 'A blocked kind of content.', {
  enabled: flag(),
  id: Type.String(),
});
const BlockedFilteringCategoryUpdate = object(
  'BlockedFilteringCategoryUpdate',
  'A kind of content to block or unblock.',
  { enabled: optionalFlag, id: Type.String({ minLength: 1, maxLength: 64 }) },
);

const ParentalControlSettings = object('ParentalControlSettings', 'Parental control.', {
  block_adult_websites_enabled: flag(),
  blocked_filtering_categories: Type.Array(BlockedFilteringCategory),
  blocked_services: Type.Array(BlockedWebService),
  enabled: flag(),
  engines_safe_search_enabled: flag(),
  screen_time_schedule: ScheduleWeek,
  youtube_safe_search_enabled: flag(),
});
const ParentalControlSettingsUpdate = object('ParentalControlSettingsUpdate', 'Settings update.', {
  block_adult_websites_enabled: optionalFlag,
  blocked_filtering_categories: Type.Optional(
    Type.Array(BlockedFilteringCategoryUpdate, { description: 'Ids of `GET /oapi/v1/parental_control_categories`.' }),
  ),
  blocked_services: Type.Optional(Type.Array(BlockedWebServiceUpdate)),
  enabled: optionalFlag,
  engines_safe_search_enabled: optionalFlag,
  screen_time_schedule: Type.Optional(ScheduleWeekUpdate),
  youtube_safe_search_enabled: optionalFlag,
});

const SafebrowsingSettings = object('SafebrowsingSettings', 'Security settings.', {
  block_dangerous_domains: flag(),
  block_nrd: flag({ description: 'Block domains registered within the last 30 days.' }),
  enabled: flag(),
  blocking_mode_settings: BlockingModeSettings,
  typosquatting_protection_enabled: flag({ description: 'Block misspellings of well-known domains.' }),
  homoglyph_protection_enabled: flag({
    description: 'Block internationalized domains that look like well-known ones.',
  }),
});
const SafebrowsingSettingsUpdate = object('SafebrowsingSettingsUpdate', 'Settings update.', {
  block_dangerous_domains: optionalFlag,
  block_nrd: optionalFlag,
  enabled: optionalFlag,
  blocking_mode_settings: Type.Optional(BlockingModeSettingsUpdate),
  typosquatting_protection_enabled: optionalFlag,
  homoglyph_protection_enabled: optionalFlag,
});

const UserRulesSettings = object('UserRulesSettings', 'User rules of the DNS server.', {
  enabled: flag(),
  rules: texts,
  rules_count: int32(),
});
const UserRulesSettingsUpdate = object('UserRulesSettingsUpdate', 'The given rules replace all user rules.', {
  enabled: optionalFlag,
  rules: Type.Optional(ruleTexts),
});

export const DNSServerSettings = object('DNSServerSettings', 'DNS server settings.', {
  access_settings: AccessSettings,
  auto_connect_devices_enabled: flag(),
  block_chrome_prefetch: flag(),
  block_firefox_canary: flag(),
  block_private_relay: flag(),
  block_ttl_seconds: int32(),
  blocking_mode_settings: BlockingModeSettings,
  filter_lists_settings: FilterListsSettings,
  ip_log_enabled: flag(),
  parental_control_settings: ParentalControlSettings,
  protection_enabled: flag(),
  safebrowsing_settings: SafebrowsingSettings,
  user_rules_settings: UserRulesSettings,
});

export const DNSServerSettingsUpdate = object(
  'DNSServerSettingsUpdate',
  'DNS server settings update. Fields that are not given stay unchanged; arrays are replaced as a whole.',
  {
    access_settings: Type.Optional(AccessSettingsUpdate),
    auto_connect_devices_enabled: optionalFlag,
    block_chrome_prefetch: optionalFlag,
    block_firefox_canary: optionalFlag,
    block_private_relay: optionalFlag,
    block_ttl_seconds: Type.Optional(int32({ minimum: 0, maximum: 3600 })),
    blocking_mode_settings: Type.Optional(BlockingModeSettingsUpdate),
    filter_lists_settings: Type.Optional(FilterListsSettingsUpdate),
    ip_log_enabled: optionalFlag,
    parental_control_settings: Type.Optional(ParentalControlSettingsUpdate),
    protection_enabled: optionalFlag,
    safebrowsing_settings: Type.Optional(SafebrowsingSettingsUpdate),
    user_rules_settings: Type.Optional(UserRulesSettingsUpdate),
  },
);
