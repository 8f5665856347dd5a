import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPasswords, TooBusy } from './passwords.ts';

const passwords = createPasswords();

test('a password is known again by its hash, and no other is', async () => {
  const hash = await passwords.hash('correct horse');
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.equal(await passwords.verify('correct horse', hash), true);
  assert.equal(await passwords.verify('correct horsf', hash), false);
  assert.notEqual(await passwords.hash('correct horse'), hash);
});

test('any text is a password, whole, in whichever form its characters come', async () => {
  const long = '🐴'.repeat(100);
  assert.equal(await passwords.verify(`${long}x`, await passwords.hash(long)), false);
  assert.equal(await passwords.verify('caf\u00e9', await passwords.hash('cafe\u0301')), true);
});

test('what is no hash fits no password', async () => {
  for (const hash of ['', 'x', '$argon2id$v=19$m=1,t=1,p=1$$', '$2b$10$abcdefghijklmnopqrstuv'])
    assert.equal(await passwords.verify('', hash), false);
});

test('a hash made with other parameters still works, and is known to be old', async () => {
  // Made by another program (the reference implementation's command line) of "password" and "somesalt".
  const old = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  assert.equal(await passwords.verify('password', old), true);
  assert.equal(passwords.isOld(old), true);
  assert.equal(passwords.isOld(await passwords.hash('x')), false);
});

test('no more wait than may', async () => {
  const busy = createPasswords();
  const all = await Promise.allSettled(Array.from({ length: 40 }, () => busy.hash('x')));
  const refused = all.filter((one) => one.status === 'rejected');
  assert.equal(refused.length, 40 - 2 - 32);
  assert.ok(refused.every(({ reason }) => reason instanceof TooBusy));
});
