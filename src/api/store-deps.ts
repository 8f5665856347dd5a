import type { Account, Role, User } from '../domain/account.ts';
import type { AuditEntry } from '../domain/audit.ts';
import type { AccessToken, ApiKey, ReplacedRefreshToken, TokenFamily } from '../domain/credentials.ts';
import type { CustomList } from '../domain/custom-list.ts';
import type { Device } from '../domain/device.ts';
import type { DedicatedAddress } from '../domain/device-rules.ts';
import type { LimitKind } from '../domain/domain-error.ts';
import type { AccountId, DeviceId, KeyId, ProfileId, UserId } from '../domain/ids.ts';
import type { Invitation } from '../domain/invitation.ts';
import type { Brake } from '../domain/login-throttle.ts';
import type { Profile } from '../domain/profile.ts';
import type { Result } from '../kit/result.ts';

// What is needed of the store. Everything of an account is asked in its name: there is no other way to reach it.

/** There is one like it: an id drawn by chance is drawn again, an e-mail address is refused. */
export type Taken = { readonly kind: 'taken'; readonly what: 'id' | 'email' | 'hash' | 'address' };

export type Bearer = {
  readonly account: AccountId;
  readonly user: UserId;
  readonly email: string;
  readonly role: Role;
  readonly isSuspended: boolean;
};

export type ListPage = {
  readonly after?: { readonly createdAt: number; readonly id: string } | undefined;
  readonly search?: string | undefined;
  readonly limit: number;
};

type Counts = Readonly<Record<Exclude<LimitKind, 'requests'>, number>>;

export type Reading = {
  readonly accounts: {
    find(account: AccountId): Promise<Account | undefined>;
    count(): Promise<number>;
    counts(account: AccountId): Promise<Counts>;
  };
  readonly users: {
    byEmail(email: string): Promise<User | undefined>;
    find(account: AccountId, id: UserId): Promise<User | undefined>;
    members(account: AccountId): Promise<readonly User[]>;
  };
  readonly keys: {
    byHash(hash: string): Promise<(Bearer & { readonly key: KeyId; readonly keyName: string }) | undefined>;
    list(account: AccountId): Promise<readonly ApiKey[]>;
  };
  readonly tokens: {
    accessByHash(
      hash: string,
      now: number,
    ): Promise<
      (Bearer & { readonly family: string; readonly expiresAt: number; readonly lastUsedAt: number }) | undefined
    >;
    familyByRefreshHash(hash: string): Promise<(Bearer & { readonly family: TokenFamily }) | undefined>;
    familyByReplacedHash(
      hash: string,
    ): Promise<(Bearer & { readonly family: TokenFamily; readonly replaced: ReplacedRefreshToken }) | undefined>;
    families(
      account: AccountId,
      user: UserId,
    ): Promise<readonly (TokenFamily & { readonly expiresAt: number | undefined })[]>;
  };
  readonly invitations: {
    byHash(hash: string, now: number): Promise<Invitation | undefined>;
    list(account: AccountId): Promise<readonly Invitation[]>;
  };
  readonly tickets: {
    peek(kind: string, hash: string, now: number): Promise<{ readonly content: unknown } | undefined>;
  };
  readonly brakes: { get(id: string): Promise<Brake | undefined> };
  readonly profiles: {
    find(account: AccountId, id: ProfileId): Promise<Profile | undefined>;
    list(account: AccountId): Promise<readonly Profile[]>;
    page(account: AccountId, page: ListPage): Promise<readonly Profile[]>;
  };
  readonly devices: {
    find(account: AccountId, id: DeviceId): Promise<Device | undefined>;
    /** Whoever asks must have proved that he may know of it. */
    ofAnyone(id: DeviceId): Promise<Device | undefined>;
    /** Whose device has this address. */
    linkedTo(ip: string): Promise<Pick<Device, 'id' | 'account'> | undefined>;
    list(account: AccountId, of?: { readonly profile?: ProfileId | undefined }): Promise<readonly Device[]>;
    page(account: AccountId, page: ListPage & { readonly profile?: ProfileId | undefined }): Promise<readonly Device[]>;
  };
  readonly dedicated: {
    list(account: AccountId): Promise<readonly DedicatedAddress[]>;
    ofDevice(account: AccountId, device: DeviceId): Promise<readonly string[]>;
  };
  readonly customLists: {
    list(account: AccountId): Promise<readonly CustomList[]>;
    find(account: AccountId, id: string): Promise<CustomList | undefined>;
  };
  readonly operators: { find(setting: string): Promise<UserId | undefined> };
  readonly audit: {
    list(
      account: AccountId,
      page: { readonly before?: Pick<AuditEntry, 'at' | 'id'> | undefined; readonly limit: number },
    ): Promise<readonly AuditEntry[]>;
  };
};

type Added = Promise<Result<void, Taken>>;

type Changes = {
  readonly accounts: {
    create(whole: { readonly account: Account; readonly owner: User; readonly profile: Profile }): Added;
    update(account: Account): Promise<boolean>;
  };
  readonly users: {
    add(user: User): Added;
    update(user: User): Promise<boolean>;
    remove(account: AccountId, id: UserId): Promise<boolean>;
  };
  readonly keys: { add(key: ApiKey): Added; remove(account: AccountId, id: KeyId): Promise<boolean> };
  readonly tokens: {
    addFamily(family: TokenFamily): Added;
    rotate(account: AccountId, family: string, token: ReplacedRefreshToken): Promise<boolean>;
    addAccess(token: AccessToken, now: number): Added;
    removeFamily(account: AccountId, id: string): Promise<boolean>;
    removeOfUser(account: AccountId, user: UserId): Promise<void>;
  };
  readonly invitations: {
    add(invitation: Invitation): Added;
    remove(account: AccountId, id: string): Promise<boolean>;
  };
  readonly tickets: {
    put(ticket: {
      readonly kind: string;
      readonly hash: string;
      readonly content: unknown;
      readonly expiresAt: number;
    }): Promise<void>;
    take(kind: string, hash: string, now: number): Promise<{ readonly content: unknown } | undefined>;
    readonly setUp: { take(hash: string, now: number): Promise<boolean> };
  };
  readonly brakes: {
    put(id: string, brake: Brake): Promise<void>;
    remove(id: string): Promise<void>;
  };
  readonly profiles: {
    add(profile: Profile): Added;
    update(profile: Profile): Promise<boolean>;
    remove(account: AccountId, id: ProfileId): Promise<boolean>;
  };
  readonly devices: {
    add(device: Device): Added;
    update(device: Device): Promise<Result<boolean, Taken>>;
    remove(account: AccountId, id: DeviceId): Promise<boolean>;
  };
  readonly dedicated: {
    allocate(account: AccountId, pool: readonly string[], now: number): Promise<DedicatedAddress | undefined>;
    link(account: AccountId, ip: string, device: DeviceId): Promise<boolean>;
    unlink(account: AccountId, ip: string, device: DeviceId): Promise<boolean>;
  };
  readonly customLists: {
    add(list: CustomList): Added;
    update(list: CustomList): Promise<boolean>;
    remove(account: AccountId, id: string): Promise<boolean>;
  };
  readonly operators: { record(setting: string, user: UserId, now: number): Promise<void> };
  readonly audit: { add(entry: AuditEntry): Promise<void> };
};

/** Everything that reads can do, and more: all of it happens, or nothing. */
export type Writing = { readonly [Part in keyof Changes]: Changes[Part] & PartOf<Part> };

type PartOf<Part> = Part extends keyof Reading ? Reading[Part] : unknown;
