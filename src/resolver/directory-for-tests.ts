import { defaultSettings } from '../domain/default-settings.ts';
import type { AccountId, DeviceId, ProfileId } from '../domain/ids.ts';
import { defaultPlans } from '../domain/limits.ts';
import type { Profile, ProfileSettings } from '../domain/profile.ts';
import type { DirectoryAccount, DirectoryDevice } from './directory.ts';

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
