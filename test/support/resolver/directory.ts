import { defaultPlans } from '../../../src/domain/account-limits.ts';
import { defaultSettings } from '../../../src/domain/default-settings.ts';
import type { AccountId, DeviceId, ProfileId } from '../../../src/domain/ids.ts';
import type { Profile, ProfileSettings } from '../../../src/domain/profile.ts';
import type {
  Directory,
  DirectoryAccount,
  DirectoryDevice,
  KnownDevice,
} from '../../../src/resolver/identity/directory.ts';

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

/** A query without EDNS options that identify its client. */
export const noOptions = { deviceAt: 0, deviceLength: 0, macAt: 0, macLength: 0 };

/** The device that this address identifies without an id. */
export const deviceAt = (directory: Directory, address: Uint8Array): KnownDevice | undefined =>
  [...directory.matching({ mac: undefined, addresses: [address], names: [] })][0]?.identity;
