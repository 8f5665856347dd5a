import type { FastifyRequest } from 'fastify';
import type { Plans } from '../domain/account-limits.ts';
import type { Catalogue } from '../domain/catalogue/catalogue.ts';
import type { Companies } from '../domain/catalogue/company.ts';
import type { DnsHosts } from '../domain/dns-addresses.ts';
import type { DomainError } from '../domain/domain-error.ts';
import type { AccountId, DeviceId, KeyId, ProfileId } from '../domain/ids.ts';
import type { LinkPrivateAddress } from '../domain/linked-address.ts';
import type { OperatorSetting } from '../domain/operator.ts';
import type { StoreReader, Transaction } from '../domain/repositories.ts';
import type { HmacSha1 } from '../domain/totp.ts';
import type { Result } from '../kit/result.ts';
import type { LiveLog } from './live-log.ts';
import type { Log } from './log-deps.ts';

/** What the interface needs of the rest of the program; whoever starts it brings it. */
export type Deps = {
  readonly store: {
    readonly read: StoreReader;
    /** The work awaits nothing but the store, and may be run again. */
    inTransaction<T>(work: (store: Transaction) => Promise<T>, options?: { readonly mustApply?: boolean }): Promise<T>;
    keyUsed(key: KeyId, at: number): void;
    sessionUsed(session: string, at: number): void;
    /** Where the store itself may not know of it yet. */
    sessionLastUsed(session: string): number | undefined;
    /** Calls the listener after each commit, also of other processes, with the accounts that it changed. */
    onCommit(listener: (changed: ReadonlySet<AccountId> | 'all') => Promise<void> | void, name?: string): () => void;
  };
  readonly log: Log;
  /** Where queries are answered in this program. */
  readonly liveLog?: LiveLog;
  readonly catalogue: Catalogue;
  readonly companies: Pick<Companies, 'nameOf' | 'companyOf'>;
  /** What is known of a filter list once it was fetched. */
  readonly fetchedList: (id: string) => { readonly rules: number; readonly updatedAt: number } | undefined;
  /** How lists are that somebody uses. */
  readonly listHealth: () => readonly ListHealth[];
  /** What becomes of a question; refuses what is none. */
  readonly explain: (input: {
    readonly dnsServer: ProfileId;
    readonly device: DeviceId | undefined;
    readonly name: string;
    readonly type: string;
  }) => Promise<Result<Explained, DomainError>>;
  /** How many steps the regular expression of a rule unfolds to; 0 for a rule without one. */
  readonly expressionSteps: (rule: string) => number;
  /** Rules of a DNS server that decisions have skipped since the start; undefined when none were. */
  readonly skippedRules: (dnsServer: ProfileId) => SkippedRules | undefined;
  /** Upstreams as they are kept; refuses what is none, and what may not be asked. */
  readonly checkUpstreams: (upstreams: readonly string[]) => Result<readonly string[], DomainError>;
  /** How many an account may have. */
  readonly maxCustomLists: number;
  /** A configuration that the compiler takes; faults have their place below `under`. */
  readonly checkConfiguration: (configuration: object, under: string) => Result<object, DomainError>;
  /** Asks the source of a list now; resolves when it has been heard, or nobody uses the list. */
  readonly refreshList: (id: string) => Promise<void>;
  readonly operator: OperatorSetting;
  readonly system: () => Promise<SystemState>;
  readonly backUp: () => Promise<MadeBackup>;
  readonly plans: Plans;
  readonly dns: DnsSettings;
  readonly passwords: Passwords;
  readonly oauth: OAuth;
  /** What people know this place by. */
  readonly productName: string;
  /** After so long without a request a page has to sign in again; 0 is never. */
  readonly sessionIdleMinutes: number;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly sha256: (text: string) => Uint8Array;
  readonly hmacSha1: HmacSha1;
  /** The address that a request is counted to. */
  readonly clientOf: (request: FastifyRequest) => string;
  /** The whole of the address that a request came from. */
  readonly addressOf: (request: FastifyRequest) => string;
  /** What people reach this service by, without a slash at the end. */
  readonly publicUrl: () => string;
  /** The address behind a name that is to be linked; undefined when there is none, or none that may be linked. */
  readonly addressBehind: (name: string) => Promise<string | undefined>;
  readonly linkPrivateAddress: LinkPrivateAddress;
  /** Signs an Apple profile, where the operator has a certificate for it. */
  readonly signProfile?: (xml: string) => Promise<Uint8Array>;
};

/** Times are milliseconds since 1970. */
export type ListHealth = {
  readonly id: string;
  readonly isLoaded: boolean;
  readonly rules: number;
  readonly ignored: number;
  readonly invalid: number;
  readonly fetchedAt: number | undefined;
  readonly checkedAt: number | undefined;
  readonly problem: { readonly why: string; readonly since: number } | undefined;
};

/** Where it is on this machine, and when it was made. */
type MadeBackup = { readonly file: string; readonly bytes: number; readonly at: number };

export type SystemState = {
  readonly version: string;
  readonly nodeVersion: string;
  readonly database: string;
  readonly startedAt: number;
  readonly memoryBytes: number;
  readonly listeners: readonly { readonly name: string; readonly host: string; readonly port: number }[];
  readonly dns: DnsState | undefined;
  readonly records: {
    readonly written: number;
    readonly stored: number;
    readonly waiting: number;
    readonly lagMs: number;
    readonly dropped: Readonly<Record<string, number>>;
  };
  readonly lastBackup: MadeBackup | undefined;
};

export type DnsState = {
  readonly areSettingsCurrent: boolean;
  readonly accounts: number;
  readonly devices: number;
  readonly upstreams: readonly {
    readonly upstream: string;
    readonly state: 'in' | 'out';
    readonly why?: string;
    readonly latencyMs?: number;
    readonly asked: number;
    readonly answered: number;
    readonly failed: Readonly<Partial<Record<string, number>>>;
  }[];
  /** The operator's and the catalogue's. */
  readonly lists: readonly ListHealth[];
  readonly customLists: number;
  readonly cache: { readonly entries: number; readonly bytes: number };
  readonly udp: Readonly<Record<string, number>>;
  readonly certificateEndsAt: number | undefined;
};

type SkippedRules = { readonly decisions: number; readonly rules: number; readonly lastAt: number };

/** Numbers of types and codes are in words already. */
export type Explained = {
  readonly filtering: 'full' | 'parental paused' | 'off';
  readonly verdict: {
    readonly kind: 'pass' | 'allow' | 'block' | 'rewrite';
    readonly source?: string;
    readonly list?: string;
    readonly rule?: string;
    readonly rewrite?:
      | { readonly kind: 'cname'; readonly target: string }
      | { readonly kind: 'code'; readonly code: string }
      | { readonly kind: 'records'; readonly type: string; readonly values: readonly string[] };
  };
  readonly rules: readonly {
    readonly source: string;
    readonly list: string;
    readonly text: string;
    readonly outcome: string;
    readonly why: string;
  }[];
  readonly skipped: number;
  readonly missing: readonly string[];
};

type DnsSettings = {
  readonly hosts: DnsHosts;
  /** 96 bits under which every device has an address of its own; without it none has. */
  readonly deviceNetwork: string | undefined;
  /** IPv4 addresses that accounts can be given. */
  readonly dedicatedPool: readonly string[];
};

/**
 * Hashing is slow by intent: it is done where nothing else waits for it. It may reject with `TooBusy`, and
 * whoever asked is told to come back.
 */
type Passwords = {
  /** `from` is the address of the client: networks take turns. */
  hash(password: string, from: string): Promise<string>;
  verify(password: string, hash: string, from: string): Promise<'right' | 'right, but weakly hashed' | 'wrong'>;
  /** False when it would reject with TooBusy. */
  hasRoom(from: string): boolean;
  /** Reserves places for the network of a client that has signed in. */
  noteSignedIn(from: string): void;
  /** Verified in place of the hash of someone who does not exist, so that it takes as long. */
  readonly dummyHash: string;
};

type OAuth = {
  readonly clients: readonly OAuthClient[];
  /** Where a browser is sent to sign in and to agree. */
  readonly signInPage: string;
};

/** A program that users may let in, as the operator has registered it. */
type OAuthClient = { readonly id: string; readonly redirectUris: readonly string[] };
