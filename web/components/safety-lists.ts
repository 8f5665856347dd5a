import type { SafetyList } from '../api/wire.ts';

/** The setting of each list that the service itself configures, by its id in the query log. */
export const settingOfSafetyList = {
  safe_browsing: 'block_dangerous_domains',
  adult_blocking: 'block_adult_websites_enabled',
  newly_registered_domains: 'block_nrd',
  typosquatting: 'typosquatting_protection_enabled',
  homoglyph: 'homoglyph_protection_enabled',
} as const satisfies Readonly<Record<string, SafetyList['setting']>>;

export const isSafetyList = (id: string): id is keyof typeof settingOfSafetyList =>
  Object.hasOwn(settingOfSafetyList, id);
