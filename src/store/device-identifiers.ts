import type { ClientIdentifier, DeviceIdentifier } from '../domain/client-identifiers.ts';
import type { AccountId, DeviceId } from '../domain/ids.ts';
import type { Conflict } from '../domain/store-error.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { DeviceIdentifierRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

type Holder = DeviceIdentifier & { readonly account: AccountId };

export const deviceIdentifierReads = (session: Session) => {
  const ofAccount = (account: AccountId) =>
    session.db.selectFrom('device_identifiers').selectAll().where('account', '=', account).orderBy('value');
  return {
    async list(account: AccountId): Promise<readonly DeviceIdentifier[]> {
      return (await session.ask(account, ofAccount(account))).map(toIdentifier);
    },

    async ofDevice(account: AccountId, device: DeviceId): Promise<readonly ClientIdentifier[]> {
      const rows = await session.ask(account, ofAccount(account).where('device', '=', device));
      return rows.map(toIdentifier).map(({ kind, value }) => ({ kind, value }));
    },

    /** The devices of any account that have one of these identifiers. */
    async holders(values: readonly string[]): Promise<readonly Holder[]> {
      if (values.length === 0) return [];
      const query = session.db.selectFrom('device_identifiers').selectAll().where('value', 'in', values);
      return (await session.ask('unscoped', query)).map(toIdentifier);
    },
  };
};

export const deviceIdentifierWrites = (session: Session) => ({
  async replace(
    account: AccountId,
    device: DeviceId,
    identifiers: readonly ClientIdentifier[],
  ): Promise<Result<void, Conflict>> {
    await removeOfDevice(session, account, device);
    for (const { kind, value } of identifiers) {
      const insert = session.db
        .insertInto('device_identifiers')
        .values({ value, kind, account, device })
        .onConflict((on) => on.doNothing());
      if ((await session.change(account, insert)) === 0) return err({ kind: 'conflict', what: 'address' });
    }
    return ok(undefined);
  },
});

export const removeOfDevice = (session: Session, account: AccountId, device: DeviceId): Promise<number> =>
  session.change(
    account,
    session.db.deleteFrom('device_identifiers').where('account', '=', account).where('device', '=', device),
  );

export const toIdentifier = ({ value, kind, account, device }: DeviceIdentifierRow): Holder => ({
  kind: kind as ClientIdentifier['kind'],
  value,
  account: account as AccountId,
  device: device as DeviceId,
});
