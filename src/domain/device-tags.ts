import { err, ok, type Result } from '../kit/result.ts';
import type { DeviceType } from './device.ts';
import type { DomainError } from './domain-error.ts';

/** The names of tags for `$ctag` rules, as in AdGuard Home. */
export const tagNames = [
  'device_audio',
  'device_camera',
  'device_gameconsole',
  'device_laptop',
  'device_nas',
  'device_other',
  'device_pc',
  'device_phone',
  'device_printer',
  'device_securityalarm',
  'device_tablet',
  'device_tv',
  'os_android',
  'os_ios',
  'os_linux',
  'os_macos',
  'os_other',
  'os_windows',
  'user_admin',
  'user_child',
  'user_regular',
] as const;

/** Tags that follow from the type of a device. */
export const deviceTags: Readonly<Record<DeviceType, readonly string[]>> = {
  WINDOWS: ['device_pc', 'os_windows'],
  ANDROID: ['device_phone', 'os_android'],
  MAC: ['device_pc', 'os_macos'],
  IOS: ['device_phone', 'os_ios'],
  LINUX: ['device_pc', 'os_linux'],
  ROUTER: ['device_other', 'os_other'],
  SMART_TV: ['device_tv', 'os_other'],
  GAME_CONSOLE: ['device_gameconsole', 'os_other'],
  UNKNOWN: [],
};

/** All tags of a device. A device in a snapshot of an older version has neither type nor tags. */
export function tagsOf(type: DeviceType | undefined, tags: readonly string[] | undefined): readonly string[] {
  const derived = type ? deviceTags[type] : [];
  return tags === undefined || tags.length === 0 ? derived : [...new Set([...derived, ...tags])];
}

/** Tags that an owner gives to a device, sorted, or every error with its path. */
export function parseTags(requested: readonly string[]): Result<readonly string[], DomainError> {
  const names: readonly string[] = tagNames;
  const tags = requested.map((tag) => tag.trim().toLowerCase());
  const errors = tags.flatMap((tag, index) =>
    names.includes(tag)
      ? []
      : [{ field: `tags[${index}]`, kind: 'wrong value' as const, message: `must be one of ${names.join(', ')}` }],
  );
  return errors.length > 0 ? err({ kind: 'invalid', errors }) : ok([...new Set(tags)].sort());
}
