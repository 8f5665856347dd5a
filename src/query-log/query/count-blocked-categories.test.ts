import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { openBackend } from '../../../test/support/query-log/tables.ts';
import { countBlockedCategories } from './count-blocked-categories.ts';

test('queries that categories have blocked are counted; services and allowed queries are not', async (t) => {
  const { append, flush, reading } = await openBackend(t);
  const blocked = { status: 'REQUEST_BLOCKED', source: 'PARENTAL_FILTERING_CATEGORY' } as const;
  await append([
    aRecord({ ...blocked, serviceId: 'gambling', time: NOW - 3 }),
    aRecord({ ...blocked, serviceId: 'gambling', time: NOW - 200 }),
    aRecord({ ...blocked, serviceId: 'dating', time: NOW - 2 }),
    aRecord({ ...blocked, status: 'NONE', serviceId: 'dating', time: NOW - 2 }),
    aRecord({ ...blocked, source: 'PARENTAL_BLOCKED_SERVICE', serviceId: 'tiktok', time: NOW - 2 }),
  ]);
  await flush();
  await append([aRecord({ ...blocked, serviceId: 'dating', time: NOW - 1, device: 'tv' })]);
  const count = (query: object) =>
    reading((own) => countBlockedCategories(own, 'home', { from: NOW - 100, to: NOW, ...query }));
  assert.deepEqual(await count({}), [
    { category: 'dating', blocked: 2 },
    { category: 'gambling', blocked: 1 },
  ]);
  assert.deepEqual(await count({ devices: ['tv'] }), [{ category: 'dating', blocked: 1 }]);
});
