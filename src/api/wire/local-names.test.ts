import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forwardRuleOf, localRecordOf, profileNumber } from '../../../test/support/store/accounts.ts';
import { forwardRuleToWire, localRecordFromWire, localRecordToWire } from './local-names.ts';

const server = profileNumber(1, 'anna').id;

test('a local record of all DNS servers has no dns_server_id, and one with the default TTL no ttl', () => {
  const bare = { id: 'record-anna', name: 'nas.anna', type: 'TXT', value: 'ünï "anna"' };
  assert.deepEqual(localRecordToWire(localRecordOf('anna')), bare);
  assert.deepEqual(localRecordToWire(localRecordOf('anna', server)), { ...bare, ttl: 30, dns_server_id: '00000001' });
});

test('a TTL of 0 seconds is shown', () => {
  assert.equal(localRecordToWire({ ...localRecordOf('anna'), ttlSeconds: 0 }).ttl, 0);
});

test('the members of a new record have the names of the domain', () => {
  const record = { name: 'nas.lan', type: 'A', value: '192.168.1.2' } as const;
  assert.deepEqual(localRecordFromWire({ ...record, ttl: 0, dns_server_id: '00000001' }), {
    ...record,
    ttlSeconds: 0,
    profile: '00000001',
  });
  assert.deepEqual(localRecordFromWire(record), { ...record, ttlSeconds: undefined, profile: undefined });
});

test('a forwarding rule has a strategy and a DNS server only if they were chosen', () => {
  const bare = { id: 'rule-anna', domain: 'lan.anna', upstreams: ['192.168.1.1', 'tls://dns.example'] };
  assert.deepEqual(forwardRuleToWire(forwardRuleOf('anna')), { ...bare, strategy: 'ordered' });
  assert.deepEqual(forwardRuleToWire(forwardRuleOf('anna', server)), { ...bare, dns_server_id: '00000001' });
});
