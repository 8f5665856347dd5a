import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { openBackend } from '../../../test/support/query-log/tables.ts';
import { countClients } from './count-clients.ts';

test('queries without a device are counted by address in exactly the range, in encoded and raw rows', async (t) => {
  const { append, flush, reading } = await openBackend(t);
  const guest = (clientSubnet: string, time: number, others = {}) => {
    const { device: _, ...record } = aRecord({ clientSubnet, time, ...others });
    return record;
  };
  await append([
    guest('192.168.1.5', NOW - 50),
    guest('192.168.1.5', NOW - 40, { status: 'REQUEST_BLOCKED' }),
    guest('192.168.1.6', NOW - 30),
    guest('192.168.1.6', NOW - 99),
    aRecord({ clientSubnet: '192.168.1.7', time: NOW - 20 }),
  ]);
  await flush();
  await append([guest('192.168.1.5', NOW - 10), guest('192.168.1.8', NOW - 10, { dnsServer: 'other' })]);
  const range = { from: NOW - 60, to: NOW };
  const count = (query: object) => reading((own) => countClients(own, 'home', { ...range, ...query }));
  assert.deepEqual(await count({ dnsServers: ['server-1'] }), [
    { address: '192.168.1.5', lastActivity: NOW - 10, queries: 3, blocked: 1 },
    { address: '192.168.1.6', lastActivity: NOW - 30, queries: 1, blocked: 0 },
  ]);
  assert.equal((await count({})).length, 3);
  assert.deepEqual(await reading((own) => countClients(own, 'other', range)), []);
});
