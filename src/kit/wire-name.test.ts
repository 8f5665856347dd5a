import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../test/support/kit/any-text.ts';
import { nameEnd, nameText, wireName } from './wire-name.ts';

const hex = (text: string): string | undefined => {
  const bytes = wireName(text);
  return bytes && Buffer.from(bytes).toString('hex');
};

test('a name becomes labels with their lengths and the root', () => {
  assert.equal(hex('www.example.org'), '03777777076578616d706c65036f726700');
  assert.equal(hex('www.example.org.'), '03777777076578616d706c65036f726700', 'a dot at the end changes nothing');
  assert.equal(hex('Org'), '034f726700', 'letters keep their case');
  assert.equal(hex('.'), '00', 'the root');
});

test('a dot, a backslash and any byte can be escaped in a label', () => {
  assert.equal(hex('a\\.b.c'), '03612e6201' + '6300');
  assert.equal(hex('a\\\\b'), '03615c6200');
  assert.equal(hex('\\000\\255'), '0200ff00');
  assert.equal(hex('\\046x.c'), '022e78016300', 'a number that means a dot is no end of a label either');
});

test('an invalid name is rejected', () => {
  const none = ['', '..', '.a', 'a..b', 'a..', 'a\\', 'a\\25', 'a\\256', 'a\\2x', '\u0100', 'é', '\\é'];
  for (const text of none) assert.equal(wireName(text), undefined, JSON.stringify(text));
});

test('a label has at most 63 bytes and a name 255', () => {
  const label = 'a'.repeat(63);
  assert.equal(wireName(label)?.length, 65);
  assert.equal(wireName(`${label}a`), undefined);
  const longest = `${label}.${label}.${label}.${'a'.repeat(61)}`;
  assert.equal(wireName(longest)?.length, 255);
  assert.equal(wireName(`${longest}.`)?.length, 255);
  assert.equal(wireName(`${longest}a`), undefined);
  assert.equal(wireName(`a.${longest}`), undefined);
  assert.equal(wireName('a.'.repeat(127))?.length, 255);
  assert.equal(wireName('a.'.repeat(128)), undefined);
});

test('the text of a name has no dot at its end, and odd bytes as numbers', () => {
  const bytes = Uint8Array.from(Buffer.from('ffff' + '04' + '612e5c62' + '03' + '00417f' + '00' + 'ff', 'hex'));
  assert.equal(nameText(bytes, 2), 'a\\.\\\\b.\\000A\\127');
  assert.equal(nameEnd(bytes, 2), 12);
  assert.equal(nameText(Uint8Array.of(9, 0), 1), '.');
  assert.equal(nameEnd(Uint8Array.of(9, 0), 1), 2);
});

const label = fc.uint8Array({ minLength: 1, maxLength: 63 });
const name = fc
  .array(label, { maxLength: 127 })
  .map((labels) => Uint8Array.from([...labels.flatMap((bytes) => [bytes.length, ...bytes]), 0]))
  .filter((bytes) => bytes.length <= 255);

test('the text of any name gives its bytes back', () => {
  fc.assert(
    fc.property(name, (bytes) => {
      assert.deepEqual(wireName(nameText(bytes, 0)), bytes);
      assert.equal(nameEnd(bytes, 0), bytes.length);
    }),
  );
});

test('any text is parsed without an exception', () => {
  fc.assert(
    fc.property(anyText(300), (text) => {
      const bytes = wireName(text);
      if (bytes) assert.deepEqual(wireName(nameText(bytes, 0)), bytes);
    }),
  );
});
