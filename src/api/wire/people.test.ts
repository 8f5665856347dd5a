import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accountNamed,
  auditEntryOf,
  invitationOf,
  keyOf,
  userId,
  userNamed,
} from '../../../test/support/store/accounts.ts';
import {
  accountToWire,
  auditToWire,
  invitationToWire,
  keyToWire,
  memberToWire,
  sessionToWire,
  signedInToWire,
} from './people.ts';

const anna = userNamed('anna', { role: 'admin' });
const member = {
  id: 'user-anna',
  email: 'anna@example.org',
  role: 'admin',
  second_factor_enabled: false,
  created_millis: 1000,
} as const;

test('a member is shown without password and secrets', () => {
  assert.deepEqual(memberToWire(anna), member);
  const withFactor = userNamed('anna', { role: 'admin', totpSecret: 'JBSWY3DPEHPK3PXP', recoveryCodeHashes: ['hash'] });
  assert.deepEqual(memberToWire(withFactor), { ...member, second_factor_enabled: true });
});

test('a session without an idle timeout has no session_idle_minutes', () => {
  assert.deepEqual(signedInToWire(anna, 30), { ...member, session_idle_minutes: 30 });
  assert.deepEqual(signedInToWire(anna, 0), member);
});

test('a session has both tokens, their lifetime and the member', () => {
  const tokens = {
    accessToken: 'access',
    refreshToken: 'refresh',
    expiresInSeconds: 3600,
    sessionKind: { kind: 'own program' },
  } as const;
  assert.deepEqual(sessionToWire(tokens, anna, 5), {
    access_token: 'access',
    refresh_token: 'refresh',
    expires_in: 3600,
    member: { ...member, session_idle_minutes: 5 },
  });
});

test('an invitation is shown without the hash of its token', () => {
  assert.deepEqual(invitationToWire(invitationOf('anna')), {
    id: 'invitation-anna',
    email: 'friend-of-anna@example.org',
    role: 'viewer',
    invited_by: 'anna@example.org',
    created_millis: 2000,
    expires_millis: 9000,
  });
});

test('an API key is shown without its hash; one that was never used has no last_used_millis', () => {
  const unused = {
    id: 'key-anna',
    name: 'script',
    hint: 'weir_k_ab',
    member_id: 'user-anna',
    created_millis: 2000,
  };
  const key = keyOf('anna', { user: userId('anna') });
  assert.deepEqual(keyToWire(key), unused);
  assert.deepEqual(keyToWire({ ...key, lastUsedAt: 0 }), { ...unused, last_used_millis: 0 });
});

test('an audit entry has only the known members; null is a known value', () => {
  const bare = { id: 'entry-anna', time_millis: 2000, by: 'operator', action: 'system.backup' };
  const entry = auditEntryOf('anna', {
    by: 'operator',
    action: 'system.backup',
    from: undefined,
    subject: undefined,
    after: undefined,
  });
  assert.deepEqual(auditToWire(entry), bare);
  const whole = { from: '192.0.2.1', subject: '00000001', before: null, after: { name: 'Phone' } };
  assert.deepEqual(auditToWire({ ...entry, ...whole }), { ...bare, ...whole });
});

test('an account has its settings and the given limits', () => {
  const one = { limit: 1, used: 0 };
  const limits = {
    access_rules: one,
    dedicated_ipv4: one,
    devices: one,
    dns_servers: one,
    requests: one,
    user_rules: one,
  };
  assert.deepEqual(accountToWire(accountNamed('anna', { logEnabled: false }), limits), {
    id: 'account-anna',
    created_millis: 1000,
    plan: 'free',
    time_zone: 'Europe/Berlin',
    log_retention_days: 90,
    log_enabled: false,
    limits,
  });
});
