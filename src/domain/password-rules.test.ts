import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonPasswords } from './common-passwords.ts';
import { passwordError, passwordForHashing } from './password-rules.ts';

const email = 'ann@example.org';

const passwords: readonly (readonly [what: string, password: string, isRight: boolean])[] = [
  ['eight characters', 'tr0ub4d&', true],
  ['seven characters', 'tr0ub4d', false],
  ['seven characters that need two units each', `${'\u{1f511}'.repeat(6)}\u{1f512}`, false],
  ['eight of another script', '\u043f\u0430\u0440\u043e\u043b\u044c\u043a\u0430', true],
  ['256 characters', `${'ab'.repeat(127)}cd`, true],
  ['257 characters', `${'ab'.repeat(128)}c`, false],
  ['only spaces', ' '.repeat(12), false],
  ['spaces within', 'correct horse battery', true],
  ['a common one', 'password1', false],
  ['a common one in capitals', 'PassWord1', false],
  ['one character over and over', 'eeeeeeeeee', false],
  ['the e-mail address', 'Ann@Example.org', false],
  ['half a character', 'abcdefghi\ud800', false],
];
for (const [what, password, isRight] of passwords) {
  test(`${what}: ${isRight ? 'accepted' : 'refused'}`, () => {
    assert.equal(passwordError(password, email) === undefined, isRight);
  });
}

test('the common passwords have the required length and are in lower case', () => {
  assert.ok(commonPasswords.size > 200);
  for (const word of commonPasswords) assert.ok(word.length >= 8 && word === word.toLowerCase(), word);
});

test('the same characters in other code points are the same password, and passwords are not truncated', () => {
  assert.equal(passwordForHashing('cafe\u0301 noir'), passwordForHashing('caf\u00e9 noir'));
  assert.equal(passwordForHashing('a'.repeat(256)).length, 256);
});
