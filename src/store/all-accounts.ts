import { setImmediate as otherWork } from 'node:timers/promises';
import type { Account } from '../domain/account.ts';
import type { AccountId } from '../domain/ids.ts';
import type { AccountSnapshot } from '../domain/repositories.ts';
import { accountReads } from './accounts.ts';
import { clientNetworkReads, toClientNetwork } from './client-networks.ts';
import { customListReads, toCustomList } from './custom-lists.ts';
import { dedicatedReads, toDedicated } from './dedicated-addresses.ts';
import { deviceIdentifierReads, toIdentifier } from './device-identifiers.ts';
import { deviceReads, toDevice } from './devices.ts';
import { forwardRuleReads, toForwardRule } from './forward-rules.ts';
import { localRecordReads, toLocalRecord } from './local-records.ts';
import { profileReads, toProfile } from './profiles.ts';
import type { Session } from './transaction-session.ts';

const ACCOUNTS_AT_ONCE = 200;

export async function snapshotOf(session: Session, id: AccountId): Promise<AccountSnapshot | undefined> {
  const account = await accountReads(session).find(id);
  if (!account) return undefined;
  return {
    account,
    profiles: await profileReads(session).list(id),
    devices: await deviceReads(session).list(id),
    dedicated: await dedicatedReads(session).list(id),
    customLists: await customListReads(session).list(id),
    networks: await clientNetworkReads(session).list(id),
    localRecords: await localRecordReads(session).list(id),
    forwardRules: await forwardRuleReads(session).list(id),
    identifiers: await deviceIdentifierReads(session).list(id),
  };
}

/** All accounts in batches, to limit memory and event-loop time. */
export async function* allAccountsIn(session: Session): AsyncGenerator<readonly AccountSnapshot[]> {
  const reads = accountReads(session);
  for (let after = ''; ; ) {
    const accounts = await reads.list({ after, limit: ACCOUNTS_AT_ONCE });
    if (accounts.length === 0) return;
    const last = accounts.at(-1)!.id;
    yield await withBelongings(session, accounts, last);
    // SQLite queries are synchronous: yield to the event loop between batches.
    await otherWork();
    after = last;
  }
}

async function withBelongings(session: Session, accounts: readonly Account[], last: AccountId) {
  const first = accounts[0]!.id;
  const { db, ask } = session;
  const profiles = db.selectFrom('profiles').selectAll().where('account', '>=', first).where('account', '<=', last);
  const devices = db.selectFrom('devices').selectAll().where('account', '>=', first).where('account', '<=', last);
  const dedicated = db.selectFrom('dedicated_addresses').selectAll().where('account', '>=', first);
  const lists = db.selectFrom('custom_lists').selectAll().where('account', '>=', first).where('account', '<=', last);
  const networks = db.selectFrom('client_networks').selectAll().where('account', '>=', first);
  const records = db.selectFrom('local_records').selectAll().where('account', '>=', first).where('account', '<=', last);
  const rules = db.selectFrom('forward_rules').selectAll().where('account', '>=', first).where('account', '<=', last);
  const identifiers = db.selectFrom('device_identifiers').selectAll().where('account', '>=', first);
  const profilesOf = byAccount((await ask('unscoped', profiles)).map(toProfile));
  const devicesOf = byAccount((await ask('unscoped', devices)).map(toDevice));
  const dedicatedOf = byAccount((await ask('unscoped', dedicated.where('account', '<=', last))).map(toDedicated));
  const listsOf = byAccount((await ask('unscoped', lists)).map(toCustomList));
  const networksOf = byAccount((await ask('unscoped', networks.where('account', '<=', last))).map(toClientNetwork));
  const recordsOf = byAccount((await ask('unscoped', records.orderBy('name').orderBy('id'))).map(toLocalRecord));
  const rulesOf = byAccount((await ask('unscoped', rules.orderBy('domain').orderBy('id'))).map(toForwardRule));
  const identifiersOf = byAccount((await ask('unscoped', identifiers.where('account', '<=', last))).map(toIdentifier));
  return accounts.map((account) => ({
    account,
    profiles: profilesOf.get(account.id) ?? [],
    devices: devicesOf.get(account.id) ?? [],
    dedicated: dedicatedOf.get(account.id) ?? [],
    customLists: listsOf.get(account.id) ?? [],
    networks: networksOf.get(account.id) ?? [],
    localRecords: recordsOf.get(account.id) ?? [],
    forwardRules: rulesOf.get(account.id) ?? [],
    identifiers: identifiersOf.get(account.id) ?? [],
  }));
}

function byAccount<T extends { readonly account: AccountId }>(
  things: readonly T[],
): ReadonlyMap<AccountId, readonly T[]> {
  return Map.groupBy(things, ({ account }) => account);
}
