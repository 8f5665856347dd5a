import { sql } from 'kysely';
import type { Device, DeviceType } from '../domain/device.ts';
import type { AccountId, DeviceId, ProfileId } from '../domain/ids.ts';
import type { ListPage } from '../domain/repositories.ts';
import type { Conflict } from '../domain/store-error.ts';
import { err, type Result } from '../kit/result.ts';
import { one, prepared } from './database.ts';
import { removeOfDevice } from './device-identifiers.ts';
import { newestFirst } from './list-page.ts';
import { bit, conflictUnless, folded } from './rows.ts';
import { isNewShortId } from './short-ids.ts';
import type { DeviceRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

const byId = prepared<{ account: AccountId; id: DeviceId }>()((db, $) =>
  db.selectFrom('devices').selectAll().where('account', '=', $.account).where('id', '=', $.id),
);

const ofAccount = prepared<{ account: AccountId }>()((db, $) =>
  db.selectFrom('devices').selectAll().where('account', '=', $.account).orderBy('created_at').orderBy('id'),
);

const byHumanId = prepared<{ account: AccountId; profile: ProfileId; humanId: string }>()((db, $) =>
  db
    .selectFrom('devices')
    .selectAll()
    .where('account', '=', $.account)
    .where('profile', '=', $.profile)
    .where(sql<boolean>`lower(human_id) = ${$.humanId}`)
    .orderBy('created_at')
    .limit(one),
);

const byIdAlone = prepared<{ id: DeviceId }>()((db, $) => db.selectFrom('devices').selectAll().where('id', '=', $.id));

const byLinkedIp = prepared<{ ip: string }>()((db, $) =>
  db.selectFrom('devices').select(['id', 'account']).where('linked_ip', '=', $.ip),
);

const withNames = prepared<{ after: string; limit: number }>()((db, $) =>
  db
    .selectFrom('devices')
    .selectAll()
    .where('ddns_name', 'is not', null)
    .where('id', '>', $.after)
    .orderBy('id')
    .limit($.limit),
);

const countOf = prepared<{ account: AccountId }>()((db, $) =>
  db
    .selectFrom('devices')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('account', '=', $.account),
);

// The placeholders cannot be enumerated.
const withoutIndex = ($: DeviceRow) => ({
  name: $.name,
  name_folded: $.name_folded,
  type: $.type,
  tags: $.tags,
  protection_enabled: $.protection_enabled,
  paused_until: $.paused_until,
  doh_auth_only: $.doh_auth_only,
  doh_password: $.doh_password,
  pending_ip: $.pending_ip,
  address_suffix: $.address_suffix,
});

/** SQLite writes all indexes of a column that a statement names, also if its value stays: six pages of a change. */
const replaceWithoutIndexes = prepared<DeviceRow>()((db, $) =>
  db
    .updateTable('devices')
    .set(withoutIndex($))
    .where('account', '=', $.account)
    .where('id', '=', $.id)
    .where('profile', '=', $.profile)
    .where('human_id', 'is not distinct from', $.human_id)
    .where('linked_ip', 'is not distinct from', $.linked_ip)
    .where('link_token', '=', $.link_token)
    .where('ddns_name', 'is not distinct from', $.ddns_name)
    .where('created_at', '=', $.created_at),
);

const replaceById = prepared<DeviceRow>()((db, $) =>
  db
    .updateTable('devices')
    .set({
      ...withoutIndex($),
      profile: $.profile,
      human_id: $.human_id,
      linked_ip: $.linked_ip,
      link_token: $.link_token,
      ddns_name: $.ddns_name,
      created_at: $.created_at,
    })
    .where('account', '=', $.account)
    .where('id', '=', $.id),
);

type OfProfile = { readonly profile?: ProfileId | undefined };

export const deviceReads = (session: Session) => {
  const devicesOf = (account: AccountId, { profile }: OfProfile) => {
    const all = session.db.selectFrom('devices').selectAll().where('account', '=', account);
    return profile === undefined ? all : all.where('profile', '=', profile);
  };
  return {
    async find(account: AccountId, id: DeviceId): Promise<Device | undefined> {
      const row = await session.first(byId, { account, id });
      return row && toDevice(row);
    },

    /** Case-insensitive. */
    async findByHumanId(account: AccountId, profile: ProfileId, humanId: string): Promise<Device | undefined> {
      const row = await session.first(byHumanId, { account, profile, humanId: folded(humanId) });
      return row && toDevice(row);
    },

    /** Unscoped: the caller must check the link token of the device. */
    async findUnscoped(id: DeviceId): Promise<Device | undefined> {
      const row = await session.first(byIdAlone, { id });
      return row && toDevice(row);
    },

    /** The device with this linked address, of any account. In a transaction no other can take the address before the end. */
    async linkedTo(ip: string): Promise<Pick<Device, 'id' | 'account'> | undefined> {
      await session.lock(`linked address ${ip}`);
      const row = await session.first(byLinkedIp, { ip });
      return row && { id: row.id as DeviceId, account: row.account as AccountId };
    },

    /** Devices of all accounts with a dynamic DNS name, sorted by id. */
    async withNames({ after, limit }: { readonly after: string; readonly limit: number }): Promise<readonly Device[]> {
      return (await session.all(withNames, { after, limit })).map(toDevice);
    },

    /** Oldest first. */
    async list(account: AccountId, of: OfProfile = {}): Promise<readonly Device[]> {
      if (of.profile === undefined) return (await session.all(ofAccount, { account })).map(toDevice);
      const query = devicesOf(account, of).orderBy('created_at').orderBy('id');
      return (await session.ask(account, query)).map(toDevice);
    },

    /** Newest first. */
    async page(account: AccountId, page: ListPage & OfProfile): Promise<readonly Device[]> {
      return (await session.ask(account, devicesOf(account, page).$call(newestFirst(page)))).map(toDevice);
    },

    async count(account: AccountId): Promise<number> {
      return (await session.first(countOf, { account }))!.n;
    },
  };
};

export const deviceWrites = (session: Session) => {
  /** An address is linked to at most one device of all accounts. */
  const isLinkedElsewhere = async ({ linkedIp, id }: Device): Promise<boolean> => {
    if (linkedIp === undefined) return false;
    const others = session.db
      .selectFrom('devices')
      .select('id')
      .where('linked_ip', '=', linkedIp)
      .where('id', '!=', id);
    return (await session.ask('unscoped', others)).length > 0;
  };

  const insert = async (device: Device): Promise<Result<void, Conflict>> =>
    conflictUnless(await session.change(device.account, session.db.insertInto('devices').values(toRow(device))), 'id');

  return {
    async add(device: Device): Promise<Result<void, Conflict>> {
      if (await isLinkedElsewhere(device)) return err({ kind: 'conflict', what: 'address' });
      // A suffix and the id of an older device are the same 32 bits of an address.
      for (const id of [device.id, ...(device.addressSuffix === undefined ? [] : [device.addressSuffix])])
        if (!(await isNewShortId(session, id))) return err({ kind: 'conflict', what: 'id' });
      return insert(device);
    },

    /** A removed device with its ids, which are not given to other devices. */
    async restore(device: Device): Promise<Result<void, Conflict>> {
      return (await isLinkedElsewhere(device)) ? err({ kind: 'conflict', what: 'address' }) : insert(device);
    },

    /** False if the device does not exist. */
    async update(device: Device): Promise<Result<boolean, Conflict>> {
      if (await isLinkedElsewhere(device)) return err({ kind: 'conflict', what: 'address' });
      const row = toRow(device);
      const isReplaced =
        (await session.changeBy(device.account, replaceWithoutIndexes, row)) > 0 ||
        (await session.changeBy(device.account, replaceById, row)) > 0;
      return { ok: true, value: isReplaced };
    },

    /** Its dedicated addresses stay with the account. */
    async remove(account: AccountId, id: DeviceId): Promise<boolean> {
      const unlink = session.db.updateTable('dedicated_addresses').set({ device: null }).where('account', '=', account);
      await session.change(account, unlink.where('device', '=', id));
      await removeOfDevice(session, account, id);
      const remove = session.db.deleteFrom('devices').where('account', '=', account).where('id', '=', id);
      return (await session.change(account, remove)) > 0;
    },
  };
};

const NO_TAGS: readonly string[] = [];

const toRow = (device: Device): DeviceRow => ({
  id: device.id,
  account: device.account,
  profile: device.profile,
  name: device.name,
  name_folded: folded(device.name),
  type: device.type,
  tags: JSON.stringify(device.tags),
  protection_enabled: bit(device.protectionEnabled),
  paused_until: device.pausedUntil ?? null,
  doh_auth_only: bit(device.dohAuthOnly),
  doh_password: device.dohPassword,
  human_id: device.humanId ?? null,
  linked_ip: device.linkedIp ?? null,
  pending_ip: device.pendingIp ?? null,
  link_token: device.linkToken,
  ddns_name: device.ddnsName ?? null,
  address_suffix: device.addressSuffix ?? null,
  created_at: device.createdAt,
});

const toDevice = (row: DeviceRow): Device => ({
  id: row.id as DeviceId,
  account: row.account as AccountId,
  profile: row.profile as ProfileId,
  name: row.name,
  type: row.type as DeviceType,
  tags: row.tags === '[]' ? NO_TAGS : (JSON.parse(row.tags) as readonly string[]),
  protectionEnabled: row.protection_enabled === 1,
  pausedUntil: row.paused_until ?? undefined,
  dohAuthOnly: row.doh_auth_only === 1,
  dohPassword: row.doh_password,
  humanId: row.human_id ?? undefined,
  linkedIp: row.linked_ip ?? undefined,
  pendingIp: row.pending_ip ?? undefined,
  ddnsName: row.ddns_name ?? undefined,
  linkToken: row.link_token,
  addressSuffix: row.address_suffix ?? undefined,
  createdAt: row.created_at,
});
