import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeClient } from '../../../../test/support/resolver/http2/connection.ts';
import { seeded } from '../../../../test/support/resolver/http2/seeded.ts';
import { askOn } from '../../../../test/support/resolver/transport/doh.ts';
import { createHpackDecoder } from './hpack-decode.ts';
import { decodeHuffman } from './huffman.ts';
import { newRequestHead, type RequestHead } from './request-head.ts';
import type { AnswerRequest } from './stream.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** Answers with the decoded request. */
const echo: AnswerRequest = (head, respond) => {
  respond({ status: 200, type: 'application/json', body: Buffer.from(JSON.stringify(head)) });
  return undefined;
};

/** The first of the three requests of RFC 7541, C.3 and C.4, changes the table for the second. */
const examples = [
  {
    name: 'plain',
    blocks: [
      '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
      '8286 84be 5808 6e6f 2d63 6163 6865',
      '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
    ],
  },
  {
    name: 'Huffman',
    blocks: [
      '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
      '8286 84be 5886 a8eb 1064 9cbf',
      '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
    ],
  },
];

for (const { name, blocks } of examples)
  test(`the examples of RFC 7541 are read: ${name}`, () => {
    const decoder = createHpackDecoder();
    const heads = blocks.map((block) => {
      const head = newRequestHead();
      assert.ok(decoder.decode(hex(block), 0, hex(block).length, head));
      return head;
    });
    const seen = heads.map(({ method, scheme, path, fields, isMalformed }) => ({
      method,
      scheme,
      path,
      fields,
      isMalformed,
    }));
    const usual = { method: 'GET', isMalformed: false };
    assert.deepEqual(seen, [
      { ...usual, scheme: 'http', path: '/', fields: 4 },
      { ...usual, scheme: 'http', path: '/', fields: 5 },
      { ...usual, scheme: 'https', path: '/index.html', fields: 5 },
    ]);
    // Each character counts, plus 32 per field.
    assert.deepEqual(
      heads.map(({ bytes }) => bytes),
      [180, 233, 245],
    );
  });

test('every byte that a value may have comes through the code of node:http2', async (t) => {
  const session = await nodeClient(t, echo);
  for (let byte = 0x20; byte < 0x100; byte++) {
    if (byte === 0x7f) continue;
    // Mostly short codes around it: otherwise the encoder would not use Huffman coding.
    const authorization = `${'a'.repeat(40)}${String.fromCharCode(byte)}${'e'.repeat(40)}`;
    const { body } = await askOn(session, { path: '/', headers: { authorization } });
    const seen = (JSON.parse(body.toString('utf8')) as RequestHead).authorization;
    assert.equal(seen, authorization, byte.toString(16));
  }
});

for (const headerTableSize of [0, 4096, 65_536])
  test(`500 requests with fields that repeat and change are read as node:http2 sent them; its table is ${headerTableSize}`, async (t) => {
    const session = await nodeClient(t, echo, { settings: { headerTableSize } });
    const random = seeded(headerTableSize + 1);
    const pick = (choices: number): number => Math.floor(random() * choices);
    const text = (length: number): string =>
      Array.from({ length }, () => String.fromCharCode(0x21 + pick(0x5e))).join('');
    const values = Array.from({ length: 60 }, () => text(pick(200)));
    for (let round = 0; round < 50; round++)
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          const headers: Record<string, string> = {
            authorization: values[pick(60)]!,
            'content-type': values[pick(60)]!,
          };
          for (let i = pick(12); i > 0; i--) headers[`x-${pick(200)}`] = values[pick(60)]!;
          const path = `/${text(pick(100))}`;
          const { status, body } = await askOn(session, { path, headers });
          assert.equal(status, 200);
          const seen = JSON.parse(body.toString()) as RequestHead;
          assert.deepEqual(
            [seen.path, seen.authorization, seen.contentType],
            [path, headers['authorization'], headers['content-type']],
          );
        }),
      );
  });

test('a head of many frames is read whole, and one that is too long is answered 431', async (t) => {
  const answer: AnswerRequest = (head, respond) => {
    respond({ status: head.isTooLong ? 431 : 200, type: 'text/plain', body: Buffer.from(`${head.path.length}`) });
    return undefined;
  };
  const session = await nodeClient(t, answer, { maxSendHeaderBlockLength: 500_000 });
  for (const length of [20_000, 87_380, 98_000]) {
    const { body } = await askOn(session, { path: `/${'#'.repeat(length - 1)}` });
    assert.equal(body.toString(), `${length}`);
  }
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`x-${index}`, 'y']));
  assert.equal((await askOn(session, { path: '/', headers: many })).status, 431);
  assert.equal((await askOn(session, { path: '/' })).status, 200);
});

const faulty: readonly (readonly [why: string, block: string])[] = [
  ['number 0', '80'],
  ['a number that nobody has given', 'be'],
  ['a name of a number that nobody has given', '7f 30 01 61'],
  ['a number without an end', 'ff ff ff'],
  ['a number that is far too large', 'ff ff ff ff ff 0f'],
  ['a text that is cut off', '04 05 61 62'],
  ['a text without a length', '04'],
  ['a name without a value', '40 01 61'],
  ['a table that is larger than it may be', '3f e2 1f'],
  ['a table that changes behind a field', '82 20'],
  ['a code that is the end of strings', '04 84 ff ff ff ff'],
  ['a code that ends with zeros', '04 81 00'],
  ['a code that ends with a whole byte of ones', '04 82 1f ff'],
];

for (const [why, block] of faulty)
  test(`fields that cannot be read are known: ${why}`, () => {
    assert.equal(createHpackDecoder().decode(hex(block), 0, hex(block).length, newRequestHead()), false);
  });

test('random bytes are read or rejected, without other effects', () => {
  const random = seeded(7);
  for (let round = 0; round < 20_000; round++) {
    const bytes = Buffer.from(Array.from({ length: Math.floor(random() * 40) }, () => Math.floor(random() * 256)));
    assert.equal(typeof createHpackDecoder().decode(bytes, 0, bytes.length, newRequestHead()), 'boolean');
    assert.ok(decodeHuffman(bytes, 0, bytes.length, Buffer.alloc(64)) <= 64);
  }
});

test('the dynamic table never exceeds 4,096 bytes', () => {
  const decoder = createHpackDecoder();
  const literal = (value: number): Buffer =>
    Buffer.concat([Buffer.from([0x40, 1, 0x61, value]), Buffer.alloc(value, 0x62)]);
  for (let round = 0; round < 5000; round++) {
    const block = literal(round % 100);
    assert.ok(decoder.decode(block, 0, block.length, newRequestHead()));
  }
  const isHeld = (index: number): boolean => {
    const block = index < 127 ? Buffer.from([0x80 | index]) : Buffer.from([0xff, index - 127]);
    return decoder.decode(block, 0, block.length, newRequestHead());
  };
  // The last ones have 99 characters, 98, 97 and so on, and 33 bytes more.
  const fitting = 4096 / (33 + 86);
  assert.ok(isHeld(62 + Math.floor(fitting) - 1));
  assert.ok(!isHeld(62 + Math.ceil(fitting) + 1));
});
