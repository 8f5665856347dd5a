import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytes, hexOf, name } from '../../test/support/dns/packets.ts';
import { types } from './numbers.ts';
import { readMessage } from './read-message.ts';
import { newReader, readName } from './read-name.ts';
import { readRecord } from './read-record.ts';

const WWW = '03777777 076578616d706c65 03636f6d 00';
const QUESTION = `${WWW} 0001 0001`;
// After a question for www.example.com, at offset 33.
const ONE_ANSWER = `1234 8180 0001 0001 0000 0000 ${QUESTION}`;

function answered(hex: string) {
  const read = readMessage(bytes(hex));
  assert.ok(read.ok, hex);
  return read.value;
}

const faultOf = (hex: string): string => {
  const read = readMessage(bytes(hex));
  return read.ok ? 'none' : read.error;
};

test('a message has its header, question and records', () => {
  const message = answered(
    `1234 8593 0001 0002 0001 0002 ${QUESTION}
     c00c 0005 0001 0000012c 0004 0161 c010
     0161 c010 0001 0001 0000003c 0004 c0000201
     c010 0002 0001 00000e10 0005 026e73 c010
     00 0029 04d0 00 00 8000 000b 000f 0007 000f 626c6f636b
     c010 fde8 0003 00000000 0002 beef`,
  );
  assert.deepEqual(message, {
    id: 0x1234,
    response: true,
    opcode: 0,
    authoritative: true,
    truncated: false,
    recursionDesired: true,
    recursionAvailable: true,
    authenticData: false,
    checkingDisabled: true,
    rcode: 3,
    questions: [{ name: name('www.example.com'), type: 1, class: 1 }],
    answer: [
      { name: name('www.example.com'), type: 5, class: 1, ttl: 300, data: name('a.example.com') },
      { name: name('a.example.com'), type: 1, class: 1, ttl: 60, data: Uint8Array.of(192, 0, 2, 1) },
    ],
    authority: [{ name: name('example.com'), type: 2, class: 1, ttl: 3600, data: name('ns.example.com') }],
    additional: [{ name: name('example.com'), type: 65_000, class: 3, ttl: 0, data: Uint8Array.of(0xbe, 0xef) }],
    edns: {
      udpSize: 1232,
      version: 0,
      dnssecOk: true,
      options: [{ code: 15, data: bytes('000f 626c6f636b') }],
    },
  });
});

test('the upper bits of a response code are in the OPT record', () => {
  assert.equal(answered('1234 8100 0000 0000 0000 0001 00 0029 04d0 01 00 0000 0000').rcode, 16);
  assert.equal(answered('1234 8107 0000 0000 0000 0001 00 0029 04d0 01 00 0000 0000').rcode, 23);
});

test('names keep their bytes: dots and zeros in labels, case, and non-ASCII', () => {
  const odd = '0361 2e 62 0100 02fffe 0141 00';
  assert.equal(hexOf(answered(`1234 0100 0001 0000 0000 0000 ${odd} 0001 0001`).questions[0]!.name), hexOf(bytes(odd)));
});

test('names in the data of types with compression are decompressed', () => {
  const data: readonly (readonly [string, number, string])[] = [
    ['c010', types.NS, '076578616d706c65 03636f6d 00'],
    ['000a c010', types.MX, '000a 076578616d706c65 03636f6d 00'],
    [
      `c010 c018 ${'00000001'.repeat(5)}`,
      types.SOA,
      `076578616d706c65 03636f6d 00 03636f6d 00 ${'00000001'.repeat(5)}`,
    ],
    ['0001 0002 0003 c018', types.SRV, '0001 0002 0003 03636f6d 00'],
    ['0001 0002 0173 00 00 c018', types.NAPTR, '0001 0002 0173 00 00 03636f6d 00'],
    [`${'00'.repeat(18)} c018 abcd`, types.SIG, `${'00'.repeat(18)} 03636f6d 00 abcd`],
    ['c018', types.DNAME, '03636f6d 00'],
  ];
  for (const [written, type, whole] of data) {
    const head = [type, 1, 0, 0, bytes(written).length].map((value) => value.toString(16).padStart(4, '0')).join('');
    assert.equal(hexOf(answered(`${ONE_ANSWER} c00c ${head} ${written}`).answer[0]!.data), hexOf(bytes(whole)), head);
  }
});

test('data of other types is opaque, even if it looks like a pointer', () => {
  const read = answered(`${ONE_ANSWER} c00c ff42 0001 00000000 0004 c00c c00c`);
  assert.equal(hexOf(read.answer[0]!.data), 'c00cc00c');
});

test('a TTL with the top bit set is large, and TTLs are limited to a week', () => {
  const ttls = ['00000000', '0000012c', '00093a80', '00093a81', '7fffffff', '80000000', 'ffffffff'].map(
    (ttl) => answered(`${ONE_ANSWER} c00c 0001 0001 ${ttl} 0004 c0000201`).answer[0]!.ttl,
  );
  assert.deepEqual(ttls, [0, 300, 604_800, 604_800, 604_800, 604_800, 604_800]);
});

test('bytes after the last record are ignored', () => {
  assert.deepEqual(answered(`${ONE_ANSWER} c00c 0001 0001 00000000 0004 c0000201 ffff`).additional, []);
});

test('a malformed message is rejected with the reason', () => {
  const malformed: readonly (readonly [string, string])[] = [
    ['', 'it is shorter than a header'],
    ['1234 8180 0001 0001 0000 00', 'it is shorter than a header'],
    ['1234 8180 ffff 0000 0000 0000', 'a name extends past the end'],
    [`1234 8180 0001 ffff ffff ffff ${QUESTION}`, 'a name extends past the end'],
    [`1234 8180 0001 0000 0000 0000 ${WWW} 0001`, 'a question extends past the end'],
    [`${ONE_ANSWER} c00c 0001 0001 00000000`, 'a record extends past the end'],
    [`${ONE_ANSWER} c00c 0001 0001 00000000 0005 c0000201`, 'a record extends past the end'],
    [`${ONE_ANSWER} c021 0001 0001 00000000 0004 c0000201`, 'a compression pointer does not point to an earlier name'], // itself
    [`${ONE_ANSWER} c023 0001 0001 00000000 0004 c0000201`, 'a compression pointer does not point to an earlier name'], // forward
    [`${ONE_ANSWER} c004 0001 0001 00000000 0004 c0000201`, 'a compression pointer does not point to an earlier name'], // the header
    [
      `${ONE_ANSWER} 0161 c021 0001 0001 00000000 0004 c0000201`,
      'a compression pointer does not point to an earlier name',
    ], // a.a.a…
    [`${ONE_ANSWER} c0`, 'a name extends past the end'],
    [`${ONE_ANSWER} 40 0001 0001`, 'a label has an unknown type'],
    [`${ONE_ANSWER} 80 0001 0001`, 'a label has an unknown type'],
    [`${ONE_ANSWER} ${'0161'.repeat(125)} c010 0001 0001 00000000 0004 c0000201`, 'a name is too long'],
    [`${ONE_ANSWER} c00c 0001 0001 00000000 0003 c00002`, 'an address has the wrong length'],
    [`${ONE_ANSWER} c00c 001c 0001 00000000 0004 c0000201`, 'an address has the wrong length'],
    [`${ONE_ANSWER} c00c 0005 0001 00000000 0003 c010 00`, 'record data is shorter than its length field'],
    [`${ONE_ANSWER} c00c 0005 0001 00000000 0001 c010`, 'record data is longer than its length field'],
    [`${ONE_ANSWER} c00c 000f 0001 00000000 0001 00 c010`, 'record data is longer than its length field'],
    [`${ONE_ANSWER} 00 0029 04d0 00000000 0000`, 'it has a duplicate or misplaced OPT record'], // as an answer
    [
      `1234 8180 0000 0000 0000 0002 ${'00 0029 04d0 00000000 0000'.repeat(2)}`,
      'it has a duplicate or misplaced OPT record',
    ],
    ['1234 8180 0000 0000 0000 0001 0161 00 0029 04d0 00000000 0000', 'its OPT has a name'],
    ['1234 8180 0000 0000 0000 0001 00 0029 04d0 00000000 0003 000a00', 'an option extends past the end'],
    ['1234 8180 0000 0000 0000 0001 00 0029 04d0 00000000 0004 000affff', 'an option extends past the end'],
  ];
  for (const [hex, fault] of malformed) assert.equal(faultOf(hex), fault, hex);
});

test('a name may have at most 127 pointers', () => {
  // A root at 12, then a pointer to it and pointers that each point to the one before.
  const pointer = (to: number): string => (0xc000 | to).toString(16);
  const targets = Array.from({ length: 130 }, (_, i) => (i === 0 ? 12 : 11 + 2 * i));
  const reader = newReader(bytes('00'.repeat(13), ...targets.map(pointer)));
  const read = (pointers: number): Uint8Array | undefined => {
    reader.names.clear();
    reader.at = 11 + 2 * pointers;
    return readName(reader);
  };
  assert.deepEqual(read(127), Uint8Array.of(0));
  assert.equal(reader.at, 13 + 2 * 127);
  assert.equal(read(128), undefined);
  assert.equal(reader.fault, 'a name has too many compression pointers');
});

/** 64 KB of records, each with a name in its data. */
function manyRecords(count: number, owner: string, data: string): Uint8Array {
  const length = (data.replace(/\s/g, '').length / 2).toString(16).padStart(4, '0');
  const header = `1234 8180 0001 ${count.toString(16).padStart(4, '0')} 0000 0000`;
  return bytes(header, QUESTION, `${owner} 0002 0001 0000012c ${length} ${data}`.repeat(count));
}

test('4,600 records in 64 KB cost a few steps each', () => {
  const message = manyRecords(4_600, 'c00c', 'c00c');
  const reader = newReader(message);
  reader.at = 12;
  readName(reader);
  reader.at += 4;
  for (let i = 0; i < 4_600; i++) assert.ok(readRecord(reader));
  assert.ok(reader.steps < 10_000, String(reader.steps));
  assert.ok(readMessage(message).ok);
});

test('names that take too many steps are rejected', () => {
  // 4,000 different names: two bytes in front of one of 250 bytes.
  const long = `${'0161'.repeat(124)} 00`;
  const header = '1234 8180 0001 0fa0 0000 0000';
  const message = bytes(header, long, '0001 0001', '0162 c00c 0001 0001 00000000 0004 c0000201'.repeat(3_500));
  const read = readMessage(message);
  assert.deepEqual(read, { ok: false, error: 'its compressed names take too many steps to read' });
});

test('any bytes are read or rejected', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (message) => {
      const read = readMessage(message);
      return read.ok || read.error !== '';
    }),
    { numRuns: 2_000 },
  );
});
