import type { MessagePort } from 'node:worker_threads';
import type { HumanId } from '../domain/human-id.ts';
import type { AccountId } from '../domain/ids.ts';
import type { SafetyKind } from '../filter-lists/list-request.ts';
import type { LiveTable } from '../filter-lists/managed-list.ts';
import type { ForwardTargets } from '../resolver/forwarder/target.ts';
import type { AccountBlock } from '../resolver/identity/account-block.ts';
import type { ClientActivity } from '../resolver/identity/client-activity.ts';
import type { ClientUpdate, ProfileTables } from '../resolver/identity/client-updates.ts';
import type { PendingLink } from '../resolver/identity/directory.ts';
import type { KnownHost } from '../resolver/identity/host-table.ts';
import type { DescribedClient } from '../resolver/identity/identify.ts';
import type { RecordSource } from '../resolver/local-names/record-table.ts';
import type { ChallengeRecord } from '../resolver/pipeline/certificate-challenges.ts';
import type { Staple } from '../resolver/transport/staples.ts';
import type { UpstreamTexts } from '../resolver/upstream/upstream-settings.ts';
import type { ExplainedQuery } from './explain-query.ts';
import type { SkippedRules } from './skipped-rules.ts';

/** Memory that all answering threads share. */
type SharedMemory = {
  readonly cache: SharedArrayBuffer;
  /** Counters of account changes: see client-updates.ts. */
  readonly configVersions: SharedArrayBuffer;
  /** Monotonic seconds, written by the resolver thread. */
  readonly clock: SharedArrayBuffer;
  readonly limit: SharedArrayBuffer;
  /** Names in flight: see sent-names.ts. */
  readonly sentNames: SharedArrayBuffer;
  /** Questions in flight: see claims.ts. */
  readonly claims: SharedArrayBuffer;
  /** Questions that upstreams could not answer: see recent-failures.ts. */
  readonly failures: SharedArrayBuffer;
  /** Per UDP thread the descriptor that ends its wait for packets when written to; 0 before it exists. */
  readonly wakeFds: SharedArrayBuffer;
};

/** Start data of every thread that answers queries. */
export type AnsweringSetup = {
  readonly memory: SharedMemory;
  /** Ring buffer of query records. */
  readonly ring: SharedArrayBuffer;
  /** Counters of the responses of this thread. */
  readonly responseCounts: SharedArrayBuffer;
  /** 8 bytes, key of the name fingerprints. */
  readonly secret: Uint8Array;
  /** 16 bytes, key of the server cookies. */
  readonly cookieSecret: Uint8Array;
  readonly productName: string;
  readonly queriesPerTenSeconds: { readonly address: number; readonly network: number };
  /** Networks without limits on queries, handshakes and wrong ids. */
  readonly unlimitedClients: readonly string[];
  readonly privateAnswers: 'refuse' | 'allow';
  readonly privateDomains: readonly string[];
  /** Domains with a server of their own, which may have private addresses. */
  readonly forwardedDomains: readonly string[];
  readonly sendsClientSubnet: boolean;
  readonly geoDatabases: readonly string[];
  /** Zones delegated to this server for the challenges of certificate authorities. */
  readonly challengeZones: readonly string[];
  /** Domains of each service of the catalogue. */
  readonly services: readonly (readonly [id: string, domains: readonly string[]])[];
  readonly categories: readonly (readonly [id: string, domains: readonly string[]])[];
};

/** Settings of the operator that answering threads replace while they run. */
export type LiveSettings = Pick<
  AnsweringSetup,
  'queriesPerTenSeconds' | 'unlimitedClients' | 'privateAnswers' | 'privateDomains' | 'forwardedDomains'
>;

export type OperatorSettings = {
  readonly settings: LiveSettings;
  readonly upstreams: UpstreamTexts;
  readonly connections: ConnectionSettings;
};

/** Connections to each DNS port. */
export type ConnectionSettings = { readonly total: number; readonly perClient: number };

/** A list table with the number that query records use for it. */
export type NumberedTable = LiveTable & { readonly number: number; readonly safety: SafetyKind | undefined };

/** Replaces all tables of an answering thread. */
type TablesMessage = { readonly kind: 'tables'; readonly tables: readonly NumberedTable[] };

export type ToDns =
  | TablesMessage
  | {
      readonly kind: 'accounts';
      /** Each as JSON of a `DirectoryAccount`: to clone the objects takes several times as long. */
      readonly accounts: readonly string[];
      readonly removed: readonly string[];
      /** By profile id, for rules that take long to compile. */
      readonly ruleTables: ReadonlyMap<string, ProfileTables>;
    }
  | {
      readonly kind: 'account block';
      readonly block: AccountBlock;
      /** Accounts that are not replaced: their lines are outdated. */
      readonly skipped: ReadonlySet<string>;
    }
  /** Replaces settings of the operator; rejects if the upstreams are invalid, and then changes nothing. */
  | ({ readonly kind: 'settings' } & OperatorSettings)
  /** Replaces the hosts of the local network. */
  | { readonly kind: 'network hosts'; readonly hosts: readonly KnownHost[] }
  /** Resolves to the `ClientActivity` of the resolver thread; the UDP threads report theirs to the main thread. */
  | { readonly kind: 'client activity'; readonly round: number }
  /** Resolves to the bound address. UDP only if there are no UDP threads. */
  | { readonly kind: 'listen'; readonly on: Listener; readonly host: string; readonly port: number }
  | { readonly kind: 'unlisten'; readonly on: Listener }
  /** The HTTP server runs: it accepts streams (port-streams.ts) over this port, whose peer is an `Origin`. */
  | { readonly kind: 'web port'; readonly webPort: MessagePort }
  /** A UDP thread has started; the ports are transferred. */
  | { readonly kind: 'udp thread'; readonly link: UdpLink }
  /** Replaces the records of the operator's hosts file. */
  | { readonly kind: 'host records'; readonly records: readonly RecordSource[] }
  /** The ingest thread was replaced. */
  | { readonly kind: 'client id port'; readonly clientIdPort: MessagePort }
  /** Reads the certificate files again, if they have changed. */
  | { readonly kind: 'reload certificates' }
  /** Replaces the pending challenges of a certificate authority. */
  | ({ readonly kind: 'certificate challenges' } & CertificateChallenges)
  /** Replaces the OCSP responses that are stapled. */
  | { readonly kind: 'staples'; readonly staples: readonly Staple[] }
  | { readonly kind: 'status' }
  /** Resolves to a `QueryExplanation`, or undefined if the profile or its device does not exist. */
  | {
      readonly kind: 'explain';
      readonly account: AccountId;
      readonly dnsServer: string;
      readonly device: string | undefined;
      /** Without a device: the client that is to be identified. */
      readonly client: DescribedClient | undefined;
      readonly query: ExplainedQuery;
    }
  /** Resolves to the `LoadedFilters` of each DNS server that exists, by its id. */
  | { readonly kind: 'loaded filters'; readonly dnsServers: readonly string[] }
  | { readonly kind: 'stop' };

export type CertificateChallenges = {
  /** For DNS-01. */
  readonly records: readonly ChallengeRecord[];
  /** For TLS-ALPN-01, in PEM. */
  readonly certificates: readonly { readonly domain: string; readonly cert: string; readonly key: string }[];
};

/** The resolver thread's ends of the channels to a UDP thread. */
export type UdpLink = {
  /** Number of control messages ever sent. */
  readonly messageCount: SharedArrayBuffer;
  readonly controlPort: MessagePort;
  readonly forwardPort: MessagePort;
  /** Counters of its upstream queries: see forwarder/target.ts. */
  readonly forwardCounters: SharedArrayBuffer;
};

export type Listener = 'udp' | 'tcp' | 'dot' | 'doh';

/** Requests of the resolver thread to the main thread. */
export type FromDns =
  /** Creates a self-registering device; resolves when the directory has it. */
  | { readonly kind: 'make device'; readonly account: AccountId; readonly humanId: HumanId }
  /** Links the pending address of a device, from which a query came; resolves when the directory has it. */
  | ({ readonly kind: 'prove address' } & PendingLink);

/** From every answering thread to the main thread. */
export type SkippedMessage = { readonly kind: 'skipped'; readonly skipped: readonly SkippedRules[] };

/** From a UDP thread to the main thread, for `report activity`. */
export type ActivityMessage = {
  readonly kind: 'client activity';
  readonly round: number;
  readonly activity: readonly ClientActivity[];
};

export type ProblemMessage = { readonly kind: 'problem'; readonly problem: string; readonly error: string | undefined };

export type ToUdp =
  | TablesMessage
  | { readonly kind: 'settings'; readonly settings: LiveSettings }
  | ClientUpdate
  /** Memory of the `NameFilter` of the operator's hosts file. */
  | { readonly kind: 'host names'; readonly memory: SharedArrayBuffer | undefined }
  /** Upstreams that the thread may query itself, and the memory of a `NameFilter` of names that it may not send to them. */
  | { readonly kind: 'upstreams'; readonly targets: ForwardTargets; readonly localNames: SharedArrayBuffer }
  /** Replies to relayed queries, in the format of relay-messages.ts. */
  | { readonly kind: 'relayed'; readonly packed: Uint8Array }
  | { readonly kind: 'report activity'; readonly round: number }
  /** The rules of these accounts may have changed: their cached automata are dropped. */
  | { readonly kind: 'release rules'; readonly accounts: readonly string[] }
  | { readonly kind: 'stop' };
