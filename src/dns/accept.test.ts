import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, hexOf } from '../../test/support/dns/packets.ts';
import { accept, datagramLimit } from './accept.ts';
import { rcodes } from './numbers.ts';
import { newQuestion, type Question } from './question.ts';

const WWW = '03777777 076578616d706c65 03636f6d 00';
const QUESTION = `${WWW} 0001 0001`;
const HEADER = '1234 0100 0001 0000 0000 0000';
const ONE_ADDITIONAL = '1234 0100 0001 0000 0000 0001';

/** An OPT record with these options, in hexadecimal. */
const opt = (options = '', { version = '00', flags = '0000', size = '04d0' } = {}): string => {
  const length = (options.replace(/\s/g, '').length / 2).toString(16).padStart(4, '0');
  return `00 0029 ${size} 00 ${version} ${flags} ${length} ${options}`;
};
const withOpt = (...parts: Parameters<typeof opt>): string => `${ONE_ADDITIONAL} ${QUESTION} ${opt(...parts)}`;
const asked = (type: string, recordClass = '0001'): string => `${HEADER} ${WWW} ${type} ${recordClass}`;
const labels = (count: number): string => '0161'.repeat(count);

function outcomeOf(hex: string): string {
  const question = newQuestion();
  const query = bytes(hex);
  const outcome = accept(query, 0, query.length, question);
  return outcome === 'answer' ? Object.entries(rcodes).find(([, code]) => code === question.code)![0] : outcome;
}

function accepted(hex: string): Question {
  const question = newQuestion();
  const query = bytes(hex);
  assert.equal(accept(query, 0, query.length, question), 'ok');
  return question;
}

const cases: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'what is no query gets no answer': [
    ['', 'drop'],
    ['12', 'drop'],
    ['1234 0100 0001 0000 0000 00', 'drop'], // one byte short of a header
    [`1234 8180 0001 0000 0000 0000 ${QUESTION}`, 'drop'], // QR
    ['1234 f900 0000 0000 0000 0000', 'drop'], // QR and an unknown opcode
  ],
  'there is exactly one question, unless a cookie is all that is asked for': [
    ['1234 0100 0000 0000 0000 0000', 'FORMERR'],
    [`1234 0100 0002 0000 0000 0000 ${QUESTION} ${QUESTION}`, 'FORMERR'],
    [`1234 0100 ffff 0000 0000 0000 ${QUESTION}`, 'FORMERR'],
    [`1234 0100 0000 0000 0000 0001 ${opt('000a 0008 0101010101010101')}`, 'NOERROR'],
    [`1234 0100 0000 0000 0000 0001 ${opt()}`, 'FORMERR'],
  ],
  'sections that a query has no use for are empty, and counts are true': [
    [`1234 0100 0001 0001 0000 0000 ${QUESTION} c00c 0001 0001 0000003c 0004 01020304`, 'FORMERR'],
    [`1234 0100 0001 0001 0000 0000 ${QUESTION} ${opt()}`, 'FORMERR'], // OPT as an answer
    [`1234 0100 0001 ffff ffff ffff ${QUESTION}`, 'FORMERR'],
    [`1234 0100 0001 0000 0001 0000 ${QUESTION} c00c 0001 0001 0000003c 0004 01020304`, 'FORMERR'],
    [`${ONE_ADDITIONAL} ${QUESTION}`, 'FORMERR'],
    [`1234 0100 0001 0000 0000 ffff ${QUESTION} ${opt()}`, 'FORMERR'],
    [`${ONE_ADDITIONAL} ${QUESTION} c00c 0001 0001 0000003c 00c8 01020304`, 'FORMERR'], // longer than the message
    [`${ONE_ADDITIONAL} ${QUESTION} c00c 0001 0001 0000003c`, 'FORMERR'], // ends before its length
  ],
  'a name is whole, of labels up to 63, and up to 255 bytes long': [
    [`${HEADER} 00 0001 0001`, 'ok'],
    [`${HEADER} ${labels(127)} 00 0001 0001`, 'ok'], // 255
    [`${HEADER} ${labels(128)} 00 0001 0001`, 'FORMERR'], // 257
    [`${HEADER} 026161 ${labels(126)} 00 0001 0001`, 'FORMERR'], // 256
    [`${HEADER} 3f${'61'.repeat(63)} 00 0001 0001`, 'ok'],
    [`${HEADER} 40${'61'.repeat(64)} 00 0001 0001`, 'FORMERR'], // reserved kind 01
    [`${HEADER} 80${'61'.repeat(64)} 00 0001 0001`, 'FORMERR'], // reserved kind 10
    [`${HEADER} 3f 616263`, 'FORMERR'],
    [`${HEADER} 03777777`, 'FORMERR'],
    [`${HEADER} ${WWW} 0001`, 'FORMERR'],
    [`${HEADER} ${WWW} 0001 00`, 'FORMERR'],
  ],
  'the first name has nothing to point to': [
    [`${HEADER} c00c 0001 0001`, 'FORMERR'], // itself
    [`${HEADER} c00e c00c 0001 0001`, 'FORMERR'], // a loop of two
    [`${HEADER} c004 0001 0001`, 'FORMERR'], // the header
    [`${HEADER} 0161 c020 0001 0001`, 'FORMERR'], // forward
    [`${HEADER} ffff 0001 0001`, 'FORMERR'], // beyond the end
  ],
  'names of additional records point back or not at all': [
    [`${ONE_ADDITIONAL} ${QUESTION} c00c 0001 0001 0000003c 0000`, 'ok'],
    [`${ONE_ADDITIONAL} ${QUESTION} 0161 c00c 0001 0001 0000003c 0000`, 'ok'],
    [`${ONE_ADDITIONAL} ${QUESTION} c021 0001 0001 0000003c 0000`, 'FORMERR'], // itself
    [`${ONE_ADDITIONAL} ${QUESTION} c004 0001 0001 0000003c 0000`, 'FORMERR'], // the header
    [`${ONE_ADDITIONAL} ${QUESTION} c0ff 0001 0001 0000003c 0000`, 'FORMERR'],
    [`${ONE_ADDITIONAL} ${QUESTION} c0`, 'FORMERR'],
  ],
  'only QUERY is understood, whatever follows': [
    [`1234 0900 0001 0000 0000 0000 ${QUESTION}`, 'NOTIMP'], // IQUERY
    [`1234 1100 0001 0000 0000 0000 ${QUESTION}`, 'NOTIMP'], // STATUS
    [`1234 2100 0001 0000 0000 0000 ${QUESTION}`, 'NOTIMP'], // NOTIFY
    [`1234 2900 0001 0000 0000 0000 ${QUESTION}`, 'NOTIMP'], // UPDATE
    [`1234 3100 0001 0000 0000 0000 ${QUESTION}`, 'NOTIMP'], // DSO
    ['1234 7900 0000 0000 0000 0000', 'NOTIMP'],
  ],
  'bits that mean nothing in a query are passed over': [
    [`1234 0500 0001 0000 0000 0000 ${QUESTION}`, 'ok'], // AA
    [`1234 0300 0001 0000 0000 0000 ${QUESTION}`, 'ok'], // TC
    [`1234 0180 0001 0000 0000 0000 ${QUESTION}`, 'ok'], // RA
    [`1234 0140 0001 0000 0000 0000 ${QUESTION}`, 'ok'], // Z
    [`1234 0103 0001 0000 0000 0000 ${QUESTION}`, 'ok'], // a response code
    [`1234 0000 0001 0000 0000 0000 ${QUESTION}`, 'ok'], // RD not set: left to the policy
  ],
  'types of questions that are not for records are refused; unknown types are not': [
    [asked('0000'), 'FORMERR'],
    [asked('0029'), 'FORMERR'], // OPT
    [asked('0080'), 'FORMERR'], // NXNAME
    [asked('00c8'), 'FORMERR'], // not assigned, but of the same range
    [asked('00f9'), 'FORMERR'], // TKEY
    [asked('00fa'), 'FORMERR'], // TSIG
    [asked('00fb'), 'REFUSED'], // IXFR
    [asked('00fc'), 'REFUSED'], // AXFR
    [asked('00fd'), 'NOTIMP'], // MAILB
    [asked('00fe'), 'NOTIMP'], // MAILA
    [asked('00ff'), 'ok'], // ANY
    [asked('0041'), 'ok'], // HTTPS
    [asked('029a'), 'ok'],
    [asked('ff00'), 'ok'],
    [asked('ffff'), 'ok'],
  ],
  'the classes are IN, and CHAOS for what is asked about the server itself': [
    [asked('0001', '0003'), 'ok'],
    [asked('0001', '0000'), 'REFUSED'],
    [asked('0001', '0004'), 'REFUSED'], // HS
    [asked('0001', '00fe'), 'REFUSED'], // NONE
    [asked('0001', '00ff'), 'REFUSED'], // ANY
  ],
  'EDNS is of version 0, once, at the root': [
    [withOpt(), 'ok'],
    [withOpt('', { version: '01' }), 'BADVERS'],
    [withOpt('dead', { version: '01' }), 'BADVERS'], // its options may look different
    [withOpt('', { flags: '0080' }), 'ok'], // an unknown flag
    [withOpt('0064 0000'), 'ok'], // an unknown option
    [`1234 0100 0001 0000 0000 0002 ${QUESTION} ${opt()} ${opt()}`, 'FORMERR'],
    [`${ONE_ADDITIONAL} ${QUESTION} 0161 ${opt()}`, 'FORMERR'], // owner "a."
    [`${ONE_ADDITIONAL} ${QUESTION} c01c ${opt().slice(2)}`, 'FORMERR'], // owner "com." by pointer
    [`${ONE_ADDITIONAL} ${QUESTION} 00 0029 04d0 00 00 0000 0005 000a`, 'FORMERR'], // longer than the message
  ],
  'options are as long as they say and not too many': [
    [withOpt('000a ffff'), 'FORMERR'],
    [withOpt('000a 00'), 'FORMERR'],
    [withOpt('0064 0001'), 'FORMERR'],
    [withOpt('0064 0000 00'), 'FORMERR'],
    [withOpt('000c 0000'.repeat(32)), 'ok'],
    [withOpt('000c 0000'.repeat(33)), 'FORMERR'],
  ],
  'a cookie has 8 or 16 to 40 bytes': [
    [withOpt(`000a 0007 ${'01'.repeat(7)}`), 'FORMERR'],
    [withOpt(`000a 0008 ${'01'.repeat(8)}`), 'ok'],
    [withOpt(`000a 0009 ${'01'.repeat(9)}`), 'FORMERR'],
    [withOpt(`000a 000f ${'01'.repeat(15)}`), 'FORMERR'],
    [withOpt(`000a 0010 ${'01'.repeat(16)}`), 'ok'],
    [withOpt(`000a 0028 ${'01'.repeat(40)}`), 'ok'],
    [withOpt(`000a 0029 ${'01'.repeat(41)}`), 'FORMERR'],
    [withOpt('000a 0000'), 'FORMERR'],
  ],
  "a client's network has the bytes of its prefix and no bit more": [
    [withOpt('0008 0007 0001 18 00 010203'), 'ok'],
    [withOpt('0008 0004 0001 00 00'), 'ok'],
    [withOpt('0008 0004 0000 00 00'), 'ok'], // family 0: no address
    [withOpt('0008 000b 0002 38 00 20010db8000000'), 'ok'],
    [withOpt('0008 0007 0001 14 00 010230'), 'ok'], // /20
    [withOpt('0008 0007 0001 14 00 010231'), 'FORMERR'], // a bit beyond it
    [withOpt('0008 0009 0001 21 00 0101010101'), 'FORMERR'], // /33
    [withOpt('0008 0007 0001 18 18 010203'), 'FORMERR'], // with a scope
    [withOpt('0008 0007 0003 18 00 010203'), 'FORMERR'], // unknown family
    [withOpt('0008 0008 0001 18 00 01020300'), 'FORMERR'], // a byte too many
    [withOpt('0008 0006 0001 18 00 0102'), 'FORMERR'], // a byte too few
    [withOpt('0008 0003 0001 18'), 'FORMERR'],
  ],
  'a signature that nobody can check is not passed over': [
    [`${ONE_ADDITIONAL} ${QUESTION} 016b00 00fa 00ff 00000000 000a 00000000000000000000`, 'FORMERR'], // TSIG
    [`${ONE_ADDITIONAL} ${QUESTION} 00 0018 00ff 00000000 0000`, 'FORMERR'], // SIG(0)
  ],
};

for (const [rule, queries] of Object.entries(cases)) {
  test(rule, () => {
    for (const [query, outcome] of queries) assert.equal(outcomeOf(query), outcome, query);
  });
}

test('the parts of a query are returned as offsets into its bytes', () => {
  const device = Buffer.from('phone').toString('hex');
  const question = accepted(
    `1234 0130 0001 0000 0000 0001 ${QUESTION} ${opt(
      `000a 0008 0102030405060708 000c 0000 000b 0000 000f 0000 fe32 0005 ${device} 0008 0007 0001 18 00 010203`,
      { flags: '8000', size: '1000' },
    )}`,
  );
  assert.deepEqual(
    { ...question },
    {
      at: 0,
      id: 0x1234,
      opcode: 0,
      code: 0,
      recursionDesired: true,
      checkingDisabled: true,
      authenticData: true,
      truncated: false,
      nameAt: 12,
      nameEnd: 29,
      type: 1,
      class: 1,
      questionEnd: 33,
      edns: true,
      udpSize: 4096,
      version: 0,
      dnssecOk: true,
      cookieAt: 48,
      cookieLength: 8,
      subnetAt: 81,
      subnetLength: 7,
      deviceAt: 72,
      deviceLength: 5,
      macAt: 0,
      macLength: 0,
      paddingAsked: true,
      extendedErrorAsked: true,
      keepaliveAsked: true,
      end: 88,
    },
  );
});

test('a query is read correctly at any offset', () => {
  const samples = Object.values(cases).flatMap((queries) => queries.map(([hex]) => bytes(hex)));
  for (const query of samples) {
    const outcomes = [0x00, 0xff].map((around) => {
      const packets = new Uint8Array(query.length + 1000).fill(around);
      packets.set(query, 500);
      const question = newQuestion();
      return { outcome: accept(packets, 500, query.length, question), question };
    });
    const alone = newQuestion();
    const outcome = accept(query, 0, query.length, alone);
    assert.deepEqual(outcomes[0], outcomes[1]);
    assert.equal(outcomes[0]!.outcome, outcome);
    if (outcome === 'drop') continue;
    assert.equal(outcomes[0]!.question.nameAt, alone.nameAt + 500);
    assert.equal(outcomes[0]!.question.end, alone.end + 500);
    assert.ok(alone.end <= query.length, hexOf(query));
  }
});

test('no data of a query is left in the next', () => {
  const question = newQuestion();
  const rich = bytes(
    withOpt('000a 0008 0102030405060708 fe32 0001 61 fde9 0006 a0b1c2d3e4f5 000c 0000', { flags: '8000' }),
  );
  const poor = bytes(`${HEADER} ${QUESTION}`);
  accept(rich, 0, rich.length, question);
  accept(poor, 0, poor.length, question);
  assert.deepEqual(question, accepted(`${HEADER} ${QUESTION}`));
});

test('bytes after the last record are not part of the message', () => {
  const question = accepted(`${HEADER} ${QUESTION} ${'41'.repeat(400)}`);
  assert.equal(question.end, 33);
});

test('a question that cannot be echoed is left out', () => {
  const question = newQuestion();
  const query = bytes(`${HEADER} 3f 616263`);
  accept(query, 0, query.length, question);
  assert.equal(question.questionEnd, 12);
});

test('if an option is repeated, the first one is used', () => {
  const question = accepted(withOpt('fe32 0001 61 fe32 0002 6262'));
  assert.equal(question.deviceLength, 1);
});

test('the MAC address of a client is six bytes, or text, and the first option of either kind counts', () => {
  const macs: readonly (readonly [options: string, at: number, length: number])[] = [
    ['fde9 0006 a0b1c2d3e4f5', 48, 6],
    [`fe31 0011 ${'61'.repeat(17)}`, 48, 17],
    [`fe31 0008 ${'61'.repeat(8)}`, 48, 8],
    ['fde9 0006 a0b1c2d3e4f5 fde9 0006 000000000000', 48, 6],
    [`fde9 0006 a0b1c2d3e4f5 fe31 0011 ${'61'.repeat(17)}`, 48, 6],
    ['fde9 0008 a0b1c2d3e4f50000', 0, 0],
    ['fde9 0000', 0, 0],
    [`fe31 0010 ${'61'.repeat(16)}`, 0, 0],
  ];
  for (const [options, at, length] of macs) {
    const { macAt, macLength } = accepted(withOpt(options));
    assert.deepEqual([macAt, macLength], [at, length], options);
  }
});

test('the size of a datagram is that of the client, within limits', () => {
  const limits = ['0000', '01ff', '0200', '0400', '04d0', '1000', 'ffff'].map((size) =>
    datagramLimit(accepted(withOpt('', { size }))),
  );
  assert.deepEqual(limits, [512, 512, 512, 1024, 1232, 1232, 1232]);
  assert.equal(datagramLimit(accepted(`${HEADER} ${QUESTION}`)), 512);
});
