import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Plans } from '../domain/account-limits.ts';
import type { Catalogue } from '../domain/catalogue/catalogue.ts';
import type { Companies } from '../domain/catalogue/company.ts';
import type { SessionLimits } from '../domain/credentials.ts';
import type { DnsHosts } from '../domain/dns-addresses.ts';
import type { DomainError } from '../domain/domain-error.ts';
import type { AccountId, DeviceId, KeyId, ProfileId } from '../domain/ids.ts';
import type { LinkPrivateAddress } from '../domain/linked-address.ts';
import type { SharedAttempts } from '../domain/login-throttle.ts';
import type { OperatorSetting } from '../domain/operator.ts';
import type { LoadedFilters } from '../domain/protection-state.ts';
import type { StoreReader, Transaction } from '../domain/repositories.ts';
import type { HmacSha1 } from '../domain/totp.ts';
import type { RateWindow } from '../kit/fixed-window.ts';
import type { Result } from '../kit/result.ts';
import type { ListDeps, ListHealth } from './list-deps.ts';
import type { LiveLog } from './live-log.ts';
import type { Log } from './log-deps.ts';
import type { PasskeyChecks } from './passkey-checks.ts';
import type { BackupUpload } from './upload.ts';
import type { TargetKind } from './wire/explanation.ts';

/** A setting of the service with the value in use and its source. */
export type SettingState = {
  readonly name: string;
  readonly section: string;
  readonly help: string;
  /** For example `COUNT`. */
  readonly placeholder: string;
  readonly isList: boolean;
  /** Empty if other values are possible. */
  readonly choices: readonly string[];
  readonly values: readonly string[];
  readonly source: 'flag' | 'environment' | 'file' | 'stored' | 'default';
  /** The flag, variable or line that sets it. */
  readonly place: string | undefined;
  /** Whether a change takes effect without a restart. */
  readonly isLive: boolean;
  /** The values after the next restart, if they differ. */
  readonly pending?: readonly string[];
};

type OperatorSettings = {
  list(): readonly SettingState[];
  find(name: string): SettingState | undefined;
  /** Stores and applies the values; undefined restores the value of file or default. The error continues “the setting …”. */
  set(name: string, values: readonly string[] | undefined): Promise<Result<SettingState, string>>;
};

type Maintenance = {
  /** Sends a query to an upstream, over a new connection. */
  askUpstream(
    upstream: string,
  ): Promise<{ readonly kind: 'answer'; readonly ms: number } | { readonly kind: 'failed'; readonly why: string }>;
  /** The checks of `weir doctor`. */
  examine(): Promise<
    readonly {
      readonly check: string;
      readonly state: 'ok' | 'warning' | 'problem';
      readonly text: string;
      readonly advice?: string;
    }[]
  >;
  /** False if it is in use and was not cleared. */
  clearCache(): boolean;
  /** Reads the certificate files again. */
  reloadCertificates(): Promise<void>;
};

/** Dependencies of the management API. */
export type Deps = SessionLimits &
  ListDeps & {
    readonly store: {
      readonly read: StoreReader;
      /** The work must await only the store and may run again. */
      inTransaction<T>(
        work: (store: Transaction) => Promise<T>,
        options?: { readonly mustApply?: boolean },
      ): Promise<T>;
      /** Changes with every commit; undefined if that is not known. */
      version(): number | undefined;
      keyUsed(key: KeyId, at: number): void;
      sessionUsed(session: string, at: number): void;
      /** Time of the last use if it is not stored yet. */
      sessionLastUsed(session: string): number | undefined;
      /** Calls the listener after each commit, including those of other processes, with the changed accounts. */
      onCommit(listener: (changed: ReadonlySet<AccountId> | 'all') => Promise<void> | void, name?: string): () => void;
    };
    readonly log: Log;
    /** Present if DNS runs in this process. */
    readonly liveLog?: LiveLog;
    readonly catalogue: Catalogue;
    readonly companies: Pick<Companies, 'nameOf' | 'companyOf' | 'list'>;
    /** Rule count and time of a downloaded filter list. */
    readonly fetchedList: (id: string) => { readonly rules: number; readonly updatedAt: number } | undefined;
    /** The lists of each category of safe browsing and parental control, by their ids in `listHealth`. */
    readonly safetyLists: () => readonly { readonly kind: SafetyKind; readonly ids: readonly string[] }[];
    /** Explains the decision for a query; returns an error for an invalid query. */
    readonly explain: (input: {
      readonly account: AccountId;
      readonly dnsServer: ProfileId;
      readonly device: DeviceId | undefined;
      readonly name: string;
      readonly type: string;
      /** Names and addresses in the answer. */
      readonly answer: readonly string[];
      readonly clientAddress: string | undefined;
      /** The client to identify, if no device is given. */
      readonly client: DescribedClient | undefined;
    }) => Promise<Result<Explained, DomainError>>;
    /** Number of steps of the regular expression of a rule; 0 for a rule without one. */
    readonly expressionSteps: (rule: string) => number;
    readonly ruleStatus: (rule: string) => RuleStatus;
    /** Rules of a DNS server skipped since the start; undefined if none were. */
    readonly skippedRules: (dnsServer: ProfileId) => SkippedRules | undefined;
    /** The tables and lists that the resolver has loaded for these DNS servers, by their ids; unknown DNS servers are absent. */
    readonly loadedFilters: (dnsServers: readonly ProfileId[]) => Promise<ReadonlyMap<string, LoadedFilters>>;
    /** Returns the upstreams in normalised form, or an error for invalid or forbidden ones. */
    readonly checkUpstreams: (upstreams: readonly string[]) => Result<readonly string[], DomainError>;
    /** The same for the upstreams of a forwarding rule, which may be private for some accounts. */
    readonly checkForwardUpstreams: (
      upstreams: readonly string[],
      mayBePrivate: boolean,
    ) => Result<readonly string[], DomainError>;
    /** Maximum number of custom lists per account. */
    readonly maxCustomLists: number;
    /** Validates a compiler configuration; error paths start with `under`. */
    readonly checkConfiguration: (configuration: object, under: string) => Result<object, DomainError>;
    /** Checks the source of a list now; resolves when the check is done or the list is not in use. */
    readonly refreshList: (id: string) => Promise<void>;
    /** Uses a version that is held back because it is small; resolves when it is downloaded. */
    readonly acceptList: (id: string) => Promise<void>;
    readonly operator: OperatorSetting;
    readonly system: () => Promise<SystemState>;
    readonly backUp: () => Promise<MadeBackup>;
    readonly plans: Plans;
    readonly dns: DnsSettings;
    readonly passwords: Passwords;
    readonly oauth: OAuth;
    readonly passkeys: PasskeyChecks;
    /** Display name of this installation. */
    readonly productName: string;
    readonly settings: OperatorSettings;
    readonly maintenance: Maintenance;
    /** The newest backup; undefined before the first one. */
    readonly openBackup: () => Promise<
      { readonly name: string; readonly bytes: number; readonly content: Readable } | undefined
    >;
    readonly restoreUpload: BackupUpload;
    /** Called after a backup, made at this time, has replaced all accounts. */
    readonly onRestored: (createdAt: number) => void;
    /** Attempts to sign in, counted outside of the database; undefined: the database counts them. */
    readonly sharedAttempts?: SharedAttempts;
    /** Limits the requests of a user; undefined: unlimited. */
    readonly requestRate?: RateWindow;
    readonly now: () => number;
    readonly random: (bytes: number) => Uint8Array;
    readonly sha256: (text: string) => Uint8Array;
    readonly hmacSha1: HmacSha1;
    /** Address or network used as the key of rate limits. */
    readonly clientOf: (request: FastifyRequest) => string;
    /** Full client address. */
    readonly addressOf: (request: FastifyRequest) => string;
    /** Public base URL without a trailing slash. */
    readonly publicUrl: () => string;
    /** Resolves a DDNS name; undefined if it has no address that may be linked. */
    readonly addressBehind: (name: string) => Promise<string | undefined>;
    readonly linkPrivateAddress: LinkPrivateAddress;
    /** The addresses on which clients of the local network reach plain DNS. */
    readonly dnsAddresses: () => readonly { readonly address: string; readonly port: number }[];
    readonly networkClients: NetworkClientDeps;
    /** Signs an Apple configuration profile; present if the operator has configured a certificate. */
    readonly signProfile?: (xml: string) => Promise<Uint8Array>;
  };

type NetworkClientDeps = {
  /** `unavailable` without DNS in this process. */
  readonly discovery: 'on' | 'off' | 'unavailable';
  /** Stores the clients up to now, at most once a second. */
  readonly refresh: () => Promise<void>;
  /** The vendor of a network interface by its MAC address. */
  readonly vendorOf: (mac: string) => string | undefined;
};

export type SafetyKind = 'dangerous domains' | 'adult' | 'newly registered' | 'typosquatting' | 'homoglyph';

/** Path, size and time of the backup. */
type MadeBackup = { readonly file: string; readonly bytes: number; readonly at: number };

export type SystemState = {
  readonly version: string;
  /** The check for a newer version; undefined if it is not configured. `problem`: why the last one failed. */
  readonly update: { readonly version?: string; readonly checkedAt?: number; readonly problem?: string } | undefined;
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
  /** The certificate that is requested from an authority; undefined if none is. Times are epoch milliseconds. */
  readonly acme:
    | {
        readonly domains: readonly string[];
        readonly directory: string;
        readonly challenge: string;
        readonly certificate: 'none' | 'valid';
        readonly lastAttemptAt: number | undefined;
        readonly nextAttemptAt: number;
        readonly lastError:
          | {
              readonly at: number;
              readonly text: string;
              readonly domain?: string;
              readonly advice?: { readonly remedy: string; readonly text: string; readonly records: readonly string[] };
            }
          | undefined;
      }
    | undefined;
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
  /** Lists of the operator and of the catalogue. */
  readonly lists: readonly ListHealth[];
  readonly customLists: number;
  readonly cache: { readonly entries: number; readonly bytes: number };
  readonly udp: Readonly<Record<string, number>>;
  readonly certificateEndsAt: number | undefined;
  readonly certificates: readonly {
    readonly domains: readonly string[];
    readonly issuer: string;
    readonly keyType: string;
    readonly startsAt: number;
    readonly expiresAt: number;
    readonly isSelfSigned: boolean;
    /** Undefined if the certificate has no OCSP responder. */
    readonly ocsp:
      | {
          readonly status: 'stapled' | 'missing' | 'revoked';
          readonly isRequired: boolean;
          readonly endsAt: number | undefined;
          readonly nextAttemptAt: number | undefined;
          readonly problem: string | undefined;
        }
      | undefined;
  }[];
};

/** Whether a line of rules has an effect; columns of an error are UTF-16 units from 0, end exclusive. */
export type RuleStatus =
  | { readonly kind: 'rule' }
  | { readonly kind: 'comment or blank' }
  | {
      readonly kind: 'invalid' | 'ignored';
      readonly reason: string;
      readonly start: number;
      readonly end: number;
    };

type SkippedRules = { readonly decisions: number; readonly rules: number; readonly lastAt: number };

type ExplainedVerdict = {
  readonly kind: 'pass' | 'allow' | 'block' | 'rewrite';
  readonly source?: string;
  readonly list?: string;
  readonly rule?: string;
  readonly rewrite?:
    | { readonly kind: 'cname'; readonly target: string }
    | { readonly kind: 'code'; readonly code: string }
    | { readonly kind: 'records'; readonly type: string; readonly values: readonly string[] };
};

type ExplainedRule = {
  readonly source: string;
  readonly list: string;
  readonly text: string;
  readonly outcome: string;
  readonly why: string;
};

type DescribedClient = {
  readonly address?: string | undefined;
  readonly mac?: string | undefined;
  readonly host_name?: string | undefined;
};

type ClientMatch = { readonly kind: string; readonly value: string; readonly device: string | undefined };

/** Record types and response codes are already text. */
export type Explained = {
  /** The described client; undefined if none was described. */
  readonly client:
    | {
        readonly device: string | undefined;
        readonly dnsServer: string | undefined;
        readonly by: ClientMatch | undefined;
        readonly others: readonly ClientMatch[];
      }
    | undefined;
  readonly filtering: 'full' | 'parental paused' | 'paused' | 'off';
  readonly localNames: readonly {
    readonly kind: 'record' | 'alias' | 'loop' | 'forward';
    readonly name: string;
    readonly searchedName?: string;
    readonly answer: readonly string[];
    readonly upstreams: readonly string[];
  }[];
  readonly dns64: string | undefined;
  readonly verdict: ExplainedVerdict;
  readonly target:
    | {
        readonly name: string;
        readonly kind: TargetKind;
        readonly answer: readonly string[];
        readonly upstreams: readonly string[];
      }
    | undefined;
  readonly answer: {
    readonly filtered: boolean;
    readonly why: string;
    readonly lists: readonly {
      readonly source: string;
      readonly list: string;
      readonly mayHaveAddressRules: boolean;
    }[];
    readonly locationRules: readonly Pick<ExplainedRule, 'source' | 'list' | 'text'>[];
    readonly verdict: ExplainedVerdict;
    readonly parts: readonly {
      readonly value: string;
      readonly verdict: ExplainedVerdict;
      readonly rules: readonly ExplainedRule[];
    }[];
  };
  readonly rules: readonly ExplainedRule[];
  readonly skipped: number;
  readonly missing: readonly string[];
};

type DnsSettings = {
  readonly hosts: DnsHosts & { readonly deviceDomain: string };
  /** /96 network of the per-device IPv6 addresses; undefined disables them. */
  readonly deviceNetwork: string | undefined;
  /** Pool of dedicated IPv4 addresses. */
  readonly dedicatedPool: readonly string[];
};

/** Password hashing, off the main thread. Rejects with `TooBusy` if too many wait. */
type Passwords = {
  /** `from` is the client address; networks are served in turn. */
  hash(password: string, from: string): Promise<string>;
  verify(password: string, hash: string, from: string): Promise<'right' | 'right, but weakly hashed' | 'wrong'>;
  /** False if a call would reject with TooBusy. */
  hasRoom(from: string): boolean;
  /** Reserves queue slots for the network of a client that has signed in. */
  noteSignedIn(from: string): void;
  /** Verified if the user does not exist, so that the timing is the same. */
  readonly dummyHash: string;
};

type OAuth = {
  readonly clients: readonly OAuthClient[];
  /** Sign-in and consent page. */
  readonly signInPage: string;
};

/** An OAuth client registered by the operator. */
type OAuthClient = { readonly id: string; readonly redirectUris: readonly string[] };
