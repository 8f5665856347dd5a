import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { openAccounts } from '../src/app/open-accounts.ts';
import type { AccountId } from '../src/domain/ids.ts';
import { type LogStore, openLog } from '../src/query-log/index.ts';
import { openStore } from '../src/store/store.ts';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { startDeletions } from './support/attacks/deletions.ts';
import { filesContaining } from './support/bytes-in-files.ts';
import { type Home, homeOf, startDns, until } from './support/dns.ts';
import { startWorld, worldOf } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';
import { aRecord } from './support/query-log/logs.ts';
import { newPostgresDatabase } from './support/store/postgres.ts';
import { bin, start } from './support/weir.ts';

const needs = { skip: missing('dig', 'kdig') };
const DAY = 86_400_000;
const MINUTE_MS = 60_000;
const PASSWORD = 'correct horse battery';
// More than the flush limit, so that segments and statistics are written.
const ROWS = 40_000;
/** Part of every name of the deleted account. */
const VICTIM = 'victim';

const world = await startWorld({ after }, worldOf([]));

type Storage = { readonly data: string; readonly database: string | undefined };
type Tenant = { readonly id: string; readonly authorization: string };

const environment = {
  now: Date.now,
  onProblem: (problem: unknown): never => {
    throw problem;
  },
};
const openLogAt = ({ data, database }: Storage): Promise<LogStore> =>
  database === undefined
    ? openLog({ folder: join(data, 'log') }, environment)
    : openLog({ postgres: database }, environment);

/** Two accounts with a log of two weeks, made without a service. */
async function prepared(t: TestContext, database?: string) {
  const storage: Storage = { data: await temporaryFolder(t), database };
  const accounts = await openAccounts(storage, Date.now);
  const make = async (name: string): Promise<Tenant> => {
    const email = `${name}@example.org`;
    const { id } = await accounts.create({ email, password: PASSWORD });
    const { key } = await accounts.createKey(email, 'test');
    return { id, authorization: `ApiKey ${key}` };
  };
  const [honest, victim] = [await make('honest'), await make(VICTIM)];
  await accounts.close();
  const log = await openLogAt(storage);
  const now = Date.now();
  for (const [name, { id }] of Object.entries({ honest, [VICTIM]: victim }))
    for (const days of [1, 8])
      await log.append(
        Array.from({ length: ROWS / 2 }, (_, row) =>
          aRecord({
            account: id,
            time: now - days * DAY - row,
            domain: `n${row % 300}.${name}.example`,
            device: `${name}-${row % 3}`,
          }),
        ),
      );
  await log.close();
  return { storage: storage, honest, victim };
}

const flagsOf = ({ data, database }: Storage): string[] => [
  '--data',
  data,
  ...(database === undefined ? [] : ['--database', database]),
];

async function weir(storage: Storage, ...words: string[]): Promise<void> {
  const { code, stderr } = await start(`${bin}weir`, [...words, ...flagsOf(storage)], { cwd: storage.data }).ended;
  assert.equal(code, 0, stderr);
}

const startAt = (t: TestContext, { data, database }: Storage) =>
  startDns(t, world.address, database === undefined ? [] : ['--database', database], { data });

const range = (): string => `time_from_millis=${Date.now() - 20 * DAY}&time_to_millis=${Date.now() + MINUTE_MS}`;

/** Log entries and statistics of an account up to a time. */
async function seenBy({ ask }: Home) {
  const until = Date.now() - DAY / 2;
  const old = `time_from_millis=${until - 20 * DAY}&time_to_millis=${until}`;
  return {
    rows: (await ask('GET', `/oapi/v1/query_log?${old}&limit=1000`)).items.map(
      ({ domain, time_millis }: Record<string, unknown>) => [domain, time_millis],
    ),
    domains: await ask('GET', `/oapi/v1/stats/domains?${old}`),
    devices: await ask('GET', `/oapi/v1/stats/devices?${old}`),
  };
}

/** Places in which the log still has data of an account. */
async function leftOf(storage: Storage, account: string): Promise<readonly string[]> {
  if (storage.database === undefined) {
    const [names, ids] = [await filesContaining(storage.data, VICTIM), await filesContaining(storage.data, account)];
    // The audit says that the account with this id was deleted.
    return [...names, ...ids.filter((file) => !file.startsWith('settings.sqlite'))];
  }
  const log = await openLog({ postgres: storage.database }, environment);
  const accounts = await log.accounts();
  await log.close();
  return accounts.filter((each) => each === account).concat(await filesContaining(storage.data, VICTIM));
}

async function untilGone(t: TestContext, storage: Storage, account: string, since: number): Promise<void> {
  await until(`nothing of the account to be left`, async () =>
    (await leftOf(storage, account)).length === 0 ? true : undefined,
  );
  const took = performance.now() - since;
  t.diagnostic(`gone after ${(took / 1000).toFixed(1)} s`);
  assert.ok(took < MINUTE_MS);
}

const databases = {
  SQLite: async (): Promise<{ url: string | undefined }> => ({ url: undefined }),
  PostgreSQL: async (): Promise<{ url: string | undefined } | undefined> => {
    const url = await newPostgresDatabase();
    return url === undefined ? undefined : { url };
  },
};

for (const [name, database] of Object.entries(databases))
  test(
    `an account that is deleted beside the service leaves nothing, and others keep everything (${name})`,
    needs,
    async (t) => {
      const given = await database();
      if (!given) return t.skip('there is no PostgreSQL here');
      const { storage, honest, victim } = await prepared(t, given.url);
      const service = await startAt(t, storage);
      const [home, other] = [await homeOf(service, victim.authorization), await homeOf(service, honest.authorization)];
      const { id: device } = await home.device(`${VICTIM}-laptop`);
      await home.set({ user_rules_settings: { enabled: true, rules: [`||rule.${VICTIM}.example^`] } });
      await home.dug(device, 'dot', `live.${VICTIM}.example`);
      await home.logged(`live.${VICTIM}`);
      const expected = ['directory.changes'];
      if (given.url === undefined) {
        await writeFile(
          join(storage.data, 'log', `log-2020-01-02.db.corrupt-${Date.now()}`),
          `x${victim.id}y${VICTIM}`,
        );
        await writeFile(join(storage.data, 'log', `log-2020-01-09.db.corrupt-${Date.now()}`), `x${honest.id}y`);
        expected.push('log/log-2020-01-02.db.corrupt-', 'log/log-2', 'log/statistics.db', 'settings.sqlite');
      }
      await until('names in every kind of file', async () => {
        const files = await filesContaining(storage.data, VICTIM);
        return expected.every((start) => files.some((file) => file.startsWith(start))) || undefined;
      });
      const before = await seenBy(other);
      assert.equal(before.rows.length, 1000);
      // In flight to the log while the account is deleted.
      const asking = home.dig(device, 'dot', `late.${VICTIM}.example`);
      await weir(storage, 'account', 'delete', '--email', `${VICTIM}@example.org`, '--yes');
      const since = performance.now();
      await asking;
      await untilGone(t, storage, victim.id, since);
      assert.deepEqual(await seenBy(other), before);
      if (given.url === undefined)
        assert.equal((await filesContaining(join(storage.data, 'log'), `x${honest.id}y`)).length, 1);
      await service.stop();
      assert.deepEqual(await leftOf(storage, victim.id), []);
    },
  );

test('an account that is deleted without a service leaves nothing when the command is done', async (t) => {
  const { storage, victim } = await prepared(t);
  assert.ok((await leftOf(storage, victim.id)).length > 0);
  const since = performance.now();
  await weir(storage, 'account', 'delete', '--email', `${VICTIM}@example.org`, '--yes');
  assert.deepEqual(await leftOf(storage, victim.id), []);
  t.diagnostic(`gone after ${((performance.now() - since) / 1000).toFixed(1)} s, with the start of the command`);
});

test('a service that starts deletes the log of accounts that were deleted before, also of the last one', async (t) => {
  const { storage, honest, victim } = await prepared(t);
  const store = await openStore({ folder: storage.data });
  for (const { id } of [honest, victim])
    await store.inTransaction((tx) =>
      tx.accounts.remove(id as AccountId, { id: `end-of-${id}`, at: Date.now(), by: 'operator' }),
    );
  await store.erase();
  await store.close();
  assert.ok((await leftOf(storage, victim.id)).some((file) => file.startsWith('log/')));
  await startAt(t, storage);
  await untilGone(t, storage, victim.id, performance.now());
});

test('clearing the log removes rows and statistics from the files, and not the number of queries', needs, async (t) => {
  const { storage, honest, victim } = await prepared(t);
  const service = await startAt(t, storage);
  const [home, other] = [await homeOf(service, victim.authorization), await homeOf(service, honest.authorization)];
  const used = async (): Promise<number> => (await home.ask('GET', '/oapi/v1/account/limits')).requests.used;
  const [before, ofOthers] = [await used(), await seenBy(other)];
  const inLog = () => filesContaining(join(storage.data, 'log'), VICTIM);
  assert.ok((await inLog()).length >= 3);
  const since = performance.now();
  await home.ask('DELETE', '/oapi/v1/query_log');
  assert.deepEqual((await home.ask('GET', `/oapi/v1/query_log?${range()}`)).items, []);
  assert.deepEqual((await home.ask('GET', `/oapi/v1/stats/domains?${range()}`)).stats, []);
  await until('no names in the files of the log', async () => ((await inLog()).length === 0 ? true : undefined));
  t.diagnostic(`gone after ${((performance.now() - since) / 1000).toFixed(1)} s`);
  assert.equal(await used(), before);
  assert.deepEqual(await seenBy(other), ofOthers);
});

test('an account keeps its answers and its log while others clear and delete theirs all the time', needs, async (t) => {
  const { storage, honest, victim } = await prepared(t);
  const service = await startAt(t, storage);
  const home = await homeOf(service, honest.authorization);
  const { id: device } = await home.device('phone');
  const attack = await startDeletions({ url: service.url, authorization: victim.authorization, settings: storage });
  let answered = 0;
  const asked = 40;
  for (let each = 0; each < asked; each += 1)
    if (await home.dig(device, 'dot', `q${each}.during.example`)) answered += 1;
  await attack.stop();
  const rows = await home.logged('during.example', answered);
  t.diagnostic(
    `${answered} of ${asked} answered, ${rows.length} in the log, beside ${attack.done.cleared} clearings and ${attack.done.deleted} deletions`,
  );
  assert.ok(answered >= asked * 0.95);
  assert.equal(rows.length, answered);
});
