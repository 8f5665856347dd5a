import type { MessagePort } from 'node:worker_threads';
import type { HumanId } from '../domain/human-id.ts';
import type { AccountId } from '../domain/ids.ts';
import type { SafetyKind } from '../filter-lists/list-request.ts';
import type { LiveTable } from '../filter-lists/managed-list.ts';
import type { DirectoryAccount, KnownDevice, KnownProfile, PendingLink } from '../resolver/identity/directory.ts';
import type { RuleTable } from '../resolver/policy/table-from-rules.ts';
import type { SkippedRules } from './skipped-rules.ts';

/** Memory that all answering threads share. */
type SharedMemory = {
  readonly cache: SharedArrayBuffer;
  /** How often accounts have changed, by `epochSlot`; the first counts changes that may concern anybody. */
  readonly epochs: SharedArrayBuffer;
  /** Seconds of a clock that only goes forward, kept by the dns thread. */
  readonly clock: SharedArrayBuffer;
  readonly limit: SharedArrayBuffer;
};

/** What every answering thread is started with. */
export type AnsweringSetup = {
  readonly memory: SharedMemory;
  /** Where it notes what it answered. */
  readonly ring: SharedArrayBuffer;
  /** 8 bytes: fingerprints of names. */
  readonly secret: Uint8Array;
  /** 16 bytes: cookies. */
  readonly cookieSecret: Uint8Array;
  readonly productName: string;
  readonly queriesPerTenSeconds: number;
  /** Networks without limits on queries, handshakes and wrong ids. */
  readonly unlimitedClients: readonly string[];
  readonly privateAnswers: 'refuse' | 'allow';
  readonly privateDomains: readonly string[];
  readonly tellsSubnet: boolean;
  readonly geoDatabases: readonly string[];
  /** Of the catalogue: which domains a service has. */
  readonly services: readonly (readonly [id: string, domains: readonly string[]])[];
};

/** A list as threads get it: under a number that records know it by. */
export type NumberedTable = LiveTable & { readonly number: number; readonly safety: SafetyKind | undefined };

/** To every answering thread: these are the tables now. */
type TablesMessage = { readonly kind: 'tables'; readonly tables: readonly NumberedTable[] };

export type ToDns =
  | TablesMessage
  | {
      readonly kind: 'accounts';
      readonly accounts: readonly DirectoryAccount[];
      readonly removed: readonly string[];
      /** By the id of the profile, for those whose rules take long to be made into tables. */
      readonly ruleTables: ReadonlyMap<string, ProfileTables>;
    }
  /** Resolves to where it listens; plain DNS over UDP only where no threads do that. */
  | { readonly kind: 'listen'; readonly on: Listener; readonly host: string; readonly port: number }
  | { readonly kind: 'unlisten'; readonly on: Listener }
  /** A udp thread is there; the ports are handed over. */
  | { readonly kind: 'udp thread'; readonly link: UdpLink }
  /** The thread that keeps records is another, and knows nothing yet. */
  | { readonly kind: 'naming'; readonly naming: MessagePort }
  | { readonly kind: 'status' }
  /** Resolves to a `QueryExplanation`; to nothing when there is no such profile, or no such device of it. */
  | {
      readonly kind: 'explain';
      readonly dnsServer: string;
      readonly device: string | undefined;
      readonly name: Uint8Array;
      readonly type: number;
    }
  | { readonly kind: 'stop' };

/** Tables that were built from the rules of one profile before any query needs them. */
export type ProfileTables = {
  readonly userRules: RuleTable | undefined;
  readonly accessRules: RuleTable | undefined;
};

export type UdpLink = {
  readonly mail: SharedArrayBuffer;
  readonly mailbox: MessagePort;
  readonly misses: MessagePort;
};

export type Listener = 'udp' | 'tcp' | 'dot' | 'doh';
export type Place = { readonly host: string; readonly port: number };

/** What the dns thread asks main for. */
export type FromDns =
  /** To make a device that has named itself; when it is there, the directory has been told of it. */
  | { readonly kind: 'make device'; readonly account: AccountId; readonly humanId: HumanId }
  /** To link the pending address of a device, which a query came from; resolves when the directory knows. */
  | ({ readonly kind: 'prove address' } & PendingLink);

/** From every answering thread to main. */
export type SkippedMessage = { readonly kind: 'skipped'; readonly skipped: readonly SkippedRules[] };

export type Told = { readonly kind: 'told'; readonly problem: string; readonly error: string | undefined };

/** Whom a udp thread is told of, so that it can answer him itself from then on. */
export type Lesson = {
  readonly kind: 'lesson';
  readonly client: Uint8Array;
  readonly local: Uint8Array;
  /** Of the EDNS option; empty where there is none. */
  readonly device: Uint8Array;
  readonly stands: { readonly kind: 'stranger' } | { readonly kind: 'drop' } | KnownLesson;
  readonly slot: number;
  readonly epoch: number;
  readonly everybodysEpoch: number;
};

export type KnownLesson = {
  readonly kind: 'known';
  readonly who: number;
  readonly owner: number;
  readonly known: KnownDevice | KnownProfile;
  /** The same for the same settings: what was made of them need not be made again. */
  readonly profileVersion: number;
  readonly ruleTables: ProfileTables;
};

export type ToUdp = TablesMessage | Lesson | { readonly kind: 'stop' };

/** To the thread that keeps records: who and what the numbers in them are. */
export type Naming =
  | {
      readonly kind: 'who';
      readonly who: number;
      readonly account: string;
      readonly dnsServer: string;
      readonly device: string | undefined;
      readonly ipLog: boolean;
    }
  /** Whether records of an account are kept; what it was answered before that time and waits is not. */
  | { readonly kind: 'logging'; readonly account: string; readonly isKept: boolean; readonly time: number }
  /** To one that takes the place of another: now it knows what that one knew. */
  | { readonly kind: 'all told' }
  /** All that are in use from now on. */
  | { readonly kind: 'lists'; readonly lists: readonly NamedList[] };

/** With what it takes to say what stands in a slot of it. */
export type NamedList = Pick<NumberedTable, 'number' | 'id' | 'buffer' | 'lines'> & { readonly secret: Uint8Array };

const EPOCHS = 4096;

export const createEpochs = (): SharedArrayBuffer => new SharedArrayBuffer(EPOCHS * 4);
export const EVERYBODY = 0;

/** Where an account's changes are counted. Accounts that share a place forget each other's answers, which costs little. */
export function epochSlot(account: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < account.length; i++) hash = Math.imul(hash ^ account.charCodeAt(i), 0x01000193);
  return 1 + ((hash >>> 0) % (EPOCHS - 1));
}
