import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiError, toResponse } from './errors.ts';

const statuses: readonly (readonly [status: number, code: string | undefined, error: ApiError])[] = [
  [400, 'BAD_REQUEST', { kind: 'invalid', errors: [] }],
  [400, 'BAD_REQUEST', { kind: 'bad request', message: 'No.' }],
  [400, 'BAD_REQUEST', { kind: 'conflict', what: 'email' }],
  [401, undefined, { kind: 'unauthorized', why: 'no credentials' }],
  [403, 'UNKNOWN', { kind: 'forbidden', why: 'No.' }],
  [404, 'UNKNOWN', { kind: 'not found', what: 'device' }],
  [405, 'BAD_REQUEST', { kind: 'wrong method', allowed: ['GET'] }],
  [413, 'BAD_REQUEST', { kind: 'too large' }],
  [415, 'BAD_REQUEST', { kind: 'wrong content type', wanted: 'application/json' }],
  [429, 'FIELD_REACHED_LIMIT', { kind: 'limit reached', what: 'devices', limit: 3 }],
  [429, 'UNKNOWN', { kind: 'slow down', retryAfterSeconds: 0.1 }],
  [500, 'UNKNOWN', { kind: 'conflict', what: 'id' }],
  [500, 'UNKNOWN', { kind: 'fault' }],
];

test('every refusal has its status, and a code that clients of version 1.11 know', () => {
  for (const [status, code, error] of statuses) {
    const answer = toResponse(error);
    assert.equal(answer.status, status, error.kind);
    assert.equal('fields' in answer.body ? answer.body.error_code : undefined, code, error.kind);
  }
});

test('each invalid field is reported with its path, its code and a message', () => {
  const answer = toResponse({
    kind: 'invalid',
    errors: [
      { field: 'name', kind: 'required', message: 'Field is required' },
      { field: 'settings.block_ttl_seconds', kind: 'wrong value', message: 'must be smaller' },
      { field: 'user_rules_settings.rules', kind: 'limit reached', message: 'too many' },
    ],
  });
  assert.deepEqual(answer.body, {
    error_code: 'BAD_REQUEST',
    fields: [
      { error_code: 'FIELD_REQUIRED', field: 'name', message: 'Field is required' },
      { error_code: 'FIELD_WRONG_VALUE', field: 'settings.block_ttl_seconds', message: 'must be smaller' },
      { error_code: 'FIELD_REACHED_LIMIT', field: 'user_rules_settings.rules', message: 'too many' },
    ],
    message: 'Validation failed',
  });
});

test('401 lists the authentication schemes, and 429 says when to retry', () => {
  const unauthorized = toResponse({ kind: 'unauthorized', why: '2fa required' });
  assert.match(unauthorized.headers['www-authenticate'] ?? '', /^Bearer .*ApiKey /);
  assert.deepEqual(unauthorized.body, {
    error: 'unauthorized',
    error_code: '2fa_required',
    error_description: '2FA is required',
  });
  assert.equal(toResponse({ kind: 'slow down', retryAfterSeconds: 0.1 }).headers['retry-after'], '1');
  assert.equal(toResponse({ kind: 'slow down', retryAfterSeconds: 61.2 }).headers['retry-after'], '62');
  const unavailable = toResponse({ kind: 'unavailable', part: 'database', retryAfterSeconds: 5 });
  assert.deepEqual([unavailable.status, unavailable.headers['retry-after']], [503, '5']);
});
