import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role, User } from './account.ts';
import { changeRole, newAccount, parseEmail, removeMember, updateAccount } from './account-rules.ts';
import type { AccountId, UserId } from './ids.ts';

const account = newAccount('a' as AccountId, 'default', 'UTC', 7);
const user = (id: string, role: Role): User => ({
  id: id as UserId,
  account: account.id,
  email: `${id}@example.org`,
  role,
  passwordHash: '',
  totpSecret: undefined,
  totpLastStep: undefined,
  emailIsClaimed: false,
  recoveryCodeHashes: [],
  createdAt: 7,
});
const [owner, admin, viewer] = [user('o', 'owner'), user('a', 'admin'), user('v', 'viewer')];

test('an account keeps what an update does not give', () => {
  assert.deepEqual(updateAccount(account, { timeZone: 'Europe/Berlin' }), {
    ok: true,
    value: { ...account, timeZone: 'Europe/Berlin' },
  });
  assert.deepEqual(updateAccount(account, {}), { ok: true, value: account });
});

test('every error of an account is reported at once', () => {
  const result = updateAccount(account, { timeZone: 'Mars', logRetentionDays: 0 });
  assert.ok(!result.ok && result.error.kind === 'invalid');
  assert.deepEqual(
    result.error.errors.map(({ field }) => field),
    ['time_zone', 'log_retention_days'],
  );
});

test('e-mail addresses are kept in lower case', () => {
  assert.equal(parseEmail(' Ann@Example.ORG '), 'ann@example.org');
  for (const text of [
    '',
    'ann',
    '@example.org',
    'ann@',
    'a b@example.org',
    'a@b@c',
    'a\n@b',
    `${'a'.repeat(300)}@b`,
    '<a>@b',
  ])
    assert.equal(parseEmail(text), undefined, text);
});

const why = (result: ReturnType<typeof removeMember>): string | undefined =>
  !result.ok && result.error.kind === 'forbidden' ? result.error.why : undefined;

test('members are managed from above or beside, never from below', () => {
  assert.deepEqual(changeRole(owner, viewer, 'admin', 1), { ok: true, value: { ...viewer, role: 'admin' } });
  assert.deepEqual(changeRole(admin, viewer, 'admin', 1).ok, true);
  assert.match(why(changeRole(admin, viewer, 'owner', 1))!, /higher than your own role/);
  assert.match(why(changeRole(admin, owner, 'viewer', 2))!, /higher role/);
  assert.match(why(changeRole(viewer, user('w', 'viewer'), 'viewer', 1))!, /viewers/);
  assert.match(why(changeRole(viewer, viewer, 'admin', 1))!, /higher than your own role/);
});

test('every member may leave except the last owner', () => {
  assert.equal(removeMember(viewer, viewer, 1).ok, true);
  assert.equal(removeMember(owner, owner, 2).ok, true);
  assert.match(why(removeMember(owner, owner, 1))!, /at least one owner/);
  assert.match(why(changeRole(owner, owner, 'viewer', 1))!, /at least one owner/);
  assert.equal(changeRole(owner, owner, 'owner', 1).ok, true);
});
