import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mark, unmarked } from '../../test/support/rules/marked.ts';
import { listItems, unescaped } from './list-value.ts';

/** The items, written as `text` or `~text`. */
function items(value: string): readonly string[] {
  const read = listItems(value);
  assert.ok(read.ok, value);
  return read.value.map(({ text, negated }) => (negated ? `~${text}` : text));
}

test('bars part the values, and a tilde in front negates one', () => {
  assert.deepEqual(items('A'), ['A']);
  assert.deepEqual(items('A|~B|C'), ['A', '~B', 'C']);
  assert.deepEqual(items('~~A'), ['~~A']);
});

test('quotes go, and within them a bar parts nothing', () => {
  assert.deepEqual(items(`'a b'|"c|d"|~'e'`), ['a b', 'c|d', '~e']);
  assert.deepEqual(items(`'it"s'|"it's"`), ['it"s', "it's"]);
  assert.deepEqual(items("a'b'"), ["a'b'"]);
});

test('a backslash takes the meaning from a mark and is otherwise itself', () => {
  assert.deepEqual(items("'Frank\\'s'|a\\|b|\\'c"), ["Frank's", 'a|b', "'c"]);
  assert.deepEqual(items('PC\\bob|a\\\\|b\\'), ['PC\\bob', 'a\\', 'b\\']);
  assert.equal(unescaped('a\\,b\\$c\\"d\\n'), 'a,b$c"d\\n');
});

test('each value knows where it is written', () => {
  const read = listItems("A|~'b\\'c'|D");
  assert.deepEqual(read.ok && read.value.map(({ start, end }) => [start, end]), [
    [0, 1],
    [3, 9],
    [10, 11],
  ]);
});

for (const [reason, marked] of [
  [/^a value is missing$/, '«»'],
  [/^a value is missing$/, 'A|«»|B'],
  [/^a value is missing$/, 'A|«~»'],
  [/^a value is missing$/, "A|«''»"],
  [/^the closing ' is missing; write a comma in the name as \\,$/, "A|«'b»"],
  [/^the closing " is missing/, `«"b'»`],
  [/^the closing ' is missing/, "«'a'b»|c"],
] as const) {
  test(`${marked} is at fault: ${reason.source}`, () => {
    const { text, start, end } = unmarked(marked);
    const read = listItems(text);
    assert.ok(!read.ok);
    assert.match(read.error.reason, reason);
    assert.deepEqual([read.error.start, read.error.end], [start, end], mark(text, read.error));
  });
}

test('any value is read or refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('ab\'"\\|~,\n')), maxLength: 20 }), (value) => {
      const read = listItems(value);
      if (read.ok)
        assert.ok(read.value.every(({ text, start, end }) => text !== '' && start <= end && end <= value.length));
      else assert.ok(read.error.start <= read.error.end && read.error.end <= value.length);
    }),
    { numRuns: 3000 },
  );
});
