import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { schemaCheck } from '../http/check-body.ts';
import { isWithin, repairBody } from './repair-body.ts';

const schema = Type.Object({
  name: Type.String({ maxLength: 5 }),
  kind: Type.Optional(Type.Enum(['a', 'b'])),
  rules: Type.Optional(Type.Array(Type.String())),
  inner: Type.Optional(Type.Object({ mode: Type.Enum(['x', 'y']), count: Type.Integer(), on: Type.Boolean() })),
});

function repair(body: object): { value: unknown; doubtful: readonly string[]; isTyped: boolean } {
  const check = schemaCheck(schema);
  const checked = check(body);
  assert.ok(!checked.ok);
  const { value, doubtful } = repairBody(schema, body, checked.error);
  const again = check(value);
  return { value, doubtful, isTyped: again.ok || again.error.every(({ isLength }) => isLength) };
}

test('wrong members are left out, required ones get a placeholder, others stay', () => {
  assert.deepEqual(repair({ name: 'n', rules: 'no list' }), {
    value: { name: 'n' },
    doubtful: ['rules'],
    isTyped: true,
  });
  assert.deepEqual(repair({ rules: ['r'] }), { value: { name: 'x', rules: ['r'] }, doubtful: ['name'], isTyped: true });
  assert.deepEqual(repair({ name: 7, rules: ['r', 8, 's'] }), {
    value: { name: 'x', rules: ['r', 'x', 's'] },
    doubtful: ['name', 'rules[1]'],
    isTyped: true,
  });
  // Lengths are errors of a value that has the right type.
  assert.deepEqual(repair({ name: 'too long' }), { value: { name: 'too long' }, doubtful: [], isTyped: true });
});

test('a wrong member with fixed values makes everything beside it doubtful', () => {
  const { value, doubtful, isTyped } = repair({ name: 'n', inner: { count: 1, on: true } });
  assert.deepEqual(value, { name: 'n', inner: { mode: 'x', count: 1, on: true } });
  assert.ok(
    isTyped && isWithin('inner.count', doubtful) && !isWithin('name', doubtful) && !isWithin('innermost', doubtful),
  );
  assert.ok(isWithin('name', repair({ name: 'n', kind: 'c' }).doubtful));
});
