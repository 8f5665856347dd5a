import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceNumber, newAccount } from '../../test/support/store/accounts.ts';
import { otherProcess } from '../../test/support/store/processes.ts';
import { databases } from '../../test/support/store/stores.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Database } from './database.ts';
import { migrate, plain, versionIn } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';
import { openPostgres } from './postgres-database.ts';
import { openSqlite } from './sqlite-database.ts';
import { openStore, type StoreOptions } from './store.ts';

const open = (options: StoreOptions): Promise<Database> | Database =>
  'folder' in options ? openSqlite({ ...options, besideServer: true }) : openPostgres(options.postgres);

function onEachDatabase(sentence: string, job: (database: Database, options: StoreOptions) => Promise<void>): void {
  for (const [name, newDatabase] of Object.entries(databases)) {
    test(`${name}: ${sentence}`, async (t) => {
      const options = await newDatabase(t);
      if (!options) return t.skip('there is no PostgreSQL here');
      const database = await open(options);
      t.after(() => database.close());
      await job(database, options);
    });
  }
}

const numbers = async (database: Database) =>
  (await database.read<{ n: number }>({ sql: 'select n from numbers order by n', parameters: [] })).rows.map(
    ({ n }) => n,
  );

const steps = [
  ['create table numbers (n integer)', 'insert into numbers values (1)'],
  ['insert into numbers values (2)'],
  ['alter table numbers add column word text', 'insert into numbers values (3, null)'],
];

onEachDatabase('from each earlier state the database comes to the last one', async (database) => {
  for (let known = 0; known <= steps.length; known++) {
    await migrate(database, steps.slice(0, known));
    assert.equal(await versionIn(database.read), known);
  }
  await migrate(database, steps);
  assert.deepEqual(await numbers(database), [1, 2, 3]);
});

onEachDatabase('a step that fails leaves the state before it, and is done the next time', async (database) => {
  const broken = [steps[0]!, ['insert into numbers values (2)', 'insert into nowhere values (1)']];
  await assert.rejects(migrate(database, broken), /nowhere/);
  assert.equal(await versionIn(database.read), 1);
  assert.deepEqual(await numbers(database), [1]);
  await migrate(database, steps);
  assert.deepEqual(await numbers(database), [1, 2, 3]);
});

onEachDatabase('an older program refuses a database of a newer one and changes nothing', async (database) => {
  await migrate(database, steps);
  await assert.rejects(migrate(database, steps.slice(0, 2)), {
    name: 'StoreError',
    kind: 'newer',
    message: 'the database has schema version 3, but this program supports only up to 2: use a newer version of Weir',
  });
  assert.equal(await versionIn(database.read), 3);
});

onEachDatabase(
  'a program uses a database that later versions have expanded, and not one that is changed otherwise',
  async (database, options) => {
    const next = {
      expands: [
        "alter table devices add column shelf text not null default 'top'",
        'create table shelves (id text primary key)',
      ],
    };
    await migrate(database, [...migrations, next]);
    assert.equal(await migrate(database, migrations), 'ahead');
    const warnings: string[] = [];
    const given = 'folder' in options ? { ...options, besideServer: true } : options;
    const store = await openStore({ ...given, onWarning: (warning) => warnings.push(warning) });
    const { profile, ...created } = newAccount('anna', 0xa0);
    await store.inTransaction(async (tx) => {
      await tx.accounts.create({ ...created, profile });
      await tx.devices.add(deviceNumber(1, profile));
    });
    assert.equal((await store.read.devices.list(created.account.id)).length, 1);
    assert.equal((await store.snapshot(created.account.id))?.devices.length, 1);
    await assert.rejects(store.backup('/nonexistent/backup', 1), { kind: 'newer' });
    assert.match(String(warnings), /newer version/);
    await store.close();
    assert.equal(await versionIn(database.read), migrations.length + 1);

    const further = [...migrations, next, { expands: ['create table further (id text)'] }];
    // The newer program continues with the rows of the older one.
    assert.equal(await migrate(database, further), 'current');
    assert.equal(await migrate(database, migrations), 'ahead');
    await migrate(database, [...further, ['drop table further']]);
    await assert.rejects(migrate(database, migrations), { kind: 'newer' });
    await assert.rejects(migrate(database, further), { kind: 'newer' });
  },
);

onEachDatabase('several processes that start at once take each step once', async (database, options) => {
  const others = await Promise.all([open(options), open(options), open(options)]);
  await Promise.all([database, ...others].map((one) => migrate(one, steps)));
  for (const other of others) await other.close();
  assert.deepEqual(await numbers(database), [1, 2, 3]);
});

for (const [name, newDatabase] of Object.entries(databases)) {
  test(`${name}: a process that is killed in the middle of a step leaves the state before it`, async (t) => {
    const options = await newDatabase(t);
    if (!options) return t.skip('there is no PostgreSQL here');
    const { child, lines, ended } = otherProcess(
      t,
      `
        import { openSqlite } from './sqlite-database.ts';
        import { openPostgres } from './postgres-database.ts';
        import { migrate } from './migrate.ts';
        const options = ${JSON.stringify(options)};
        const database = options.folder ? openSqlite(options) : await openPostgres(options.postgres);
        const slow = { ...database, transaction: (work) => database.transaction((run) => work(async (statement) => {
          const answer = await run(statement);
          if (/values \\(2\\)/.test(statement.sql)) { console.log('in the middle'); await new Promise(() => setTimeout(() => {}, 60000)); }
          return answer;
        })) };
        await migrate(slow, ${JSON.stringify(steps)});
      `,
    );
    for await (const line of lines) if (line === 'in the middle') child.kill('SIGKILL');
    assert.equal(await ended, 'SIGKILL');
    const database = await open(options);
    t.after(() => database.close());
    assert.deepEqual(await numbers(database), [1]);
    await migrate(database, steps);
    assert.deepEqual(await numbers(database), [1, 2, 3]);
    t.diagnostic(`P18 ${name}: a migration killed in the middle was finished by the next start`);
  });
}

onEachDatabase('our own steps lead from nothing to tables that can be read', async (database) => {
  await migrate(database, migrations);
  assert.deepEqual((await database.read(plain('select * from devices'))).rows, []);
});

onEachDatabase('addresses that were linked before proofs were needed stay linked', async (database, options) => {
  const before = migrations.slice(0, 3);
  await migrate(database, before);
  const statements = [
    `insert into accounts values ('account-anna', 1, 'default', '{}', 'UTC', 30, 1, 0)`,
    `insert into profiles values ('000000a0', 'account-anna', 'Home', 'home', 1, '{}', 0, 0, 1)`,
    ...[
      ['b3e82cd1', "'10.0.0.7'", 'null'],
      ['b3e82cd2', "'203.0.113.7'", "'home.example.org'"],
    ].map(
      ([
        id,
        ip,
        name,
      ]) => `insert into devices (id, account, profile, name, name_folded, type, protection_enabled, doh_auth_only,
        doh_password, linked_ip, link_token, ddns_name, created_at)
        values ('${id}', 'account-anna', '000000a0', 'Router', 'router', 'ROUTER', 1, 0, 'jaNh9iXS', ${ip}, '${id}', ${name}, 1)`,
    ),
  ];
  await database.transaction(async (run) => {
    for (const statement of statements) await run(plain(statement));
  });
  await migrate(database, migrations);
  const store = await openStore({ ...options, ...('folder' in options && { besideServer: true }) });
  const devices = await store.read.devices.list('account-anna' as AccountId);
  await store.close();
  assert.deepEqual(
    devices.map(({ id, linkedIp, pendingIp, ddnsName, addressSuffix, dohPassword }) => [
      [id, dohPassword, addressSuffix],
      [linkedIp, pendingIp, ddnsName],
    ]),
    [
      [
        ['b3e82cd1', 'jaNh9iXS', undefined],
        ['10.0.0.7', undefined, undefined],
      ],
      [
        ['b3e82cd2', 'jaNh9iXS', undefined],
        ['203.0.113.7', undefined, 'home.example.org'],
      ],
    ],
  );
});
