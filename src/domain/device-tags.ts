import type { DeviceType } from './device.ts';

/** Tags of a device for `$ctag` rules, with the names that AdGuard Home uses. */
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
