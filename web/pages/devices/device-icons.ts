import {
  IconBrandAndroid,
  IconBrandApple,
  IconBrandWindows,
  IconDeviceGamepad2,
  IconDeviceMobile,
  IconDevices,
  IconDeviceTv,
  IconRouter,
  IconTerminal2,
} from '@tabler/icons-react';
import type { DeviceType } from '../../api/wire.ts';

/** Device types, most common first. */
export const deviceIcons = {
  IOS: IconDeviceMobile,
  ANDROID: IconBrandAndroid,
  WINDOWS: IconBrandWindows,
  MAC: IconBrandApple,
  LINUX: IconTerminal2,
  ROUTER: IconRouter,
  SMART_TV: IconDeviceTv,
  GAME_CONSOLE: IconDeviceGamepad2,
  UNKNOWN: IconDevices,
} as const satisfies Record<DeviceType, unknown>;

export const deviceTypes = Object.keys(deviceIcons) as DeviceType[];
