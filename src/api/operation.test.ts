import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { ok } from '../kit/result.ts';
import { isRaw, mutation, type Operation, publicRoute, query } from './operation.ts';
import { AccessTokenErrorResponse, ErrorResponse } from './wire/errors.ts';

const described = { path: '/api/v1/x', group: 'X', summary: 'X', responseDescription: 'X.' } as const;
const changed = async () => ok({ reply: undefined, audit: { action: 'x' } });
const statusesOf = ({ answers }: Operation) => Object.keys(answers).map(Number);
const headersOf = ({ headers }: Operation) => Object.keys((headers as { properties: object }).properties);

test('a query is for readers and a mutation for writers, unless they require more', () => {
  const read = query({ ...described, method: 'GET', run: async () => ok(undefined) });
  const write = mutation({ ...described, method: 'PUT', run: changed });
  const own = mutation({ ...described, method: 'PUT', requires: 'self', run: changed });
  const open = publicRoute({ ...described, method: 'GET', run: async () => ok(undefined) });
  const accessOf = ({ handler, security }: Operation) => [handler.kind !== 'public' && handler.requires, security];
  assert.deepEqual([read, write, own, open].map(accessOf), [
    ['reader', ['ApiKey', 'AuthToken']],
    ['writer', ['ApiKey', 'AuthToken']],
    ['self', ['AuthToken']],
    [false, []],
  ]);
});

test('an operation has its description and the functions of its handler, with defaults', () => {
  const stateOf = async () => 'state';
  const prepare = async () => ok(undefined);
  const run = async () => ok(undefined);
  const read = query({ ...described, method: 'GET', run });
  assert.deepEqual(read.handler, { kind: 'query', requires: 'reader', stateOf: undefined, isCacheable: false, run });
  const bare = { kind: 'mutation', requires: 'writer', stateOf: undefined, commitsErrors: false, run: changed };
  assert.deepEqual(mutation({ ...described, method: 'PUT', run: changed }).handler, bare);
  const put = { ...described, method: 'PUT', stateOf, prepare, commitsErrors: true, run: changed } as const;
  assert.deepEqual(mutation(put).handler, { ...bare, stateOf, prepare, commitsErrors: true });
  assert.deepEqual(publicRoute({ ...described, method: 'GET', run }).handler, { kind: 'public', run });
  const { method, path, group, summary, status } = read;
  assert.deepEqual(
    { method, path, group, summary, status },
    {
      method: 'GET',
      path: '/api/v1/x',
      group: 'X',
      summary: 'X',
      status: 200,
    },
  );
});

test('errors are JSON; that of missing credentials has the form of OAuth', () => {
  const { answers } = query({ ...described, method: 'GET', errors: [404], run: async () => ok(undefined) });
  assert.deepEqual(answers[404]?.content, { 'application/json': ErrorResponse });
  assert.deepEqual(answers[401]?.content, { 'application/json': AccessTokenErrorResponse });
});

test('the statuses of errors follow from the kind of operation, its method and its body', () => {
  const body = Type.Object({});
  const read = query({ ...described, method: 'GET', errors: [404], run: async () => ok(undefined) });
  assert.deepEqual(statusesOf(read), [200, 401, 403, 404, 421, 429, 500, 503]);
  const put = mutation({ ...described, method: 'PUT', body, run: changed });
  assert.deepEqual(statusesOf(put), [200, 401, 403, 412, 413, 415, 421, 429, 500, 503]);
  const post = mutation({ ...described, method: 'POST', status: 202, run: changed });
  assert.equal(post.status, 202);
  assert.deepEqual(statusesOf(post), [202, 400, 401, 403, 409, 412, 421, 422, 429, 500, 503]);
  const open = publicRoute({ ...described, method: 'POST', run: async () => ok(undefined) });
  assert.deepEqual(statusesOf(open), [200, 421, 500, 503]);
});

test('only mutations with a state accept If-Match, and only those by POST an idempotency key', () => {
  const stateOf = async () => 'state';
  assert.deepEqual(headersOf(mutation({ ...described, method: 'PUT', run: changed })), []);
  assert.deepEqual(headersOf(mutation({ ...described, method: 'POST', stateOf, run: changed })), [
    'If-Match',
    'Idempotency-Key',
  ]);
  const read = query({ ...described, method: 'GET', stateOf, run: async () => ok(undefined) });
  assert.deepEqual(headersOf(read), []);
  assert.deepEqual(Object.keys(read.answers[200]?.headers ?? {}), ['ETag']);
});

test('a response has the schema of its JSON, or another media type', () => {
  const reply = Type.Object({});
  const contentOf = ({ answers }: Operation) => answers[200]?.content;
  const common = { ...described, method: 'GET' } as const;
  assert.deepEqual(contentOf(query({ ...common, reply, run: async () => ok({}) })), { 'application/json': reply });
  const csv = query({ ...common, replyType: 'text/csv', run: async () => ok({ headers: {}, content: '' }) });
  assert.deepEqual(Object.keys(contentOf(csv) ?? {}), ['text/csv']);
  assert.equal(contentOf(query({ ...common, run: async () => ok(undefined) })), undefined);
});

test('a raw response has headers and content', () => {
  assert.equal(isRaw({ headers: {}, content: '' }), true);
  for (const other of [undefined, null, 'text', {}, { headers: {} }, { content: '' }])
    assert.equal(isRaw(other), false);
});
