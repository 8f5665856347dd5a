import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../test/support/kit/any-text.ts';
import { mark, unmarked } from '../../test/support/rules/marked.ts';
import { readName } from './domain-name.ts';

const names: readonly (readonly [given: string, name: string])[] = [
  ['example.com', 'example.com'],
  ['EXAMPLE.com', 'example.com'],
  ['example.com.', 'example.com'],
  ['localhost', 'localhost'],
  ['_dmarc.example.com', '_dmarc.example.com'],
  ['-a-.r3---sn.example', '-a-.r3---sn.example'],
  ['1.2.3.4', '1.2.3.4'],
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['ПРИМЕР。рф', 'xn--e1afmkfd.xn--p1ai'],
  ['i❤.ws', 'xn--i-7iq.ws'],
  ['نامه\u200cای.com', 'xn--mgba3gch31f060k.com'],
  [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
  [`${'a.'.repeat(126)}b`, `${'a.'.repeat(126)}b`],
];
for (const [given, name] of names) {
  test(`the name ${given.slice(0, 40)} is read`, () => {
    assert.deepEqual(readName(given), { ok: true, value: name });
  });
}

const faults: readonly (readonly [reason: RegExp, marked: string])[] = [
  [/^a host name is missing$/, '«»'],
  [/^a host name is missing$/, '«.»'],
  [/^a leading dot is not allowed$/, '«.»example.com'],
  [/^a label is empty: remove the extra dot$/, 'example.«.»com'],
  [/^a label is empty: remove the extra dot$/, 'example.com.«.»'],
  [/^a DNS filter sees only host names: remove the path/, 'example.com«/»path'],
  [/^a DNS filter sees only host names.*the port$/, 'http«:»//example.com'],
  [/^a DNS filter sees only host names/, 'example.com«?»a=b'],
  [/^a "\*" is not allowed in this name$/, 'a«*».com'],
  [/^"," is not allowed in a host name$/, 'a«,»b.com'],
  [/^"\\" is not allowed/, 'a«\\»b.com'],
  [/^a name cannot contain a space/, 'a,b.com« »# why'],
  [/^a name cannot contain a space/, 'a«\t»b.com'],
  [/^the character U\+200B is not allowed/, 'a«\u200b»b.com'],
  [/^the character U\+D800 is not allowed/, 'a«\ud800».com'],
  [/^this character is not a letter$/, 'a.«b\u037e».com'],
  [/^a label of a host name can have at most 63/, `a.«${'b'.repeat(64)}».com`],
  [/^a label of a host name/, `a.«${'日本'.repeat(30)}».com`],
  [/^a host name can have at most 253/, `«${'a.'.repeat(127)}b»`],
  [/^a host name can have at most 253/, `«${'я'.repeat(600)}»`],
];
for (const [reason, marked] of faults) {
  test(`${marked.slice(0, 40)} is not a name: ${reason.source}`, () => {
    const { text, start, end } = unmarked(marked);
    const name = readName(text);
    assert.ok(!name.ok);
    assert.match(name.error.reason, reason);
    assert.deepEqual([name.error.start, name.error.end], [start, end], mark(text, name.error));
  });
}

test('every accepted name is ASCII in lower case, of a length that DNS can carry, and reads as itself', () => {
  const text = fc.oneof(
    anyText(300),
    fc.string({ unit: fc.constantFrom(...Array.from('aAbZ09-_...éЯ日本\u{1f600}。')), maxLength: 80 }),
  );
  fc.assert(
    fc.property(text, (given) => {
      const name = readName(given);
      if (!name.ok) {
        assert.ok(0 <= name.error.start && name.error.start <= name.error.end && name.error.end <= given.length);
        return;
      }
      assert.match(name.value, /^[\w-]{1,63}(?:\.[\w-]{1,63})*$/);
      assert.ok(name.value.length <= 253 && name.value === name.value.toLowerCase());
      assert.deepEqual(readName(name.value), name);
    }),
    { numRuns: 3000 },
  );
});
