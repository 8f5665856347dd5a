import type { Session } from './transaction-session.ts';

/** Claims an id for a profile or a device. One that was ever used is not free again, whoever had it. */
export async function isNewShortId(session: Session, id: string): Promise<boolean> {
  const insert = session.db
    .insertInto('short_ids')
    .values({ id })
    .onConflict((on) => on.doNothing());
  return (await session.change('unscoped', insert)) > 0;
}
