import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normaliseIpPattern, parseIpPattern, whyAmbiguousAddress } from './ip-pattern.ts';

const isAmbiguous = (pattern: string, allowIp: boolean): boolean => {
  const ip = parseIpPattern(pattern);
  assert.ok(ip, `${pattern} is an address`);
  return whyAmbiguousAddress(ip, allowIp) !== undefined;
};

test('an address, or the beginning of one, is returned with the markers around it', () => {
  assert.deepEqual(parseIpPattern('||192.168.1.*'), {
    prefix: '||',
    address: '192.168.1',
    octets: 3,
    tail: '.*',
    separator: '',
  });
  assert.deepEqual(parseIpPattern('|10.0.0.1^|'), {
    prefix: '|',
    address: '10.0.0.1',
    octets: 4,
    tail: '',
    separator: '^|',
  });
  assert.equal(parseIpPattern('7')?.octets, 1);
  assert.equal(parseIpPattern('10.0.')?.tail, '.');
});

test('two dots before the asterisk are those of one subnet, as in the original', () => {
  assert.equal(parseIpPattern('1.2.3..*')?.tail, '..*');
  assert.equal(normaliseIpPattern('1.2.3..*'), '||1.2.3.*');
  assert.equal(normaliseIpPattern('|1.2.3..*'), '||1.2.3.*');
  assert.equal(normaliseIpPattern('||1.2.3..*'), '||1.2.3..*');
  assert.equal(parseIpPattern('1.2.3..'), undefined);
  assert.equal(isAmbiguous('||1.2.3.4..*', true), true);
  assert.equal(isAmbiguous('1.2.3..*', false), true);
});

test('text with an octet above 255, a fifth octet, or other characters is not an address', () => {
  for (const pattern of [
    '256.1.1.1',
    '1.2.3.4.5',
    '1.2.3.4/24',
    '1..2',
    '.1.2.3',
    '1.2.3.4^$',
    '|||1.2.3.4',
    'a.1.2.3',
    '',
    '::1',
  ]) {
    assert.equal(parseIpPattern(pattern), undefined, pattern);
  }
  for (const octet of [0, 9, 10, 99, 100, 199, 200, 249, 250, 255]) assert.ok(parseIpPattern(`${octet}.0.0.0`));
  for (const octet of [256, 260, 300, 999, 1000]) assert.equal(parseIpPattern(`${octet}.0.0.0`), undefined);
});

test('a whole address is clear with or without marks around it', () => {
  for (const pattern of ['1.2.3.4', '||1.2.3.4^', '|1.2.3.4^', '||1.2.3.4', '||1.2.3.4^|']) {
    assert.equal(isAmbiguous(pattern, false), false, pattern);
  }
  assert.equal(isAmbiguous('1.2.3.4^', false), true);
});

test('a part of an address is clear only as a subnet of three octets, where addresses are allowed', () => {
  assert.equal(isAmbiguous('||1.2.3.', true), false);
  assert.equal(isAmbiguous('||1.2.3.*', true), false);
  for (const pattern of [
    '1',
    '1.2',
    '1.2.3',
    '1.2.3.',
    '1.2.3.*',
    '1.2.3.4.*',
    '||1.2.3^',
    '||1.2.',
    '|1.2.3.',
    '||1.2.3.4.',
    '1.2^',
  ]) {
    assert.equal(isAmbiguous(pattern, true), true, pattern);
    assert.equal(isAmbiguous(pattern, false), true, pattern);
  }
  assert.equal(isAmbiguous('||1.2.3.', false), true);
});

test('one octet with a separator is a name, not a part of an address', () => {
  assert.equal(isAmbiguous('1^', false), false);
});

test('an address has one way of being written, and so has a subnet', () => {
  for (const pattern of ['1.2.3.4', '|1.2.3.4', '||1.2.3.4', '1.2.3.4^', '||1.2.3.4^', '|1.2.3.4^|']) {
    assert.equal(normaliseIpPattern(pattern), '||1.2.3.4^', pattern);
  }
  for (const prefix of ['', '|', '||']) {
    assert.equal(normaliseIpPattern(`${prefix}1.2.3.`), '||1.2.3.');
    assert.equal(normaliseIpPattern(`${prefix}1.2.3.*`), '||1.2.3.*');
  }
});

test('text other than a complete address or subnet stays unchanged', () => {
  for (const pattern of ['1.2.3', '1.2.', '1.2.3.^', '1.2.3.4.', '||1.2.3^', 'example.com', '']) {
    assert.equal(normaliseIpPattern(pattern), undefined, pattern);
  }
});

test('a normalised address is marked as such, and normalising it again changes nothing', () => {
  const pattern = fc
    .tuple(
      fc.constantFrom('', '|', '||'),
      fc.array(fc.nat(300), { minLength: 1, maxLength: 5 }).map((octets) => octets.join('.')),
      fc.constantFrom('', '.', '.*'),
      fc.constantFrom('', '^', '^|'),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(pattern, (text) => {
      const normalised = normaliseIpPattern(text);
      if (normalised === undefined) return;
      assert.equal(normaliseIpPattern(normalised), normalised);
      assert.equal(isAmbiguous(normalised, true), false);
    }),
    { numRuns: 2000 },
  );
});
