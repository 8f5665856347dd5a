import assert from 'node:assert/strict';
import { accountId, auditEntryOf } from '../../test/support/store/accounts.ts';
import { addAnna, onBoth } from '../../test/support/store/stores.ts';

const anna = accountId('anna');

onBoth('the audit is read newest first, page by page, also where times are equal', async (store) => {
  await addAnna(store);
  const times = [9000, 1000, 2000, 2000, 2000];
  const entries = times.map((at, index) => auditEntryOf('anna', { id: `entry-${(7 * index) % 5}`, at }));
  await store.inTransaction(async (tx) => {
    for (const entry of entries) await tx.audit.add(entry);
  });
  const first = await store.read.audit.list(anna, { limit: 2 });
  const second = await store.read.audit.list(anna, { limit: 9, before: first.at(-1) });
  assert.deepEqual(
    [...first, ...second].map(({ id, at }) => [id, at]),
    [0, 4, 3, 2, 1].map((index) => [entries[index]!.id, times[index]! + Math.max(0, index - 2)]),
  );
  assert.deepEqual(first[0], entries[0]);
});
