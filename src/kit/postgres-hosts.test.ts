import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPostgresUrl } from './postgres-hosts.ts';

test('a URL with several hosts is one URL per host', () => {
  assert.deepEqual(readPostgresUrl('postgres://me:p%40ss@one:5433,two,[2001:db8::1]:5434/weir?sslmode=disable'), {
    ok: true,
    value: {
      urls: [
        'postgres://me:p%40ss@one:5433/weir?sslmode=disable',
        'postgres://me:p%40ss@two/weir?sslmode=disable',
        'postgres://me:p%40ss@[2001:db8::1]:5434/weir?sslmode=disable',
      ],
      mustWrite: true,
    },
  });
});

const attributes: Readonly<Record<string, boolean>> = {
  'postgres://one/weir': false,
  'postgresql://one,two/weir': true,
  'postgres://one/weir?target_session_attrs=read-write': true,
  'postgres://one,two/weir?target_session_attrs=primary': true,
  'postgres://one,two/weir?target_session_attrs=any': false,
  'postgres:///weir': false,
};

for (const [url, mustWrite] of Object.entries(attributes))
  test(`${url} ${mustWrite ? 'skips' : 'accepts'} a standby`, () => {
    const read = readPostgresUrl(url);
    assert.ok(read.ok && read.value.mustWrite === mustWrite);
  });

const wrong: Readonly<Record<string, RegExp>> = {
  'mysql://one/weir': /postgres:/,
  one: /postgres:/,
  'postgres://one,,two/weir': /host/,
  'postgres://one:port,two/weir': /host/,
  'postgres://one,two/weir?target_session_attrs=standby': /target_session_attrs=standby: use read-write/,
  'postgres://one/weir?target_session_attrs=constructor': /target_session_attrs/,
};

for (const [url, reason] of Object.entries(wrong))
  test(`${url} is refused`, () => {
    const read = readPostgresUrl(url);
    assert.ok(!read.ok);
    assert.match(read.error, reason);
  });
