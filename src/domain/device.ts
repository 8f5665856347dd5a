import type { AccountId, DeviceId, ProfileId } from './ids.ts';

export const deviceTypes = [
  'WINDOWS',
  'ANDROID',
  'MAC',
  'IOS',
  'LINUX',
  'ROUTER',
  'SMART_TV',
  'GAME_CONSOLE',
  'UNKNOWN',
] as const;
export type DeviceType = (typeof deviceTypes)[number];

export type Device = {
  readonly id: DeviceId;
  readonly account: AccountId;
  readonly profile: ProfileId;
  readonly name: string;
  readonly type: DeviceType;
  readonly protectionEnabled: boolean;
  /** Recognised only through DoH with login. */
  readonly dohAuthOnly: boolean;
  /** Readable, because its owner must be shown it again and again. */
  readonly dohPassword: string;
  /** Its name as it named itself when it connected for the first time; undefined for one made by its owner. */
  readonly humanId: string | undefined;
  /** The proven address that identifies it over plain DNS. */
  readonly linkedIp: string | undefined;
  /** An address that was typed in, or found behind `ddnsName`, and is not proven. It identifies nothing. */
  readonly pendingIp: string | undefined;
  /** A name that the address is looked up by, again and again. */
  readonly ddnsName: string | undefined;
  /** Token of the link that links the address from which it is opened. */
  readonly linkToken: string;
  /** The last 32 bits, in hexadecimal, of its own IPv6 address; undefined for a device whose id are those. */
  readonly addressSuffix: string | undefined;
  readonly createdAt: number;
};
