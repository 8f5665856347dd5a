import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  address,
  alias,
  answerTo,
  asking,
  authority,
  bytes,
  hexOf,
  name,
  record,
} from '../../test/support/dns/packets.ts';
import { slow } from '../../test/support/kit/slow.ts';
import { accept, datagramLimit } from './accept.ts';
import { appendOpt, appendOption, appendRecord, newMessageWriter, openWriter, startResponse } from './answers.ts';
import { type Message, queryFor } from './message.ts';
import { rcodes, types } from './numbers.ts';
import { newQuestion } from './question.ts';
import { readMessage } from './read-message.ts';
import { recordText } from './record-text.ts';
import { addressHints } from './service-binding.ts';
import { cacheSeconds, ttlOffsets } from './ttl.ts';
import { belongsTo, scrub } from './validate-answer.ts';
import { writeMessage } from './write-message.ts';

const SEED = 20_261_115;
const ROUNDS = 20_000;

/** Reproducible pseudo-random numbers (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const asked = asking('www.example.com');
const edns = {
  udpSize: 4096,
  version: 0,
  dnssecOk: true,
  options: [
    { code: 10, data: new Uint8Array(24) },
    { code: 8, data: bytes('0001 18 00 010203') },
    { code: 65_074, data: bytes('70686f6e65') },
  ],
};
const messages: readonly Message[] = [
  queryFor(asked, 1),
  queryFor(asked, 1, edns),
  answerTo(asked, {
    answer: [alias('www.example.com', 'a.example.com'), address('a.example.com'), address('a.example.com', 2)],
    authority: [record('example.com', types.NS, name('ns.example.com'))],
    additional: [address('ns.example.com')],
    edns,
  }),
  answerTo(asked, { rcode: rcodes.NXDOMAIN, authority: [authority('example.com', 300, 60)], edns }),
  answerTo(asking('www.example.com', types.HTTPS), {
    answer: [
      record('www.example.com', types.HTTPS, bytes('0001 00 0001 0003 02 6832 0004 0004 c0000201')),
      record('www.example.com', types.RRSIG, bytes('0041', '00'.repeat(16), hexOf(name('example.com')), 'ffff')),
    ],
  }),
  answerTo(asking('_sip._tcp.example.com', types.SRV), {
    answer: [
      record('_sip._tcp.example.com', types.SRV, bytes('000100020003', hexOf(name('sip.example.com')))),
      record('example.com', types.MX, bytes('000a', hexOf(name('mail.example.com')))),
      record('example.com', types.TXT, bytes('0161 0262 63')),
      record('example.com', types.DNAME, name('example.net')),
    ],
  }),
];
const samples = messages.map((message) => writeMessage(message));

/** Boundary values of lengths, counts and pointers. */
const telling = [0, 1, 11, 12, 0x3f, 0x40, 0x7f, 0x80, 0xc0, 0xff];

function mutate(sample: Uint8Array, next: (below: number) => number): Uint8Array {
  let packet = sample.slice();
  for (let changes = 1 + next(4); changes > 0; changes--) {
    const at = next(packet.length + 1);
    const kind = next(5);
    if (kind === 0) packet[at] = next(256);
    else if (kind === 1) packet[at] = telling[next(telling.length)]!;
    else if (kind === 2) packet = packet.slice(0, at);
    else if (kind === 3) packet = Uint8Array.from([...packet.subarray(0, at), ...packet.subarray(next(at + 1))]);
    else packet.copyWithin(at, next(packet.length + 1), next(packet.length + 1));
  }
  return packet;
}

const question = newQuestion();
const writer = newMessageWriter(new Uint8Array(2_000));

/** Each packet gets a response with its own id and within its limit, or none. */
function asQuery(packet: Uint8Array): void {
  const outcome = accept(packet, 0, packet.length, question);
  if (outcome === 'drop') {
    assert.ok(packet.length < 12 || packet[2]! >= 0x80);
    return;
  }
  assert.ok(question.end <= packet.length && question.questionEnd <= question.end);
  const limit = datagramLimit(question);
  openWriter(writer, writer.bytes, 100, limit);
  startResponse(writer, question, packet, question.code);
  appendRecord(writer, 'answer', types.A, 60, new Uint8Array(4));
  appendOpt(writer, question, question.code);
  appendOption(writer, 15, new Uint8Array(66));
  const answer = readMessage(writer.bytes.slice(writer.start, writer.end));
  assert.ok(writer.end - writer.start <= limit && limit <= 1232);
  assert.ok(outcome !== 'ok' || answer.ok);
  assert.equal((writer.bytes[100]! << 8) | writer.bytes[101]!, question.id);
}

/** A message that can be read is written and read again unchanged, and all functions that take messages accept it. */
function asAnswer(packet: Uint8Array): void {
  const read = readMessage(packet);
  ttlOffsets(packet);
  belongsTo(packet, asked, true);
  if (!read.ok) {
    assert.notEqual(read.error, '');
    return;
  }
  assert.ok(ttlOffsets(packet), 'what can be read has TTLs');
  const again = readMessage(writeMessage(read.value));
  assert.deepEqual(again, read);
  assert.ok(writeMessage(read.value, { limit: 512 }).length <= 512);
  const clean = scrub(read.value, read.value.questions[0] ?? asked, { trusted: false });
  for (const one of [...read.value.answer, ...read.value.authority]) {
    assert.match(recordText(one.type, one.data), /^[ -~]+$/);
    addressHints(one.data);
  }
  if (clean.ok) assert.ok(cacheSeconds(clean.value) >= 0);
}

test(`${ROUNDS} mutated messages cause no exceptions (seed ${SEED})`, slow, (t) => {
  const next = numbers(SEED);
  let readable = 0;
  let slowestMs = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const packet = mutate(samples[next(samples.length)]!, next);
    const startedAt = performance.now();
    try {
      asQuery(packet);
      asAnswer(packet);
      if (readMessage(packet).ok) readable++;
    } catch (cause) {
      throw new Error(`round ${round}: ${hexOf(packet)}`, { cause });
    }
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
  }
  t.diagnostic(
    `P1 decoding: ${ROUNDS} mutated messages, 0 exceptions, slowest ${slowestMs.toFixed(1)} ms with its checks`,
  );
  assert.ok(readable > ROUNDS / 10, `too few of them, ${readable}, got past the first checks`);
});
