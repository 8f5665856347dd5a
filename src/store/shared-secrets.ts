import type { SharedSecret } from '../domain/repositories.ts';
import type { Session } from './transaction-session.ts';

export const sharedSecretWrites = (session: Session) => ({
  /** Stores the secret unless another node has; returns the stored one. */
  async ensure(name: string, secret: SharedSecret): Promise<SharedSecret> {
    const insert = session.db.insertInto('shared_secrets').values({ name, ...secret });
    await session.change(
      'unscoped',
      insert.onConflict((on) => on.doNothing()),
    );
    const query = session.db.selectFrom('shared_secrets').select(['value', 'period']).where('name', '=', name);
    const [stored] = await session.ask('unscoped', query);
    return stored!;
  },
  /** Replaces a secret of an earlier period. */
  async advance(name: string, { value, period }: SharedSecret): Promise<void> {
    const update = session.db.updateTable('shared_secrets').set({ value, period });
    await session.change('unscoped', update.where('name', '=', name).where('period', '<', period));
  },
});
