import assert from 'node:assert/strict';
import type { LookupFunction } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { checkedLookup, checkTarget } from './check-target.ts';
import { defaultSettings } from './download-settings.ts';
import { publicEndpoints } from './endpoint-policy.ts';

const guarded = { ...defaultSettings, endpoints: publicEndpoints({ ports: [80, 443] }) };
const refusedAddress = { kind: 'refused address' };
const badUrl = { kind: 'bad url' };

const check = (url: string, settings = guarded) => checkTarget(new URL(url), settings);

test('public names and addresses are allowed', () => {
  for (const url of ['http://example.org/', 'https://example.org/a?b#c', 'http://8.8.8.8/', 'http://[2606:4700::1]/']) {
    assert.equal(check(url), undefined, url);
  }
});

test('a forbidden address is rejected in every spelling', () => {
  const spellings = [
    'http://127.0.0.1/',
    'http:127.0.0.1/',
    'http://127.0.0.1./',
    'http://127.0.0.1\t/',
    'ht\ntp://127.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0x0.0x0.0x1/',
    'http://0177.0.0.1/',
    'http://127。0。0。1/',
    'http://127｡0｡0｡1/',
    'http://１２７.０.０.１/',
    'http://%31%32%37.0.0.1/',
    'http://2852039166/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:ffff:127.0.0.1]/',
    'http://[::7f00:1]/',
  ];
  for (const url of spellings) assert.deepEqual(check(url), refusedAddress, url);
});

test('only http and https are supported', () => {
  const others = [
    'file:///etc/passwd',
    'data:text/plain,x',
    'gopher://127.0.0.1:6379/',
    'ws://a/',
    'http+unix://%2Frun/',
  ];
  for (const url of others) assert.deepEqual(check(url, { ...guarded, endpoints: () => true }), badUrl, url);
});

test('a port that is not listed is refused, the default ports by their numbers', () => {
  assert.deepEqual(check('http://8.8.8.8:25/'), refusedAddress);
  assert.deepEqual(check('http://8.8.8.8:0/'), refusedAddress);
  const plainOnly = { ...guarded, endpoints: publicEndpoints({ ports: [80] }) };
  assert.deepEqual(check('https://8.8.8.8/', plainOnly), refusedAddress);
  assert.equal(check('http://8.8.8.8/', plainOnly), undefined);
  assert.equal(check('https://8.8.8.8:80/'), undefined);
});

test('under an endpoint policy a label that is not valid Punycode is refused', () => {
  for (const host of ['xn--', 'xn--a', 'lists.xn--.example', 'xn--55555577.example'])
    assert.deepEqual(check(`http://${host}/`), badUrl, host);
  for (const host of ['xn--mnchen-3ya.example', 'xn--strae-oqa.example', 'lists.xn--p1ai', 'b\u00fccher.example'])
    assert.equal(check(`http://${host}/`), undefined, host);
});

test('under an endpoint policy a URL may not carry credentials', () => {
  assert.deepEqual(check('http://127.0.0.1:80@example.org/'), badUrl);
  assert.deepEqual(check('http://:secret@example.org/'), badUrl);
});

test('under an endpoint policy a URL may have 2048 characters', () => {
  const base = 'http://example.org/';
  assert.equal(check(base.padEnd(2048, 'a')), undefined);
  assert.deepEqual(check(base.padEnd(2049, 'a')), badUrl);
});

test('without an endpoint policy every address is allowed', () => {
  const open = { ...defaultSettings };
  for (const url of ['http://127.0.0.1:25/', 'http://user:secret@[::1]/', 'http://example.org/'.padEnd(9000, 'a')]) {
    assert.equal(checkTarget(new URL(url), open), undefined, url);
  }
});

const answering =
  (...found: readonly string[]): LookupFunction =>
  (_hostname, _options, callback) =>
    callback(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

const resolve = (lookup: LookupFunction, all: boolean, url = 'http://example.org/') =>
  promisify<unknown>((callback) =>
    checkedLookup(new URL(url), { ...guarded, lookup }, () => new Error('refused'))('example.org', { all }, callback),
  )();

test('a lookup returns the addresses if all of them are allowed', async () => {
  assert.deepEqual(await resolve(answering('8.8.8.8', '2606:4700::1'), true), [
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ]);
  assert.equal(await resolve(answering('8.8.8.8', '2606:4700::1'), false), '8.8.8.8');
});

test('a name with one forbidden address is rejected', async () => {
  await assert.rejects(resolve(answering('8.8.8.8', '10.0.0.1'), true), /refused/);
  await assert.rejects(resolve(answering('8.8.8.8', '::1'), false), /refused/);
});

test('a name is checked together with its port', async () => {
  assert.equal(await resolve(answering('8.8.8.8'), false, 'https://example.org/'), '8.8.8.8');
  for (const port of [0, 22, 8080]) {
    await assert.rejects(resolve(answering('8.8.8.8'), false, `https://example.org:${port}/`), /refused/);
  }
});

test('without an endpoint policy the lookup is not changed', () => {
  const lookup = answering('127.0.0.1');
  assert.equal(checkedLookup(new URL('http://a.example/'), { ...defaultSettings, lookup }, Error), lookup);
});

test('a resolver that answers with a single address is understood', async () => {
  const single =
    (address: string): LookupFunction =>
    (_hostname, _options, callback) =>
      callback(null, address, 4);
  assert.equal(await resolve(single('8.8.8.8'), false), '8.8.8.8');
  await assert.rejects(resolve(single('127.0.0.1'), false), /refused/);
});

test('a name without addresses does not exist', async () => {
  await assert.rejects(resolve(answering(), true), { code: 'ENOTFOUND' });
  const failing: LookupFunction = (_hostname, _options, callback) =>
    callback(Object.assign(new Error('try later'), { code: 'EAI_AGAIN' }), []);
  await assert.rejects(resolve(failing, true), { code: 'EAI_AGAIN' });
});
