import { storedSettings } from '../domain/default-settings.ts';
import type { AccountId, DeviceId, ProfileId } from '../domain/ids.ts';
import type { Profile, ProfileSettings } from '../domain/profile.ts';
import type { ListPage } from '../domain/repositories.ts';
import type { Conflict } from '../domain/store-error.ts';
import { err, type Result } from '../kit/result.ts';
import { prepared } from './database.ts';
import { newestFirst } from './list-page.ts';
import { bit, conflictUnless, folded } from './rows.ts';
import { isNewShortId } from './short-ids.ts';
import type { ProfileRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

const byId = prepared<{ account: AccountId; id: ProfileId }>()((db, $) =>
  db.selectFrom('profiles').selectAll().where('account', '=', $.account).where('id', '=', $.id),
);

const theDefault = prepared<{ account: AccountId }>()((db, $) =>
  db.selectFrom('profiles').selectAll().where('account', '=', $.account).where('is_default', '=', 1),
);

const ofAccount = prepared<{ account: AccountId }>()((db, $) =>
  db.selectFrom('profiles').selectAll().where('account', '=', $.account).orderBy('created_at').orderBy('id'),
);

export const profileReads = (session: Session) => ({
  async find(account: AccountId, id: ProfileId): Promise<Profile | undefined> {
    const row = await session.first(byId, { account, id });
    return row && toProfile(row);
  },

  async default(account: AccountId): Promise<Profile | undefined> {
    const row = await session.first(theDefault, { account });
    return row && toProfile(row);
  },

  /** Oldest first. */
  async list(account: AccountId): Promise<readonly Profile[]> {
    return (await session.all(ofAccount, { account })).map(toProfile);
  },

  /** Newest first. */
  async page(account: AccountId, page: ListPage): Promise<readonly Profile[]> {
    const query = session.db.selectFrom('profiles').selectAll().where('account', '=', account).$call(newestFirst(page));
    return (await session.ask(account, query)).map(toProfile);
  },
});

const defaultIdOf = (session: Session, account: AccountId) =>
  session.db.selectFrom('profiles').select('id').where('account', '=', account).where('is_default', '=', 1);

const insert = async (session: Session, profile: Profile): Promise<Result<void, Conflict>> =>
  conflictUnless(await session.change(profile.account, session.db.insertInto('profiles').values(toRow(profile))), 'id');

/** Below the number of parameters that SQLite allows. */
const IDS_AT_ONCE = 500;

export const profileWrites = (session: Session) => ({
  async add(profile: Profile): Promise<Result<void, Conflict>> {
    return (await isNewShortId(session, profile.id)) ? insert(session, profile) : err({ kind: 'conflict', what: 'id' });
  },

  /** A removed profile with its id, and with those of the devices and networks that the default profile has. */
  async restore(
    profile: Profile,
    { devices, networks }: { readonly devices: readonly DeviceId[]; readonly networks: readonly string[] },
  ): Promise<Result<void, Conflict>> {
    const { account, id } = profile;
    const theDefault = defaultIdOf(session, account);
    const added = await insert(session, profile);
    if (!added.ok) return added;
    for (let at = 0; at < devices.length; at += IDS_AT_ONCE) {
      const move = session.db.updateTable('devices').set({ profile: id }).where('account', '=', account);
      const some = move.where('id', 'in', devices.slice(at, at + IDS_AT_ONCE));
      await session.change(account, some.where('profile', '=', theDefault));
    }
    for (let at = 0; at < networks.length; at += IDS_AT_ONCE) {
      const move = session.db.updateTable('client_networks').set({ profile: id }).where('account', '=', account);
      const some = move.where('network', 'in', networks.slice(at, at + IDS_AT_ONCE));
      await session.change(account, some.where('profile', '=', theDefault));
    }
    return added;
  },

  async update(profile: Profile): Promise<boolean> {
    const { id, account, is_default: _, ...columns } = toRow(profile);
    const update = session.db.updateTable('profiles').set(columns).where('account', '=', account).where('id', '=', id);
    return (await session.change(profile.account, update)) > 0;
  },

  /** Moves its devices and networks to the default profile, which is never removed; deletes its records and forwarding rules. */
  async remove(account: AccountId, id: ProfileId): Promise<boolean> {
    const theDefault = defaultIdOf(session, account);
    const move = session.db.updateTable('devices').set({ profile: theDefault });
    await session.change(account, move.where('account', '=', account).where('profile', '=', id));
    const moveNetworks = session.db.updateTable('client_networks').set({ profile: theDefault });
    await session.change(account, moveNetworks.where('account', '=', account).where('profile', '=', id));
    for (const table of ['local_records', 'forward_rules'] as const)
      await session.change(
        account,
        session.db
          .deleteFrom(table)
          .where('account', '=', account)
          .where('profile', '=', id)
          .where('profile', '!=', theDefault),
      );
    const remove = session.db.deleteFrom('profiles').where('account', '=', account).where('id', '=', id);
    return (await session.change(account, remove.where('is_default', '=', 0))) > 0;
  },
});

const toRow = ({ id, account, name, isDefault, settings, createdAt }: Profile): ProfileRow => ({
  id,
  account,
  name,
  name_folded: folded(name),
  is_default: bit(isDefault),
  settings: JSON.stringify(settings),
  // Separate columns, so that usage is known without reading the settings.
  user_rules: settings.userRules.rules.length,
  access_rules: settings.access.blockedClients.length + settings.access.blockedDomainRules.length,
  created_at: createdAt,
});

const toProfile = (row: ProfileRow): Profile => ({
  id: row.id as ProfileId,
  account: row.account as AccountId,
  name: row.name,
  isDefault: row.is_default === 1,
  settings: storedSettings(JSON.parse(row.settings) as ProfileSettings),
  createdAt: row.created_at,
});
