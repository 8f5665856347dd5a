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

/** Where an address can be entered, the frequent places first. */
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

// A television or a console is set up as a network is: by the address of the resolver.
const usual: Readonly<Record<DeviceType, Platform>> = {
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

export const platformOf = (type: DeviceType): Platform => usual[type];
