import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readClickhouseUrl } from './clickhouse-url.ts';

test('addresses of ClickHouse have defaults for port, database and user', () => {
  assert.deepEqual(readClickhouseUrl('clickhouse://log'), {
    ok: true,
    value: { origin: 'http://log:8123', database: 'default', user: 'default', password: '' },
  });
  assert.deepEqual(readClickhouseUrl('clickhouses://weir:a%40b@[2001:db8::1]:9443/weir_log'), {
    ok: true,
    value: { origin: 'https://[2001:db8::1]:9443', database: 'weir_log', user: 'weir', password: 'a@b' },
  });
});

test('other addresses are rejected without repeating the password', () => {
  for (const [text, expected] of [
    ['http://user:secret@log:8123', /begins with/],
    ['clickhouse://user:secret@log/a-b', /database name/],
    ['clickhouse://user:secret@log/a?secure=1', /parameters/],
    ['clickhouse:///weir', /host/],
    ['clickhouse://user:secret%@log', /%25/],
  ] as const) {
    const read = readClickhouseUrl(text);
    assert.ok(!read.ok, text);
    assert.match(read.error, expected);
    assert.doesNotMatch(read.error, /secret/);
  }
});
