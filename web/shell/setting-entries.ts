import type { SectionName } from '../pages/servers/sections/sections.ts';

/** Other words for a setting, in any language. */
type Words = string;

/** Settings of a profile: the key of their name, their section, and other words that people search for. */
export const profileSettings = [
  ['custom.title', 'lists', ''],
  ['presets.label', 'lists', ''],
  ['temporary.title', 'rules', ''],
  ['test.title', 'rules', ''],
  ['categories.title', 'services', ''],
  ['services.title', 'services', 'YouTube TikTok Netflix'],
  ['safety.title', 'safety', 'safebrowsing'],
  ['safety.block_dangerous_domains', 'safety', 'virus'],
  ['safety.typosquatting_protection_enabled', 'safety', 'typo'],
  ['safety.homoglyph_protection_enabled', 'safety', 'IDN homoglyph'],
  ['safety.block_nrd', 'safety', 'NRD'],
  ['parental.title', 'safety', ''],
  ['parental.block_adult_websites_enabled', 'safety', 'porn'],
  ['parental.engines_safe_search_enabled', 'safety', 'Google Bing safesearch'],
  ['parental.youtube_safe_search_enabled', 'safety', ''],
  ['schedule.title', 'schedule', ''],
  ['names.private.title', 'names', 'DNS rebinding'],
  ['names.search.title', 'names', ''],
  ['names.dns64.title', 'names', 'NAT64'],
  ['access.allowed_clients', 'access', 'allowlist whitelist'],
  ['access.blocked_clients', 'access', 'denylist blacklist'],
  ['access.blocked_domain_rules', 'access', ''],
  ['blocking.title', 'advanced', 'NXDOMAIN REFUSED Null-IP'],
  ['blocking.ttl', 'advanced', 'TTL'],
  ['advanced.ip_log_enabled', 'advanced', 'IP'],
  ['advanced.auto_connect_devices_enabled', 'advanced', ''],
  ['advanced.detours.title', 'advanced', 'DoH'],
  ['advanced.block_private_relay', 'advanced', 'Apple iCloud'],
  ['advanced.block_firefox_canary', 'advanced', 'DoH'],
  ['advanced.block_chrome_prefetch', 'advanced', ''],
  ['upstreams.title', 'advanced', 'DNS DoH DoT'],
] as const satisfies readonly (readonly [string, SectionName, Words])[];

/** Parts of the account page by their tab. */
export const accountSettings = [
  ['password.title', '', ''],
  ['email.title', '', 'e-mail mail'],
  ['factor.title', '', '2FA MFA TOTP OTP'],
  ['passkeys.title', '', 'WebAuthn FIDO'],
  ['sessions.title', '', ''],
  ['settings.zone', 'settings', ''],
  ['limits.title', 'settings', ''],
  ['members.title', 'members', ''],
  ['invitations.title', 'members', ''],
  ['keys.title', 'keys', 'API token'],
  ['audit.title', 'audit', ''],
] as const satisfies readonly (readonly [string, string, Words])[];

export const systemSettings = [
  ['certificates.title', 'TLS HTTPS ACME'],
  ['upstreams.title', 'DNS DoH DoT'],
  ['counters.title', 'cache'],
  ['settings.title', ''],
  ['doctor.title', 'doctor'],
  ['nodes.title', 'cluster edge'],
  ['backup.title', 'backup restore'],
  ['lists.title', ''],
] as const satisfies readonly (readonly [string, Words])[];
