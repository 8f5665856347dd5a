import assert from 'node:assert/strict';
import { test } from 'node:test';
import { managementDeps } from '../../test/support/management.ts';
import type { Deps } from './deps.ts';
import { hashNew } from './new-password.ts';

const hashed: string[][] = [];
const { passwords } = managementDeps(() => 0);
const hash = async (password: string, from: string): Promise<string> => {
  hashed.push([password, from]);
  return `hash of ${password}`;
};
const deps = { passwords: { ...passwords, hash } } as Deps;
const anna = { email: 'anna@example.org', from: '192.0.2.1' };

test('a new password is hashed in composed form, for the client that sends it', async () => {
  const [composed, decomposed] = ['caf\u00e9 horse battery', 'cafe\u0301 horse battery'];
  assert.deepEqual(await hashNew(deps, { ...anna, password: decomposed }), { ok: true, value: `hash of ${composed}` });
  assert.deepEqual(hashed.splice(0), [[composed, '192.0.2.1']]);
});

test('a rejected password is an error of its field and is not hashed', async () => {
  const errorOf = (field: string, message: string) => ({
    ok: false,
    error: { kind: 'invalid', errors: [{ field, kind: 'wrong value', message }] },
  });
  const short = await hashNew(deps, { ...anna, password: 'short' });
  assert.deepEqual(short, errorOf('password', 'must have at least 8 characters'));
  const repeated = await hashNew(deps, { ...anna, password: 'x'.repeat(12) }, 'new_password');
  assert.deepEqual(repeated, errorOf('new_password', 'must not be a single repeated character'));
  assert.deepEqual(hashed, []);
});
