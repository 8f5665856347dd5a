import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestHeaders, withoutUserinfo } from './request-headers.ts';

const copy = { bytes: new Uint8Array(), url: 'http://list.example/', contentType: undefined };

test('a request has a User-Agent and the supported encodings', () => {
  assert.deepEqual(requestHeaders(new URL('http://list.example/'), 'weir/1.0', undefined), {
    'User-Agent': 'weir/1.0',
    Accept: '*/*',
    'Accept-Encoding': 'gzip, br, deflate',
  });
});

test('a copy is revalidated with the validators of its server', () => {
  const headers = requestHeaders(new URL('http://list.example/'), 'weir', { ...copy, etag: 'W/"1"' });
  assert.equal(headers['If-None-Match'], 'W/"1"');
  assert.equal(headers['If-Modified-Since'], undefined);
  const lastModified = 'Tue, 01 Jul 2025 10:00:00 GMT';
  const byDate = requestHeaders(new URL('http://list.example/'), 'weir', { ...copy, lastModified });
  assert.equal(byDate['If-Modified-Since'], lastModified);
});

test('credentials move from the URL into a header, with or without stray percent signs', () => {
  const authorization = (url: string) => requestHeaders(new URL(url), 'weir', undefined)['Authorization'];
  const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;
  assert.equal(authorization('http://user:p%40ss@list.example/'), basic('user:p@ss'));
  assert.equal(authorization('http://:secret@list.example/'), basic(':secret'));
  assert.equal(authorization('http://user:100%@list.example/'), basic('user:100%'));
  assert.equal(withoutUserinfo(new URL('http://user:secret@list.example/a')).href, 'http://list.example/a');
});
