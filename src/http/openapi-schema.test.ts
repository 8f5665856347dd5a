import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markupOf } from './openapi-html.ts';
import { schemaDetails, typeWords } from './openapi-schema.ts';
import type { Schema } from './openapi-shape.ts';

const strip = (markup: string): string =>
  markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
const words = (schema: Schema): string => strip(markupOf(typeWords(schema))).replaceAll('( ', '(');
const details = (schema: Schema): string => strip(markupOf(schemaDetails(schema)));

test('a type is said in words', () => {
  const object = { type: 'object', properties: { a: {} } };
  const cases: [Schema, string][] = [
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ type: 'string', format: 'date-time' }, 'string (date-time)'],
    [{}, 'anything'],
    [{ const: true }, 'always true'],
    [{ enum: ['a', 'b'] }, 'string'],
    [{ enum: [1, null] }, 'number or null'],
    [{ $ref: '#/components/schemas/Gate' }, 'Gate'],
    [{ type: 'array' }, 'array of anything'],
    [{ type: 'array', items: { type: 'integer' } }, 'array of integers'],
    [{ type: 'array', items: { enum: ['a'] } }, 'array of strings'],
    [{ type: 'array', items: { type: 'array', items: { type: 'string' } } }, 'array of array of strings'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Gate' } }, 'array of Gate'],
    [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } }, 'array of (string or number)'],
    [{ type: 'array', items: { anyOf: [object, object] } }, 'array of objects'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'map of strings'],
    [{ type: 'object', patternProperties: { '^.*$': { type: 'integer' } } }, 'map of integers'],
    [{ type: 'object', additionalProperties: false, properties: {} }, 'object'],
    [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'string or array of strings'],
    [{ allOf: [{ $ref: '#/a/A' }, { $ref: '#/a/B' }] }, 'A and B'],
  ];
  for (const [schema, expected] of cases) assert.equal(words(schema), expected);
});

test('limits and choices are said in words', () => {
  assert.equal(details({ minLength: 1, maxLength: 20 }), 'not empty; at most 20 characters.');
  assert.equal(details({ minimum: 0, maximum: 9, default: 3 }), 'at least 0; at most 9; unless said, 3 .');
  assert.equal(details({ type: 'array', minItems: 1, maxItems: 10 }), 'at least 1 item; at most 10 items.');
  assert.equal(details({ enum: ['a', 'b'] }), 'One of a , b .');
  assert.equal(details({ type: 'array', items: { enum: ['a', 1] } }), 'Each one of a , 1 .');
  assert.equal(details({ type: 'string' }), '');
});

test('members are shown however deep they stand', () => {
  const deep = { type: 'object', required: ['a'], properties: { a: { type: 'string' } }, additionalProperties: false };
  assert.equal(details(deep), 'a string required No other members.');
  assert.equal(details({ properties: { in: deep } }), 'in object Members a string required No other members.');
  assert.equal(details({ type: 'array', items: deep }), 'Members of each item a string required No other members.');
  assert.match(details({ type: 'object', additionalProperties: deep }), /^Members of each value a string/);
  assert.match(details({ type: 'array', items: { type: 'array', items: deep } }), /^Members of each item a string/);
});

test('each form of a value that has several is shown', () => {
  const form = (name: string): Schema => ({ type: 'object', properties: { [name]: { type: 'string' } } });
  const either = { anyOf: [form('a'), { type: 'string' }, form('b')] };
  assert.equal(details(either), 'Form 1 of 2 a string Form 2 of 2 b string');
  assert.equal(details({ type: 'array', items: either }), 'Form 1 of 2 a string Form 2 of 2 b string');
  assert.equal(details({ oneOf: [{ ...form('a'), title: 'A gate' }, { type: 'null' }] }), 'A gate a string');
});
