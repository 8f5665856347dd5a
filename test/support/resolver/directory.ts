import { defaultPlans } from '../../../src/domain/account-limits.ts';
import { defaultSettings } from '../../../src/domain/default-settings.ts';
import type { AccountId, DeviceId, ProfileId } from '../../../src/domain/ids.ts';
import type { Profile, ProfileSettings } from '../../../src/domain/profile.ts';
import type { DirectoryAccount, DirectoryDevice } from '../../../src/resolver/identity/directory.ts';

export const profileWith = (id: string, settings: Partial<ProfileSettings> = {}, account = 'anna'): Profile => ({
  id: id as ProfileId,
  account: account as AccountId,
  name: `Server ${id}`,
  isDefault: false,
  settings: { ...defaultSettings(), ...settings },
  createdAt: 0,
});

export const deviceWith = (
  id: string,
  profile: string,
  changes: Partial<Record<keyof DirectoryDevice, unknown>> = {},
): DirectoryDevice =>
  ({
    id: id as DeviceId,
    profile: profile as ProfileId,
    name: `Device ${id}`,
    protectionEnabled: true,
    dohAuthOnly: false,
    dohPassword: `pw-${id}`,
    humanId: undefined,
    linkedIp: undefined,
    ...changes,
  }) as DirectoryDevice;

export const accountWith = (id: string, changes: Partial<DirectoryAccount> = {}): DirectoryAccount => ({
  id: id as AccountId,
  timeZone: 'UTC',
  logEnabled: true,
  isSuspended: false,
  limits: defaultPlans.default,
  profiles: [],
  devices: [],
  dedicated: [],
  ...changes,
});
