import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type, { type TSchema } from 'typebox';
import { schemaCheck } from '../http/check-body.ts';
import { isWithin, repairBody } from './repair-body.ts';

const schema = Type.Object({
  name: Type.String({ maxLength: 5 }),
  kind: Type.Optional(Type.Enum(['a', 'b'])),
  rules: Type.Optional(Type.Array(Type.String())),
  inner: Type.Optional(Type.Object({ mode: Type.Enum(['x', 'y']), count: Type.Integer(), on: Type.Boolean() })),
});

function repair(body: object): { value: unknown; uncertainPaths: readonly string[]; isTyped: boolean } {
  const check = schemaCheck(schema);
  const checked = check(body);
  assert.ok(!checked.ok);
  const { value, uncertainPaths } = repairBody(schema, body, checked.error);
  const again = check(value);
  return { value, uncertainPaths, isTyped: again.ok || again.error.every(({ isLength }) => isLength) };
}

test('wrong members are left out, required ones get a placeholder, others stay', () => {
  assert.deepEqual(repair({ name: 'n', rules: 'no list' }), {
    value: { name: 'n' },
    uncertainPaths: ['rules'],
    isTyped: true,
  });
  assert.deepEqual(repair({ rules: ['r'] }), {
    value: { name: 'x', rules: ['r'] },
    uncertainPaths: ['name'],
    isTyped: true,
  });
  assert.deepEqual(repair({ name: 7, rules: ['r', 8, 's'] }), {
    value: { name: 'x', rules: ['r', 'x', 's'] },
    uncertainPaths: ['name', 'rules[1]'],
    isTyped: true,
  });
  // Lengths are errors of a value that has the right type.
  assert.deepEqual(repair({ name: 'too long' }), { value: { name: 'too long' }, uncertainPaths: [], isTyped: true });
});

const valuesOf = (of: object, body: object): { values: unknown[]; uncertainPaths: readonly string[] } => {
  const checked = schemaCheck(of as TSchema)(body);
  assert.ok(!checked.ok);
  const { value, alternatives, uncertainPaths } = repairBody(of, body, checked.error);
  return { values: [value, ...alternatives], uncertainPaths };
};

test('a wrong member with fixed values has an alternative for each of them, and for its absence', () => {
  assert.deepEqual(valuesOf(schema, { name: 'n', inner: { count: 1, on: true } }), {
    values: ['x', 'y'].map((mode) => ({ name: 'n', inner: { mode, count: 1, on: true } })),
    uncertainPaths: ['inner.mode'],
  });
  assert.deepEqual(valuesOf(schema, { name: 'n', kind: 'c' }), {
    values: [{ name: 'n' }, { name: 'n', kind: 'a' }, { name: 'n', kind: 'b' }],
    uncertainPaths: ['kind'],
  });
});

test('with many fixed values all sibling paths are uncertain', () => {
  const many = Array.from({ length: 20 }, (_, at) => `v${at}`);
  const inner = Type.Object({ mode: Type.Enum(many), count: Type.Integer() });
  const { values, uncertainPaths } = valuesOf(Type.Object({ inner, name: Type.String() }), {
    name: 'n',
    inner: { mode: 'x', count: 1 },
  });
  assert.deepEqual(values, [{ name: 'n', inner: { mode: 'v0', count: 1 } }]);
  assert.ok(
    isWithin('inner.count', uncertainPaths) &&
      !isWithin('name', uncertainPaths) &&
      !isWithin('innermost', uncertainPaths),
  );
});
