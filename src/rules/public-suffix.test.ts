import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'tldts';
import { publicSuffix } from './public-suffix.ts';
import { plainDomains, suffixesBelow } from './public-suffixes.ts';

/** Every line of the list: suffixes, wildcards (with a label in place of the asterisk) and exceptions. */
const listed: readonly string[] = [
  ...plainDomains.split(' '),
  ...Object.entries(suffixesBelow).flatMap(([domain, names]) =>
    names
      .split(' ')
      .map((name) => (name === '.' ? domain : `${name.replace('!', '').replaceAll('*', 'any')}.${domain}`)),
  ),
];

function agreesWithTldts(name: string): void {
  const options = { validateHostname: false, extractHostname: false, detectIp: false };
  const { publicSuffix: suffix, isIcann } = parse(name, options);
  assert.deepEqual(publicSuffix(name), { suffix, listed: isIcann }, name);
}

test('the suffix of a name is the longest that a registry lists', () => {
  assert.deepEqual(publicSuffix('www.example.com'), { suffix: 'com', listed: true });
  assert.deepEqual(publicSuffix('www.example.co.uk'), { suffix: 'co.uk', listed: true });
  assert.deepEqual(publicSuffix('co.uk'), { suffix: 'co.uk', listed: true });
});

test('a name without a listed suffix has its last label for one', () => {
  assert.deepEqual(publicSuffix('printer.localdomain'), { suffix: 'localdomain', listed: false });
  assert.deepEqual(publicSuffix('localhost'), { suffix: 'localhost', listed: false });
  assert.deepEqual(publicSuffix('constructor'), { suffix: 'constructor', listed: false });
});

test('an asterisk matches any label, and an exception excludes a name', () => {
  assert.equal(publicSuffix('a.b.ck').suffix, 'b.ck');
  assert.equal(publicSuffix('a.www.ck').suffix, 'ck');
});

test('suffixes of private owners are names like others', () => {
  assert.deepEqual(publicSuffix('user.github.io'), { suffix: 'io', listed: true });
});

test('every suffix, the names under it and the names under those are judged as tldts judges them', () => {
  assert.ok(listed.length > 5000);
  for (const suffix of listed) {
    for (const below of ['', 'a.', 'b.a.', 'www.']) agreesWithTldts(below + suffix);
    agreesWithTldts(suffix.slice(suffix.indexOf('.') + 1));
  }
});

test('any other name is judged as tldts judges it, too', () => {
  const label = fc.oneof(
    fc.constantFrom('com', 'co', 'uk', 'jp', 'city', 'kawasaki', 'ck', 'www', 'no', 'github', 'io', 'xn--p1ai'),
    fc.constantFrom(...new Set(listed.flatMap((name) => name.split('.')))),
    fc.string({ unit: fc.constantFrom('a', 'b', '-', '1'), minLength: 1, maxLength: 4 }),
  );
  const name = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.'));
  fc.assert(fc.property(name, agreesWithTldts), { numRuns: 5000 });
});

test('a dot in front of a suffix makes it longer than the suffix', () => {
  for (const name of ['.com', '.uk', '.jp', '.co.uk']) agreesWithTldts(name);
});
