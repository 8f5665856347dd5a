import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databases } from '../../test/support/store/stores.ts';
import type { Database } from './database.ts';
import { migrate, plain } from './migrate.ts';
import { operatorAndRefreshTokens } from './migrations/05-operator-and-refresh-tokens.ts';
import { migrations } from './migrations/migrations.ts';
import { openPostgres } from './postgres-database.ts';
import { openSqlite } from './sqlite-database.ts';

const account = (id: string, at: number): string =>
  `insert into accounts values ('${id}', ${at}, 'default', '{}', 'UTC', 30, 1, 0)`;
const user = (id: string, of: string, role: string, at: number): string =>
  `insert into users (id, account, email, role, password_hash, recovery_code_hashes, created_at)
    values ('${id}', '${of}', '${id}@example.org', '${role}', 'x', '[]', ${at})`;

for (const [name, newDatabase] of Object.entries(databases))
  test(`${name}: an upgrade records the first owner as the operator, and which addresses members chose`, async (t) => {
    const options = await newDatabase(t);
    if (!options) return t.skip('there is no PostgreSQL here');
    const database: Database = 'folder' in options ? openSqlite(options) : await openPostgres(options.postgres);
    t.after(() => database.close());
    const before = migrations.slice(0, migrations.indexOf(operatorAndRefreshTokens));
    await migrate(database, before);
    await database.transaction(async (run) => {
      for (const statement of [
        account('second', 20),
        account('first', 10),
        user('b', 'second', 'owner', 1),
        user('viewer', 'first', 'viewer', 2),
        user('later', 'first', 'owner', 30),
        user('a', 'first', 'owner', 10),
        `insert into audit (id, account, at, actor, action, subject) values ('e', 'second', 1, 'b', 'member.email', 'b')`,
      ])
        await run(plain(statement));
    });
    await migrate(database, migrations);
    const { rows: operators } = await database.read(plain('select setting, user_id from operators'));
    assert.deepEqual(operators, [{ setting: 'first', user_id: 'a' }]);
    const { rows: claimed } = await database.read(plain('select id from users where email_claimed = 1'));
    assert.deepEqual(claimed, [{ id: 'b' }]);
  });
