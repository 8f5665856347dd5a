import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { dropNulls } from './drop-nulls.ts';

const schema = Type.Object({
  name: Type.String(),
  note: Type.Optional(Type.String()),
  inner: Type.Optional(Type.Object({ a: Type.Optional(Type.String()), b: Type.Boolean() })),
  rows: Type.Optional(Type.Array(Type.Object({ id: Type.String(), enabled: Type.Optional(Type.Boolean()) }))),
  texts: Type.Optional(Type.Array(Type.String())),
});

const cases: readonly (readonly [given: unknown, wanted: unknown])[] = [
  [{ name: 'a', note: null }, { name: 'a' }],
  [{ name: null }, { name: null }],
  [{ name: 'a', inner: null, rows: null }, { name: 'a' }],
  [
    { name: 'a', inner: { a: null, b: null } },
    { name: 'a', inner: { b: null } },
  ],
  [
    { name: 'a', rows: [{ id: 'x', enabled: null }, null] },
    { name: 'a', rows: [{ id: 'x' }, null] },
  ],
  [
    { name: 'a', texts: [null] },
    { name: 'a', texts: [null] },
  ],
  [
    { name: 'a', unknown: null, constructor: null },
    { name: 'a', unknown: null, constructor: null },
  ],
  [null, null],
  ['text', 'text'],
];

test('an optional member that is null counts as absent; a required one stays', () => {
  for (const [given, wanted] of cases) assert.deepEqual(dropNulls(schema, given), wanted, JSON.stringify(given));
});
