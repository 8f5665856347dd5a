import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  address,
  alias,
  answerTo,
  anyMessage,
  asking,
  bytes,
  hexOf,
  name,
  record,
} from '../../test/support/dns/packets.ts';
import type { Message, ResourceRecord } from './message.ts';
import { types } from './numbers.ts';
import { readMessage } from './read-message.ts';
import { nameKey } from './wire-names.ts';
import { writeMessage } from './write-message.ts';

function readAgain(written: Uint8Array): Message {
  const read = readMessage(written);
  assert.ok(read.ok);
  return read.value;
}

const edns = { udpSize: 1232, version: 0, dnssecOk: true, options: [] };

test('a written message is read unchanged', () => {
  fc.assert(
    fc.property(anyMessage, (message) => {
      assert.deepEqual(readAgain(writeMessage(message)), message);
    }),
    { numRuns: 1_000 },
  );
});

test('no message exceeds the limit, and its records are complete', () => {
  const setsOf = (records: readonly ResourceRecord[]): Map<string, number> => {
    const sets = new Map<string, number>();
    for (const { name: owner, type, class: recordClass } of records) {
      const key = `${type} ${recordClass} ${nameKey(owner)}`;
      sets.set(key, (sets.get(key) ?? 0) + 1);
    }
    return sets;
  };
  fc.assert(
    fc.property(anyMessage, fc.integer({ min: 12, max: 1232 }), (message, limit) => {
      const written = writeMessage(message, { limit });
      assert.ok(written.length <= limit);
      const read = readAgain(written);
      for (const section of ['answer', 'authority', 'additional'] as const) {
        assert.deepEqual(read[section], message[section].slice(0, read[section].length));
        for (const [key, count] of setsOf(read[section])) assert.equal(count, setsOf(message[section]).get(key));
      }
      const isCut = read.answer.length < message.answer.length || read.authority.length < message.authority.length;
      if (isCut) assert.ok(read.truncated);
      if (limit >= 600 && message.edns) assert.ok(read.edns);
    }),
    { numRuns: 1_000 },
  );
});

test('names point to the longest earlier suffix in the same case', () => {
  const message = answerTo(asking('www.example.com'), {
    answer: [alias('www.example.com', 'a.example.com'), address('a.example.com'), address('a.Example.com')],
  });
  assert.equal(
    hexOf(writeMessage(message)),
    hexOf(
      bytes(
        '1234 8180 0001 0003 0000 0000 03777777 076578616d706c65 03636f6d 00 0001 0001',
        'c00c 0005 0001 0000012c 0004 0161 c010',
        'c02d 0001 0001 0000012c 0004 c0000201',
        '0161 074578616d706c65 c018 0001 0001 0000012c 0004 c0000201',
      ),
    ),
  );
});

test('names with equal hashes are not confused', () => {
  const message = answerTo(asking('cjueocof'), { answer: [address('apysgsst'), address('cjueocof')] });
  assert.deepEqual(readAgain(writeMessage(message)).answer, message.answer);
});

test('only names in RFC 1035 types are compressed', () => {
  const written = (type: number, data: Uint8Array): number =>
    writeMessage(answerTo(asking('example.com', type), { answer: [record('example.com', type, data)] })).length;
  const before = 12 + 17 + 12;
  assert.equal(written(types.MX, bytes('000a', hexOf(name('example.com')))), before + 4);
  assert.equal(written(types.SRV, bytes('000100020003', hexOf(name('example.com')))), before + 6 + 13);
  assert.equal(written(types.DNAME, name('example.com')), before + 13);
  assert.equal(written(65_400, name('example.com')), before + 13);
});

test('pointers do not exceed offset 16,383', () => {
  const far = { ...record('far.test', types.TXT, new Uint8Array(16_400)), class: 1 };
  const message = answerTo(asking('example.com'), {
    answer: [far, address('new.name.test'), address('new.name.test', 2)],
  });
  assert.deepEqual(readAgain(writeMessage(message)).answer, message.answer);
});

test('an RRset is dropped as a whole, and TC is set', () => {
  const texts = (owner: string, count: number): ResourceRecord[] =>
    Array.from({ length: count }, (_, i) => record(owner, types.TXT, new Uint8Array(100).fill(i)));
  const message = answerTo(asking('example.com', types.TXT), {
    answer: [alias('example.com', 'b.example.com'), ...texts('b.example.com', 10)],
    additional: [address('c.example.com')],
    edns,
  });
  const cut = readAgain(writeMessage(message, { limit: 512 }));
  assert.deepEqual(cut.answer, message.answer.slice(0, 1));
  assert.deepEqual(cut.additional, []);
  assert.equal(cut.truncated, true);
  assert.deepEqual(cut.edns, edns);
  assert.deepEqual(cut.questions, message.questions);
});

test('an RRset with separated records is not split, either', () => {
  const big = new Uint8Array(150);
  const message = answerTo(asking('example.com', types.TXT), {
    answer: [
      address('keep.test'),
      record('a.test', types.TXT, big),
      record('b.test', types.TXT, big),
      record('A.test', types.TXT, big),
    ],
  });
  assert.deepEqual(readAgain(writeMessage(message, { limit: 450 })).answer, message.answer.slice(0, 1));
});

test('no pointer refers to an omitted question', () => {
  const message = answerTo(asking('www.example.com'), { answer: [address('com')], edns });
  const cut = readAgain(writeMessage(message, { limit: 32 }));
  assert.deepEqual({ ...cut, truncated: false }, { ...message, questions: [], answer: [] });
  assert.equal(cut.truncated, true);
});

test('TC is not set if only additional records are missing', () => {
  const message = answerTo(asking('example.com'), {
    answer: [address('example.com')],
    additional: [record('example.com', types.TXT, new Uint8Array(600))],
  });
  const cut = readAgain(writeMessage(message, { limit: 512 }));
  assert.equal(cut.truncated, false);
  assert.deepEqual(cut.answer, message.answer);
  assert.deepEqual(cut.additional, []);
});

test('an answer of 65,535 bytes is written completely', () => {
  const asked = asking('example.com', types.TXT);
  const answer = [record('example.com', types.TXT, new Uint8Array(65_535 - 12 - 17 - 12))];
  const written = writeMessage(answerTo(asked, { answer }));
  assert.equal(written.length, 65_535);
  assert.deepEqual(readAgain(written).answer, answer);
});

test('options that do not fit are left out before the OPT record is', () => {
  const options = [{ code: 65_001, data: new Uint8Array(600) }];
  const cut = readAgain(writeMessage(answerTo(asking('example.com'), { edns: { ...edns, options } }), { limit: 512 }));
  assert.deepEqual(cut.edns, edns);
});

test('an extended code needs the OPT record; without it, the code is SERVFAIL', () => {
  assert.equal(readAgain(writeMessage(answerTo(asking('example.com'), { rcode: 23, edns }))).rcode, 23);
  assert.equal(readAgain(writeMessage(answerTo(asking('example.com'), { rcode: 23 }))).rcode, 2);
});

test('padding makes the length a multiple of the block, within the limit', () => {
  fc.assert(
    fc.property(anyMessage, fc.constantFrom(128, 468), (message, padTo) => {
      const written = writeMessage(message, { padTo });
      assert.equal(message.edns ? written.length % padTo : 0, 0);
      const { edns: read, ...rest } = readAgain(written);
      const { edns: was, ...wanted } = message;
      assert.deepEqual(rest, wanted);
      assert.deepEqual(read?.options.slice(0, -1), was?.options);
    }),
    { numRuns: 200 },
  );
  const short = answerTo(asking('example.com'), { edns });
  assert.equal(writeMessage(short, { padTo: 468, limit: 300 }).length, 300);
});
