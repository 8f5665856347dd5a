import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { checkIfMatch, tagOf } from './entity-tags.ts';

const deps = { sha256: (text: string) => createHash('sha256').update(text).digest() };
const kindOf = (header: string | undefined, current: string | undefined): string => {
  const result = checkIfMatch(header, current);
  return result.ok ? 'ok' : result.error.kind;
};

test('equal states have equal tags, others do not', () => {
  assert.equal(tagOf(deps, { a: 1, b: [2] }), tagOf(deps, { a: 1, b: [2] }));
  assert.notEqual(tagOf(deps, { a: 1 }), tagOf(deps, { a: 2 }));
  assert.match(tagOf(deps, null), /^"[\w-]+"$/);
});

test('a change is allowed without the header, with *, and with the tag of the current state among others', () => {
  const current = '"abc"';
  assert.equal(kindOf(undefined, current), 'ok');
  assert.equal(kindOf(' * ', undefined), 'ok');
  assert.equal(kindOf('"abc"', current), 'ok');
  assert.equal(kindOf('"x" , "abc"', current), 'ok');
});

test('another tag, a weak one and a state without a tag fail the condition', () => {
  for (const [header, current] of [
    ['"x"', '"abc"'],
    ['W/"abc"', '"abc"'],
    ['""', '"abc"'],
    ['"abc"', undefined],
  ] as const)
    assert.equal(kindOf(header, current), 'precondition failed', header);
});

test('a header that is not a list of tags is an error of the header', () => {
  for (const header of ['', 'abc', '"abc', '"a" "b"', '"a",', ',"a"', '"a\u0001"'])
    assert.equal(kindOf(header, '"abc"'), 'invalid', header);
});
