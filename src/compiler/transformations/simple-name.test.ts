import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { whyInvalid } from '../../rules/validate-rule.ts';
import { hashBytes } from '../lines/byte-table.ts';
import { look, utf8 } from '../lines/lines-for-tests.ts';
import { CLEAR, DOTLESS, MORE_PARENTS, type Names, TO_BE_WRITTEN, topMark } from './names.ts';
import { readSimpleName } from './simple-name.ts';

const noNames = (): Names => ({
  start: new Int32Array(1),
  end: new Int32Array(1),
  hash: new Int32Array(1),
  topMark: new Uint16Array(1),
  parentStart: new Int32Array(1),
  parentHash: new Int32Array(1),
  traits: new Uint8Array(1),
});

type Found = Record<'name' | 'parent', string | undefined> &
  Record<'hash' | 'topMark' | 'parentHash' | 'traits', number>;

/** What is found in a line; undefined when it is no simple one. */
const read = (line: string): Found | undefined =>
  look(line, (bytes, start, end) => {
    const names = noNames();
    if (!readSimpleName(bytes, start, end, 0, names)) return undefined;
    const text = (from: number): string => new TextDecoder().decode(bytes.subarray(from, names.end[0]));
    return {
      name: text(names.start[0]!),
      parent: names.parentStart[0] === 0 ? undefined : text(names.parentStart[0]!),
      hash: names.hash[0]!,
      topMark: names.topMark[0]!,
      parentHash: names.parentHash[0]!,
      traits: names.traits[0]!,
    };
  });
const traitsOf = (line: string): number | undefined => read(line)?.traits;
const hashOf = (name: string): number => hashBytes(utf8(name), 0, utf8(name).length);

test('a rule, a domain and a hosts line are told with their name', () => {
  assert.equal(read('||ads.example.com^')?.name, 'ads.example.com');
  assert.equal(read('ads.example.com')?.name, 'ads.example.com');
  assert.equal(read('0.0.0.0 ads.example.com')?.name, 'ads.example.com');
});

test('it is told whether the rule is still to be written, and how many labels the name has', () => {
  assert.equal(traitsOf('||com^'), DOTLESS);
  assert.equal(traitsOf('||A.com^'), undefined);
  assert.equal(traitsOf('A.com'), TO_BE_WRITTEN);
  assert.equal(traitsOf('||a.com^'), CLEAR);
  assert.equal(traitsOf('||b.a.com^'), CLEAR);
  assert.equal(traitsOf('||c.b.a.com^'), CLEAR | MORE_PARENTS);
  assert.equal(traitsOf('0 localhost'), TO_BE_WRITTEN | DOTLESS);
});

test('names that a check might object to are not clear', () => {
  for (const name of [
    'a_b.com',
    'A.com',
    '-a.com',
    'a-.com',
    'a..com',
    'a.1',
    '1.2.3.4',
    `${'a'.repeat(64)}.com`,
    'a.com.',
  ]) {
    const traits = traitsOf(`0 ${name}`);
    assert.ok(traits !== undefined && (traits & CLEAR) === 0, name);
  }
});

const label = fc.constantFrom(
  'a',
  'ads',
  'x-1',
  '-',
  'com',
  'uk',
  '0',
  'A',
  'a_b',
  '',
  'é',
  'a'.repeat(63),
  'a'.repeat(64),
);
const name = fc.array(label, { minLength: 1, maxLength: 6 }).map((labels) => labels.join('.'));
const before = fc.constantFrom('', '||', '|', '0.0.0.0 ', '9.1 ', '. ', ' ', '0  ', 'a ', '0\t', '@@||', '! ');
const behind = fc.constantFrom('', '', '^', '^', '^|', '^$', ' ', ' b.com', '#x', '.', '||');
const line = fc.tuple(before, name, behind).map((parts) => parts.join(''));

/** By regular expressions: the name of a simple line and whether a rule is to be written for it. */
function plainly(text: string): { name: string; isRule: boolean } | undefined {
  const rule = /^\|\|([a-z0-9.-]+)\^$/.exec(text)?.[1];
  if (rule !== undefined) return { name: rule, isRule: true };
  const properLabel = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
  const isDomain = new RegExp(`^(?:${properLabel}\\.)+${properLabel}$`).test(text) && text.length <= 253;
  const found = isDomain ? text : /^[0-9.]+ ([a-zA-Z0-9._-]+)$/.exec(text)?.[1];
  return found === undefined ? undefined : { name: found, isRule: false };
}

test('lines are told as regular expressions would tell them', () => {
  fc.assert(
    fc.property(line, (text) => {
      const [found, expected] = [read(text), plainly(text)];
      assert.equal(found?.name, expected?.name, text);
      if (found && expected) assert.equal((found.traits & TO_BE_WRITTEN) === 0, expected.isRule, text);
    }),
    { numRuns: 5000 },
  );
});

test('hashes, parents and marks are those of the name, and a clear name is valid unless it is a suffix', () => {
  fc.assert(
    fc.property(line, (text) => {
      const found = read(text);
      if (!found?.name) return;
      const labels = found.name.split('.');
      const parent = labels.length > 2 ? labels.slice(-2).join('.') : undefined;
      assert.equal(found.hash, hashOf(found.name));
      assert.equal(found.parent, parent, text);
      if (parent !== undefined) assert.equal(found.parentHash, hashOf(parent));
      if (labels.length > 1) assert.equal(found.topMark, topMark(hashOf(labels.at(-1)!)));
      assert.equal((found.traits & MORE_PARENTS) !== 0, labels.length > 3, text);
      if ((found.traits & CLEAR) === 0) return;
      assert.equal(whyInvalid(`||${found.name}^`, { allowIp: false, allowPublicSuffix: true }), undefined, text);
    }),
    { numRuns: 5000 },
  );
});
