import { err, ok, type Result } from '../kit/result.ts';
import { defaultSettings } from './default-settings.ts';
import { type DomainError, type FieldError, invalid } from './domain-error.ts';
import type { AccountId, ProfileId } from './ids.ts';
import { nameRequirements, parseName } from './name.ts';
import type { Profile } from './profile.ts';
import { type SettingsQuota, type SettingsUpdate, updateSettings } from './profile-update.ts';

export type NewProfile = { readonly name: string; readonly settings?: SettingsUpdate | undefined };
export type ProfileQuota = { readonly used: number; readonly limit: number; readonly settings: SettingsQuota };
/** Values for a new DNS server. */
export type NewProfileContext = { readonly id: ProfileId; readonly account: AccountId; readonly now: number };

/** The default DNS server of a new account. */
export const firstProfile = ({ id, account, now }: NewProfileContext): Profile => ({
  id,
  account,
  name: 'Default',
  isDefault: true,
  settings: defaultSettings(),
  createdAt: now,
});

export function createProfile(
  quota: ProfileQuota,
  wanted: NewProfile,
  context: NewProfileContext,
): Result<Profile, DomainError> {
  const name = parseName(wanted.name);
  const settings = updateSettings(defaultSettings(), wanted.settings ?? {}, quota.settings, 'settings');
  if (!name || !settings.ok)
    return err({ kind: 'invalid', errors: [...(name ? [] : [nameError]), ...errorsOf(settings)] });
  if (quota.used >= quota.limit) return err({ kind: 'limit reached', what: 'dnsServers', limit: quota.limit });
  return ok({ ...firstProfile(context), name, isDefault: false, settings: settings.value });
}

const nameError: FieldError = { field: 'name', kind: 'wrong value', message: `must be ${nameRequirements}` };

const errorsOf = (result: Result<unknown, DomainError>): readonly FieldError[] =>
  !result.ok && result.error.kind === 'invalid' ? result.error.errors : [];

export function renameProfile(
  profile: Profile,
  update: { readonly name?: string | undefined },
): Result<Profile, DomainError> {
  if (update.name === undefined) return ok(profile);
  const name = parseName(update.name);
  return name ? ok({ ...profile, name }) : err({ kind: 'invalid', errors: [nameError] });
}

/** The default profile cannot be removed; devices of others move to it. */
export const removeProfile = (profile: Profile): Result<Profile, DomainError> =>
  profile.isDefault ? err(invalid('dns_server_id', 'the default DNS server cannot be deleted')) : ok(profile);
