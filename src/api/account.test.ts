import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { auditEntryOf } from '../../test/support/store/accounts.ts';
import { accountOperations } from './account.ts';

test('settings that are given change, the others stay, and the change is audited', async (t) => {
  const { account, done } = await openApi(t, accountOperations);
  const home = await account('home');
  const { audit } = await done('updateAccount', home, { body: { log_retention_days: 30 } });
  const { reply } = await done('getAccount', home);
  assert.deepEqual([reply.log_retention_days, reply.time_zone, reply.log_enabled], [30, 'Europe/Berlin', true]);
  assert.deepEqual([audit!.before, audit!.after], [{ logRetentionDays: 90 }, { logRetentionDays: 30 }]);
});

test('an invalid setting is an error of its field, and nothing changes', async (t) => {
  const { account, call, done } = await openApi(t, accountOperations);
  const home = await account('home');
  const before = (await done('getAccount', home)).reply;
  for (const [field, value] of [
    ['time_zone', 'Europe/Nowhere'],
    ['log_retention_days', -1],
    ['log_enabled', 'yes'],
  ] as const) {
    const result = await call('updateAccount', home, { body: { log_enabled: false, [field]: value } });
    assert.ok(!result.ok && result.error.kind === 'invalid', field);
    assert.deepEqual(
      result.error.errors.map((each) => each.field),
      [field],
    );
  }
  assert.deepEqual((await done('getAccount', home)).reply, before);
});

test('the audit log has pages, newest first, of the account alone', async (t) => {
  const { account, done, store } = await openApi(t, accountOperations);
  const [home, other] = [await account('home'), await account('other')];
  await store.inTransaction(async ({ audit }) => {
    for (const number of [1, 2, 3, 4, 5])
      await audit.add(auditEntryOf('home', { id: `entry-${number}`, at: 1000 + (number >> 1) }));
  });
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const { reply } = await done('listAudit', home, { query: { limit: 2, ...(cursor && { cursor }) } });
    pages.push(reply.items.map(({ id }: { id: string }) => id.at(-1)).join(''));
    assert.equal(reply.navigation.next?.page_cursor, reply.next_cursor);
    cursor = reply.next_cursor;
  } while (cursor !== undefined);
  assert.deepEqual(pages.join('').split('').sort().join(''), '12345');
  assert.deepEqual(
    pages.map(({ length }) => length),
    [2, 2, 1],
  );
  assert.equal(pages[0]![0], '5');
  assert.deepEqual((await done('listAudit', other)).reply.items, []);
});

test('an invalid cursor of the audit log is an error of the field', async (t) => {
  const { account, call } = await openApi(t, accountOperations);
  const home = await account('home');
  for (const cursor of ['', '5', '5:', '5:a:0', 'x:a:1', '5:a b:1', '5:a:1:2'])
    assert.equal((await call('listAudit', home, { query: { cursor } })).ok, false, cursor);
});
