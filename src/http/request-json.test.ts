import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseRequestJson } from './request-json.ts';

test('JSON is parsed', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(parseRequestJson(Buffer.from(text)), { ok: true, value: JSON.parse(text) as unknown });
    }),
  );
});

test('invalid JSON is reported with the message of the engine', () => {
  assert.deepEqual(parseRequestJson('nope'), { ok: false, error: `Unexpected token 'o', "nope" is not valid JSON` });
  assert.deepEqual(parseRequestJson(''), { ok: false, error: 'Unexpected end of JSON input' });
});

test('nesting is limited to 32 levels; brackets in strings do not count', () => {
  const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  assert.equal(parseRequestJson(nested(32)).ok, true);
  assert.deepEqual(parseRequestJson(nested(33)), {
    ok: false,
    error: 'lists and objects within each other more than 32 deep',
  });
  assert.equal(parseRequestJson('{"a":'.repeat(1_000_000)).ok, false);
  for (const text of [nested(100), `\\"${nested(50)}`, '\\\\', '"[[[[['.repeat(20)]) {
    assert.deepEqual(parseRequestJson(JSON.stringify([text])), { ok: true, value: [text] });
  }
});
