import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  address,
  alias,
  answerTo,
  anyMessage,
  asking,
  authority,
  bytes,
  hexOf,
  name,
  record,
} from '../../test/support/dns/packets.ts';
import { mixedCase } from './case-randomization.ts';
import type { Message, MessageQuestion, ResourceRecord } from './message.ts';
import { rcodes, types } from './numbers.ts';
import { belongsTo, scrub } from './validate-answer.ts';
import { sameName } from './wire-names.ts';
import { writeMessage } from './write-message.ts';

const asked = asking('www.example.com');
const QUESTION = '03777777 076578616d706c65 03636f6d 00 0001 0001';

test('an answer belongs to the question that it repeats', () => {
  const answers: readonly (readonly [string, boolean])[] = [
    [`1234 8180 0001 0000 0000 0000 ${QUESTION}`, true],
    [`ffff 8183 0001 0000 0000 0000 ${QUESTION}`, true],
    [`1234 0180 0001 0000 0000 0000 ${QUESTION}`, false], // QR
    [`1234 a180 0001 0000 0000 0000 ${QUESTION}`, false], // opcode
    ['1234 8180 0000 0000 0000 0000', false], // no question
    [`1234 8180 0002 0000 0000 0000 ${QUESTION} ${QUESTION}`, false],
    ['1234 8180 0001 0000 0000 0000 03777777 076578616d706c65 036f7267 00 0001 0001', false], // name
    ['1234 8180 0001 0000 0000 0000 03777777 076578616d706c65 03636f6d 00 001c 0001', false], // type
    ['1234 8180 0001 0000 0000 0000 03777777 076578616d706c65 03636f6d 00 0001 0003', false], // class
    ['1234 8180 0001 0000 0000 0000 03777777 076578616d706c65 03636f6d 00 0001 00', false], // cut
    ['1234 8180 0001 0000 0000 0000 c00c 0001 0001', false],
    ['1234 8180', false],
    ['', false],
  ];
  for (const [hex, belongs] of answers) assert.equal(belongsTo(bytes(hex), asked, true), belongs, hex);
});

test('case is compared if it was randomised', () => {
  const shouting = bytes('1234 8180 0001 0000 0000 0000 03575757 076578616d706c65 03636f6d 00 0001 0001');
  assert.ok(belongsTo(shouting, asked, false));
  assert.ok(!belongsTo(shouting, asked, true));
});

function scrubbed(message: Message, question: MessageQuestion = asked): Message {
  const clean = scrub(message, question, { trusted: false });
  assert.ok(clean.ok, clean.ok ? '' : clean.error);
  return clean.value;
}

const answersOf = (answer: readonly ResourceRecord[], question: MessageQuestion = asked): readonly ResourceRecord[] =>
  scrubbed(answerTo(question, { answer }), question).answer;

const faultOf = (parts: Partial<Message>, question: MessageQuestion = asked): string => {
  const clean = scrub(answerTo(question, parts), question, { trusted: false });
  return clean.ok ? 'none' : clean.error;
};

test('records outside of the chain from question to answer are dropped', () => {
  const good = [alias('www.example.com', 'a.example.net'), address('a.example.net'), address('a.example.net', 2)];
  const stray = [
    address('www.bank.com'),
    address('www.example.com', 9), // beside an alias
    record('a.example.net', types.TXT, bytes('0161')),
    alias('b.example.net', 'c.example.net'),
    { ...address('a.example.net', 3), class: 3 },
  ];
  assert.deepEqual(answersOf([...stray, ...good]), good);
});

test('a chain is sorted, independent of the received order', () => {
  const chain = [
    alias('www.example.com', 'a.test'),
    alias('a.test', 'b.test'),
    alias('b.test', 'c.test'),
    address('c.test'),
  ];
  assert.deepEqual(answersOf(chain.toReversed()), chain);
});

const links = (count: number): ResourceRecord[] =>
  Array.from({ length: count }, (_, i) => alias(i === 0 ? 'www.example.com' : `n${i}.test`, `n${i + 1}.test`));

test('a chain has up to 11 links', () => {
  assert.equal(answersOf([...links(8), address('n8.test')]).length, 9);
  assert.equal(answersOf([...links(11), address('n11.test')]).length, 12);
  assert.equal(faultOf({ answer: links(12) }), 'its CNAME chain has more than 11 links');
  assert.equal(faultOf({ answer: links(20) }), 'its CNAME chain has more than 11 links');
});

test('a CNAME loop is rejected', () => {
  const fault = 'its CNAME chain is a loop';
  assert.equal(faultOf({ answer: [alias('www.example.com', 'WWW.example.com')] }), fault);
  assert.equal(faultOf({ answer: [alias('www.example.com', 'a.test'), alias('a.test', 'www.example.com')] }), fault);
});

test('an answer to a CNAME query is final', () => {
  const chain = [alias('www.example.com', 'a.test'), alias('a.test', 'b.test')];
  assert.deepEqual(answersOf(chain, asking('www.example.com', types.CNAME)), chain.slice(0, 1));
});

test('a DNAME adds the CNAME of the name', () => {
  const dname = record('example.com', types.DNAME, name('example.net'));
  const cname = alias('www.example.com', 'www.example.net');
  assert.deepEqual(answersOf([dname, cname, address('www.example.net')]), [dname, cname, address('www.example.net')]);
  assert.deepEqual(answersOf([dname, address('www.example.net')]), [dname, cname, address('www.example.net')]);
  assert.equal(
    faultOf({ answer: [dname, alias('www.example.com', 'www.evil.net')] }),
    'its CNAME does not match its DNAME',
  );
  const long = record('example.com', types.DNAME, name(`${`${'a'.repeat(63)}.`.repeat(3)}${'b'.repeat(58)}`));
  assert.equal(faultOf({ answer: [long] }), 'an alias makes the name too long');
});

test('a DNAME is not an alias for its own owner, nor for another zone', () => {
  const own = record('www.example.com', types.DNAME, name('example.net'));
  const other = record('example.org', types.DNAME, name('example.net'));
  assert.deepEqual(answersOf([own, other, address('www.example.com')]), [address('www.example.com')]);
});

/** An RRSIG of a type by a zone: 18 bytes, the signer's name, and the signature. */
const signature = (owner: string, type: number, zone: string): ResourceRecord =>
  record(owner, types.RRSIG, bytes(type.toString(16).padStart(4, '0'), '00'.repeat(16), hexOf(name(zone)), 'ff'));

test('signatures are kept with the signed records', () => {
  const good = [
    alias('www.example.com', 'a.test'),
    signature('www.example.com', types.CNAME, 'example.com'),
    address('a.test'),
    signature('a.test', types.A, 'test'),
  ];
  const stray = [signature('a.test', types.TXT, 'test'), signature('b.test', types.A, 'test')];
  assert.deepEqual(answersOf([...good, ...stray]), good);
});

test('more than 100 records of a set, or 256 in all, are rejected', () => {
  const many = (count: number): ResourceRecord[] =>
    Array.from({ length: count }, (_, i) => address('www.example.com', i & 0xff));
  assert.equal(faultOf({ answer: many(100) }), 'none');
  assert.equal(faultOf({ answer: [...many(100), signature('www.example.com', types.A, 'com')] }), 'none');
  assert.equal(faultOf({ answer: many(101) }), 'a name has more than 100 records');
  const others = Array.from({ length: 257 }, () => address('stray.test'));
  assert.equal(faultOf({ answer: others }), 'it has more than 256 answer records');
  const servers = Array.from({ length: 101 }, () => record('example.com', types.NS, name('ns.test')));
  assert.equal(faultOf({ authority: servers }), 'its authority section has more than 100 records');
});

test('authority records are kept if the names are below them', () => {
  const chain = [alias('www.example.com', 'a.example.net')];
  const good = [
    authority('example.net', 300, 60),
    record('example.com', types.NS, name('ns.example.com')),
    record('com', types.NS, name('ns.test')),
  ];
  const stray = [
    authority('example.com', 300, 60), // not of the last name
    authority('example.org', 300, 60),
    record('bank.com', types.NS, name('ns.evil.test')),
    record('www.example.com.evil.test', types.NS, name('ns.evil.test')),
    address('ns.example.com'),
    { ...authority('example.net', 300, 60), class: 3 },
  ];
  const clean = scrubbed(answerTo(asked, { answer: chain, authority: [...stray, ...good] }));
  assert.deepEqual(clean.authority, good);
});

test('denial-of-existence records are kept if they are signed by a zone of the names', () => {
  const proof = (owner: string): ResourceRecord =>
    record(owner, types.NSEC, bytes(hexOf(name('z.example.com')), '000140'));
  const good = [proof('a.example.com'), signature('a.example.com', types.NSEC, 'example.com')];
  const stray = [
    proof('b.example.com'), // not signed
    proof('c.example.com'), // not by this signature
    proof('a.evil.test'),
    signature('a.evil.test', types.NSEC, 'evil.test'),
    signature('a.evil.test', types.NSEC, 'example.com'), // by a zone that it is not in
    record('example.com', types.RRSIG, bytes('0001')), // cut
  ];
  const other = signature('c.example.com', types.TXT, 'example.com');
  const clean = scrubbed(answerTo(asked, { rcode: rcodes.NXDOMAIN, authority: [...stray, ...good, other] }));
  assert.deepEqual(clean.authority, [...good, other]);
});

test('names have the case of the query', () => {
  const loud = mixedCase(asked.name, new Uint8Array(32).fill(0x5a));
  const zone = { ...authority('example.com', 300, 60), name: loud.slice(4) };
  const clean = scrubbed(
    answerTo({ ...asked, name: loud }, { answer: [{ ...address('x'), name: loud }], authority: [zone] }),
  );
  assert.deepEqual(clean.questions, [asked]);
  assert.deepEqual(clean.answer, [address('www.example.com')]);
  assert.deepEqual(clean.authority, [authority('example.com', 300, 60)]);
});

test('additional records and options of the upstream are dropped, except extended errors', () => {
  const reason = { code: 15, data: bytes('0009') };
  const edns = {
    udpSize: 1232,
    version: 0,
    dnssecOk: false,
    options: [{ code: 3, data: bytes('61') }, reason, { code: 10, data: bytes('0102030405060708') }],
  };
  const clean = scrubbed(answerTo(asked, { additional: [address('ns.example.com')], edns }));
  assert.deepEqual(clean.additional, []);
  assert.deepEqual(clean.edns?.options, [reason]);
});

test('AD is only accepted from a trusted upstream', () => {
  const message = answerTo(asked, { authenticData: true });
  for (const trusted of [false, true]) {
    const clean = scrub(message, asked, { trusted });
    assert.equal(clean.ok && clean.value.authenticData, trusted);
  }
});

test('any answer of an upstream is reduced to records that belong to the question', () => {
  fc.assert(
    fc.property(anyMessage, (message) => {
      const question = message.questions[0] ?? asked;
      const clean = scrub(message, question, { trusted: false });
      if (!clean.ok) return;
      let last = question.name;
      for (const one of clean.value.answer) {
        assert.equal(one.class, question.class);
        if (one.type === types.DNAME && one.type !== question.type) continue;
        assert.ok(sameName(one.name, last));
        if (one.type === types.CNAME && question.type !== types.CNAME && question.type !== types.ANY) last = one.data;
        else assert.ok(one.type === question.type || question.type === types.ANY || one.type === types.RRSIG);
      }
      assert.ok(belongsTo(writeMessage({ ...clean.value, response: true, opcode: 0 }), question, true));
    }),
    { numRuns: 500 },
  );
});
