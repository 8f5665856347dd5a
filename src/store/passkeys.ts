import type { UserId } from '../domain/ids.ts';
import type { Passkey } from '../domain/passkey.ts';
import type { Conflict } from '../domain/store-error.ts';
import type { Result } from '../kit/result.ts';
import { prepared } from './database.ts';
import { conflictUnless } from './rows.ts';
import type { PasskeyRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

// Passkeys belong to a user, who may have several accounts: their rows are deleted with the row in `users`.

const byCredential = prepared<{ credential: string }>()((db, $) =>
  db.selectFrom('passkeys').selectAll().where('credential', '=', $.credential),
);

const ofUser = prepared<{ user: UserId }>()((db, $) =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', $.user).orderBy('created_at').orderBy('id'),
);

export const passkeyReads = (session: Session) => ({
  /** Unscoped, for signing in. */
  async byCredential(credential: string): Promise<Passkey | undefined> {
    const row = await session.first(byCredential, { credential });
    return row && toPasskey(row);
  },

  /** Oldest first. */
  list: async (user: UserId): Promise<readonly Passkey[]> => (await session.all(ofUser, { user })).map(toPasskey),
});

export const passkeyWrites = (session: Session) => ({
  async add(passkey: Passkey): Promise<Result<void, Conflict>> {
    const insert = session.db
      .insertInto('passkeys')
      .values(toRow(passkey))
      .onConflict((on) => on.doNothing());
    return conflictUnless(await session.change('unscoped', insert), 'id');
  },

  async rename(user: UserId, id: string, name: string): Promise<boolean> {
    const update = session.db.updateTable('passkeys').set({ name }).where('user_id', '=', user).where('id', '=', id);
    return (await session.change('unscoped', update)) > 0;
  },

  /** False if it was removed, or another sign-in has used this counter. */
  async use({ id, counter: before }: Passkey, counter: number, at: number): Promise<boolean> {
    const update = session.db.updateTable('passkeys').set({ counter, last_used_at: at }).where('id', '=', id);
    return (await session.change('unscoped', update.where('counter', '=', before))) > 0;
  },

  async remove(user: UserId, id: string): Promise<boolean> {
    const remove = session.db.deleteFrom('passkeys').where('user_id', '=', user).where('id', '=', id);
    return (await session.change('unscoped', remove)) > 0;
  },
});

const toRow = (passkey: Passkey): PasskeyRow => ({
  id: passkey.id,
  user_id: passkey.user,
  name: passkey.name,
  credential: passkey.credential,
  public_key: passkey.publicKey,
  counter: passkey.counter,
  transports: JSON.stringify(passkey.transports),
  rp_id: passkey.rpId,
  created_at: passkey.createdAt,
  last_used_at: passkey.lastUsedAt ?? null,
});

const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  user: row.user_id as UserId,
  name: row.name,
  credential: row.credential,
  publicKey: row.public_key,
  counter: row.counter,
  transports: JSON.parse(row.transports) as readonly string[],
  rpId: row.rp_id,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
});
