import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roomy } from '../../test/support/domain/settings.ts';
import type { AccountId, ProfileId } from './ids.ts';
import {
  createProfile,
  firstProfile,
  type ProfileBirth,
  type ProfileRoom,
  removeProfile,
  renameProfile,
} from './profile-rules.ts';

const birth: ProfileBirth = { id: '0badcafe' as ProfileId, account: 'a' as AccountId, now: 7 };
const room: ProfileRoom = { used: 1, limit: 2, settings: roomy };

test('the first DNS server of an account is its default, protects, and uses one general list', () => {
  const { name, isDefault, settings } = firstProfile(birth);
  assert.deepEqual([name, isDefault, settings.protectionEnabled], ['Default', true, true]);
  assert.deepEqual(settings.filterLists, { enabled: true, lists: [{ id: 'adguard_dns_filter', enabled: true }] });
});

test('a new DNS server takes the defaults for all that is left out', () => {
  const result = createProfile(room, { name: ' Kids ', settings: { ipLogEnabled: true } }, birth);
  assert.ok(result.ok);
  const first = firstProfile(birth);
  assert.deepEqual(result.value, {
    ...first,
    name: 'Kids',
    isDefault: false,
    settings: { ...first.settings, ipLogEnabled: true },
  });
});

test('every fault of a new DNS server is told at once', () => {
  const result = createProfile(room, { name: '', settings: { blockTtlSeconds: -1 } }, birth);
  assert.ok(!result.ok && result.error.kind === 'invalid');
  assert.deepEqual(
    result.error.faults.map(({ field }) => field),
    ['name', 'settings.block_ttl_seconds'],
  );
});

test('an account at its limit is told the limit', () => {
  assert.deepEqual(createProfile({ ...room, used: 2 }, { name: 'Kids' }, birth), {
    ok: false,
    error: { kind: 'limit reached', what: 'dnsServers', limit: 2 },
  });
});

test('a DNS server is renamed when a name is given', () => {
  const profile = firstProfile(birth);
  assert.deepEqual(renameProfile(profile, { name: 'Home' }), { ok: true, value: { ...profile, name: 'Home' } });
  assert.deepEqual(renameProfile(profile, {}), { ok: true, value: profile });
  assert.equal(renameProfile(profile, { name: 'a\u0000b' }).ok, false);
});

test('the default DNS server cannot be deleted', () => {
  const profile = firstProfile(birth);
  const refused = removeProfile(profile);
  assert.ok(!refused.ok && refused.error.kind === 'invalid');
  assert.equal(refused.error.faults[0]?.field, 'dns_server_id');
  assert.equal(removeProfile({ ...profile, isDefault: false }).ok, true);
});
