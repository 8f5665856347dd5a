import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asking, authority, bytes, hexOf, name } from '../../test/support/dns/packets.ts';
import { accept, datagramLimit } from './accept.ts';
import {
  appendOpt,
  appendOption,
  appendPadding,
  appendRecord,
  type MessageWriter,
  newMessageWriter,
  openWriter,
  startResponse,
} from './answers.ts';
import { extendedErrorOption, extendedErrors, paddingBlocks } from './edns.ts';
import { queryFor } from './message.ts';
import { rcodes, types } from './numbers.ts';
import { newQuestion } from './question.ts';
import { readMessage } from './read-message.ts';
import { writeMessage } from './write-message.ts';

const edns = { udpSize: 4096, version: 0, dnssecOk: true, options: [] };
const blocked = extendedErrorOption({ code: extendedErrors.blocked, text: 'blocked' });

/** A response started for a query, in the middle of a buffer with other data. */
function begun(query: Uint8Array, code: number, length?: number) {
  const question = newQuestion();
  accept(query, 0, query.length, question);
  const writer = newMessageWriter(new Uint8Array(3_000).fill(0xee));
  openWriter(writer, writer.bytes, 100, length ?? datagramLimit(question));
  startResponse(writer, question, query, code);
  return { question, writer };
}

const written = ({ bytes: all, start, end }: MessageWriter): Uint8Array => {
  assert.ok(
    all.subarray(end).every((byte) => byte === 0xee),
    'nothing is written behind the end',
  );
  return all.slice(start, end);
};

function readBack(writer: MessageWriter) {
  const read = readMessage(written(writer));
  assert.ok(read.ok);
  return read.value;
}

test('a blocked name is answered with an address, the reason and the unchanged question', () => {
  const { question, writer } = begun(writeMessage(queryFor(asking('Www.Example.com'), 0x1234, edns)), rcodes.NOERROR);
  appendRecord(writer, 'answer', types.A, 10, new Uint8Array(4));
  appendOpt(writer, question, rcodes.NOERROR);
  appendOption(writer, blocked.code, blocked.data);
  assert.equal(
    hexOf(written(writer)),
    hexOf(
      bytes(
        '1234 8180 0001 0001 0000 0001 03577777 074578616d706c65 03636f6d 00 0001 0001',
        'c00c 0001 0001 0000000a 0004 00000000',
        '00 0029 04d0 00 00 8000 000d 000f 0009 000f 626c6f636b6564',
      ),
    ),
  );
});

test('a nonexistent name is answered with the SOA of its zone', () => {
  const { writer } = begun(writeMessage(queryFor(asking('ads.example'), 7)), rcodes.NXDOMAIN);
  const { data } = authority('.', 0, 60);
  appendRecord(writer, 'authority', types.SOA, 60, data);
  const message = readBack(writer);
  assert.equal(message.rcode, rcodes.NXDOMAIN);
  assert.deepEqual(message.answer, []);
  assert.deepEqual(message.authority, [{ name: name('ads.example'), type: types.SOA, class: 1, ttl: 60, data }]);
  assert.equal(message.edns, undefined);
});

test('an answer about the server has the class of the query', () => {
  const chaos = { ...asking('id.server', types.TXT), class: 3 };
  const { writer } = begun(writeMessage(queryFor(chaos, 7)), rcodes.NOERROR);
  appendRecord(writer, 'answer', types.TXT, 0, bytes('0161'));
  assert.equal(readBack(writer).answer[0]!.class, 3);
});

test('only RD, CD and the opcode of a query are echoed', () => {
  const flags = (query: string): string => hexOf(written(begun(bytes(query), rcodes.REFUSED).writer).subarray(2, 4));
  const rest = '0001 0000 0000 0000 0161 00 0001 0001';
  assert.equal(flags(`1234 0000 ${rest}`), '8085');
  assert.equal(flags(`1234 07ff ${rest}`), '8195');
  assert.equal(flags(`1234 2900 ${rest}`), 'a985');
});

test('a question that could not be read is not echoed', () => {
  const { question, writer } = begun(bytes('1234 0100 0001 0000 0000 0001 3f 61'), rcodes.FORMERR);
  appendOpt(writer, question, rcodes.FORMERR);
  assert.equal(hexOf(written(writer)), hexOf(bytes('1234 8181 0000 0000 0000 0000')));
});

test('extended codes are split between header and OPT; unknown OPT flags are not echoed', () => {
  const query = bytes('1234 0100 0001 0000 0000 0001 0161 00 0001 0001 00 0029 0200 00 01 40ff 0000');
  const { question, writer } = begun(query, rcodes.BADVERS);
  appendOpt(writer, question, rcodes.BADVERS);
  const message = readBack(writer);
  assert.equal(message.rcode, rcodes.BADVERS);
  assert.deepEqual(message.edns, { udpSize: 1232, version: 0, dnssecOk: false, options: [] });
});

test('without EDNS in the query there are no options in the answer', () => {
  const { question, writer } = begun(writeMessage(queryFor(asking('a.test'), 7)), rcodes.NOERROR);
  appendOpt(writer, question, rcodes.NOERROR);
  assert.equal(appendOption(writer, blocked.code, blocked.data), false);
  appendPadding(writer, 468);
  assert.equal(written(writer).length, 12 + 12);
});

test('records that do not fit are left out, TC is set, and space is reserved for an extended error and a cookie', () => {
  for (const size of [0, 512, 1232]) {
    const { question, writer } = begun(
      writeMessage(queryFor(asking('a.test'), 7, { ...edns, udpSize: size })),
      rcodes.NOERROR,
    );
    let records = 0;
    while (appendRecord(writer, 'answer', types.AAAA, 10, new Uint8Array(16))) records++;
    appendOpt(writer, question, rcodes.NOERROR);
    assert.ok(appendOption(writer, 15, extendedErrorOption({ code: 15, text: 'x'.repeat(64) }).data));
    assert.ok(appendOption(writer, 10, new Uint8Array(24)));
    const message = readBack(writer);
    assert.equal(message.answer.length, records);
    assert.ok(message.truncated);
    assert.ok(written(writer).length <= Math.max(512, size));
  }
});

test('an option that does not fit is left out', () => {
  const { question, writer } = begun(writeMessage(queryFor(asking('a.test'), 7, edns)), rcodes.NOERROR, 512);
  appendOpt(writer, question, rcodes.NOERROR);
  const room = 512 - (writer.end - writer.start) - 4;
  assert.equal(appendOption(writer, 65_001, new Uint8Array(room + 1)), false);
  assert.equal(appendOption(writer, 65_001, new Uint8Array(room)), true);
  assert.equal(written(writer).length, 512);
});

test('the answer is padded to the next block, or to the limit', () => {
  const query = writeMessage(queryFor(asking('a.test'), 7, edns));
  for (const [length, expected] of [
    [65_535, 468],
    [1_000, 468],
    [300, 300],
  ] as const) {
    const { question, writer } = begun(query, rcodes.NOERROR, length);
    appendOpt(writer, question, rcodes.NOERROR);
    appendOption(writer, blocked.code, blocked.data);
    writer.bytes.fill(0x55, writer.end, writer.end + 400);
    appendPadding(writer, paddingBlocks.answer);
    assert.equal(writer.end - writer.start, expected);
    const read = readMessage(writer.bytes.subarray(writer.start, writer.end));
    assert.ok(read.ok);
    const [first, padding] = read.value.edns!.options;
    assert.deepEqual(first, blocked);
    assert.equal(padding!.code, 12);
    assert.ok(
      padding!.data.every((byte) => byte === 0),
      'padding tells nothing of what was there before',
    );
  }
});

test('an answer can be written over the query', () => {
  const query = writeMessage(queryFor(asking('www.example.com'), 0x1234, edns));
  const apart = begun(query, rcodes.NOERROR);
  const buffer = new Uint8Array(600);
  buffer.set(query, 50);
  const question = newQuestion();
  accept(buffer, 50, query.length, question);
  const writer = newMessageWriter(buffer);
  openWriter(writer, writer.bytes, 50, 512);
  startResponse(writer, question, buffer, rcodes.NOERROR);
  for (const [one, asked] of [
    [writer, question],
    [apart.writer, apart.question],
  ] as const) {
    appendRecord(one, 'answer', types.A, 10, new Uint8Array(4));
    appendOpt(one, asked, rcodes.NOERROR);
  }
  assert.equal(hexOf(buffer.subarray(writer.start, writer.end)), hexOf(written(apart.writer)));
});
