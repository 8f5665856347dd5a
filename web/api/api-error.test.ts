import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WeirError } from '../../src/client/weir-error.ts';
import { problemFrom } from './api-error.ts';

const kindOf = (answer: ConstructorParameters<typeof WeirError>[1]): string =>
  problemFrom(new WeirError('GET /x', answer)).kind;

test('status 503: the service is stopping, a change is stored but not applied, or the database failed', () => {
  const body = { error_code: 'UNKNOWN', message: 'The change is stored' };
  assert.equal(kindOf({ status: 503, body }), 'notApplied');
  assert.equal(kindOf({ status: 503, body, retryAfterSeconds: 5 }), 'fault');
  assert.equal(kindOf({ status: 503, body: { message: 'Service Unavailable' } }), 'unreachable');
  assert.equal(kindOf({ status: 0 }), 'unreachable');
});
