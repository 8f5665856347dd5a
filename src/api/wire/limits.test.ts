import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitsToWire, limitToWire } from './limits.ts';

test('a limit above 32 bits is 2147483647, which means unlimited; the usage is not cut', () => {
  const INT32_MAX = 2_147_483_647;
  assert.deepEqual(limitToWire({ limit: Infinity, used: 2 ** 40 }), { limit: INT32_MAX, used: 2 ** 40 });
  assert.deepEqual(limitToWire({ limit: INT32_MAX + 1, used: 0 }), { limit: INT32_MAX, used: 0 });
  assert.deepEqual(limitToWire({ limit: INT32_MAX - 1, used: 3 }), { limit: INT32_MAX - 1, used: 3 });
});

test('each kind of limit has its name on the wire', () => {
  const limitsInUse = {
    accessRules: { limit: 10, used: 1 },
    dedicatedIpv4: { limit: 20, used: 2 },
    devices: { limit: 30, used: 3 },
    dnsServers: { limit: 40, used: 4 },
    requests: { limit: 50, used: 5 },
    userRules: { limit: 60, used: 6 },
  };
  assert.deepEqual(limitsToWire(limitsInUse), {
    access_rules: { limit: 10, used: 1 },
    dedicated_ipv4: { limit: 20, used: 2 },
    devices: { limit: 30, used: 3 },
    dns_servers: { limit: 40, used: 4 },
    requests: { limit: 50, used: 5 },
    user_rules: { limit: 60, used: 6 },
  });
});
