import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { openAccounts } from '../app/open-accounts.ts';
import { unknownCompany } from '../domain/catalogue/company.ts';
import type { AccountId } from '../domain/ids.ts';
import type { QueryRecord } from '../domain/query-record.ts';
import { openLog } from '../query-log/index.ts';
import { openStore } from '../store/store.ts';
import { applyRetention } from './retention.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const now = Date.now();

async function setting(t: TestContext) {
  const data = await temporaryFolder(t);
  const accounts = await openAccounts({ data, database: undefined }, () => now);
  const { id } = await accounts.create({ email: 'a@example.org', password: 'correct horse battery' });
  await accounts.close();
  const store = await openStore({ folder: data });
  const log = await openLog({ folder: join(data, 'log') }, { onProblem: (problem) => assert.fail(String(problem)) });
  t.after(async () => {
    await log.close();
    await store.close();
  });
  return { store, log, account: id };
}

const query = (account: string, time: number): QueryRecord => ({
  time,
  account,
  dnsServer: '0badcafe',
  domain: 'a.example',
  type: 1,
  rcode: 0,
  protocol: 'DOH',
  status: 'NONE',
  dnssec: false,
  companyId: unknownCompany.id,
  category: 'OTHERS',
});

test('expired rows are deleted, and rollups are kept', async (t) => {
  const { store, log, account } = await setting(t);
  await log.append([query(account, now - 40 * DAY), query(account, now - DAY)]);
  await applyRetention(store, log, now, { sessionIdleMinutes: 30, sessionKeepDays: 30 });
  const { items } = await log.page(account, { from: 0, to: now, limit: 100 });
  assert.deepEqual(
    items.map(({ time }) => time),
    [now - DAY],
  );
  const counted = await log.statistics.domains(account, { from: now - 60 * DAY, to: now });
  assert.equal(counted[0]?.value.queries, 2);
});

test('nothing of a deleted account is kept', async (t) => {
  const { store, log } = await setting(t);
  await log.append([query('nobody', now - DAY)]);
  await applyRetention(store, log, now, { sessionIdleMinutes: 30, sessionKeepDays: 30 });
  assert.deepEqual((await log.page('nobody', { from: 0, to: now, limit: 100 })).items, []);
  assert.deepEqual(await log.statistics.domains('nobody', { from: now - 60 * DAY, to: now }), []);
});

test('a leader whose clock is five minutes ahead deletes nothing that other nodes still use', async (t) => {
  const { store, log, account } = await setting(t);
  const behind = now - 5 * MINUTE;
  const user = (await store.read.users.byEmail('a@example.org'))!.id;
  const session = {
    id: 'page 1',
    account: account as AccountId,
    user,
    refreshHash: 'r',
    createdAt: 0,
    lastUsedAt: behind - 29 * MINUTE,
    rotates: false,
    userAgent: undefined,
    address: undefined,
  };
  const access = { hash: 'a', session: session.id, account: session.account, user, expiresAt: behind + 1 };
  await store.inTransaction(async ({ tokens, oneTimeTokens }) => {
    await tokens.addSession(session);
    await tokens.addAccess(access, session.lastUsedAt);
    await oneTimeTokens.put({ kind: 'test', hash: 'h', content: 1, expiresAt: behind + 1 });
  });
  await log.append([query(account, behind), query(account, now)]);
  const found = async (): Promise<readonly boolean[]> => [
    (await store.read.tokens.sessions(session.account, user)).length > 0,
    (await store.read.tokens.accessByHash('a', behind)) !== undefined,
    (await store.read.oneTimeTokens.peek('test', 'h', behind)) !== undefined,
    (await log.page(account, { from: 0, to: now + 1, limit: 10 })).items.length === 2,
  ];
  const limits = { sessionIdleMinutes: 30, sessionKeepDays: 30 };
  await applyRetention(store, log, now, limits);
  assert.deepEqual(await found(), [true, true, true, true]);
  // Rows that another node has written with a clock ahead stay, too.
  await applyRetention(store, log, behind, limits);
  assert.deepEqual(await found(), [true, true, true, true]);
  await applyRetention(store, log, now + 5 * MINUTE, limits);
  assert.deepEqual(await found(), [false, false, false, true]);
});
