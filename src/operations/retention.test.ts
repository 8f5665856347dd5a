import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { openAccounts } from '../app/open-accounts.ts';
import { unknownCompany } from '../domain/catalogue/company.ts';
import type { QueryRecord } from '../domain/query-record.ts';
import { openLog } from '../query-log/index.ts';
import { openStore } from '../store/store.ts';
import { applyRetention } from './retention.ts';

const DAY = 86_400_000;
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

test('rows older than an account keeps them go, and what was counted stays', async (t) => {
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

test('of an account that is no more nothing stays', async (t) => {
  const { store, log } = await setting(t);
  await log.append([query('nobody', now - DAY)]);
  await applyRetention(store, log, now, { sessionIdleMinutes: 30, sessionKeepDays: 30 });
  assert.deepEqual((await log.page('nobody', { from: 0, to: now, limit: 100 })).items, []);
  assert.deepEqual(await log.statistics.domains('nobody', { from: now - 60 * DAY, to: now }), []);
});
