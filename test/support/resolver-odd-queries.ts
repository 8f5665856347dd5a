import { hex } from './resolver.ts';

type Outcome = 'drop' | 'FORMERR' | 'NOTIMP' | 'REFUSED' | 'BADVERS' | 'NOERROR';
export type OddQuery = { readonly title: string; readonly bytes: Uint8Array; readonly outcome: Outcome };

// www.example.com, and a question for its A record.
const www = '03777777 076578616d706c65 03636f6d 00';
const asksA = `${www} 0001 0001`;
/** A query with one question and as many further records as are said. */
const query = (rest: string, counts = '0001 0000 0000 0000', flags = '0100'): string =>
  `1234 ${flags} ${counts} ${rest}`;
const flagged = (flags: string): string => query(asksA, '0001 0000 0000 0000', flags);
const typed = (type: string): string => query(`${www} ${type} 0001`);
const classed = (inClass: string): string => query(`${www} 0001 ${inClass}`);
const withRecord = (record: string, count = '0001'): string => query(`${asksA} ${record}`, `0001 0000 0000 ${count}`);
const bytes16 = (value: number): string => value.toString(16).padStart(4, '0');
const lengthOf = (text: string): number => hex(text).length;
/** An OPT record: root, type 41, size 1232, no high bits, version, flags, options. */
const opt = (options = '', { size = '04d0', version = '00', flags = '0000' } = {}): string =>
  `00 0029 ${size} 00 ${version} ${flags} ${bytes16(lengthOf(options))} ${options}`;
const option = (code: string, data = ''): string => `${code} ${bytes16(lengthOf(data))} ${data}`;
const withOption = (code: string, data = ''): string => withRecord(opt(option(code, data)));
const cookie = (length: number): string => withOption('000a', '01'.repeat(length));
const subnet = (data: string): string => withOption('0008', data);
const aRecord = 'c00c 0001 0001 0000003c 0004 01020304';
const label = (length: number, letter = '61'): string => length.toString(16).padStart(2, '0') + letter.repeat(length);

const table = (outcome: Outcome, rows: Readonly<Record<string, string>>): readonly OddQuery[] =>
  Object.entries(rows).map(([title, text]) => ({ title, bytes: hex(text), outcome }));

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Queries that are answered locally or dropped, and never reach an upstream. */
export const refusedQueries: readonly OddQuery[] = [
  // An answer to these could start a loop between two servers, or reach a spoofed victim.
  ...table('drop', {
    'nothing at all': '',
    'one byte': '12',
    'an id alone': '1234',
    'a header that lacks its last byte': '1234 0100 0001 0000 0000 00',
    'an answer': flagged('8180'),
    'an answer that has an answer': query(`${asksA} ${aRecord}`, '0001 0001 0000 0000', '8180'),
    'an answer that is a header': query('', '0000 0000 0000 0000', '8180'),
    'an answer that says FORMERR': query('', '0000 0000 0000 0000', '8181'),
    'an answer of an unknown opcode': flagged('f980'),
  }),
  // One question, and everything that is promised (RFC 9619; RFC 9267, 6).
  ...table('FORMERR', {
    'no question': query('', '0000 0000 0000 0000'),
    'no question, but EDNS': query(opt(), '0000 0000 0000 0001'),
    'two questions': query(`${asksA} ${asksA}`, '0002 0000 0000 0000'),
    'two questions promised, one there': query(asksA, '0002 0000 0000 0000'),
    '65,535 questions promised, one there': query(asksA, 'ffff 0000 0000 0000'),
    '65,535 answers promised': query(asksA, '0001 ffff 0000 0000'),
    '65,535 of everything promised': query(asksA, 'ffff ffff ffff ffff'),
    'a record of authority promised': query(asksA, '0001 0000 0001 0000'),
    'an additional record promised': query(asksA, '0001 0000 0000 0001'),
    'one record more promised than there is': withRecord(opt(), '0002'),
    '65,535 additional records promised, one there': withRecord(opt(), 'ffff'),
    'a question that ends before its type': query(www),
    'a question that ends in its type': query(`${www} 00`),
    'a question that ends before its class': query(`${www} 0001`),
    'a question that ends in its class': query(`${www} 0001 00`),
    'an answer in a query': query(`${asksA} ${aRecord}`, '0001 0001 0000 0000'),
    'a record of authority in a query': query(`${asksA} ${aRecord}`, '0001 0000 0001 0000'),
    'an answer that claims more data than there is': query(
      `${asksA} c00c 0001 0001 0000003c 00c8 01020304`,
      '0001 0001 0000 0000',
    ),
    'an additional record that claims more data than there is': withRecord('c00c 0001 0001 0000003c 00c8 01020304'),
    'an additional record that ends in its head': withRecord('c00c 0001 0001'),
  }),
  // Names (RFC 1035, 2.3.4 and 4.1.4; RFC 9267, 2 to 4). The first name of a message has nothing to point to.
  ...table('FORMERR', {
    'a name that points to itself': query('c00c 0001 0001'),
    'two pointers that point to each other': query('c00e c00c 0001 0001'),
    'a pointer forward': query('c010 0001 0001 03777777 00'),
    'a pointer past the end': query('c3ff 0001 0001'),
    'a pointer into the header': query('c000 0001 0001'),
    'half a pointer': query('c0'),
    'a label and then a pointer to it': query('0161 c00c 0001 0001'),
    'a label of the extended kind (0x40)': query('41 00 0001 0001'),
    'a label of the reserved kind (0x80)': query('81 00 0001 0001'),
    'a label longer than the message': query('3f 616263'),
    'a name without an end': query('03777777'),
    'a name of 256 octets': query(`${[63, 63, 63, 62].map((length) => label(length)).join(' ')} 00 0001 0001`),
    'a name of 128 labels': query(`${'0161'.repeat(128)} 00 0001 0001`),
    'an additional record whose name points to itself': withRecord('c021 0001 0001 0000003c 0004 01020304'),
    'an additional record whose name points forward': withRecord('c030 0001 0001 0000003c 0004 01020304'),
  }),
  // Meta-types that a forwarder cannot query (RFC 6895, 3.1).
  ...table('FORMERR', {
    'type 0': typed('0000'),
    'type OPT': typed('0029'),
    'type NXNAME': typed('0080'),
    'type TKEY': typed('00f9'),
    'type TSIG': typed('00fa'),
  }),
  ...table('REFUSED', { 'type IXFR': typed('00fb'), 'type AXFR': typed('00fc') }),
  ...table('NOTIMP', { 'type MAILB': typed('00fd'), 'type MAILA': typed('00fe') }),
  ...table('REFUSED', {
    'class 0': classed('0000'),
    'class 2': classed('0002'),
    'class CHAOS, from a stranger': classed('0003'),
    'the version, from a stranger': query('0776657273696f6e 0462696e64 00 0010 0003'),
    'class HESIOD': classed('0004'),
    'class NONE': classed('00fe'),
    'class ANY': classed('00ff'),
    'class 65280': classed('ff00'),
    // Without RD the answer would disclose whether a name is cached.
    'a question that must not be asked on': flagged('0000'),
  }),
  // Opcodes other than QUERY; NOTIFY clears no cache, UPDATE reaches no server.
  ...table('NOTIMP', {
    ...Object.fromEntries(
      range(1, 15).map((opcode) => [`opcode ${opcode}`, flagged(bytes16((opcode << 11) | 0x0100))]),
    ),
    'an unknown opcode, no more than a header': query('', '0000 0000 0000 0000', '7900'),
    'an update with a record': query(`${asksA} ${aRecord}`, '0001 0000 0001 0000', '2800'),
    'an unknown opcode before rubbish': query('c00c c00c', 'ffff ffff ffff ffff', '7900'),
  }),
  // EDNS (RFC 6891).
  ...table('BADVERS', {
    'EDNS of version 1': withRecord(opt('', { version: '01' })),
    'EDNS of version 255': withRecord(opt('', { version: 'ff' })),
    'EDNS of version 1 with an option': withRecord(opt(option('000a', '01'.repeat(8)), { version: '01' })),
  }),
  ...table('FORMERR', {
    'two OPT records': withRecord(`${opt()} ${opt()}`, '0002'),
    'an OPT record with a name': withRecord(`0161 ${opt()}`),
    'an OPT record whose name is a pointer': withRecord(`c00c ${opt().slice(3)}`),
    'an OPT record as an answer': query(`${asksA} ${opt()}`, '0001 0001 0000 0000'),
    'an OPT record as authority': query(`${asksA} ${opt()}`, '0001 0000 0001 0000'),
    'an option that claims more than its record has': withRecord('00 0029 04d0 00 00 0000 0004 000a ffff'),
    'an option without a length': withRecord('00 0029 04d0 00 00 0000 0003 000a 00'),
    'half an option code': withRecord('00 0029 04d0 00 00 0000 0001 00'),
    'an OPT record longer than the message': withRecord('00 0029 04d0 00 00 0000 00ff 000a'),
    '33 options': withRecord(opt(option('0064').repeat(33))),
    '200 paddings of nothing': withRecord(opt(option('000c').repeat(200))),
    '1,000 options': withRecord(opt(option('0064').repeat(1000))),
    // RFC 7873, 5.2.2: 8 bytes, or 16 to 40.
    ...Object.fromEntries(
      [0, 1, 7, 9, 12, 15, 41, 100].map((length) => [`a cookie of ${length} bytes`, cookie(length)]),
    ),
    // RFC 7871, 6 and 7.1.
    'a client subnet of nothing': subnet(''),
    'a client subnet without its lengths': subnet('0001'),
    'a client subnet of IPv4 with 33 bits': subnet('0001 21 00 0101010101'),
    'a client subnet of IPv6 with 129 bits': subnet(`0002 81 00 ${'20'.repeat(17)}`),
    'a client subnet with a scope': subnet('0001 18 18 010203'),
    'a client subnet with more address than bits': subnet('0001 18 00 01020304'),
    'a client subnet with less address than bits': subnet('0001 18 00 0102'),
    'a client subnet with bits behind its end': subnet('0001 14 00 01020f'),
    // There are no keys: an unverified signature must not pass as verified.
    'a signature with an unknown key (TSIG)': withRecord('016b00 00fa 00ff 00000000 000a 00000000000000000000'),
    'a signature with a key pair (SIG(0))': withRecord('00 0018 00ff 00000000 0000'),
  }),
];

/** Odd, and right: answered like any other. */
export const oddButRight: readonly OddQuery[] = table('NOERROR', {
  'a byte behind the message': query(`${asksA} 41`),
  '400 bytes behind the message': query(`${asksA} ${'41'.repeat(400)}`),
  '300 bytes behind the OPT record': withRecord(`${opt()} ${'41'.repeat(300)}`),
  AA: flagged('0500'),
  TC: flagged('0300'),
  RA: flagged('0180'),
  Z: flagged('0140'),
  AD: flagged('0120'),
  CD: flagged('0110'),
  'all bits at once': flagged('07ff'),
  'a code': flagged('0103'),
  'a name of 255 octets': query(`${[63, 63, 63, 61].map((length) => label(length)).join(' ')} 00 0001 0001`),
  'a name of 127 labels': query(`${'0161'.repeat(127)} 00 0001 0001`),
  'a label of 63 octets': query(`${label(63)} 03636f6d 00 0001 0001`),
  'the root': query('00 0001 0001'),
  'capitals and small letters': query('03775777 074558616d506c45 03436f4d 00 0001 0001'),
  'a NUL in a label': query('0d 7777772e62616e6b2e636f6d00 046576696c 03636f6d 00 0001 0001'),
  'a dot in a label': query('0b 7777772e6578616d706c65 03636f6d 00 0001 0001'),
  'bytes that are no text': query('02fffe 03636f6d 00 0001 0001'),
  'other bytes that are no text': query('02fdfc 03636f6d 00 0001 0001'),
  'markup in a label': query('1c3c696d67207372633d78206f6e6572726f723d616c6572742831293e 03636f6d 00 0001 0001'),
  'a space and a quote': query('03 202722 03636f6d 00 0001 0001'),
  'an unknown type': typed('ffff'),
  'another unknown type': typed('04d2'),
  'type HTTPS': typed('0041'),
  'type SVCB': typed('0040'),
  'type ANY': typed('00ff'),
  EDNS: withRecord(opt()),
  'EDNS with DO': withRecord(opt('', { flags: '8000' })),
  'EDNS with an unknown flag': withRecord(opt('', { flags: '0080' })),
  'EDNS with all flags': withRecord(opt('', { flags: 'ffff' })),
  ...Object.fromEntries(
    ['0000', '01ff', '0200', '1000', 'ffff'].map((size) => [`EDNS with size 0x${size}`, withRecord(opt('', { size }))]),
  ),
  'an unknown option': withOption('0064'),
  'an unknown option with data': withOption('fde9', 'deadbeef'),
  '32 options': withRecord(opt(option('0064').repeat(32))),
  'a question for the name of the server': withOption('0003'),
  'a keepalive': withOption('000b'),
  'a padding': withOption('000c', '00'.repeat(20)),
  'a cookie': cookie(8),
  'a cookie with another server’s part': cookie(24),
  'two cookies': withRecord(opt(option('000a', '01'.repeat(8)) + option('000a', '02'.repeat(8)))),
  'a client subnet': subnet('0001 18 00 010203'),
  'a client subnet of nobody': subnet('0001 00 00'),
  'an additional record that is no OPT': withRecord(aRecord),
  'the question for a cookie alone': query(opt(option('000a', '01'.repeat(8))), '0000 0000 0000 0001'),
});
