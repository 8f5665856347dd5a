import { err, ok, type Result } from '../kit/result.ts';
import { defaultSettings } from './default-settings.ts';
import { type FieldFault, invalid, type Problem } from './domain-error.ts';
import type { AccountId, ProfileId } from './ids.ts';
import { parseName, whatNamesAre } from './name.ts';
import type { Profile } from './profile.ts';
import { type SettingsRoom, type SettingsUpdate, updateSettings } from './profile-update.ts';

export type NewProfile = { readonly name: string; readonly settings?: SettingsUpdate | undefined };
export type ProfileRoom = { readonly used: number; readonly limit: number; readonly settings: SettingsRoom };
/** What the world gives to a new DNS server. */
export type ProfileBirth = { readonly id: ProfileId; readonly account: AccountId; readonly now: number };

/** The one DNS server that each account has from its first day. */
export const firstProfile = ({ id, account, now }: ProfileBirth): Profile => ({
  id,
  account,
  name: 'Default',
  isDefault: true,
  settings: defaultSettings(),
  createdAt: now,
});

export function createProfile(room: ProfileRoom, wanted: NewProfile, birth: ProfileBirth): Result<Profile, Problem> {
  const name = parseName(wanted.name);
  const settings = updateSettings(defaultSettings(), wanted.settings ?? {}, room.settings, 'settings');
  if (!name || !settings.ok)
    return err({ kind: 'invalid', faults: [...(name ? [] : [nameFault]), ...faultsOf(settings)] });
  if (room.used >= room.limit) return err({ kind: 'limit reached', what: 'dnsServers', limit: room.limit });
  return ok({ ...firstProfile(birth), name, isDefault: false, settings: settings.value });
}

const nameFault: FieldFault = { field: 'name', kind: 'wrong value', message: `must be ${whatNamesAre}` };

const faultsOf = (result: Result<unknown, Problem>): readonly FieldFault[] =>
  !result.ok && result.error.kind === 'invalid' ? result.error.faults : [];

export function renameProfile(
  profile: Profile,
  update: { readonly name?: string | undefined },
): Result<Profile, Problem> {
  if (update.name === undefined) return ok(profile);
  const name = parseName(update.name);
  return name ? ok({ ...profile, name }) : err({ kind: 'invalid', faults: [nameFault] });
}

/** Whether it may go; its devices then move to the default one. */
export const removeProfile = (profile: Profile): Result<Profile, Problem> =>
  profile.isDefault ? err(invalid('dns_server_id', 'the default DNS server cannot be deleted')) : ok(profile);
