import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/kit/any-text.ts';
import { createText, decode } from '../lines/text.ts';
import { appendName } from './append-name.ts';

const append = (name: string): { added: string; why: string | undefined } => {
  const text = createText();
  const bytes = new TextEncoder().encode(name);
  const why = appendName(text, bytes, 0, bytes.length);
  return { added: decode(text.bytes, 0, text.length), why };
};

const label = (length: number): string => 'a'.repeat(length);

test('a name is written in lower case and without the trailing dot', () => {
  assert.deepEqual(append('Ads.Example.COM.'), { added: 'ads.example.com', why: undefined });
});

test('underscores, and dashes at any position, are accepted', () => {
  for (const name of ['_dmarc.example.com', '-a-.example.com', 'xn--mller-kva.de', 'localhost', '1.example2']) {
    assert.deepEqual(append(name), { added: name, why: undefined });
  }
});

test('a label has 1 to 63 characters, a name at most 253', () => {
  const why = 'a label of a host name has 1 to 63 characters';
  for (const name of ['', '.', 'a..b', '.a.com', 'a.com..', `${label(64)}.com`]) {
    assert.deepEqual(append(name), { added: '', why });
  }
  const long = [label(63), label(63), label(63), label(61)].join('.');
  assert.equal(append(long).added, long);
  assert.deepEqual(append(`a${long}`), { added: '', why: 'a host name has at most 253 characters' });
});

test('an address is not a host name', () => {
  assert.deepEqual(append('1.2.3.4'), { added: '', why: '"1.2.3.4" is an address, not a host name' });
  assert.equal(append('example.12').why, '"example.12" is an address, not a host name');
});

test('an invalid character is named in the error', () => {
  assert.equal(append('a b.com').why, '" " is not allowed in a host name');
  assert.equal(append('a".com').why, '"\\"" is not allowed in a host name');
  assert.equal(append('a\n.com').why, '"\\n" is not allowed in a host name');
  assert.match(append('müller.de').why ?? '', /^"ü" is not ASCII: the transformation ConvertToAscii/);
});

test('every appended name consists of labels and dots, and a rejected name leaves no bytes', () => {
  fc.assert(
    fc.property(anyText(300), (name) => {
      const { added, why } = append(name);
      if (why === undefined) assert.match(added, /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/);
      else assert.equal(added, '');
    }),
  );
});
