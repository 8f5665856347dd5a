import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreError, type StoreFailure } from '../domain/store-error.ts';
import { toStoreError } from './to-store-error.ts';

const withFields = (message: string, fields: object): Error => Object.assign(new Error(message), fields);

test('each error of the databases and the system has one kind', () => {
  const cases: readonly (readonly [Error, StoreFailure])[] = [
    [withFields('database is locked', { errcode: 5 }), 'busy'],
    [withFields('busy snapshot', { errcode: 5 | (2 << 8) }), 'busy'],
    [withFields('attempt to write a readonly database', { errcode: 8 }), 'read only'],
    [withFields('malformed', { errcode: 11 }), 'corrupt'],
    [withFields('file is not a database', { errcode: 26 }), 'corrupt'],
    [withFields('full', { errcode: 13 }), 'disk full'],
    [withFields('UNIQUE constraint failed', { errcode: 2067 }), 'taken'],
    [withFields('PRIMARY KEY constraint failed', { errcode: 1555 }), 'taken'],
    [withFields('duplicate key value', { code: '23505' }), 'taken'],
    [withFields('could not extend file', { code: '53100' }), 'disk full'],
    [withFields('too many connections', { code: '53300' }), 'unreachable'],
    [withFields('terminating connection', { code: '57P01' }), 'unreachable'],
    [withFields('read-only transaction', { code: '25006' }), 'read only'],
    [withFields('connect', { code: 'ECONNREFUSED' }), 'unreachable'],
    [withFields('write', { code: 'EPIPE' }), 'unreachable'],
    [withFields('Connection terminated unexpectedly', {}), 'unreachable'],
    [withFields('write', { code: 'ENOSPC' }), 'disk full'],
    [withFields('open', { code: 'EROFS' }), 'read only'],
  ];
  for (const [error, failure] of cases) {
    const told = toStoreError(error);
    assert.ok(told instanceof StoreError, error.message);
    assert.deepEqual([told.kind, told.cause], [failure, error]);
  }
});

test('an internal error is returned unchanged', () => {
  for (const fault of [withFields('FOREIGN KEY constraint failed', { errcode: 787 }), new TypeError('x'), 'text']) {
    assert.equal(toStoreError(fault), fault);
  }
  const told = new StoreError('busy', 'locked');
  assert.equal(toStoreError(told), told);
});
