import { setImmediate as otherWork } from 'node:timers/promises';
import type { Account } from '../domain/account.ts';
import type { AccountTexts, ProfileTexts } from '../domain/account-texts.ts';
import type { AccountId, ProfileId } from '../domain/ids.ts';
import type { AccountSnapshot } from '../domain/repositories.ts';
import { accountReads } from './accounts.ts';
import { clientNetworkReads, toClientNetwork } from './client-networks.ts';
import { customListReads, toCustomList } from './custom-lists.ts';
import { type DatabaseKind, prepared } from './database.ts';
import { dedicatedReads, toDedicated } from './dedicated-addresses.ts';
import { deviceIdentifierReads, toIdentifier } from './device-identifiers.ts';
import { type AccountRange, deviceTexts, wordsOf } from './device-texts.ts';
import { deviceReads } from './devices.ts';
import { forwardRuleReads, toForwardRule } from './forward-rules.ts';
import { localRecordReads, toLocalRecord } from './local-records.ts';
import { profileReads } from './profiles.ts';
import type { ProfileRow } from './tables.ts';
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
export async function* allAccountsIn(kind: DatabaseKind, session: Session): AsyncGenerator<readonly AccountTexts[]> {
  const reads = accountReads(session);
  for (let after = ''; ; ) {
    const accounts = await reads.list({ after, limit: ACCOUNTS_AT_ONCE });
    if (accounts.length === 0) return;
    const last = accounts.at(-1)!.id;
    yield await withBelongings(kind, session, accounts, last);
    // SQLite queries are synchronous: yield to the event loop between batches.
    await otherWork();
    after = last;
  }
}

const profilesOfRange = prepared<AccountRange>()((db, $) => {
  const all = db.selectFrom('profiles').selectAll().where('account', '>=', $.first).where('account', '<=', $.last);
  return all.orderBy('account').orderBy('created_at').orderBy('id');
});

const dedicatedOfRange = prepared<AccountRange>()((db, $) =>
  db.selectFrom('dedicated_addresses').selectAll().where('account', '>=', $.first).where('account', '<=', $.last),
);

const listsOfRange = prepared<AccountRange>()((db, $) =>
  db.selectFrom('custom_lists').selectAll().where('account', '>=', $.first).where('account', '<=', $.last),
);

const networksOfRange = prepared<AccountRange>()((db, $) =>
  db.selectFrom('client_networks').selectAll().where('account', '>=', $.first).where('account', '<=', $.last),
);

const identifiersOfRange = prepared<AccountRange>()((db, $) =>
  db.selectFrom('device_identifiers').selectAll().where('account', '>=', $.first).where('account', '<=', $.last),
);

const recordsOfRange = prepared<AccountRange>()((db, $) => {
  const all = db.selectFrom('local_records').selectAll().where('account', '>=', $.first).where('account', '<=', $.last);
  return all.orderBy('name').orderBy('id');
});

const rulesOfRange = prepared<AccountRange>()((db, $) => {
  const all = db.selectFrom('forward_rules').selectAll().where('account', '>=', $.first).where('account', '<=', $.last);
  return all.orderBy('domain').orderBy('id');
});

async function withBelongings(
  kind: DatabaseKind,
  session: Session,
  accounts: readonly Account[],
  last: AccountId,
): Promise<readonly AccountTexts[]> {
  const range = { first: accounts[0]!.id, last };
  const profilesOf = Map.groupBy(await session.all(profilesOfRange, range), ({ account }) => account as AccountId);
  const devicesOf = new Map((await session.all(deviceTexts[kind], range)).map((texts) => [texts.account, texts]));
  const dedicatedOf = byAccount((await session.all(dedicatedOfRange, range)).map(toDedicated));
  const listsOf = byAccount((await session.all(listsOfRange, range)).map(toCustomList));
  const networksOf = byAccount((await session.all(networksOfRange, range)).map(toClientNetwork));
  const recordsOf = byAccount((await session.all(recordsOfRange, range)).map(toLocalRecord));
  const rulesOf = byAccount((await session.all(rulesOfRange, range)).map(toForwardRule));
  const identifiersOf = byAccount((await session.all(identifiersOfRange, range)).map(toIdentifier));
  return accounts.map((account) => {
    const devices = devicesOf.get(account.id);
    return {
      account,
      profiles: profilesOf.get(account.id)?.map(profileTexts) ?? [],
      devices: {
        json: devices?.json ?? '[]',
        ids: wordsOf(devices?.ids ?? ''),
        suffixes: wordsOf(devices?.suffixes ?? ''),
        areIdentifiedByIds: devices?.identified_by_ids !== 0,
      },
      dedicated: dedicatedOf.get(account.id) ?? [],
      customLists: listsOf.get(account.id) ?? [],
      networks: networksOf.get(account.id) ?? [],
      localRecords: recordsOf.get(account.id) ?? [],
      forwardRules: rulesOf.get(account.id) ?? [],
      identifiers: identifiersOf.get(account.id) ?? [],
    };
  });
}

/** The settings are stored as JSON. */
function profileTexts({ id, account, name, is_default, settings, created_at }: ProfileRow): ProfileTexts {
  const head = JSON.stringify({ id, account, name, isDefault: is_default === 1, createdAt: created_at });
  return { id: id as ProfileId, settings, json: `${head.slice(0, -1)},"settings":${settings}}` };
}

const byAccount = <T extends { readonly account: AccountId }>(things: readonly T[]) =>
  Map.groupBy(things, ({ account }) => account);
