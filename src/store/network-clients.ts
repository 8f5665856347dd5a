import type { AccountId, DeviceId, ProfileId } from '../domain/ids.ts';
import type { ClientAddress, HostNames, HourCount, NetworkClient } from '../domain/network-client.ts';
import { prepared } from './database.ts';
import type { NetworkClientRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

const byId = prepared<{ account: AccountId; id: string }>()((db, $) =>
  db.selectFrom('network_clients').selectAll().where('account', '=', $.account).where('id', '=', $.id),
);

export const networkClientReads = (session: Session) => ({
  /** The most recently seen first. */
  async list(account: AccountId): Promise<readonly NetworkClient[]> {
    const query = session.db.selectFrom('network_clients').selectAll().where('account', '=', account);
    return (await session.ask(account, query.orderBy('last_seen', 'desc').orderBy('id'))).map(toNetworkClient);
  },

  async find(account: AccountId, id: string): Promise<NetworkClient | undefined> {
    const row = await session.first(byId, { account, id });
    return row && toNetworkClient(row);
  },
});

// Unscoped: clients are no settings, so that the resolver needs no update when they change.
export const networkClientWrites = (session: Session) => ({
  /** Adds or replaces clients. */
  async put(clients: readonly NetworkClient[]): Promise<void> {
    for (const client of clients) {
      const { id, account, ...content } = toRow(client);
      const insert = session.db
        .insertInto('network_clients')
        .values({ id, account, ...content })
        .onConflict((on) => on.column('id').doUpdateSet(content).where('network_clients.account', '=', account));
      await session.change('unscoped', insert);
    }
  },

  async remove(account: AccountId, ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const query = session.db.deleteFrom('network_clients').where('account', '=', account).where('id', 'in', ids);
    return session.change('unscoped', query);
  },

  /** Deletes clients of all accounts that were last seen before this time. */
  async expire(before: number): Promise<void> {
    await session.change('unscoped', session.db.deleteFrom('network_clients').where('last_seen', '<', before));
  },
});

const toRow = (client: NetworkClient): NetworkClientRow => ({
  id: client.id,
  account: client.account,
  mac: client.mac ?? null,
  addresses: JSON.stringify(client.addresses),
  names: JSON.stringify(client.names),
  profile: client.profile ?? null,
  device: client.device ?? null,
  first_seen: client.firstSeen,
  last_seen: client.lastSeen,
  queries: client.queries,
  hours: JSON.stringify(client.hours),
});

const toNetworkClient = (row: NetworkClientRow): NetworkClient => ({
  id: row.id,
  account: row.account as AccountId,
  mac: row.mac ?? undefined,
  addresses: JSON.parse(row.addresses) as ClientAddress[],
  names: JSON.parse(row.names) as HostNames,
  profile: (row.profile ?? undefined) as ProfileId | undefined,
  device: (row.device ?? undefined) as DeviceId | undefined,
  firstSeen: row.first_seen,
  lastSeen: row.last_seen,
  queries: row.queries,
  hours: JSON.parse(row.hours) as HourCount[],
});
