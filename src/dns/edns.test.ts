import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytes, deviceOption, hexOf } from '../../test/support/dns/packets.ts';
import { type ClientSubnet, clientSubnetOption, isClientSubnet, readClientSubnet } from './client-subnet.ts';
import { extendedErrorOption, extendedErrors, findOption, keepaliveOption, readExtendedError } from './edns.ts';

test('an extended error is a number and a text', () => {
  const option = extendedErrorOption({ code: extendedErrors.blocked, text: 'blocked' });
  assert.equal(option.code, 15);
  assert.equal(hexOf(option.data), hexOf(bytes('000f 626c6f636b6564')));
  assert.deepEqual(readExtendedError(option.data), { code: 15, text: 'blocked' });
});

test('the text of an error is cut between characters, at 64 bytes', () => {
  const { data } = extendedErrorOption({ code: 15, text: `${'ü'.repeat(31)}€€` });
  assert.deepEqual(readExtendedError(data), { code: 15, text: 'ü'.repeat(31) });
  assert.equal(data.length, 2 + 62);
});

test('an extended error of an upstream may have no text, invalid UTF-8, or trailing zeros', () => {
  assert.deepEqual(readExtendedError(bytes('0016')), { code: 22, text: '' });
  assert.deepEqual(readExtendedError(bytes('0016 6100 00')), { code: 22, text: 'a' });
  assert.equal(readExtendedError(bytes('0016 ff'))!.text, '\ufffd');
  assert.equal(readExtendedError(bytes('00')), undefined);
});

test('a keepalive counts tenths of a second', () => {
  assert.equal(hexOf(keepaliveOption(300).data), '012c');
});

test('an option is found by its number; the first one if it is repeated', () => {
  const options = [keepaliveOption(1), deviceOption('a'), deviceOption('b')];
  assert.deepEqual(findOption(options, 65_074), deviceOption('a').data);
  assert.equal(findOption(options, 12), undefined);
});

test('a network is written without bits beyond its prefix', () => {
  const subnet = fc
    .oneof(fc.constant(4), fc.constant(16))
    .chain((length) =>
      fc.tuple(
        fc.uint8Array({ minLength: length, maxLength: length }),
        fc.integer({ min: 0, max: length * 8 }),
        fc.integer({ min: 0, max: length * 8 }),
      ),
    );
  fc.assert(
    fc.property(subnet, ([address, prefixLength, scope]) => {
      const { data } = clientSubnetOption({ address, prefixLength, scope });
      const masked = address.map((byte, i) => byte & (0xff00 >> Math.max(0, Math.min(8, prefixLength - i * 8))) & 0xff);
      const expected: ClientSubnet = { address: masked, prefixLength, scope };
      assert.deepEqual(readClientSubnet(data, 0, data.length, 'answer'), expected);
      assert.equal(isClientSubnet(data, 0, data.length, 'query'), scope === 0);
    }),
  );
});

test('a client subnet with prefix length 0 has no address', () => {
  const { data } = clientSubnetOption({ address: new Uint8Array(0), prefixLength: 0, scope: 0 });
  assert.equal(hexOf(data), '00000000');
  assert.deepEqual(readClientSubnet(data, 0, 4, 'query'), { address: new Uint8Array(0), prefixLength: 0, scope: 0 });
});

test('a scope may be longer than the prefix, but not than the address', () => {
  const answer = bytes('0001 18 20 010203');
  assert.equal(readClientSubnet(answer, 0, answer.length, 'answer')?.scope, 32);
  const tooLong = bytes('0001 18 21 010203');
  assert.equal(readClientSubnet(tooLong, 0, tooLong.length, 'answer'), undefined);
});
