import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ANY_CHARACTER,
  characterRange,
  charactersOf,
  escapedSets,
  membership,
  NO_CHARACTER,
  opposite,
  posixSets,
  unicodeSet,
} from './character-set.ts';

const range = (first: string, last: string): string =>
  charactersOf(characterRange(first.codePointAt(0)!, last.codePointAt(0)!));

test('a range includes both ends, and only ASCII', () => {
  assert.equal(range('a', 'e'), 'abcde');
  assert.equal(range('0', '0'), '0');
  assert.equal(range('}', 'я'), '}~\x7f');
  assert.equal(range('а', 'я'), '');
});

test('a capital is its small letter', () => {
  assert.equal(range('A', 'C'), 'abc');
  assert.equal(range('Z', 'a'), '[\\]^_`az');
});

test('the opposite of a set has the rest of the characters that names hold', () => {
  assert.equal(opposite(opposite(characterRange(97, 99))), characterRange(97, 99));
  assert.equal(opposite(NO_CHARACTER), ANY_CHARACTER);
  assert.equal(charactersOf(opposite(characterRange(97, 97))).includes('a'), false);
  assert.equal(charactersOf(opposite(characterRange(97, 97))).includes('b'), true);
  assert.equal(charactersOf(ANY_CHARACTER).includes('A'), false);
});

test('membership is known for each code', () => {
  const members = membership(characterRange(97, 98));
  assert.equal(members.length, 128);
  assert.deepEqual(
    [96, 97, 98, 99].map((code) => members[code]),
    [0, 1, 1, 0],
  );
});

test('named sets hold what JavaScript and POSIX say', () => {
  assert.equal(charactersOf(escapedSets.get('d')!), '0123456789');
  assert.equal(charactersOf(escapedSets.get('w')!), '0123456789_abcdefghijklmnopqrstuvwxyz');
  assert.equal(charactersOf(posixSets.get('xdigit')!), '0123456789abcdef');
  assert.equal(charactersOf(posixSets.get('punct')!), '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~');
  assert.equal(posixSets.get('upper'), posixSets.get('lower'));
});

test('a Unicode property is a category or a script', () => {
  assert.equal(unicodeSet('L'), posixSets.get('alpha'));
  assert.equal(unicodeSet('Lu'), posixSets.get('alpha'));
  assert.equal(unicodeSet('Latin'), posixSets.get('alpha'));
  assert.equal(unicodeSet('Nd'), posixSets.get('digit'));
  assert.equal(unicodeSet('Cyrillic'), NO_CHARACTER);
  assert.equal(unicodeSet('Any'), ANY_CHARACTER);
  assert.deepEqual(['Nonsense', '', 'L}|\\p{N'].map(unicodeSet), [undefined, undefined, undefined]);
});
