import { err, ok, type Result } from '../kit/result.ts';
import { type Allowance, access, type RuleChecks, userRules } from './access-update.ts';
import { type BlockingUpdate, blocking } from './blocking-update.ts';
import type { DomainError } from './domain-error.ts';
import type { ProfileSettings } from './profile.ts';
import { collectErrors, flag, type Read, section, type Update, wholeNumber } from './read-update.ts';
import { type DayUpdate, readWeek } from './schedule-update.ts';
import { type KnownIds, type SwitchedUpdate, switches } from './switched-update.ts';

export type { BlockingUpdate };

type Sections = 'blocking' | 'access' | 'filterLists' | 'userRules' | 'safeBrowsing' | 'parental';
type Published = Omit<ProfileSettings, 'own'>;

/** Absent sections and fields stay unchanged; arrays are replaced, except for schedules, whose absent days stay. */
export type SettingsUpdate = Update<Omit<Published, Sections>> & {
  readonly blocking?: BlockingUpdate | undefined;
  readonly access?: Update<ProfileSettings['access']> | undefined;
  readonly filterLists?: Update<{ enabled: boolean; lists: readonly SwitchedUpdate[] }> | undefined;
  readonly userRules?: Update<ProfileSettings['userRules']> | undefined;
  readonly safeBrowsing?:
    | (Update<Omit<ProfileSettings['safeBrowsing'], 'blocking'>> & { readonly blocking?: BlockingUpdate | undefined })
    | undefined;
  readonly parental?:
    | (Update<Omit<ProfileSettings['parental'], 'blockedServices' | 'blockedCategories' | 'pauseSchedule'>> & {
        readonly blockedServices?: readonly SwitchedUpdate[] | undefined;
        readonly blockedCategories?: readonly SwitchedUpdate[] | undefined;
        readonly pauseSchedule?: readonly DayUpdate[] | undefined;
      })
    | undefined;
};

export type SettingsQuota = {
  readonly userRules: Allowance;
  readonly accessRules: Allowance;
  readonly rules: RuleChecks;
  readonly filterLists: KnownIds;
  readonly services: KnownIds;
  readonly categories: KnownIds;
};

/** Returns the updated settings or all errors. `under` is the path of the settings in the request. */
export function updateSettings(
  current: ProfileSettings,
  update: SettingsUpdate,
  quota: SettingsQuota,
  under = '',
): Result<ProfileSettings, DomainError> {
  const errors = collectErrors();
  const next = settings(quota)(update, current, under, errors);
  return errors.found.length === 0 ? ok({ ...current, ...next }) : err({ kind: 'invalid', errors: errors.found });
}

const settings = (quota: SettingsQuota): Read<Published> =>
  section<Published>({
    protectionEnabled: ['protection_enabled', flag],
    blocking: ['blocking_mode_settings', blocking],
    blockTtlSeconds: ['block_ttl_seconds', wholeNumber(0, 3600)],
    ipLogEnabled: ['ip_log_enabled', flag],
    autoConnectDevices: ['auto_connect_devices_enabled', flag],
    blockPrivateRelay: ['block_private_relay', flag],
    blockFirefoxCanary: ['block_firefox_canary', flag],
    blockChromePrefetch: ['block_chrome_prefetch', flag],
    access: ['access_settings', access(quota.accessRules, quota.rules)],
    filterLists: [
      'filter_lists_settings',
      section<ProfileSettings['filterLists']>({
        enabled: ['enabled', flag],
        lists: ['filter_list', switches('filter_id', 'filter list', quota.filterLists)],
      }),
    ],
    userRules: [
      'user_rules_settings',
      section<ProfileSettings['userRules']>({
        enabled: ['enabled', flag],
        rules: ['rules', userRules(quota.userRules, quota.rules)],
      }),
    ],
    safeBrowsing: [
      'safebrowsing_settings',
      section<ProfileSettings['safeBrowsing']>({
        enabled: ['enabled', flag],
        blockDangerousDomains: ['block_dangerous_domains', flag],
        blockNewlyRegistered: ['block_nrd', flag],
        blocking: ['blocking_mode_settings', blocking],
        typosquattingProtection: ['typosquatting_protection_enabled', flag],
        homoglyphProtection: ['homoglyph_protection_enabled', flag],
      }),
    ],
    parental: [
      'parental_control_settings',
      section<ProfileSettings['parental']>({
        enabled: ['enabled', flag],
        blockAdult: ['block_adult_websites_enabled', flag],
        safeSearch: ['engines_safe_search_enabled', flag],
        youtubeSafeSearch: ['youtube_safe_search_enabled', flag],
        blockedServices: ['blocked_services', switches('id', 'web service', quota.services)],
        blockedCategories: ['blocked_filtering_categories', switches('id', 'filtering category', quota.categories)],
        pauseSchedule: ['screen_time_schedule.daily_schedule', readWeek],
      }),
    ],
  });
