import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChecksumError, parseStoredJson, skipCorrupt, skipCorruptSync } from './checksum-error.ts';

const corrupt = (): never => {
  throw new ChecksumError();
};
const broken = (): never => {
  throw new TypeError('a defect');
};

test('corrupt data is reported and skipped', async () => {
  const problems: unknown[] = [];
  const onProblem = (problem: unknown): void => void problems.push(problem);
  assert.equal(await skipCorrupt(onProblem, corrupt), undefined);
  assert.equal(skipCorruptSync(onProblem, corrupt), undefined);
  assert.equal(problems.length, 2);
  assert.ok(problems.every((problem) => problem instanceof ChecksumError));
  assert.equal(await skipCorrupt(onProblem, async () => 'rows'), 'rows');
  assert.equal(
    skipCorruptSync(onProblem, () => 'rows'),
    'rows',
  );
  assert.equal(problems.length, 2);
});

test('other errors are not mistaken for corrupt data', async () => {
  const unexpected = (problem: unknown): never => assert.fail(String(problem));
  await assert.rejects(skipCorrupt(unexpected, broken), TypeError);
  assert.throws(() => skipCorruptSync(unexpected, broken), TypeError);
});

test('stored JSON that cannot be parsed is corrupt, with the reason', () => {
  assert.deepEqual(parseStoredJson('[1,"a",null]'), [1, 'a', null]);
  assert.throws(
    () => parseStoredJson('[1,'),
    (error) => error instanceof ChecksumError && error.cause instanceof SyntaxError,
  );
});
