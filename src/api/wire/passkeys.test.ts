import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passkeyOf } from '../../../test/support/store/accounts.ts';
import { schemaCheck } from '../../http/check-body.ts';
import { PasskeyCreate, passkeyToWire } from './passkeys.ts';

test('a passkey has the host name at which it works, and no key; one that was never used has no last_used_millis', () => {
  const unused = { id: 'passkey-anna', name: 'Phone', host: 'dns.example.org', created_millis: 2000 };
  assert.deepEqual(passkeyToWire(passkeyOf('anna')), unused);
  assert.deepEqual(passkeyToWire({ ...passkeyOf('anna'), lastUsedAt: 3000 }), { ...unused, last_used_millis: 3000 });
});

test('members of a credential are base64url without padding', () => {
  const isCreate = schemaCheck(PasskeyCreate);
  const body = (id: string) => ({
    name: 'Phone',
    credential: { id, rawId: 'a-_9', type: 'public-key', response: { clientDataJSON: 'e30', attestationObject: 'o2' } },
  });
  assert.ok(isCreate(body('a-_9')).ok);
  for (const id of ['', 'a=', 'a+b', 'a/b', 'x'.repeat(1401)]) assert.equal(isCreate(body(id)).ok, false, id);
});
