import type { RuleTable } from '../policy/table-from-rules.ts';
import type { KnownDevice, KnownProfile } from './directory.ts';

/*
 * Clients that the resolver thread sends to UDP threads. They are outdated when a counter in shared memory has increased: the one of
 * their account, or the one of all accounts.
 */
const VERSION_SLOTS = 4096;

export const createConfigVersions = (): SharedArrayBuffer => new SharedArrayBuffer(VERSION_SLOTS * 4);

/** Counter of changes that may affect the identification of any client, such as a new linked address. */
export const GLOBAL = 0;

/** Counter of an account. Accounts may share a counter, which only causes additional lookups. */
export function versionSlot(account: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < account.length; i++) hash = Math.imul(hash ^ account.charCodeAt(i), 0x01000193);
  return 1 + ((hash >>> 0) % (VERSION_SLOTS - 1));
}

/** Tables built from the rules of one profile before a query needs them. */
export type ProfileTables = {
  readonly userRules: RuleTable | undefined;
  readonly accessRules: RuleTable | undefined;
};

/** A known client as it is sent to another thread. */
export type KnownClientUpdate = {
  readonly kind: 'known';
  readonly clientId: number;
  readonly accountSlot: number;
  readonly identity: KnownDevice | KnownProfile;
  /** Settings version; a thread reuses policies compiled for the same version. */
  readonly profileVersion: number;
  readonly ruleTables: ProfileTables;
  /** Memory of a `NameFilter`. */
  readonly localNames: SharedArrayBuffer | undefined;
};

/** Data from which every thread creates its `Client`. */
export type ClientFacts = Pick<KnownClientUpdate, 'clientId' | 'accountSlot' | 'identity' | 'localNames'>;

/** Result of identifying a client, with the versions that it is valid for. */
export type VersionedClient = {
  readonly result: { readonly kind: 'unknown' } | { readonly kind: 'drop' } | KnownClientUpdate;
  readonly slot: number;
};

/** Lets a UDP thread answer this client itself. */
export type ClientUpdate = VersionedClient & {
  readonly kind: 'client update';
  readonly client: Uint8Array;
  readonly local: Uint8Array;
  /** Device id of the EDNS option; empty without one. */
  readonly device: Uint8Array;
  /** MAC address of the EDNS option; empty if it is missing or not trusted. */
  readonly mac: Uint8Array;
  readonly version: number;
  readonly globalVersion: number;
};

/** A number that query records use for a client. */
export type ClientId = {
  readonly clientId: number;
  readonly account: string;
  readonly dnsServer: string;
  readonly device: string | undefined;
  readonly ipLog: boolean;
};
