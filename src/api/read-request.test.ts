import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { readBody, readQuery } from './read-request.ts';

const asking = (parts: { query?: object; body?: Buffer; type?: string }): FastifyRequest =>
  ({
    query: parts.query ?? {},
    body: parts.body,
    headers: parts.type === undefined ? {} : { 'content-type': parts.type },
  }) as FastifyRequest;

const schema = Type.Object({
  devices: Type.Optional(Type.Array(Type.String())),
  limit: Type.Optional(Type.Integer()),
  search: Type.Optional(Type.String()),
});

test('lists come as one value, as repeated names or with brackets, each value once', () => {
  const read = (query: object) => readQuery(asking({ query }), schema);
  assert.deepEqual(read({ devices: 'a' }), { devices: ['a'] });
  assert.deepEqual(read({ devices: ['a', 'b', 'a'] }), { devices: ['a', 'b'] });
  assert.deepEqual(read({ 'devices[]': ['a', 'b'] }), { devices: ['a', 'b'] });
  assert.deepEqual(read({ devices: '' }), { devices: [] });
});

test('numbers are parsed, other text stays text, and unknown parameters are ignored', () => {
  const read = (query: object) => readQuery(asking({ query }), schema);
  assert.deepEqual(read({ limit: '20', search: '20', filtering_status: 'x' }), { limit: 20, search: '20' });
  assert.deepEqual(read({ limit: 'twenty' }), { limit: 'twenty' });
  assert.deepEqual(read({ limit: '1e3' }), { limit: '1e3' });
  assert.deepEqual(read({ limit: ['1', '2'] }), { limit: 1 });
  // The largest and smallest integers of 64 bits, which clients send for "without a limit".
  assert.deepEqual(read({ limit: '9223372036854775807' }), { limit: Number.MAX_SAFE_INTEGER });
  assert.deepEqual(read({ limit: '-9223372036854775808' }), { limit: -Number.MAX_SAFE_INTEGER });
  assert.deepEqual(read({ limit: '10000000000000000000' }), { limit: '10000000000000000000' });
  assert.deepEqual(read(JSON.parse('{"__proto__":"x"}') as object), {});
});

test('a body is JSON unless the route takes forms', () => {
  const body = Buffer.from('{"name":"x"}');
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'text/plain',
    undefined,
  ])
    assert.deepEqual(
      readBody(asking({ body, ...(type !== undefined && { type }) }), { takesForm: false }),
      { ok: true, value: { name: 'x' } },
      type,
    );
  const form = { body: Buffer.from('name=x+y&name=z'), type: 'application/x-www-form-urlencoded' };
  assert.deepEqual(readBody(asking(form), { takesForm: true }), { ok: true, value: { name: 'x y' } });
  assert.deepEqual(readBody(asking(form), { takesForm: false }), {
    ok: false,
    error: { kind: 'wrong content type', wanted: 'application/json' },
  });
});

test('no body is an empty one where it is optional, and a refusal where it is not', () => {
  assert.deepEqual(readBody(asking({}), { takesForm: false, whenEmpty: {} }), { ok: true, value: {} });
  assert.equal(readBody(asking({ body: Buffer.alloc(0) }), { takesForm: false }).ok, false);
  assert.equal(readBody(asking({ body: Buffer.from('{') }), { takesForm: false }).ok, false);
});
