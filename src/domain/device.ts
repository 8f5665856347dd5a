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
  /** Tags for `$ctag` rules, in addition to those of the device type. */
  readonly tags: readonly string[];
  readonly protectionEnabled: boolean;
  /** Epoch milliseconds; its queries are not filtered before then. */
  readonly pausedUntil: number | undefined;
  /** Identified only by DoH with authentication. */
  readonly dohAuthOnly: boolean;
  /** Stored as plain text, because the owner can view it again. */
  readonly dohPassword: string;
  /** Human-readable id of a self-registered device; otherwise undefined. */
  readonly humanId: string | undefined;
  /** The verified address that identifies the device over plain DNS. */
  readonly linkedIp: string | undefined;
  /** An address that was entered or looked up by `ddnsName` but is not verified. It does not identify the device. */
  readonly pendingIp: string | undefined;
  /** DDNS name, looked up repeatedly. */
  readonly ddnsName: string | undefined;
  /** Token of the auto-link URL. */
  readonly linkToken: string;
  /** The last 32 bits of the IPv6 address of the device in hexadecimal; undefined if the device id is used. */
  readonly addressSuffix: string | undefined;
  readonly createdAt: number;
};
