import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mark, unmarked } from '../../test/support/rules/marked.ts';
import { readRewrite } from './read-rewrite.ts';
import type { RecordValue, Rewrite } from './rule.ts';

const record = (type: number, value: RecordValue): Rewrite => ({ kind: 'record', type, value });
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const A = 1;
const PTR = 12;
const MX = 15;
const TXT = 16;
const AAAA = 28;
const SRV = 33;
const SVCB = 64;
const HTTPS = 65;
const v4: RecordValue = { kind: 'address', bytes: bytes(192, 0, 2, 1) };
const v6: RecordValue = { kind: 'address', bytes: bytes(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1) };

const groups: readonly (readonly [sentence: string, cases: readonly (readonly [value: string, rewrite: Rewrite])[]])[] =
  [
    [
      'in short: an address, a name or a code',
      [
        ['192.0.2.1', record(A, v4)],
        ['2001:db8::1', record(AAAA, v6)],
        ['Example.NET', { kind: 'cname', target: 'example.net' }],
        ['example.net.', { kind: 'cname', target: 'example.net' }],
        ['nas', { kind: 'cname', target: 'nas' }],
        ['пример.рф', { kind: 'cname', target: 'xn--e1afmkfd.xn--p1ai' }],
        ['REFUSED', { kind: 'code', code: 5 }],
        ['nxdomain', { kind: 'code', code: 3 }],
        ['NOERROR', { kind: 'code', code: 0 }],
      ],
    ],
    [
      'in full: a code alone',
      [
        ['NXDOMAIN;;', { kind: 'code', code: 3 }],
        ['NOERROR;;', { kind: 'code', code: 0 }],
        ['servfail;;', { kind: 'code', code: 2 }],
      ],
    ],
    [
      'in full: a record of each type there is',
      [
        ['NOERROR;A;192.0.2.1', record(A, v4)],
        ['noerror;aaaa;2001:db8::1', record(AAAA, v6)],
        ['NOERROR;TYPE1;192.0.2.1', record(A, v4)],
        ['NOERROR;CNAME;example.net', { kind: 'cname', target: 'example.net' }],
        ['NOERROR;PTR;example.net.', record(PTR, { kind: 'name', name: 'example.net' })],
        [
          'NOERROR;MX;32 mail.example.net',
          record(MX, { kind: 'mail exchange', preference: 32, exchange: 'mail.example.net' }),
        ],
        ['NOERROR;MX;0 .', record(MX, { kind: 'mail exchange', preference: 0, exchange: '' })],
        ['NOERROR;TXT;v=1; a\\, b', record(TXT, { kind: 'text', text: 'v=1; a, b' })],
        [
          'NOERROR;SRV;10 60 8080 example.net',
          record(SRV, { kind: 'service location', priority: 10, weight: 60, port: 8080, target: 'example.net' }),
        ],
        [
          'NOERROR;HTTPS;0 example.net',
          record(HTTPS, { kind: 'service binding', priority: 0, target: 'example.net', parameters: [] }),
        ],
        [
          'NOERROR;SVCB;1 . port=53 alpn=h2\\,h3',
          record(SVCB, {
            kind: 'service binding',
            priority: 1,
            target: '',
            parameters: [
              { key: 1, value: bytes(2, 0x68, 0x32, 2, 0x68, 0x33) },
              { key: 3, value: bytes(0, 53) },
            ],
          }),
        ],
      ],
    ],
  ];
for (const [sentence, cases] of groups) {
  test(sentence, () => {
    for (const [value, rewrite] of cases) assert.deepEqual(readRewrite(value), { ok: true, value: rewrite }, value);
  });
}

const faults: readonly (readonly [reason: RegExp, marked: string])[] = [
  [/^"REFUSE" is not a response code such as NOERROR/, '«REFUSE»'],
  [/^"BADVERS" is not a response code/, '«BADVERS»'],
  [/^a DNS filter sees only host names/, 'example.net«/»path'],
  [/^"!" is not allowed in a host name$/, 'a«!».net'],
  [/^write a full rewrite as CODE;TYPE;VALUE/, '«NOERROR;A»'],
  [/^"OK" is not a response code/, '«OK»;A;192.0.2.1'],
  [/^"" is not a response code/, '«»;A;192.0.2.1'],
  [/^NXDOMAIN cannot have a record: write NXDOMAIN;;$/, 'NXDOMAIN;«A;192.0.2.1»'],
  [/^"NS" is not a supported record type: use A, AAAA, CNAME/, 'NOERROR;«NS»;example.net'],
  [/^"" is not a supported record type/, 'NOERROR;«»;192.0.2.1'],
  [/^write the value of this record like "192\.0\.2\.1"$/, 'NOERROR;A;«2001:db8::1»'],
  [/like "2001:db8::1"$/, 'NOERROR;AAAA;«192.0.2.1»'],
  [/like "10 mail\.example\.org"$/, 'NOERROR;MX;«mail.example.net»'],
  [/like "10 mail/, 'NOERROR;MX;«65536 mail.example.net»'],
  [/like "30 60 8080 example\.org"$/, 'NOERROR;SRV;«1 2 example.net»'],
  [/like "30 60/, 'NOERROR;SRV;«1 2 65536 example.net»'],
  [/like "1 example\.org alpn=h3"$/, 'NOERROR;HTTPS;«example.net»'],
  [/^the text of the record is missing$/, 'NOERROR;TXT;«»'],
  [/^a host name is missing$/, 'NOERROR;CNAME;«»'],
  [/^a label is empty: remove the extra dot$/, 'NOERROR;PTR;a.«.»b'],
  [/^"alpm" is not a parameter: use alpn, /, 'NOERROR;HTTPS;1 . port=1 «alpm=h3»'],
  [/^write the parameter like port=8443$/, 'NOERROR;HTTPS;1 . «port=65536»'],
  [/^duplicate parameter$/, 'NOERROR;HTTPS;1 . port=1 «port=2»'],
  [/^a record with priority 0 cannot have parameters$/, 'NOERROR;HTTPS;0 . «port=1»'],
  [/^"alpm" is not a parameter/, '«NOERROR;HTTPS;1 . alpm=h2\\,h3»'],
];
for (const [reason, marked] of faults) {
  test(`${marked} is not a rewrite: ${reason.source}`, () => {
    const { text, start, end } = unmarked(marked);
    const rewrite = readRewrite(text);
    assert.ok(!rewrite.ok);
    assert.match(rewrite.error.reason, reason);
    assert.deepEqual([rewrite.error.start, rewrite.error.end], [start, end], mark(text, rewrite.error));
  });
}

test('any value is read or refused with a place that lies in it', () => {
  const word = fc.constantFrom(
    'NOERROR',
    ';',
    ';',
    'A',
    'MX',
    'HTTPS',
    'SRV',
    '1',
    ' ',
    '.',
    'a.b',
    '::',
    'alpn=',
    '=',
    '\\,',
    'é',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 9 }), (words) => {
      const value = words.join('');
      const rewrite = readRewrite(value);
      if (!rewrite.ok) assert.ok(rewrite.error.start <= rewrite.error.end && rewrite.error.end <= value.length, value);
    }),
    { numRuns: 3000 },
  );
});
