import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { bodyCheck, schemaCheck } from './check-body.ts';

const check = bodyCheck(
  Type.Object({
    items: Type.Array(Type.Object({ name: Type.String(), 'a/b~c': Type.Optional(Type.Integer()) })),
    mode: Type.Optional(Type.Enum(['fast', 'slow'])),
  }),
);

test('a valid body is returned unchanged', () => {
  const value = { items: [{ name: 'x', more: 1 }], mode: 'fast', other: true };
  assert.deepEqual(check(value), { ok: true, value });
});

test('every error is reported, each with its path', () => {
  assert.deepEqual(check({ items: [{ name: 'x' }, { name: 1, 'a/b~c': 'y' }], mode: 'other' }), {
    ok: false,
    error: [
      { path: 'items[1].name', message: 'must be string' },
      { path: 'items[1].a/b~c', message: 'must be integer' },
      { path: 'mode', message: 'must be one of fast, slow' },
    ],
  });
  assert.deepEqual(check(null), { ok: false, error: [{ path: '', message: 'must be object' }] });
});

test('an error lists the missing members', () => {
  const fault = { path: '', message: 'must have required properties items', missing: ['items'], isLength: false };
  assert.deepEqual(schemaCheck(Type.Object({ items: Type.Unknown() }))({}), { ok: false, error: [fault] });
});
