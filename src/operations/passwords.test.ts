import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slow } from '../../test/support/kit/slow.ts';
import { TooBusy } from '../domain/store-error.ts';
import { createPasswords } from './passwords.ts';

const FROM = '192.0.2.1';
const passwords = createPasswords();

test('only the right password matches its hash', async () => {
  const hash = await passwords.hash('correct horse', FROM);
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.equal(await passwords.verify('correct horse', hash, FROM), true);
  assert.equal(await passwords.verify('correct horsf', hash, FROM), false);
  assert.notEqual(await passwords.hash('correct horse', FROM), hash);
});

test('any text can be a password, in any Unicode normalisation form', async () => {
  const long = '🐴'.repeat(100);
  assert.equal(await passwords.verify(`${long}x`, await passwords.hash(long, FROM), FROM), false);
  assert.equal(await passwords.verify('caf\u00e9', await passwords.hash('cafe\u0301', FROM), FROM), true);
});

test('text that is not a hash matches no password', async () => {
  for (const hash of ['', 'x', '$argon2id$v=19$m=1,t=1,p=1$$', '$2b$10$abcdefghijklmnopqrstuv'])
    assert.equal(await passwords.verify('', hash, FROM), false);
});

test('a hash with other parameters is valid, and reported as outdated', async () => {
  // From the reference command line, for "password" and "somesalt".
  const old = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  assert.equal(await passwords.verify('password', old, FROM), true);
  assert.equal(passwords.isOld(old), true);
  assert.equal(passwords.isOld(await passwords.hash('x', FROM)), false);
});

test('one network has a limited number of slots, and others keep theirs', slow, async () => {
  const busy = createPasswords();
  const flood = Array.from({ length: 40 }, (_, host) => busy.hash('x', `2001:db8:1:${host}::/64`));
  const refused = Promise.allSettled(flood).then((all) => all.filter((one) => one.status === 'rejected'));
  assert.deepEqual([busy.hasRoom('2001:db8:1:77::/64'), busy.hasRoom(FROM)], [false, true]);
  await busy.hash('x', FROM);
  assert.equal((await refused).length, 40 - 2 - 16);
  assert.ok((await refused).every(({ reason }) => reason instanceof TooBusy));
});
