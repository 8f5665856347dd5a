import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findJsonError } from './json-error.ts';

test('valid JSON in any format has no error', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t', '\r\n'), (text, space) => {
      assert.equal(findJsonError(JSON.stringify(JSON.parse(text), undefined, space)), undefined);
    }),
  );
});

test('an error is found exactly if the engine rejects the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:01ae.-\\ \n'.split('')) }), (text) => {
      assert.equal(findJsonError(text) === undefined, isJson(text), text);
    }),
    { numRuns: 5000 },
  );
});

const faults: readonly (readonly [text: string, at: number])[] = [
  ['{"a": 1,}', 8],
  ['[1,]', 3],
  ['// c\n{}', 0],
  ['{a: 1}', 1],
  ['{"a" 1}', 5],
  ['{"a": 01}', 7],
  ['"x', 0],
  ['{} {}', 3],
  ['', 0],
  ['[', 1],
  ['\uFEFF{}', 0],
];

test('the error is at the first invalid character', () => {
  for (const [text, at] of faults) assert.equal(findJsonError(text), at, text);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
