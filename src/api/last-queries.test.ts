import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { aRecord } from '../../test/support/query-log/logs.ts';
import { lastQueryOperations } from './last-queries.ts';

test('each device of the account has its last query with protocol and address', async (t) => {
  const { account, clock, log, done, call } = await openApi(t, lastQueryOperations);
  const [home, other] = [await account('home'), await account('other')];
  const time = clock.now - 5000;
  await log.append([
    aRecord({
      account: home.account,
      time: time - 1000,
      device: 'phone',
      protocol: 'DNS',
      clientSubnet: '192.168.1.7',
    }),
    aRecord({ account: home.account, time, device: 'phone', protocol: 'DOT', clientSubnet: '203.0.113.0/24' }),
    aRecord({ account: home.account, time: time - 9000, device: 'tv', protocol: 'DNS' }),
    aRecord({ account: other.account, time, device: 'laptop' }),
  ]);
  const devices = ['phone', 'tv', 'laptop', 'phone'];
  assert.deepEqual((await done('getLastQueries', home, { query: { devices } })).reply, [
    { device_id: 'phone', time_millis: time, dns_proto_type: 'DOT', client_address: '203.0.113.0/24' },
    { device_id: 'tv', time_millis: time - 9000, dns_proto_type: 'DNS' },
  ]);
  const rejected = await call('getLastQueries', home, { query: { devices: [] } });
  assert.ok(!rejected.ok && rejected.error.kind === 'invalid');
});
