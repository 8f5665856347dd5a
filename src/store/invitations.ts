import type { Role } from '../domain/account.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Invitation } from '../domain/invitation.ts';
import type { Conflict } from '../domain/store-error.ts';
import type { Result } from '../kit/result.ts';
import { prepared } from './database.ts';
import { conflictUnless, folded } from './rows.ts';
import type { InvitationRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

const byHash = prepared<{ hash: string; now: number }>()((db, $) =>
  db.selectFrom('invitations').selectAll().where('hash', '=', $.hash).where('expires_at', '>', $.now),
);

export const invitationReads = (session: Session) => ({
  async byHash(hash: string, now: number): Promise<Invitation | undefined> {
    const row = await session.first(byHash, { hash, now });
    return row && toInvitation(row);
  },

  async list(account: AccountId): Promise<readonly Invitation[]> {
    const query = session.db.selectFrom('invitations').selectAll().where('account', '=', account);
    return (await session.ask(account, query.orderBy('created_at').orderBy('id'))).map(toInvitation);
  },
});

export const invitationWrites = (session: Session) => ({
  async add(invitation: Invitation): Promise<Result<void, Conflict>> {
    const insert = session.db
      .insertInto('invitations')
      .values(toRow(invitation))
      .onConflict((on) => on.doNothing());
    return conflictUnless(await session.change(invitation.account, insert), 'hash');
  },

  /** False if it did not exist: of two concurrent calls one succeeds. */
  async remove(account: AccountId, id: string): Promise<boolean> {
    const remove = session.db.deleteFrom('invitations').where('account', '=', account).where('id', '=', id);
    return (await session.change(account, remove)) > 0;
  },
});

const toRow = (invitation: Invitation): InvitationRow => ({
  id: invitation.id,
  account: invitation.account,
  email: folded(invitation.email),
  role: invitation.role,
  hash: invitation.hash,
  invited_by: invitation.invitedBy,
  created_at: invitation.createdAt,
  expires_at: invitation.expiresAt,
});

const toInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  account: row.account as AccountId,
  email: row.email,
  role: row.role as Role,
  hash: row.hash,
  invitedBy: row.invited_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});
