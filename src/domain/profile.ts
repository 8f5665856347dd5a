import type { AccountId, ProfileId } from './ids.ts';
import type { OwnSettings } from './profile-extensions.ts';
import type { Week } from './schedule.ts';

/** What the wire calls a DNS server: how queries of its devices are answered. */
export type Profile = {
  readonly id: ProfileId;
  readonly account: AccountId;
  readonly name: string;
  readonly isDefault: boolean;
  readonly settings: ProfileSettings;
  readonly createdAt: number;
};

export const blockingModes = ['NONE', 'NULL_IP', 'REFUSED', 'NXDOMAIN', 'CUSTOM_IP'] as const;
type BlockingMode = (typeof blockingModes)[number];

export type BlockingSettings = {
  readonly mode: BlockingMode;
  readonly ipv4: string | undefined;
  readonly ipv6: string | undefined;
};

export type Switched = { readonly id: string; readonly enabled: boolean };

export type ProfileSettings = {
  readonly protectionEnabled: boolean;
  readonly blocking: BlockingSettings;
  readonly blockTtlSeconds: number;
  readonly ipLogEnabled: boolean;
  readonly autoConnectDevices: boolean;
  readonly blockPrivateRelay: boolean;
  readonly blockFirefoxCanary: boolean;
  readonly blockChromePrefetch: boolean;
  readonly access: {
    readonly enabled: boolean;
    /** Addresses, networks (10.0.0.0/8) or autonomous systems (AS15169). */
    readonly allowedClients: readonly string[];
    readonly blockedClients: readonly string[];
    readonly blockedDomainRules: readonly string[];
    readonly blockKnownScanners: boolean;
  };
  readonly filterLists: { readonly enabled: boolean; readonly lists: readonly Switched[] };
  readonly userRules: { readonly enabled: boolean; readonly rules: readonly string[] };
  readonly safeBrowsing: {
    readonly enabled: boolean;
    readonly blockDangerousDomains: boolean;
    readonly blockNewlyRegistered: boolean;
    /** Of version 1.12: kept for clients that send them, never shown to those of 1.11 that did not. */
    readonly blocking: BlockingSettings | undefined;
    readonly typosquattingProtection: boolean | undefined;
  };
  readonly parental: {
    readonly enabled: boolean;
    readonly blockAdult: boolean;
    readonly safeSearch: boolean;
    readonly youtubeSafeSearch: boolean;
    readonly blockedServices: readonly Switched[];
    /** While it holds, parental control pauses. */
    readonly pauseSchedule: Week;
  };
  readonly own: OwnSettings;
};

/** What counts towards the limits of the account; clients that are let in do not. */
export const countUserRules = ({ userRules }: Pick<ProfileSettings, 'userRules'>): number => userRules.rules.length;
export const countAccessRules = ({ access }: Pick<ProfileSettings, 'access'>): number =>
  access.blockedClients.length + access.blockedDomainRules.length;
