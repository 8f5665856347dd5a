import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HostnameRules, parseHostname, whyNoHostname } from './hostname.ts';

const strict: HostnameRules = { allowIp: false, allowPublicSuffix: false, limited: false };
const passes = (name: string, rules: Partial<HostnameRules> = {}): boolean =>
  whyNoHostname(name, { ...strict, ...rules }) === undefined;

test('a name under a public suffix is a host name', () => {
  for (const name of [
    'example.com',
    'a.example.co.uk',
    'EXAMPLE.com',
    'user.github.io',
    'github.io',
    'a_b.example.com',
  ]) {
    assert.ok(passes(name), name);
  }
});

test('a public suffix is refused, because every site under it would go', () => {
  assert.equal(whyNoHostname('co.uk', strict), '"co.uk" is a public suffix: the rule would block every site under it');
  assert.ok(!passes('com'));
});

test('where public suffixes are allowed, a registry must list them', () => {
  assert.ok(passes('co.uk', { allowPublicSuffix: true }));
  assert.ok(passes('org', { allowPublicSuffix: true }));
  assert.match(
    whyNoHostname('localhost', { ...strict, allowPublicSuffix: true }) ?? '',
    /"localhost" is a single word/,
  );
  assert.ok(!passes('invalid-tld-nobody-has', { allowPublicSuffix: true }));
});

test('a rule with restricting modifiers may apply to any suffix', () => {
  assert.ok(passes('com', { limited: true }));
  assert.ok(passes('localhost', { limited: true }));
  assert.ok(!passes('1.2.3.4', { limited: true }));
});

test('an IP address passes only where addresses are allowed', () => {
  assert.equal(whyNoHostname('1.2.3.4', strict), '"1.2.3.4" is an IP address');
  assert.ok(passes('1.2.3.4', { allowIp: true }));
  assert.ok(passes('[2001:db8::1]', { allowIp: true }));
  assert.ok(!passes('[2001:db8::1]'));
});

test('text without an ASCII letter or digit is not a host name', () => {
  for (const name of ['', '-', 'пример', '!']) {
    assert.equal(whyNoHostname(name, strict), `"${name}" is not a host name`);
  }
});

test('a URL counts by its host', () => {
  assert.equal(parseHostname('https://ads.example.com:8080/path').hostname, 'ads.example.com');
  assert.ok(passes('http://example.com/'));
  assert.ok(!passes('http://com/'));
});

test('the suffix of a name is the longest that a registry lists', () => {
  assert.equal(parseHostname('www.example.co.uk').publicSuffix, 'co.uk');
  assert.equal(parseHostname('www.example.unlisted').publicSuffix, 'unlisted');
  assert.equal(parseHostname('www.example.unlisted').isIcann, false);
});

test('every host name of the original compiler is accepted, also with a dash before its last label', () => {
  assert.equal(whyNoHostname('example.-org', { allowIp: false, allowPublicSuffix: false, limited: false }), undefined);
});
