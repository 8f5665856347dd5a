import type { Result } from '../kit/result.ts';
import type { Account, Role, User } from './account.ts';
import type { AuditEntry } from './audit.ts';
import type { ClientIdentifier, DeviceIdentifier } from './client-identifiers.ts';
import type { ClientNetwork } from './client-networks.ts';
import type { ClusterNode, NodeStatus } from './cluster-node.ts';
import type { AccessToken, ApiKey, ReplacedRefreshToken, UserSession } from './credentials.ts';
import type { CustomList } from './custom-list.ts';
import type { Device } from './device.ts';
import type { DedicatedAddress } from './device-rules.ts';
import type { LimitKind } from './domain-error.ts';
import type { ForwardRule } from './forward-rules.ts';
import type { AccountId, DeviceId, KeyId, ProfileId, UserId } from './ids.ts';
import type { Invitation } from './invitation.ts';
import type { LocalRecord } from './local-records.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { NetworkClient } from './network-client.ts';
import type { OneTimeToken } from './one-time-token.ts';
import type { Passkey } from './passkey.ts';
import type { Profile } from './profile.ts';
import type { SharedListReads, SharedListWrites } from './shared-list.ts';
import type { Conflict } from './store-error.ts';
import type { StoredReply } from './stored-reply.ts';

// Resources of an account are read and written with its id, so that no query reaches those of another account. Exceptions are documented.

/** The current user of an API key or token, so that a revoked role takes effect with the next request. */
export type Bearer = {
  readonly account: AccountId;
  readonly user: UserId;
  readonly email: string;
  readonly role: Role;
  readonly isSuspended: boolean;
};

export type KeyBearer = Bearer & { readonly key: KeyId; readonly keyName: string };
export type TokenBearer = Bearer & {
  readonly session: string;
  readonly expiresAt: number;
  readonly lastUsedAt: number;
};
export type SessionBearer = Bearer & { readonly session: UserSession };
export type ReplacedBearer = SessionBearer & { readonly replaced: ReplacedRefreshToken };
export type OpenSession = UserSession & { readonly expiresAt: number | undefined };

export type ListPage = {
  /** The last item of the previous page; the next page starts after it, even if items were added or removed meanwhile. */
  readonly after?: { readonly createdAt: number; readonly id: string } | undefined;
  /** Case-insensitive substring of the name or id. */
  readonly search?: string | undefined;
  readonly limit: number;
};

export type AuditPage = { readonly before?: Pick<AuditEntry, 'at' | 'id'> | undefined; readonly limit: number };
export type NewAccount = { readonly account: Account; readonly owner: User; readonly profile: Profile };
/** The number of limited resources that an account has. */
export type Counts = Readonly<Record<Exclude<LimitKind, 'requests'>, number>>;
/** An address of the operator's pool that is allocated to one account. */
export type AllocatedAddress = DedicatedAddress & { readonly account: AccountId };
type OfProfile = { readonly profile?: ProfileId | undefined };
type Added = Promise<Result<void, Conflict>>;

/** Each call reads the data that is committed at that moment. */
export type StoreReader = {
  readonly accounts: {
    find(account: AccountId): Promise<Account | undefined>;
    /** Sorted by id, starting after the given one. */
    list(page?: { after?: string; limit?: number }): Promise<readonly Account[]>;
    count(): Promise<number>;
    /** Deleted accounts, of which only the audit entry of the deletion remains. */
    deleted(): Promise<readonly AccountId[]>;
    counts(account: AccountId): Promise<Counts>;
  };
  readonly users: {
    /** Unscoped, for signing in. */
    byEmail(email: string): Promise<User | undefined>;
    /** A user as a member of this account, with the role there. */
    find(account: AccountId, id: UserId): Promise<User | undefined>;
    /** Unscoped: the accounts of a user, that in which the user was created first. */
    accounts(id: UserId): Promise<readonly AccountId[]>;
    members(account: AccountId): Promise<readonly User[]>;
  };
  /** Of a user in all accounts. */
  readonly passkeys: {
    /** Unscoped, for signing in. */
    byCredential(credential: string): Promise<Passkey | undefined>;
    /** Oldest first. */
    list(user: UserId): Promise<readonly Passkey[]>;
  };
  readonly keys: {
    byHash(hash: string): Promise<KeyBearer | undefined>;
    list(account: AccountId): Promise<readonly ApiKey[]>;
  };
  readonly tokens: {
    /** Undefined for an expired token. */
    accessByHash(hash: string, now: number): Promise<TokenBearer | undefined>;
    sessionByRefreshHash(hash: string): Promise<SessionBearer | undefined>;
    sessionByReplacedHash(hash: string): Promise<ReplacedBearer | undefined>;
    /** Newest first, with the expiry of the last access token of each session. */
    sessions(account: AccountId, user: UserId): Promise<readonly OpenSession[]>;
  };
  readonly invitations: {
    byHash(hash: string, now: number): Promise<Invitation | undefined>;
    list(account: AccountId): Promise<readonly Invitation[]>;
  };
  readonly oneTimeTokens: {
    /** Reads the token without consuming it. */
    peek(kind: string, hash: string, now: number): Promise<{ readonly content: unknown } | undefined>;
  };
  readonly throttles: { get(id: string): Promise<LoginThrottle | undefined> };
  readonly profiles: {
    find(account: AccountId, id: ProfileId): Promise<Profile | undefined>;
    default(account: AccountId): Promise<Profile | undefined>;
    /** Oldest first. */
    list(account: AccountId): Promise<readonly Profile[]>;
    /** Newest first. */
    page(account: AccountId, page: ListPage): Promise<readonly Profile[]>;
  };
  readonly devices: {
    find(account: AccountId, id: DeviceId): Promise<Device | undefined>;
    /** Case-insensitive. */
    findByHumanId(account: AccountId, profile: ProfileId, humanId: string): Promise<Device | undefined>;
    /** Unscoped: the caller must check the link token of the device. */
    findUnscoped(id: DeviceId): Promise<Device | undefined>;
    /** The device with this linked address, of any account. In a transaction, the address is locked until the end. */
    linkedTo(ip: string): Promise<Pick<Device, 'id' | 'account'> | undefined>;
    /** Devices of all accounts with a dynamic DNS name, sorted by id. */
    withNames(page: { readonly after: string; readonly limit: number }): Promise<readonly Device[]>;
    /** Oldest first. */
    list(account: AccountId, of?: OfProfile): Promise<readonly Device[]>;
    /** Newest first. */
    page(account: AccountId, page: ListPage & OfProfile): Promise<readonly Device[]>;
    count(account: AccountId): Promise<number>;
  };
  readonly dedicated: {
    list(account: AccountId): Promise<readonly AllocatedAddress[]>;
    ofDevice(account: AccountId, device: DeviceId): Promise<readonly string[]>;
  };
  readonly customLists: {
    /** Oldest first. */
    list(account: AccountId): Promise<readonly CustomList[]>;
    find(account: AccountId, id: string): Promise<CustomList | undefined>;
  };
  readonly clientNetworks: {
    /** Sorted by network. */
    list(account: AccountId): Promise<readonly ClientNetwork[]>;
  };
  readonly localRecords: {
    /** Sorted by name. */
    list(account: AccountId): Promise<readonly LocalRecord[]>;
  };
  readonly forwardRules: {
    /** Sorted by domain. */
    list(account: AccountId): Promise<readonly ForwardRule[]>;
  };
  readonly deviceIdentifiers: {
    /** Sorted by value. */
    list(account: AccountId): Promise<readonly DeviceIdentifier[]>;
    ofDevice(account: AccountId, device: DeviceId): Promise<readonly ClientIdentifier[]>;
    /** Unscoped: the devices of any account that have one of these values. */
    holders(values: readonly string[]): Promise<readonly (DeviceIdentifier & { readonly account: AccountId })[]>;
  };
  readonly networkClients: {
    /** The most recently seen first. */
    list(account: AccountId): Promise<readonly NetworkClient[]>;
    find(account: AccountId, id: string): Promise<NetworkClient | undefined>;
  };
  readonly storedReplies: {
    /** Undefined if it was stored before this time. In a transaction the account is locked, so that a parallel request waits. */
    find(account: AccountId, id: string, since: number): Promise<StoredReply | undefined>;
  };
  readonly operators: {
    /** The user recorded for a value of the setting `operator`. The user may have been deleted since. */
    find(setting: string): Promise<UserId | undefined>;
  };
  readonly nodes: {
    byHash(hash: string): Promise<ClusterNode | undefined>;
    /** Sorted by name. */
    list(): Promise<readonly ClusterNode[]>;
  };
  /** Batches of query records of other nodes. */
  readonly receivedBatches: {
    has(id: string): Promise<boolean>;
  };
  readonly sharedLists: SharedListReads;
  readonly audit: {
    /** Newest first. */
    list(account: AccountId, page: AuditPage): Promise<readonly AuditEntry[]>;
  };
};

/** A secret of all nodes, as text. `period` rises with every replacement. */
export type SharedSecret = { readonly value: string; readonly period: number };

type Writes = {
  readonly accounts: {
    /** With its owner and its default profile. The owner of the first account is recorded as the operator. */
    create(account: NewAccount): Added;
    update(account: Account): Promise<boolean>;
    /** Deletes everything that belongs to the account, including its audit. One audit entry with the id of the account remains. */
    remove(account: AccountId, by: Pick<AuditEntry, 'id' | 'at' | 'by'>): Promise<boolean>;
  };
  readonly users: {
    add(user: User): Added;
    /** Makes a user of another account a member of this one. */
    join(member: Pick<User, 'account' | 'id' | 'role' | 'createdAt'>): Added;
    /** Updates the role in `user.account`, and all other properties in all accounts. */
    update(user: User): Promise<boolean>;
    /** With all keys and tokens of this account. A user without another account is deleted. */
    remove(account: AccountId, id: UserId): Promise<boolean>;
  };
  readonly passkeys: {
    /** Fails if the credential is registered. */
    add(passkey: Passkey): Added;
    rename(user: UserId, id: string, name: string): Promise<boolean>;
    /** Stores counter and time of a sign-in. False if it was removed, or another sign-in has changed the counter. */
    use(passkey: Passkey, counter: number, at: number): Promise<boolean>;
    remove(user: UserId, id: string): Promise<boolean>;
  };
  readonly keys: { add(key: ApiKey): Added; remove(account: AccountId, id: KeyId): Promise<boolean> };
  readonly tokens: {
    addSession(session: UserSession): Added;
    /** False if a concurrent request has replaced the token. From the first rotation on, the session rotates. */
    rotate(account: AccountId, session: string, token: ReplacedRefreshToken): Promise<boolean>;
    /** Counts as a use of the session. */
    addAccess(token: AccessToken, now: number): Added;
    /** With its access tokens. */
    removeSession(account: AccountId, id: string): Promise<boolean>;
    /** In all accounts of this member. */
    removeOfUser(account: AccountId, user: UserId): Promise<void>;
    /** Deletes expired access tokens, unused refresh tokens, and sessions of pages last used before the given times. */
    expire(now: number, usedBefore: { readonly pages: number; readonly persistent: number }): Promise<void>;
  };
  readonly invitations: {
    add(invitation: Invitation): Added;
    /** False if it did not exist; only one of two concurrent removals succeeds. */
    remove(account: AccountId, id: string): Promise<boolean>;
  };
  readonly oneTimeTokens: {
    put(oneTimeToken: OneTimeToken): Promise<void>;
    /** Consumes the token: only one of two concurrent calls succeeds. */
    take(kind: string, hash: string, now: number): Promise<{ readonly content: unknown } | undefined>;
    expire(now: number): Promise<void>;
    readonly setUp: {
      /** Invalidates the previous one. */
      put(hash: string, expiresAt: number): Promise<void>;
      take(hash: string, now: number): Promise<boolean>;
    };
  };
  readonly throttles: {
    put(id: string, throttle: LoginThrottle): Promise<void>;
    remove(id: string): Promise<void>;
    /** Deletes those whose last failure was before this time. */
    expire(before: number): Promise<void>;
  };
  readonly profiles: {
    add(profile: Profile): Added;
    update(profile: Profile): Promise<boolean>;
    /** Moves its devices and networks to the default profile, deletes its records and forwarding rules. The default profile is never removed. */
    remove(account: AccountId, id: ProfileId): Promise<boolean>;
    /** A removed profile with its id, and with those of the devices and networks that the default profile has. */
    restore(
      profile: Profile,
      moved: { readonly devices: readonly DeviceId[]; readonly networks: readonly string[] },
    ): Added;
  };
  readonly devices: {
    add(device: Device): Added;
    /** A removed device with its ids, which are not given to other devices. */
    restore(device: Device): Added;
    /** False if the device does not exist. */
    update(device: Device): Promise<Result<boolean, Conflict>>;
    /** Its dedicated addresses stay with the account. */
    remove(account: AccountId, id: DeviceId): Promise<boolean>;
  };
  readonly dedicated: {
    /** The first free address of the pool; undefined if all are allocated. */
    allocate(account: AccountId, pool: readonly string[], now: number): Promise<AllocatedAddress | undefined>;
    /** False if the address is not the account's or not free. The device must be the account's. */
    link(account: AccountId, ip: string, device: DeviceId): Promise<boolean>;
    unlink(account: AccountId, ip: string, device: DeviceId): Promise<boolean>;
    /** Returns the address to the pool. False if it is not the account's, or linked to a device. */
    release(account: AccountId, ip: string): Promise<boolean>;
  };
  readonly customLists: {
    add(list: CustomList): Added;
    update(list: CustomList): Promise<boolean>;
    remove(account: AccountId, id: string): Promise<boolean>;
  };
  readonly clientNetworks: {
    /** Fails if another account has one of the networks. */
    replace(account: AccountId, networks: readonly ClientNetwork[]): Promise<Result<void, Conflict>>;
  };
  readonly localRecords: {
    /** Records of this account with new ids. */
    add(account: AccountId, records: readonly LocalRecord[]): Promise<void>;
    update(record: LocalRecord): Promise<boolean>;
    remove(account: AccountId, id: string): Promise<boolean>;
  };
  readonly forwardRules: {
    add(rule: ForwardRule): Promise<void>;
    update(rule: ForwardRule): Promise<boolean>;
    remove(account: AccountId, id: string): Promise<boolean>;
  };
  readonly deviceIdentifiers: {
    /** Fails if another device has one of the identifiers. */
    replace(
      account: AccountId,
      device: DeviceId,
      identifiers: readonly ClientIdentifier[],
    ): Promise<Result<void, Conflict>>;
  };
  readonly networkClients: {
    /** Adds or replaces them. Listeners are not notified. */
    put(clients: readonly NetworkClient[]): Promise<void>;
    /** Returns the number of removed clients. */
    remove(account: AccountId, ids: readonly string[]): Promise<number>;
    /** Deletes clients of all accounts that were last seen before this time. */
    expire(before: number): Promise<void>;
  };
  readonly storedReplies: {
    /** Replaces an expired one. Deletes the oldest of the account above the limit. */
    put(reply: StoredReply): Promise<void>;
    /** Deletes replies of all accounts that were stored before this time. */
    expire(before: number): Promise<void>;
  };
  readonly operators: {
    /** Replaces an earlier record for the same setting. */
    record(setting: string, user: UserId, now: number): Promise<void>;
  };
  readonly nodes: {
    /** Fails if another node has the name. */
    add(node: Omit<ClusterNode, 'status'>): Added;
    report(id: string, status: NodeStatus): Promise<void>;
    remove(id: string): Promise<boolean>;
  };
  readonly receivedBatches: {
    /** Deletes those that were stored before `since`. */
    add(id: string, when: { readonly at: number; readonly since: number }): Promise<void>;
  };
  readonly sharedSecrets: {
    /** Stores the secret unless another node has stored one; returns the stored one. */
    ensure(name: string, secret: SharedSecret): Promise<SharedSecret>;
    /** Replaces a secret of an earlier period. */
    advance(name: string, secret: SharedSecret): Promise<void>;
  };
  readonly sharedLists: SharedListWrites;
  readonly audit: {
    /** Entries of the same millisecond get different times, so that they are read in the order in which they were written. */
    add(entry: AuditEntry): Promise<void>;
  };
};

/** Reads and writes of one transaction, which are committed together or not at all. */
export type Transaction = {
  readonly [Part in keyof Writes]: Writes[Part] & (Part extends keyof StoreReader ? StoreReader[Part] : unknown);
};

export type TransactionOptions = {
  /** Rejects with `not applied` if a listener has not applied the committed change within its timeout. */
  readonly mustApply?: boolean;
};

/**
 * Commits the writes of `work`, or rolls them back if it throws. Until the end, no other transaction changes an account that it has read.
 * `work` must only await the store, must not begin another transaction, and may be run again.
 */
export type InTransaction = <T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions) => Promise<T>;

/** `all`: the changed accounts are not known. */
export type ChangedAccounts = ReadonlySet<AccountId> | 'all';

/** Called after each commit, also of other processes. */
export type ChangeListener = (changed: ChangedAccounts) => Promise<void> | void;

/** Everything that the resolver needs of an account. */
export type AccountSnapshot = {
  readonly account: Account;
  readonly profiles: readonly Profile[];
  readonly devices: readonly Device[];
  readonly dedicated: readonly AllocatedAddress[];
  readonly customLists: readonly CustomList[];
  readonly networks: readonly ClientNetwork[];
  readonly localRecords: readonly LocalRecord[];
  readonly forwardRules: readonly ForwardRule[];
  readonly identifiers: readonly DeviceIdentifier[];
};
