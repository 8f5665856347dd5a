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
  /** An address by which plain DNS knows it, and the token of the link that sets it. */
  readonly linkedIp: string | undefined;
  /** A name that the address is looked up by, again and again. */
  readonly ddnsName: string | undefined;
  readonly linkToken: string;
  readonly createdAt: number;
};
