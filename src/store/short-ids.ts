import type { Session } from './transaction-session.ts';

/** Claims an id for a profile or device. Used ids are never reused. */
export async function isNewShortId(session: Session, id: string): Promise<boolean> {
  const insert = session.db
    .insertInto('short_ids')
    .values({ id })
    .onConflict((on) => on.doNothing());
  return (await session.change('unscoped', insert)) > 0;
}
