import fc from 'fast-check';
import {
  type Edns,
  type EdnsOption,
  type Message,
  type MessageQuestion,
  queryFor,
  type ResourceRecord,
} from '../../../src/dns/message.ts';
import { optionCodes, types } from '../../../src/dns/numbers.ts';
import { wireName } from '../../../src/kit/wire-name.ts';

/** Bytes from hexadecimal digits; spaces are ignored. */
export const bytes = (...hex: string[]): Uint8Array =>
  Uint8Array.from(hex.join('').replace(/\s/g, '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

export const hexOf = (data: Uint8Array): string => Buffer.from(data).toString('hex');

export const name = (text: string): Uint8Array => wireName(text)!;

export const asking = (text: string, type: number = types.A): MessageQuestion => ({ name: name(text), type, class: 1 });

export const record = (owner: string, type: number, data: Uint8Array, ttl = 300): ResourceRecord => ({
  name: name(owner),
  type,
  class: 1,
  ttl,
  data,
});

export const alias = (owner: string, target: string): ResourceRecord => record(owner, types.CNAME, name(target));
export const address = (owner: string, last = 1): ResourceRecord =>
  record(owner, types.A, Uint8Array.of(192, 0, 2, last));

/** `ns.<zone> hostmaster.<zone> 1 2 3 4 <minimum>`. */
export const authority = (zone: string, ttl: number, minimum: number): ResourceRecord => {
  const numbers = [1, 2, 3, 4, minimum].flatMap((number) => [0, 0, number >> 8, number & 0xff]);
  return record(zone, types.SOA, Uint8Array.from([...name('ns.test'), ...name('host.test'), ...numbers]), ttl);
};

export const answerTo = (asked: MessageQuestion, parts: Partial<Message> = {}): Message => ({
  ...queryFor(asked, 0x1234),
  response: true,
  recursionAvailable: true,
  ...parts,
});

const anyBytes = (most: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ maxLength: most });

// Few labels, so that names share suffixes, and some that are not printable.
const label = fc.oneof(
  fc.constantFrom('a', 'b', 'A', 'com', 'example').map((text) => new TextEncoder().encode(text)),
  fc.constantFrom(
    Uint8Array.of(0x61, 0x2e, 0x62),
    Uint8Array.of(0),
    Uint8Array.of(0xff, 0xc0),
    new Uint8Array(63).fill(0x78),
  ),
  fc.uint8Array({ minLength: 1, maxLength: 63 }),
);

export const anyName: fc.Arbitrary<Uint8Array> = fc.array(label, { maxLength: 8 }).map((labels) => {
  const name: number[] = [];
  for (const one of labels) if (name.length + one.length + 2 <= 255) name.push(one.length, ...one);
  return Uint8Array.from([...name, 0]);
});

const plain = { noNullPrototype: true } as const;
const number = (bits: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: 2 ** bits - 1 });
const joined = (...parts: fc.Arbitrary<Uint8Array>[]): fc.Arbitrary<Uint8Array> =>
  fc.tuple(...parts).map((all) => Uint8Array.from(all.flatMap((part) => [...part])));
const exactly = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });

const typed = (type: number, data: fc.Arbitrary<Uint8Array>): fc.Arbitrary<{ type: number; data: Uint8Array }> =>
  data.map((value) => ({ type, data: value }));

const typeAndData = fc.oneof(
  typed(types.A, exactly(4)),
  typed(types.AAAA, exactly(16)),
  typed(types.CNAME, anyName),
  typed(types.NS, anyName),
  typed(types.SOA, joined(anyName, anyName, exactly(20))),
  typed(types.MX, joined(exactly(2), anyName)),
  typed(types.SRV, joined(exactly(6), anyName)),
  typed(types.NAPTR, joined(exactly(4), fc.constant(Uint8Array.of(1, 0x75, 0, 0)), anyName)),
  typed(types.TXT, anyBytes(600)),
  typed(types.HTTPS, anyBytes(60)),
  typed(65_400, anyBytes(60)),
);

const anyRecord: fc.Arbitrary<ResourceRecord> = fc
  .tuple(anyName, typeAndData, number(16), fc.integer({ min: 0, max: 604_800 }))
  .map(([name, { type, data }, recordClass, ttl]) => ({ name, type, class: recordClass, ttl, data }));

const anyEdns: fc.Arbitrary<Edns> = fc.record(
  {
    udpSize: number(16),
    version: number(8),
    dnssecOk: fc.boolean(),
    options: fc.array(fc.record({ code: number(16), data: anyBytes(40) }, plain), { maxLength: 4 }),
  },
  plain,
);

const header = {
  id: number(16),
  response: fc.boolean(),
  opcode: number(4),
  authoritative: fc.boolean(),
  truncated: fc.boolean(),
  recursionDesired: fc.boolean(),
  recursionAvailable: fc.boolean(),
  authenticData: fc.boolean(),
  checkingDisabled: fc.boolean(),
};
const sections = {
  questions: fc.array(fc.record({ name: anyName, type: number(16), class: number(16) }, plain), { maxLength: 2 }),
  answer: fc.array(anyRecord, { maxLength: 12 }),
  authority: fc.array(anyRecord, { maxLength: 4 }),
  additional: fc.array(anyRecord, { maxLength: 4 }),
};

/** Arbitrary messages, with or without EDNS. */
export const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ ...header, rcode: number(4), ...sections }, plain),
  fc.record({ ...header, rcode: number(12), ...sections, edns: anyEdns }, plain),
);

/** The option in which a router sends the id of a device. */
export const deviceOption = (id: string): EdnsOption => ({
  code: optionCodes.device,
  data: new TextEncoder().encode(id),
});
