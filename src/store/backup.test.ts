import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  accessTokenOf,
  accountId,
  auditEntryOf,
  deviceNumber,
  forwardRuleOf,
  invitationOf,
  keyOf,
  localRecordOf,
  newAccount,
  passkeyOf,
  sessionOf,
} from '../../test/support/store/accounts.ts';
import { databases, onBoth, openFor, temporaryFolder } from '../../test/support/store/stores.ts';
import { backUp } from './backup.ts';
import { writeBackup } from './backup-file.ts';
import type { Database, Run } from './database.ts';
import { migrate, plain } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';
import { openPostgres } from './postgres-database.ts';
import { restore } from './restore.ts';
import { openSqlite } from './sqlite-database.ts';
import { openStore, type Store, type StoreOptions } from './store.ts';

const anna = accountId('anna');

async function fill(store: Store): Promise<void> {
  const made = newAccount('anna', 0xa0);
  await store.inTransaction(async (tx) => {
    await tx.accounts.create(made);
    await tx.devices.add(deviceNumber(1, made.profile, { name: 'ünï "quoted" \\ 🙂\n', tags: ['user_child'] }));
    await tx.keys.add(keyOf('anna'));
    await tx.tokens.addSession(sessionOf('anna'));
    await tx.tokens.addAccess(accessTokenOf('anna'), 2000);
    await tx.passkeys.add(passkeyOf('anna'));
    await tx.invitations.add(invitationOf('anna'));
    await tx.oneTimeTokens.put({ kind: 'mfa', hash: 'ticket', content: { a: 1 }, expiresAt: 9000 });
    await tx.throttles.put("o'brien", { failures: 3, lastFailureAt: 5 });
    await tx.dedicated.allocate(anna, ['192.0.2.1'], 1);
    await tx.dedicated.link(anna, '192.0.2.1', deviceNumber(1, made.profile).id);
    await tx.localRecords.add(anna, [localRecordOf('anna', made.profile.id)]);
    await tx.forwardRules.add(forwardRuleOf('anna'));
    await tx.deviceIdentifiers.replace(anna, deviceNumber(1, made.profile).id, [
      { kind: 'mac', value: '02:00:00:00:00:01' },
      { kind: 'network', value: '10.0.0.0/8' },
    ]);
    await tx.audit.add(auditEntryOf('anna'));
  });
}

async function everythingIn({ read, snapshot }: Store) {
  return {
    snapshot: await snapshot(anna),
    members: await read.users.members(anna),
    keys: await read.keys.list(anna),
    token: await read.tokens.accessByHash('access hash anna', 0),
    family: await read.tokens.sessionByRefreshHash('refresh hash anna'),
    passkeys: await read.passkeys.list(passkeyOf('anna').user),
    invitations: await read.invitations.list(anna),
    oneTimeToken: await read.oneTimeTokens.peek('mfa', 'ticket', 0),
    throttle: await read.throttles.get("o'brien"),
    audit: await read.audit.list(anna, { limit: 9 }),
  };
}

for (const [from, placeFrom] of Object.entries(databases)) {
  for (const [to, placeTo] of Object.entries(databases)) {
    test(`a backup from ${from} is the same when restored to ${to}`, async (t) => {
      const [one, other] = [await placeFrom(t), await placeTo(t)];
      if (!one || !other) return t.skip('there is no PostgreSQL here');
      const [source, target] = [await openFor(t, one), await openFor(t, other)];
      await fill(source);
      const file = join(temporaryFolder(t), 'backup');
      await source.backup(file, 123);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      await target.restore(file);
      assert.deepEqual(await everythingIn(target), await everythingIn(source));
      t.diagnostic(`P18 backup from ${from} restored to ${to}: all rows equal`);
      // A used id is not issued again after the restore.
      assert.equal(
        (await target.inTransaction((tx) => tx.devices.add(deviceNumber(1, newAccount('anna', 0xa0).profile)))).ok,
        false,
      );
    });
  }
}

onBoth('a backup is of one moment, whatever is written while it is made', async (store, { t, options }) => {
  const { profile } = newAccount('anna', 0xa0);
  await store.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
  let number = 0;
  const addBoth = () =>
    store.inTransaction(async (tx) => {
      await tx.devices.add(deviceNumber(++number, profile));
      await tx.audit.add(auditEntryOf('anna', { id: `entry-${number}` }));
    });
  await addBoth();
  const folder = temporaryFolder(t);
  await backUp(await openInterrupted(t, options, addBoth), join(folder, 'backup'), 1);
  assert.ok(number > 5);
  const copy = await openFor(t, { folder: join(folder, 'copy') });
  await copy.restore(join(folder, 'backup'));
  assert.equal(await copy.read.devices.count(anna), 1);
  assert.equal((await copy.read.audit.list(anna, { limit: 9 })).length, 1);
});

/** Another connection writes after each statement. */
async function openInterrupted(t: TestContext, options: StoreOptions, write: () => Promise<void>): Promise<Database> {
  const database =
    'folder' in options ? openSqlite({ ...options, besideServer: true }) : await openPostgres(options.postgres);
  t.after(() => database.close());
  const interrupted =
    (run: Run): Run =>
    async (statement) => {
      const answer = await run(statement);
      await write();
      return answer;
    };
  const snapshot = async () => {
    const { run, end } = await database.snapshot();
    return { run: interrupted(run), end };
  };
  return { ...database, read: interrupted(database.read), snapshot };
}

onBoth('a store that has accounts takes no backup', async (store, { t }) => {
  await fill(store);
  const file = join(temporaryFolder(t), 'backup');
  await store.backup(file, 1);
  await assert.rejects(store.restore(file), { kind: 'not restorable', message: /already has accounts/ });
  assert.equal((await store.read.devices.list(anna)).length, 1);
});

const damages: Readonly<Record<string, (text: string) => string>> = {
  'a letter changed': (text) => text.replace('Default', 'Defautl'),
  'a line lost': (text) => text.replace(/\n.*\n/, '\n'),
  'its end lost': (text) => text.slice(0, -20),
  'two lines in another order': (text) => text.replace(/\n(.*)\n(.*)\n/, '\n$2\n$1\n'),
  'nothing in it': () => '',
  'no backup in it': () => 'hello\n',
};

onBoth('a backup with any damage is refused as a whole', async (store, { t }) => {
  const folder = temporaryFolder(t);
  const source = await openStore({ folder: join(folder, 'source') });
  await fill(source);
  await source.backup(join(folder, 'backup'), 1);
  await source.close();
  const whole = readFileSync(join(folder, 'backup'), 'utf8');
  for (const [damage, harm] of Object.entries(damages)) {
    writeFileSync(join(folder, 'harmed'), harm(whole));
    await assert.rejects(store.restore(join(folder, 'harmed')), { kind: 'not restorable' }, damage);
  }
  assert.equal(await store.read.accounts.count(), 0);
  await store.restore(join(folder, 'backup'));
});

onBoth('a backup of a newer program is refused', async (store, { t }) => {
  const file = join(temporaryFolder(t), 'backup');

  await writeBackup(file, { format: 'weir backup', version: 1000, createdAt: 1 }, (async function* () {})());
  await assert.rejects(store.restore(file), { kind: 'not restorable', message: /newer version of Weir/ });
});

test('a backup of an older program is taken as it was then and brought forward', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'backup');
  const old = await openStore({ folder: join(folder, 'old') });
  await fill(old);
  await old.backup(file, 1);
  await old.close();
  const steps = [...migrations, ['alter table accounts add column note text', "update accounts set note = 'moved'"]];
  const database = openSqlite({ folder: join(folder, 'new') });
  t.after(() => database.close());
  await migrate(database, steps);
  await restore(database, file, 2, { steps });
  const { rows } = await database.read(
    plain('select id, note, (select version from schema_version) as version from accounts'),
  );
  assert.deepEqual(rows, [{ id: 'account-anna', note: 'moved', version: steps.length }]);
});

test('a backup that cannot be finished leaves nothing under its name', async (t) => {
  const folder = temporaryFolder(t);
  const options: StoreOptions = { folder: join(folder, 'data') };
  const store = await openFor(t, options);
  await fill(store);
  await assert.rejects(store.backup(join(folder, 'nowhere', 'backup'), 1), /ENOENT/);
  assert.deepEqual(await readdir(folder), ['data']);
});
