import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from './operations.ts';

test('each method of a path belongs to one operation', () => {
  const routes = operations.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`);
  assert.deepEqual(
    routes.filter((route, index) => routes.indexOf(route) !== index),
    [],
  );
  assert.ok(routes.includes('POST /oapi/v1/oauth_token'));
});

test('operation ids are unique', () => {
  const ids = operations.flatMap(({ operationId }) => operationId ?? []);
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  );
});

test('paths begin with the published API or with that of the extensions', () => {
  assert.deepEqual(
    operations.map(({ path }) => path).filter((path) => !/^\/(oapi\/v[12]|api\/v1)\/\w/.test(path)),
    [],
  );
});
