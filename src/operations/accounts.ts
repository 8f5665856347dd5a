import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { issue, newId } from '../api/new-secrets.ts';
import { deleteAccountFiles } from '../app/delete-account-files.ts';
import { storeOptions } from '../app/store-options.ts';
import { snapshotPath } from '../dns-server/directory-snapshot.ts';
import type { Account, User } from '../domain/account.ts';
import { newAccount, parseEmail } from '../domain/account-rules.ts';
import { type LimitKind, limitKinds } from '../domain/domain-error.ts';
import { type AccountId, type KeyId, type ProfileId, shortId, type UserId } from '../domain/ids.ts';
import { isTimeZone } from '../domain/local-time.ts';
import { parseName, whatNamesAre } from '../domain/name.ts';
import { passwordForHashing, whyNoPassword } from '../domain/password-rules.ts';
import { firstProfile } from '../domain/profile-rules.ts';
import { hintOf } from '../domain/secret-text.ts';
import type { Settings } from '../settings/settings.ts';
import { openStore, type Store, type Transaction } from '../store/store.ts';
import { createPasswords } from './passwords.ts';

/** What an operator does to accounts, with the server running or not. A refusal is an Error in words. */
export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

const BY = 'operator';
const chance = {
  random: (bytes: number): Uint8Array => randomBytes(bytes),
  sha256: (text: string): Uint8Array => createHash('sha256').update(text).digest(),
};

export async function openAccounts(settings: Pick<Settings, 'data' | 'database'>, now: () => number) {
  const store = await openStore({ ...storeOptions(settings), besideServer: true });
  const passwords = createPasswords();

  const hashed = async (password: string, email: string): Promise<string> => {
    const why = whyNoPassword(password, email);
    if (why !== undefined) throw new Error(`the password ${why}`);
    return passwords.hash(passwordForHashing(password), BY);
  };

  const note = (tx: Transaction, account: AccountId, action: string, subject?: string): Promise<void> =>
    tx.audit.add({
      id: newId(chance),
      account,
      at: now(),
      by: BY,
      from: undefined,
      action,
      subject,
      before: undefined,
      after: undefined,
    });

  return {
    async create({
      email: given,
      password,
      plan = 'default',
      timeZone = 'UTC',
    }: NewAccount): Promise<{ id: string; email: string }> {
      const email = parseEmail(given);
      if (email === undefined) throw new Error(`"${given}" is not an e-mail address`);
      if (!isTimeZone(timeZone)) throw new Error(`"${timeZone}" is not a time zone such as Europe/Berlin`);
      const passwordHash = await hashed(password, email);
      const id = newId(chance) as AccountId;
      const made = await store.inTransaction(async (tx) => {
        const account = newAccount(id, plan, timeZone, now());
        const owner = newOwner(id, email, passwordHash, now());
        const profile = firstProfile({ id: shortId(chance.random(4)) as ProfileId, account: id, now: now() });
        const created = await tx.accounts.create({ account, owner, profile });
        if (created.ok) await note(tx, id, 'account.create', email);
        return created;
      });
      if (!made.ok) throw new Error(`there is an account of ${email} already`);
      return { id, email };
    },

    async list(): Promise<readonly Listed[]> {
      const listed: Listed[] = [];
      for (const account of await allAccounts(store)) {
        const members = await store.read.users.members(account.id);
        const { devices, dnsServers } = await store.read.accounts.counts(account.id);
        listed.push({ ...account, emails: members.map(({ email, role }) => ({ email, role })), devices, dnsServers });
      }
      return listed;
    },

    /** For those who have lost it, and perhaps the second factor, too. */
    async changePassword(email: string, password: string, withoutSecondFactor: boolean): Promise<void> {
      const user = await mustFind(store, email);
      const passwordHash = await hashed(password, user.email);
      await store.inTransaction(async (tx) => {
        const factor = withoutSecondFactor ? { totpSecret: undefined, recoveryCodeHashes: [] } : {};
        await tx.users.update({ ...user, ...factor, passwordHash });
        // Whoever knew the old one may have signed in with it.
        await tx.tokens.removeOfUser(user.account, user.id);
        await note(tx, user.account, 'password.update', user.email);
      });
    },

    async createKey(email: string, given: string): Promise<{ id: string; key: string }> {
      const name = parseName(given);
      if (!name) throw new Error(`the name of a key must be ${whatNamesAre}`);
      const user = await mustFind(store, email);
      const { secret, hash } = issue(chance, 'api key');
      const id = newId(chance) as KeyId;
      await store.inTransaction(async (tx) => {
        const { account, id: owner } = user;
        const key = {
          id,
          account,
          user: owner,
          name,
          hash,
          hint: hintOf('api key', secret),
          createdAt: now(),
          lastUsedAt: undefined,
        };
        await tx.keys.add(key);
        await note(tx, account, 'api_key.create', id);
      });
      return { id, key: secret };
    },

    /** Limits that an account has apart from its plan; `undefined` takes one back. */
    async setLimits(email: string, limits: Readonly<Partial<Record<LimitKind, number | undefined>>>): Promise<Account> {
      const user = await mustFind(store, email);
      return store.inTransaction(async (tx) => {
        const account = (await tx.accounts.find(user.account))!;
        const entries = Object.entries({ ...account.limitOverrides, ...limits }).filter(
          ([, limit]) => limit !== undefined,
        );
        const next: Account = { ...account, limitOverrides: Object.fromEntries(entries) };
        await tx.accounts.update(next);
        await note(tx, account.id, 'account.limits');
        return next;
      });
    },

    /** The user becomes the operator where the setting `operator` is `first` or the address of the user. */
    async setOperator(email: string): Promise<{ id: string; email: string }> {
      const user = await mustFind(store, email);
      if (user.role !== 'owner')
        throw new Error(`${user.email} is not an owner of its account; only owners can be operators`);
      await store.inTransaction(async (tx) => {
        for (const setting of ['first', user.email]) await tx.operators.record(setting, user.id, now());
        await note(tx, user.account, 'account.operator', user.email);
      });
      return { id: user.id, email: user.email };
    },

    async remove(email: string): Promise<void> {
      const { account } = await mustFind(store, email);
      await store.inTransaction((tx) => tx.accounts.remove(account, { id: newId(chance), at: now(), by: BY }));
      await store.erase();
      await deleteAccountFiles(settings, account);
      // Without accounts a snapshot that has some would mean that the settings are lost.
      if ((await store.read.accounts.count()) === 0) await rm(snapshotPath(settings.data), { force: true });
    },

    backup: (file: string): Promise<void> => store.backup(file, now()),
    restore: (file: string): Promise<void> => store.restore(file),
    close: (): Promise<void> => store.close(),
  };
}

export { limitKinds };

type NewAccount = {
  readonly email: string;
  readonly password: string;
  readonly plan?: string;
  readonly timeZone?: string;
};
export type Listed = Account & {
  readonly emails: readonly Pick<User, 'email' | 'role'>[];
  readonly devices: number;
  readonly dnsServers: number;
};

const newOwner = (account: AccountId, email: string, passwordHash: string, now: number): User => ({
  id: newId(chance) as UserId,
  account,
  email,
  emailIsClaimed: false,
  role: 'owner',
  passwordHash,
  totpSecret: undefined,
  totpLastStep: undefined,
  recoveryCodeHashes: [],
  createdAt: now,
});

async function mustFind(store: Store, email: string): Promise<User> {
  const user = await store.read.users.byEmail(email.trim().toLowerCase());
  if (!user) throw new Error(`nobody has an account with the address ${email}`);
  return user;
}

async function allAccounts(store: Store): Promise<readonly Account[]> {
  const all: Account[] = [];
  for (;;) {
    const last = all.at(-1);
    const more = await store.read.accounts.list(last ? { after: last.id } : {});
    if (more.length === 0) return all;
    all.push(...more);
  }
}
