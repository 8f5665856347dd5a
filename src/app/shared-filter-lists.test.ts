import assert from 'node:assert/strict';
import { test } from 'node:test';
import { downloading, fromAccount, rules, statusOf, testLists, until } from '../../test/support/filter-lists/lists.ts';
import { until as untilAsync } from '../../test/support/kit/until.ts';
import { httpOrigin } from '../../test/support/net/origin.ts';
import { accountId, auditEntryOf, newAccount } from '../../test/support/store/accounts.ts';
import { newPostgresDatabase } from '../../test/support/store/postgres.ts';
import { openFor } from '../../test/support/store/stores.ts';
import { sharedFilterLists } from './shared-filter-lists.ts';

test('the leader downloads a list for all nodes, and another node after it', async (t) => {
  const postgres = await newPostgresDatabase();
  if (postgres === undefined) return t.skip('there is no PostgreSQL here');
  let served = { text: rules(10), etag: '"1"' };
  const asked: (string | undefined)[] = [];
  const origin = await httpOrigin(t, (request, response) => {
    asked.push(request.headers['if-none-match']);
    if (asked.at(-1) === served.etag) return void response.writeHead(304).end();
    response.writeHead(200, { etag: served.etag }).end(served.text);
  });
  const [first, second] = [await openFor(t, { postgres }), await openFor(t, { postgres })];
  await first.inTransaction(({ accounts }) => accounts.create(newAccount('kate', 1)));
  const list = { ...fromAccount(`${origin.url}/list.txt`), account: accountId('kate') };
  const sharedBy = (store: typeof first) => sharedFilterLists(store, { maxBytes: downloading.maxCompilationBytes });
  assert.equal(await first.isLeader('filter lists'), true);
  const [here, there] = [await testLists(t, { wanted: [list] }), await testLists(t, { wanted: [list] })];

  const waiting = await there.open({ shared: sharedBy(second) });
  assert.equal(waiting.tableOf('custom'), undefined, 'it waits for the leader');
  const leading = await here.open({ shared: sharedBy(first) });
  await until(() => leading.tableOf('custom') !== undefined, 'the list at the leader');
  await untilAsync('the shared version', async () => (await second.read.sharedLists.all()).length === 1);
  await waiting.review();
  await until(() => waiting.tableOf('custom') !== undefined, 'the list at the other node');
  assert.equal(waiting.tableOf('custom')?.version, leading.tableOf('custom')?.version);
  assert.deepEqual(asked, [undefined], 'one download for two nodes');

  // Its owner asks the other node for a check: the sources are asked, with the validators of the leader.
  await waiting.check('custom');
  assert.deepEqual(asked, [undefined, '"1"']);
  served = { text: rules(12), etag: '"2"' };
  await waiting.check('custom');
  assert.equal(statusOf(waiting, 'custom').rules, 12);
  await leading.close();
  const again = await here.open({ shared: sharedBy(first) });
  await until(() => statusOf(again, 'custom').rules === 12, 'the version of the other node at the leader');
  assert.equal(asked.length, 3);

  await again.close();
  await first.close();
  await untilAsync('the other node to be the leader', () => second.isLeader('filter lists'));
  await second.inTransaction(({ accounts }) => accounts.remove(accountId('kate'), auditEntryOf('deletion')));
  assert.deepEqual(await second.read.sharedLists.all(), [], 'the text is deleted with its account');
});

test('the leader removes the texts of lists that are not in use', async (t) => {
  const postgres = await newPostgresDatabase();
  if (postgres === undefined) return t.skip('there is no PostgreSQL here');
  const store = await openFor(t, { postgres });
  const unused = { id: 'unused', source: 'https://lists.example/a', version: 'a', account: null, seen: null };
  await store.inTransaction(({ sharedLists }) => sharedLists.put({ ...unused, text: new Uint8Array(1) }));
  const setUp = await testLists(t);
  await setUp.open({ shared: sharedFilterLists(store, { maxBytes: downloading.maxCompilationBytes }) });
  assert.deepEqual(await store.read.sharedLists.all(), []);
});
