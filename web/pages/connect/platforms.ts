import {
  IconBrandAndroid,
  IconBrandApple,
  IconBrandWindows,
  IconDeviceMobile,
  IconRouter,
  IconTerminal2,
  IconWorld,
} from '@tabler/icons-react';
import type { DeviceType } from '../../api/wire.ts';

/** Platforms with instructions, most common first. */
export const platformIcons = {
  ios: IconDeviceMobile,
  android: IconBrandAndroid,
  windows: IconBrandWindows,
  mac: IconBrandApple,
  linux: IconTerminal2,
  router: IconRouter,
  browser: IconWorld,
} as const;

export type Platform = keyof typeof platformIcons;
export const platforms = Object.keys(platformIcons) as Platform[];

// TVs and consoles only accept the IP address of a DNS server.
const platformByType: Readonly<Record<DeviceType, Platform>> = {
  IOS: 'ios',
  ANDROID: 'android',
  WINDOWS: 'windows',
  MAC: 'mac',
  LINUX: 'linux',
  ROUTER: 'router',
  SMART_TV: 'router',
  GAME_CONSOLE: 'router',
  UNKNOWN: 'browser',
};

export const platformOf = (type: DeviceType): Platform => platformByType[type];
