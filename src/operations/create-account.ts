import type { User } from '../domain/account.ts';
import { newAccount } from '../domain/account-rules.ts';
import { type AccountId, type ProfileId, shortId, type UserId } from '../domain/ids.ts';
import { firstProfile } from '../domain/profile-rules.ts';
import type { Transaction } from '../domain/repositories.ts';
import type { Conflict } from '../domain/store-error.ts';
import { ok, type Result } from '../kit/result.ts';
import { auditEntry } from './audit-entry.ts';
import type { Clock, Random } from './deps.ts';
import { newId } from './new-secrets.ts';

const RANDOM_BYTES_OF_PROFILE_ID = 4;

export type AccountRequest = {
  readonly email: string;
  readonly passwordHash: string;
  readonly plan: string;
  readonly timeZone: string;
};

/** The author in the audit and the subject of its entry; defaults to the new account itself. */
type AuditedAs = { readonly by: string; readonly from: string | undefined; readonly subject?: string };

/** In a transaction: an account with its owner and its default DNS server. */
export async function createAccount(
  tx: Transaction,
  deps: Clock & Random,
  { email, passwordHash, plan, timeZone }: AccountRequest,
  { by, from, subject }: AuditedAs,
): Promise<Result<User, Conflict>> {
  const now = deps.now();
  const id = newId(deps) as AccountId;
  const owner = newUser(deps, { account: id, email, role: 'owner', passwordHash });
  const profile = firstProfile({
    id: shortId(deps.random(RANDOM_BYTES_OF_PROFILE_ID)) as ProfileId,
    account: id,
    now,
  });
  const created = await tx.accounts.create({ account: newAccount(id, plan, timeZone, now), owner, profile });
  if (!created.ok) return created;
  const note = { action: 'account.create', subject: subject ?? id };
  await tx.audit.add(auditEntry(deps, { account: id, by, from }, note));
  return ok(owner);
}

/** A user without a second factor. */
export const newUser = (
  deps: Clock & Random,
  {
    account,
    email,
    role,
    passwordHash,
    emailIsClaimed = false,
  }: Pick<User, 'account' | 'email' | 'role' | 'passwordHash'> & Partial<Pick<User, 'emailIsClaimed'>>,
): User => ({
  id: newId(deps) as UserId,
  account,
  email,
  emailIsClaimed,
  role,
  passwordHash,
  totpSecret: undefined,
  totpLastStep: undefined,
  recoveryCodeHashes: [],
  createdAt: deps.now(),
});
