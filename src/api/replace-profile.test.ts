import assert from 'node:assert/strict';
import { test } from 'node:test';
import { profileNumber } from '../../test/support/store/accounts.ts';
import type { Profile } from '../domain/profile.ts';
import { replaceProfile } from './replace-profile.ts';

const before = profileNumber(1, 'anna', { name: 'Home' });

async function replace(after: Profile) {
  const written: Profile[] = [];
  const profiles = { update: async (profile: Profile) => void written.push(profile) };
  const result = await replaceProfile({ profiles } as never, { before, after, action: 'dns_server.update' }, 'reply');
  return { result, written };
}

test('a changed profile is written, and the note has the changed members only', async () => {
  const after = { ...before, name: 'Office' };
  const { result, written } = await replace(after);
  assert.deepEqual(written, [after]);
  assert.deepEqual(result, {
    ok: true,
    value: {
      reply: 'reply',
      audit: {
        action: 'dns_server.update',
        subject: '00000001',
        before: { name: 'Home' },
        after: { name: 'Office' },
      },
    },
  });
});

test('an unchanged profile is not written', async () => {
  const { result, written } = await replace({ ...before });
  assert.deepEqual(written, []);
  assert.ok(result.ok);
  assert.deepEqual(result.value.audit, {
    action: 'dns_server.update',
    subject: '00000001',
    before: undefined,
    after: undefined,
  });
});
