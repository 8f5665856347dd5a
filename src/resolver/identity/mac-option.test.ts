import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressBytes } from './address-key.ts';
import { macText, trustedMacLength } from './mac-option.ts';

const mac = 'a0:b1:c2:d3:e4:f5';

for (const [form, data] of [
  ['bytes', Buffer.from('a0b1c2d3e4f5', 'hex')],
  ['text', Buffer.from('A0:B1:C2:D3:E4:F5')],
  ['base64', Buffer.from(Buffer.from('a0b1c2d3e4f5', 'hex').toString('base64'))],
] as const)
  test(`the option is read as ${form}`, () => {
    const query = Buffer.concat([Buffer.from('..'), data, Buffer.from('..')]);
    assert.equal(macText(query, 2, data.length), mac);
  });

test('text that is not a MAC address has no value', () => {
  assert.equal(macText(Buffer.from('a0:b1:c2:d3:e4:zz'), 0, 17), undefined);
  assert.equal(macText(Buffer.from('????????'), 0, 8), undefined);
});

const cases: readonly (readonly [client: string, transport: 'udp' | 'tcp' | 'dot' | 'doh', isTrusted: boolean])[] = [
  ['192.168.1.1', 'udp', true],
  ['10.0.0.1', 'tcp', true],
  ['127.0.0.1', 'udp', true],
  ['fd00::1', 'udp', true],
  ['fe80::1', 'udp', true],
  ['::ffff:192.168.1.1', 'udp', true],
  ['203.0.113.1', 'udp', false],
  ['2001:db8::1', 'tcp', false],
  ['192.168.1.1', 'dot', false],
  ['192.168.1.1', 'doh', false],
];
for (const [client, transport, isTrusted] of cases)
  test(`a MAC option from ${client} over ${transport} ${isTrusted ? 'counts' : 'does not count'}`, () => {
    const request = { client: addressBytes(client)!, transport };
    assert.equal(trustedMacLength(request, { macLength: 6 }), isTrusted ? 6 : 0);
    assert.equal(trustedMacLength(request, { macLength: 0 }), 0);
  });
