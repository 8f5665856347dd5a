import type { Account, User } from '../domain/account.ts';
import { parseEmail } from '../domain/account-rules.ts';
import { type LimitKind, limitKinds } from '../domain/domain-error.ts';
import type { AccountId } from '../domain/ids.ts';
import { isTimeZone } from '../domain/local-time.ts';
import { nameRequirements, parseName } from '../domain/name.ts';
import { passwordError, passwordForHashing } from '../domain/password-rules.ts';
import type { StoreReader, Transaction } from '../domain/repositories.ts';
import { auditEntry } from './audit-entry.ts';
import { createAccount } from './create-account.ts';
import { createApiKey } from './create-api-key.ts';
import type { Clock, Random, Sha256, Transactions } from './deps.ts';
import { newId } from './new-secrets.ts';
import { retryOnIdCollision } from './retry-on-id-collision.ts';
import { transact } from './transact.ts';

const BY = 'operator';

type AccountsDeps = Clock &
  Random &
  Sha256 & {
    readonly store: Transactions['store'] & { readonly read: StoreReader };
    /** `from` is the client that the work is attributed to. */
    readonly hashPassword: (password: string, from: string) => Promise<string>;
  };

/** The operator's changes to accounts, made on the command line. Invalid input is an Error with a message for the operator. */
export function accountAdministration(deps: AccountsDeps) {
  const { store, now } = deps;

  const hashed = async (password: string, email: string): Promise<string> => {
    const why = passwordError(password, email);
    if (why !== undefined) throw new Error(`the password ${why}`);
    return deps.hashPassword(passwordForHashing(password), BY);
  };

  const audit = (tx: Transaction, account: AccountId, action: string, subject?: string): Promise<void> =>
    tx.audit.add(auditEntry(deps, { account, by: BY, from: undefined }, { action, subject }));

  return {
    async create({
      email: emailText,
      password,
      plan = 'default',
      timeZone = 'UTC',
    }: NewAccount): Promise<{ id: string; email: string }> {
      const email = parseEmail(emailText);
      if (email === undefined) throw new Error(`"${emailText}" is not an e-mail address`);
      if (!isTimeZone(timeZone)) throw new Error(`"${timeZone}" is not a time zone such as Europe/Berlin`);
      const passwordHash = await hashed(password, email);
      const request = { email, passwordHash, plan, timeZone };
      const created = await retryOnIdCollision(() =>
        transact(store, (tx) => createAccount(tx, deps, request, { by: BY, from: undefined, subject: email })),
      );
      if (!created.ok) throw new Error(`an account with the address ${email} already exists`);
      return { id: created.value.account, email };
    },

    async list(): Promise<readonly ListedAccount[]> {
      const listed: ListedAccount[] = [];
      for (const account of await allAccounts(store.read)) {
        const members = await store.read.users.members(account.id);
        const { devices, dnsServers } = await store.read.accounts.counts(account.id);
        listed.push({ ...account, emails: members.map(({ email, role }) => ({ email, role })), devices, dnsServers });
      }
      return listed;
    },

    /** On request also removes the second factor and the passkeys of a user who has lost them. */
    async changePassword(email: string, password: string, withoutSecondFactor: boolean): Promise<void> {
      const user = await findUser(store.read, email);
      const passwordHash = await hashed(password, user.email);
      await store.inTransaction(async (tx) => {
        const factor = withoutSecondFactor ? { totpSecret: undefined, recoveryCodeHashes: [] } : {};
        await tx.users.update({ ...user, ...factor, passwordHash });
        if (withoutSecondFactor)
          for (const { id } of await tx.passkeys.list(user.id)) await tx.passkeys.remove(user.id, id);
        // Sessions may have been opened with the old password.
        await tx.tokens.removeOfUser(user.account, user.id);
        await audit(tx, user.account, 'password.update', user.email);
      });
    },

    async createKey(email: string, nameText: string): Promise<{ id: string; key: string }> {
      const name = parseName(nameText);
      if (!name) throw new Error(`the name of a key must be ${nameRequirements}`);
      const user = await findUser(store.read, email);
      const created = await store.inTransaction(async (tx) => {
        const result = await createApiKey(tx, deps, user, name);
        const author = { account: user.account, by: BY, from: undefined };
        if (result.ok) await tx.audit.add(auditEntry(deps, author, result.value.audit));
        return result;
      });
      if (!created.ok) throw new Error('the key could not be created: try again');
      return { id: created.value.key.id, key: created.value.secret };
    },

    /** Limits that override the plan; `undefined` removes an override. */
    async setLimits(email: string, limits: Readonly<Partial<Record<LimitKind, number | undefined>>>): Promise<Account> {
      const user = await findUser(store.read, email);
      return store.inTransaction(async (tx) => {
        const account = (await tx.accounts.find(user.account))!;
        const entries = Object.entries({ ...account.limitOverrides, ...limits }).filter(
          ([, limit]) => limit !== undefined,
        );
        const next: Account = { ...account, limitOverrides: Object.fromEntries(entries) };
        await tx.accounts.update(next);
        await audit(tx, account.id, 'account.limits');
        return next;
      });
    },

    /** Makes the user the operator, if the setting `operator` is `first` or the address of the user. */
    async setOperator(email: string): Promise<{ id: string; email: string }> {
      const user = await findUser(store.read, email);
      if (user.role !== 'owner')
        throw new Error(`${user.email} is not an owner of its account; only owners can be operators`);
      await store.inTransaction(async (tx) => {
        for (const setting of ['first', user.email]) await tx.operators.record(setting, user.id, now());
        await audit(tx, user.account, 'account.operator', user.email);
      });
      return { id: user.id, email: user.email };
    },

    /** Deletes the account from the store; the caller deletes its files. */
    async remove(email: string): Promise<AccountId> {
      const { account } = await findUser(store.read, email);
      await store.inTransaction((tx) => tx.accounts.remove(account, { id: newId(deps), at: now(), by: BY }));
      return account;
    },
  };
}

export { limitKinds };

type NewAccount = {
  readonly email: string;
  readonly password: string;
  readonly plan?: string;
  readonly timeZone?: string;
};

type ListedAccount = Account & {
  readonly emails: readonly Pick<User, 'email' | 'role'>[];
  readonly devices: number;
  readonly dnsServers: number;
};

async function findUser(read: StoreReader, email: string): Promise<User> {
  const user = await read.users.byEmail(email.trim().toLowerCase());
  if (!user) throw new Error(`no user has the address ${email}`);
  return user;
}

async function allAccounts(read: StoreReader): Promise<readonly Account[]> {
  const all: Account[] = [];
  for (;;) {
    const last = all.at(-1);
    const more = await read.accounts.list(last ? { after: last.id } : {});
    if (more.length === 0) return all;
    all.push(...more);
  }
}
