import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, hexOf, name } from '../../test/support/dns/packets.ts';
import { typeName } from '../kit/dns-numbers.ts';
import { types } from './numbers.ts';
import {
  hostInfoData,
  mailExchangeData,
  nameData,
  serviceBindingData,
  serviceLocationData,
  textData,
  zoneAuthorityData,
} from './record-data.ts';
import { recordText } from './record-text.ts';

const zone = {
  primary: 'ns.example.com',
  mailbox: 'host\\.master.example.com',
  serial: 4_294_967_295,
  refresh: 7_200,
  retry: 900,
  expire: 1_209_600,
  minimum: 60,
};

test('data is parsed from and formatted in presentation format', () => {
  const written: readonly (readonly [number, Uint8Array | undefined, string])[] = [
    [types.A, Uint8Array.of(192, 0, 2, 1), '192.0.2.1'],
    [types.AAAA, bytes('20010db8000000000000000000000001'), '2001:db8::1'],
    [types.CNAME, nameData('www.Example.com'), 'www.Example.com.'],
    [types.PTR, nameData('.'), '.'],
    [types.MX, mailExchangeData(10, 'mail.example.com'), '10 mail.example.com.'],
    [types.SRV, serviceLocationData(0, 5, 5060, 'sip.example.com'), '0 5 5060 sip.example.com.'],
    [types.TXT, textData('v=spf1 "all" \\ ü'), '"v=spf1 \\"all\\" \\\\ \\195\\188"'],
    [types.TXT, textData(''), '""'],
    [types.HINFO, hostInfoData('RFC8482', ''), '"RFC8482" ""'],
    [types.SOA, zoneAuthorityData(zone), 'ns.example.com. host\\.master.example.com. 4294967295 7200 900 1209600 60'],
    [
      types.HTTPS,
      serviceBindingData(1, '.', [
        { key: 1, value: bytes('02 6832 02 6833') },
        { key: 4, value: Uint8Array.of(192, 0, 2, 1, 192, 0, 2, 2) },
      ]),
      '1 . alpn=h2,h3 ipv4hint=192.0.2.1,192.0.2.2',
    ],
  ];
  for (const [type, data, text] of written) {
    assert.ok(data, text);
    assert.equal(recordText(type, data), text);
  }
});

test('an invalid name produces no record data', () => {
  const long = 'a'.repeat(64);
  assert.equal(nameData(long), undefined);
  assert.equal(mailExchangeData(10, long), undefined);
  assert.equal(serviceLocationData(0, 0, 0, long), undefined);
  assert.equal(serviceBindingData(1, long, []), undefined);
  assert.equal(zoneAuthorityData({ ...zone, mailbox: long }), undefined);
});

test('a long text is several strings', () => {
  const data = textData('x'.repeat(300));
  assert.equal(data.length, 302);
  assert.equal(data[0], 255);
  assert.equal(data[256], 45);
  assert.equal(recordText(types.TXT, data), `"${'x'.repeat(255)}" "${'x'.repeat(45)}"`);
});

test('signatures, keys and proofs are formatted as in zone files', () => {
  const owner = hexOf(name('example.com'));
  const texts: readonly (readonly [string, string, string])[] = [
    ['DS', 'ec45 05 01 2bb183af5f22588179a53b0a98631fad1a292118', '60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118'],
    ['DNSKEY', '0100 03 05 0103d22a6c', '256 3 5 AQPSKmw='],
    [
      'RRSIG',
      `0001 05 03 00015180 3e7c9dd7 3e5510d7 0a52 ${owner} 3a09`,
      'A 5 3 86400 20030322173103 20030220173103 2642 example.com. Ogk=',
    ],
    [
      'NSEC',
      `${owner} 0006 400100000003 041b 0000000000000000000000000000000000000000000000000000 20`,
      'example.com. A MX RRSIG NSEC TYPE1234',
    ],
    [
      'NSEC3',
      '01 01 000c 04aabbccdd 14 174eb2409fe28bcb4887a1836f957f0a8425e27b 0007 22010000000290',
      '1 1 12 AABBCCDD 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR NS SOA MX RRSIG DNSKEY NSEC3PARAM',
    ],
    ['NSEC3PARAM', '01 00 0000 00', '1 0 0 -'],
    ['TLSA', '03 01 01 abcd', '3 1 1 ABCD'],
    ['SSHFP', '04 02 abcd', '4 2 ABCD'],
    ['CAA', '00 05 6973737565 63612e74657374', '0 issue "ca.test"'],
    ['URI', '000a 0001 687474703a2f2f61', '10 1 "http://a"'],
    ['NAPTR', `0064 000a 01 55 07 4532552b736970 00 ${owner}`, '100 10 "U" "E2U+sip" "" example.com.'],
  ];
  for (const [type, hex, text] of texts) {
    const number = types[type as keyof typeof types];
    assert.equal(typeName(number), type);
    assert.equal(recordText(number, bytes(hex)), text);
  }
});

test('unknown types and malformed data are formatted as bytes', () => {
  const unreadable: readonly (readonly [number, string, string])[] = [
    [65_400, 'c00c', '\\# 2 C00C'],
    [65_400, '', '\\# 0'],
    [types.A, 'c00002', '\\# 3 C00002'],
    [types.A, 'c000020101', '\\# 5 C000020101'],
    [types.CNAME, 'c00c', '\\# 2 C00C'],
    [types.CNAME, '', '\\# 0'],
    [types.MX, '000a', '\\# 2 000A'],
    [types.TXT, '0561', '\\# 2 0561'],
    [types.TXT, '', '\\# 0'],
    [types.CAA, '00 01 22 61', '\\# 4 00012261'], // a quote for a tag
    [types.NSEC, '00 00 ff', '\\# 3 0000FF'],
    [types.DS, 'ec4505', '\\# 3 EC4505'],
    [types.RRSIG, `${'00'.repeat(18)} c00c ff`, `\\# 21 ${'00'.repeat(18)}C00CFF`],
    [types.HTTPS, '0001 00 0001', '\\# 5 0001000001'],
    [types.HTTPS, '0001 00 0004 0003 c00002', '\\# 10 00010000040003C00002'], // an address too short
  ];
  for (const [type, hex, text] of unreadable) assert.equal(recordText(type, bytes(hex)), text);
});

test('text of an answer cannot contain terminal control characters', () => {
  assert.equal(recordText(types.TXT, bytes('04 1b5b326a')), '"\\027[2j"');
  assert.equal(recordText(types.CNAME, bytes('03 1b 22 20 00')), '\\027"\\032.');
});
