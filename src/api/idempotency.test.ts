import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { openApi } from '../../test/support/api.ts';
import { MAX_STORED_REPLY_LENGTH, STORED_REPLY_MS } from '../domain/stored-reply.ts';
import { findReply, type IdempotentRequest, readIdempotencyKey, storableReply, storeReply } from './idempotency.ts';

const deps = { sha256: (text: string) => createHash('sha256').update(text).digest() };
const caller = { account: 'home', user: 'anna' } as unknown as Parameters<typeof readIdempotencyKey>[2];

function keyOf(
  key: string | undefined,
  different: { url?: string; method?: string; user?: string; body?: unknown } = {},
) {
  const { url = '/api/v1/devices', method = 'POST', user = 'anna', body = { name: 'Phone' } } = different;
  const request = {
    url,
    method,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  } as unknown as FastifyRequest;
  return readIdempotencyKey(deps, request, { ...caller, user: user as never }, body);
}
const read = (...given: Parameters<typeof keyOf>): IdempotentRequest => {
  const result = keyOf(...given);
  assert.ok(result.ok && result.value);
  return result.value;
};

test('a key belongs to its user; the content of the request is compared apart from it', () => {
  assert.deepEqual(read('a'), read('a'));
  assert.notEqual(read('a').id, read('b').id);
  assert.notEqual(read('a').id, read('a', { user: 'bert' }).id);
  const other = read('a', { body: { name: 'TV' } });
  assert.equal(other.id, read('a').id);
  assert.notEqual(other.request, read('a').request);
  assert.notEqual(read('a', { url: '/api/v1/other' }).request, read('a').request);
});

test('only POST requests have keys, and a key must be printable ASCII', () => {
  assert.deepEqual(keyOf(undefined), { ok: true, value: undefined });
  assert.deepEqual(keyOf('a', { method: 'PUT' }), { ok: true, value: undefined });
  for (const key of ['', 'ü', 'a\tb', 'x'.repeat(256)]) assert.equal(keyOf(key).ok, false, key);
});

test('a stored reply is found by the same request until it expires; another request with the key is an error', async (t) => {
  const { store, account, clock } = await openApi(t, []);
  const home = await account('home');
  const request = { ...read('a'), account: home.account };
  const find = (given: IdempotentRequest = request) => findReply(store.read, given, clock.now);
  assert.deepEqual(await find(), { ok: true, value: undefined });
  await store.inTransaction((transaction) =>
    storeReply(transaction, request, { kind: 'json', text: '{"id":1}' }, clock.now),
  );
  assert.deepEqual(await find(), { ok: true, value: '{"id":1}' });
  assert.deepEqual(await find({ ...request, request: 'other' }), {
    ok: false,
    error: { kind: 'key of another request' },
  });
  clock.now += STORED_REPLY_MS + 1;
  assert.deepEqual(await find(), { ok: true, value: undefined });
});

test('replies with secrets and long ones are not stored: their request is known, but not repeated', async (t) => {
  assert.deepEqual(storableReply({ requires: 'writer' }, { id: 1 }), { kind: 'json', text: '{"id":1}' });
  assert.deepEqual(storableReply({ requires: 'writer' }, undefined), { kind: 'json', text: '' });
  assert.deepEqual(storableReply({ requires: 'self' }, { api_key: 'secret' }), { kind: 'withheld' });
  assert.deepEqual(storableReply({ requires: 'writer' }, 'x'.repeat(MAX_STORED_REPLY_LENGTH)), { kind: 'withheld' });
  const { store, account, clock } = await openApi(t, []);
  const request = { ...read('a'), account: (await account('home')).account };
  await store.inTransaction((transaction) => storeReply(transaction, request, { kind: 'withheld' }, clock.now));
  assert.deepEqual(await findReply(store.read, request, clock.now), { ok: false, error: { kind: 'executed before' } });
});
