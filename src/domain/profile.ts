import type { AccountId, ProfileId } from './ids.ts';
import type { ProfileExtensions } from './profile-extensions.ts';
import type { Week } from './schedule.ts';

/** Called DNS server on the wire: settings for the queries of its devices. */
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
    /** Mode NONE: the same as for other blocked domains. */
    readonly blocking: BlockingSettings;
    readonly typosquattingProtection: boolean;
    readonly homoglyphProtection: boolean;
  };
  readonly parental: {
    readonly enabled: boolean;
    readonly blockAdult: boolean;
    readonly safeSearch: boolean;
    readonly youtubeSafeSearch: boolean;
    readonly blockedServices: readonly Switched[];
    /** Kinds of content, for example gambling. */
    readonly blockedCategories: readonly Switched[];
    /** Parental control is paused while it is active. */
    readonly pauseSchedule: Week;
  };
  /** Stored as JSON and sent to edges under this name, which the previous release reads too. */
  readonly own: ProfileExtensions;
};

/** Counts towards the account limits; allowed clients do not. */
export const countUserRules = ({ userRules }: Pick<ProfileSettings, 'userRules'>): number => userRules.rules.length;
export const countAccessRules = ({ access }: Pick<ProfileSettings, 'access'>): number =>
  access.blockedClients.length + access.blockedDomainRules.length;
