import type { DeviceType } from '../../api/wire.ts';

const marks: readonly (readonly [mark: RegExp, type: DeviceType])[] = [
  // Before Linux and Mac, as which they also present themselves.
  [/android/i, 'ANDROID'],
  [/iphone|ipad|ipod/i, 'IOS'],
  [/windows/i, 'WINDOWS'],
  [/mac os/i, 'MAC'],
  [/linux|cros/i, 'LINUX'],
];

/** What somebody probably sits at, by how their browser presents itself. */
export const guessDeviceType = (userAgent: string): DeviceType =>
  marks.find(([mark]) => mark.test(userAgent))?.[1] ?? 'UNKNOWN';
