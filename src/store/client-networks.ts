import type { ClientNetwork } from '../domain/client-networks.ts';
import type { AccountId, ProfileId } from '../domain/ids.ts';
import type { Conflict } from '../domain/store-error.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { ClientNetworkRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

export const clientNetworkReads = (session: Session) => ({
  async list(account: AccountId): Promise<readonly ClientNetwork[]> {
    const query = session.db.selectFrom('client_networks').selectAll().where('account', '=', account);
    return (await session.ask(account, query.orderBy('network'))).map(toClientNetwork);
  },
});

export const clientNetworkWrites = (session: Session) => ({
  async replace(account: AccountId, networks: readonly ClientNetwork[]): Promise<Result<void, Conflict>> {
    const names = networks.map(({ network }) => network);
    const taken = session.db.selectFrom('client_networks').select('network').where('account', '!=', account);
    if (names.length > 0 && (await session.ask('unscoped', taken.where('network', 'in', names))).length > 0)
      return err({ kind: 'conflict', what: 'address' });
    await session.change(account, session.db.deleteFrom('client_networks').where('account', '=', account));
    for (const { network, profile } of networks) {
      const insert = session.db
        .insertInto('client_networks')
        .values({ network, account, profile })
        .onConflict((on) => on.doNothing());
      if ((await session.change(account, insert)) === 0) return err({ kind: 'conflict', what: 'address' });
    }
    return ok(undefined);
  },
});

export const toClientNetwork = ({ network, account, profile }: ClientNetworkRow) => ({
  network,
  account: account as AccountId,
  profile: profile as ProfileId,
});
