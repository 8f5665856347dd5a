import type { AccountId, DeviceId } from '../domain/ids.ts';
import type { AllocatedAddress } from '../domain/repositories.ts';
import { prepared } from './database.ts';
import type { DedicatedAddressRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

const ofAccount = prepared<{ account: AccountId }>()((db, $) =>
  db
    .selectFrom('dedicated_addresses')
    .selectAll()
    .where('account', '=', $.account)
    .orderBy('allocated_at')
    .orderBy('ip'),
);

const ofDevice = prepared<{ account: AccountId; device: DeviceId }>()((db, $) =>
  db
    .selectFrom('dedicated_addresses')
    .select('ip')
    .where('account', '=', $.account)
    .where('device', '=', $.device)
    .orderBy('allocated_at')
    .orderBy('ip'),
);

export const dedicatedReads = (session: Session) => ({
  async list(account: AccountId): Promise<readonly AllocatedAddress[]> {
    return (await session.all(ofAccount, { account })).map(toDedicated);
  },

  async ofDevice(account: AccountId, device: DeviceId): Promise<readonly string[]> {
    return (await session.all(ofDevice, { account, device })).map(({ ip }) => ip);
  },
});

export const dedicatedWrites = (session: Session) => ({
  /** The first free address of the pool; undefined if all are allocated. */
  async allocate(account: AccountId, pool: readonly string[], now: number): Promise<AllocatedAddress | undefined> {
    const rows = await session.ask('unscoped', session.db.selectFrom('dedicated_addresses').select('ip'));
    const taken = new Set(rows.map(({ ip }) => ip));
    for (const ip of pool) {
      if (taken.has(ip)) continue;
      const row = { ip, account, device: null, allocated_at: now };
      const insert = session.db
        .insertInto('dedicated_addresses')
        .values(row)
        .onConflict((on) => on.doNothing());
      // Another account may have taken it meanwhile.
      if ((await session.change(account, insert)) > 0) return toDedicated(row);
    }
    return undefined;
  },

  /** False if the address is not the account's or not free. The device must be the account's. */
  async link(account: AccountId, ip: string, device: DeviceId): Promise<boolean> {
    const link = session.db.updateTable('dedicated_addresses').set({ device }).where('account', '=', account);
    return (await session.change(account, link.where('ip', '=', ip).where('device', 'is', null))) > 0;
  },

  async unlink(account: AccountId, ip: string, device: DeviceId): Promise<boolean> {
    const unlink = session.db.updateTable('dedicated_addresses').set({ device: null }).where('account', '=', account);
    return (await session.change(account, unlink.where('ip', '=', ip).where('device', '=', device))) > 0;
  },

  /** Returns the address to the pool. False if it is not the account's, or linked to a device. */
  async release(account: AccountId, ip: string): Promise<boolean> {
    const release = session.db.deleteFrom('dedicated_addresses').where('account', '=', account).where('ip', '=', ip);
    return (await session.change(account, release.where('device', 'is', null))) > 0;
  },
});

export const toDedicated = (row: DedicatedAddressRow): AllocatedAddress => ({
  ip: row.ip,
  account: row.account as AccountId,
  device: (row.device ?? undefined) as DeviceId | undefined,
});
