import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roomy } from '../../test/support/domain/settings.ts';
import type { AccountId, ProfileId } from './ids.ts';
import {
  createProfile,
  firstProfile,
  type NewProfileContext,
  type ProfileQuota,
  removeProfile,
  renameProfile,
} from './profile-rules.ts';

const context: NewProfileContext = { id: '0badcafe' as ProfileId, account: 'a' as AccountId, now: 7 };
const quota: ProfileQuota = { used: 1, limit: 2, settings: roomy };

test('the first DNS server of an account is its default, protects, and uses one general list', () => {
  const { name, isDefault, settings } = firstProfile(context);
  assert.deepEqual([name, isDefault, settings.protectionEnabled], ['Default', true, true]);
  assert.deepEqual(settings.filterLists, { enabled: true, lists: [{ id: 'adguard_dns_filter', enabled: true }] });
});

test('a new DNS server takes the defaults for all that is left out', () => {
  const result = createProfile(quota, { name: ' Kids ', settings: { ipLogEnabled: true } }, context);
  assert.ok(result.ok);
  const first = firstProfile(context);
  assert.deepEqual(result.value, {
    ...first,
    name: 'Kids',
    isDefault: false,
    settings: { ...first.settings, ipLogEnabled: true },
  });
});

test('every error of a new DNS server is reported at once', () => {
  const result = createProfile(quota, { name: '', settings: { blockTtlSeconds: -1 } }, context);
  assert.ok(!result.ok && result.error.kind === 'invalid');
  assert.deepEqual(
    result.error.errors.map(({ field }) => field),
    ['name', 'settings.block_ttl_seconds'],
  );
});

test('an account at its limit gets an error with the limit', () => {
  assert.deepEqual(createProfile({ ...quota, used: 2 }, { name: 'Kids' }, context), {
    ok: false,
    error: { kind: 'limit reached', what: 'dnsServers', limit: 2 },
  });
});

test('a DNS server is renamed when a name is given', () => {
  const profile = firstProfile(context);
  assert.deepEqual(renameProfile(profile, { name: 'Home' }), { ok: true, value: { ...profile, name: 'Home' } });
  assert.deepEqual(renameProfile(profile, {}), { ok: true, value: profile });
  assert.equal(renameProfile(profile, { name: 'a\u0000b' }).ok, false);
});

test('the default DNS server cannot be deleted', () => {
  const profile = firstProfile(context);
  const refused = removeProfile(profile);
  assert.ok(!refused.ok && refused.error.kind === 'invalid');
  assert.equal(refused.error.errors[0]?.field, 'dns_server_id');
  assert.equal(removeProfile({ ...profile, isDefault: false }).ok, true);
});
