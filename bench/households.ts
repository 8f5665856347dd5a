import { createHash, randomBytes } from 'node:crypto';
import type { User } from '../src/domain/account.ts';
import { newAccount } from '../src/domain/account-rules.ts';
import { ACCESS_TOKEN_SECONDS, type UserSession } from '../src/domain/credentials.ts';
import type { Device } from '../src/domain/device.ts';
import { newDevice, RANDOM_BYTES_OF_DEVICE } from '../src/domain/device-rules.ts';
import { type AccountId, type DeviceId, type KeyId, type ProfileId, shortId, type UserId } from '../src/domain/ids.ts';
import type { Profile } from '../src/domain/profile.ts';
import { firstProfile } from '../src/domain/profile-rules.ts';
import type { Transaction } from '../src/domain/repositories.ts';
import { hintOf } from '../src/domain/secret-text.ts';
import { issue, newId } from '../src/operations/new-secrets.ts';
import { openStore } from '../src/store/store.ts';

export const DEVICES = 10;
const ACCOUNTS_AT_ONCE = 500;

/** An account with its API key and access token. */
export type Household = {
  readonly account: AccountId;
  readonly devices: readonly Device[];
  readonly bearer: string;
  readonly key: string;
};

const chance = {
  random: (bytes: number): Uint8Array => randomBytes(bytes),
  sha256: (text: string): Uint8Array => createHash('sha256').update(text).digest(),
};

// Multiplies by an odd number, because random 32-bit ids would collide among 100,000.
let drawn = 0;
const nextShortId = (): string => {
  const bytes = Buffer.alloc(4);
  drawn += 1;
  bytes.writeUInt32BE(Math.imul(drawn, 0x9e3779b1) >>> 0);
  return shortId(bytes);
};

/** Creates accounts with ten devices each, an API key and an access token. */
export async function fillStore(folder: string, accounts: number): Promise<readonly Household[]> {
  const now = Date.now();
  const store = await openStore({ folder });
  const households: Household[] = [];
  while (households.length < accounts) {
    const count = Math.min(ACCOUNTS_AT_ONCE, accounts - households.length);
    const made = await store.inTransaction(async (tx) => {
      const these: Household[] = [];
      for (let one = 0; one < count; one++) these.push(await addHousehold(tx, now));
      return these;
    });
    households.push(...made);
  }
  await store.close();
  return households;
}

/** Adds devices to the account of a user until it has `count`. */
export async function addDevices(folder: string, email: string, count: number): Promise<void> {
  const store = await openStore({ folder });
  const user = await store.read.users.byEmail(email);
  if (!user) throw new Error(`no user ${email}`);
  const { length } = await store.read.devices.list(user.account);
  const [profile] = await store.read.profiles.list(user.account);
  await store.inTransaction(async (tx) => {
    for (let number = length; number < count; number++)
      await addDevice(tx, user.account, profile!.id, number, Date.now());
  });
  await store.close();
}

async function addHousehold(tx: Transaction, now: number): Promise<Household> {
  const account = newId(chance) as AccountId;
  const owner: User = {
    id: newId(chance) as UserId,
    account,
    email: `${account.toLowerCase()}@example.org`,
    role: 'owner',
    // Not used, because clients have a token.
    passwordHash: 'none',
    totpSecret: undefined,
    totpLastStep: undefined,
    recoveryCodeHashes: [],
    emailIsClaimed: false,
    createdAt: now,
  };
  const profile = await addAccount(tx, account, owner, now);
  const devices: Device[] = [];
  for (let number = 0; number < DEVICES; number++) devices.push(await addDevice(tx, account, profile.id, number, now));
  return { account, devices, bearer: await addToken(tx, owner, now), key: await addKey(tx, owner, now) };
}

/** Retries with other ids, because the random address suffix of a device may be taken. */
async function addAccount(tx: Transaction, id: AccountId, owner: User, now: number): Promise<Profile> {
  const account = newAccount(id, 'default', 'UTC', now);
  for (;;) {
    const profile = firstProfile({ id: nextShortId() as ProfileId, account: id, now });
    if ((await tx.accounts.create({ account, owner, profile })).ok) return profile;
  }
}

async function addDevice(tx: Transaction, account: AccountId, profile: ProfileId, number: number, now: number) {
  const room = { used: 0, limit: 1, profiles: { has: () => true } };
  const wanted = { name: `Device ${number}`, type: 'LINUX', profile } as const;
  // The address suffix is random: among a million devices some equal the id of another one.
  for (;;) {
    const id = nextShortId() as DeviceId;
    const birth = { id, account, random: randomBytes(RANDOM_BYTES_OF_DEVICE), now: now + number };
    const device = newDevice(room, wanted, birth);
    if (!device.ok) throw new Error(`no device: ${JSON.stringify(device.error)}`);
    if ((await tx.devices.add(device.value)).ok) return device.value;
  }
}

async function addToken(tx: Transaction, { account, id: user }: User, now: number): Promise<string> {
  const refreshHash = issue(chance, 'refresh token').hash;
  const session: UserSession = {
    id: newId(chance),
    account,
    user,
    refreshHash,
    createdAt: now,
    lastUsedAt: now,
    rotates: false,
    userAgent: undefined,
    address: undefined,
  };
  mustBeAdded(await tx.tokens.addSession(session));
  const { secret, hash } = issue(chance, 'access token');
  mustBeAdded(
    await tx.tokens.addAccess(
      {
        hash: hash,
        session: session.id,
        account: session.account,
        user: session.user,
        expiresAt: now + ACCESS_TOKEN_SECONDS * 1000,
      },
      now,
    ),
  );
  return `Bearer ${secret}`;
}

async function addKey(tx: Transaction, { account, id: user }: User, now: number): Promise<string> {
  const { secret, hash } = issue(chance, 'api key');
  const hint = hintOf('api key', secret);
  const id = newId(chance) as KeyId;
  const key = { id, account, user, name: 'bench', hash, hint, createdAt: now, lastUsedAt: undefined };
  mustBeAdded(await tx.keys.add(key));
  return `ApiKey ${secret}`;
}

function mustBeAdded(added: { readonly ok: boolean }): void {
  if (!added.ok) throw new Error('something made at random was there already');
}
