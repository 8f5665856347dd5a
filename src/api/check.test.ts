import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { fieldCheck, repairingCheck } from './check.ts';

const schema = Type.Object({
  name: Type.String({ maxLength: 5 }),
  days: Type.Optional(Type.Array(Type.Object({ hours: Type.Integer({ maximum: 23 }) }))),
});
const errorsOf = (value: unknown): string[] => {
  const result = fieldCheck(schema)(value);
  if (result.ok || result.error.kind !== 'invalid') return [];
  return result.error.errors.map(({ field, kind }) => `${field}: ${kind}`);
};

test('a valid value is returned', () => {
  assert.deepEqual(fieldCheck(schema)({ name: 'a' }), { ok: true, value: { name: 'a' } });
});

test('every error has the path of its field; a missing one is named', () => {
  assert.deepEqual(errorsOf({ name: 5, days: [{ hours: 1 }, { hours: 24 }, {}] }).sort(), [
    'days[1].hours: wrong value',
    'days[2].hours: required',
    'name: wrong value',
  ]);
  assert.deepEqual(errorsOf({}), ['name: required']);
  assert.deepEqual(errorsOf([]), ['body: wrong value']);
});

test('a value with errors is repaired to find further errors; the errors are kept', () => {
  const checked = repairingCheck(schema)({ name: 'a', days: [{ hours: 'x' }] });
  assert.ok(checked.ok);
  assert.deepEqual(
    checked.value.schemaErrors.map(({ field }) => field),
    ['days[0].hours'],
  );
  assert.equal(checked.value.value.name, 'a');
  assert.equal(typeof checked.value.value.days![0]!.hours, 'number');
});
