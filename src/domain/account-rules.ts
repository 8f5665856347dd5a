import { err, ok, type Result } from '../kit/result.ts';
import { type Account, type Role, roles, type User } from './account.ts';
import type { DomainError } from './domain-error.ts';
import { isTimeZone } from './local-time.ts';
import { collectErrors, type FieldErrors, flag, type Read, refuse, section, wholeNumber } from './read-update.ts';

const MAX_RETENTION_DAYS = 365;

export type AccountUpdate = {
  readonly timeZone?: string | undefined;
  readonly logRetentionDays?: number | undefined;
  readonly logEnabled?: boolean | undefined;
};

/** A new account with default settings. */
export const newAccount = (id: Account['id'], plan: string, timeZone: string, now: number): Account => ({
  id,
  createdAt: now,
  plan,
  limitOverrides: {},
  timeZone,
  logRetentionDays: 30,
  logEnabled: true,
  isSuspended: false,
});

const timeZone: Read<string> = (requested, current, field, errors: FieldErrors) =>
  typeof requested === 'string' && isTimeZone(requested)
    ? requested
    : refuse(current, field, 'must be a time zone such as Europe/Berlin', errors);

const accountSettings = section<Required<Pick<Account, keyof AccountUpdate>>>({
  timeZone: ['time_zone', timeZone],
  logRetentionDays: ['log_retention_days', wholeNumber(1, MAX_RETENTION_DAYS)],
  logEnabled: ['log_enabled', flag],
});

export function updateAccount(account: Account, update: AccountUpdate): Result<Account, DomainError> {
  const errors = collectErrors();
  const { timeZone, logRetentionDays, logEnabled } = account;
  const next = accountSettings(update, { timeZone, logRetentionDays, logEnabled }, '', errors);
  return errors.found.length === 0 ? ok({ ...account, ...next }) : err({ kind: 'invalid', errors: errors.found });
}

/** Normalises an e-mail address: trimmed and in lower case. Does not verify that it exists. */
export function parseEmail(text: string): string | undefined {
  const email = text.trim().normalize('NFC').toLowerCase();
  const looksRight = /^[^\s@<>"(),:;\\[\]\p{Cc}]{1,64}@[^\s@<>"(),:;\\[\]\p{Cc}]{1,189}$/u.test(email);
  return looksRight && email.isWellFormed() ? email : undefined;
}

const rankOf = (role: Role): number => roles.length - roles.indexOf(role);

/** Members can be managed by members of the same or a higher role; the last owner cannot be removed. */
export function changeRole(by: User, member: User, role: Role, owners: number): Result<User, DomainError> {
  const allowed = mayManage(by, member, owners, role !== 'owner');
  if (!allowed.ok) return allowed;
  if (rankOf(role) > rankOf(by.role)) return err({ kind: 'forbidden', why: 'must not be higher than your own role' });
  return ok({ ...member, role });
}

export const removeMember = (by: User, member: User, owners: number): Result<User, DomainError> =>
  mayManage(by, member, owners, true);

function mayManage(by: User, member: User, owners: number, takesOwnership: boolean): Result<User, DomainError> {
  if (by.role === 'viewer' && by.id !== member.id)
    return err({ kind: 'forbidden', why: 'viewers cannot manage members' });
  if (rankOf(member.role) > rankOf(by.role))
    return err({ kind: 'forbidden', why: 'members with a higher role cannot be managed' });
  if (member.role === 'owner' && takesOwnership && owners <= 1)
    return err({ kind: 'forbidden', why: 'the account must have at least one owner' });
  return ok(member);
}
