import type { DeviceType } from '../../api/wire.ts';

const patterns: readonly (readonly [pattern: RegExp, type: DeviceType])[] = [
  // Before Linux and macOS, because these user agents contain their names too.
  [/android/i, 'ANDROID'],
  [/iphone|ipad|ipod/i, 'IOS'],
  [/windows/i, 'WINDOWS'],
  [/mac os/i, 'MAC'],
  [/linux|cros/i, 'LINUX'],
];

/** Guesses the device type from the user agent. */
export const guessDeviceType = (userAgent: string): DeviceType =>
  patterns.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'UNKNOWN';
