import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  RANDOM_BYTES_OF_RECOVERY_CODES,
  recoveryCodeForHashing,
  recoveryCodes,
  useRecoveryCode,
} from './recovery-codes.ts';

test('there are ten codes of sixteen letters, all different', () => {
  const codes = recoveryCodes(new Uint8Array(RANDOM_BYTES_OF_RECOVERY_CODES).map((_, index) => (index * 61) % 251));
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) assert.match(code, /^(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
});

test('hyphens, spaces and case do not matter', () => {
  assert.equal(recoveryCodeForHashing(' abcd efgh-IJKL-mnop '), 'ABCDEFGHIJKLMNOP');
});

test('a code works once', () => {
  const left = useRecoveryCode(['a', 'b'], 'a');
  assert.deepEqual(left, ['b']);
  assert.equal(useRecoveryCode(left!, 'a'), undefined);
});
