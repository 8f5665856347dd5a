import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { look } from '../../../test/support/compiler/lines.ts';
import { hostsNames, isHostsLine } from '../../rules/hosts-line.ts';
import { endOfAddress, endOfName, endOfRuleName, isPlainDomain, nextName } from './parse-host.ts';
import { decode } from './text.ts';

const runs = { numRuns: 4000 };
// ASCII lines only: these functions are not called for others.
const word = fc.constantFrom(...'0.0.0.0 ::1 [fe80] a.com add ads %eth0 % Ads.Com #x ! - x'.split(' '));
const mark = fc.constantFrom(' ', '  ', ...'\t \v # . - ^ | || $ , a Z 9 _ / \u0000 \u007f'.split(' '));
const asciiLine = fc.array(fc.oneof(word, mark), { maxLength: 7 }).map((pieces) => pieces.join(''));

const isHosts = (line: string): boolean => look(line, (bytes, start, end) => endOfAddress(bytes, start, end) !== -1);

/** The name of `||name^`; undefined for other lines. */
const ruleName = (line: string): string | undefined =>
  look(line, (bytes, start, end) => {
    const to = endOfRuleName(bytes, start, end);
    return to === -1 ? undefined : decode(bytes, start + 2, to);
  });

const namesOf = (line: string): string[] =>
  look(line, (bytes, start, end) => {
    const names: string[] = [];
    for (let at = nextName(bytes, endOfAddress(bytes, start, end), end); at < end; ) {
      const to = endOfName(bytes, at, end);
      names.push(decode(bytes, start, to).slice(at - start));
      at = nextName(bytes, to, end);
    }
    return names;
  });

test('hosts lines are recognised as by the regular expression', () => {
  const plainly = /^[0-9a-f:.[\]]+(%[0-9a-z]+)?[ \t\v\f]+[^#]+(#.*)?$/;
  fc.assert(
    fc.property(asciiLine, (line) => {
      assert.equal(isHosts(line), plainly.test(line), line);
      assert.equal(isHosts(line), isHostsLine(line), line);
    }),
    runs,
  );
});

test('the names of a hosts line are the words after its address, up to a comment', () => {
  assert.deepEqual(namesOf('0.0.0.0 a.com\tb.com  c.com# d.com'), ['a.com', 'b.com', 'c.com']);
  assert.deepEqual(namesOf('0.0.0.0  # a.com'), []);
  fc.assert(
    fc.property(asciiLine.map((line) => `0.0.0.0 ${line}`).filter(isHostsLine), (line) => {
      assert.deepEqual(namesOf(line), hostsNames(line), line);
    }),
    runs,
  );
});

test('a name ends before non-ASCII bytes that may be white space', () => {
  assert.deepEqual(
    look('a.com\u00a0b', (bytes, start, end) => endOfName(bytes, start, end) - start),
    5,
  );
});

test('a plain domain rule is recognised by its markers; a trailing dollar sign is ignored', () => {
  assert.equal(ruleName('||ads.example.com^'), 'ads.example.com');
  assert.equal(ruleName('||com^$,,'), 'com');
  for (const line of [
    '||Ads.com^',
    '||a.com',
    '||a.com^|',
    '|a.com^',
    '||^',
    '||a.com^$x',
    '||a_b.com^',
    '||*.com^',
    '||',
    '|',
    '',
  ]) {
    assert.equal(ruleName(line), undefined, line);
  }
  const pieces = fc.constantFrom('||', '|', 'a.com', 'a', '-', '.', '^', '$', ',', 'A', '*', ' ');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 6 }), (parts) => {
      const line = parts.join('');
      assert.equal(ruleName(line), /^\|\|([a-z0-9.-]+)\^(?:\$,*)?$/.exec(line)?.[1], line);
    }),
    runs,
  );
});

test('a plain domain has a dot and labels of letters, digits and inner dashes', () => {
  for (const line of ['a.com', 'A-1.Example.COM', '1.2.3.4', 'a.com.', 'com.', `${'a'.repeat(63)}.com`]) {
    assert.equal(look(line, isPlainDomain), true, line);
  }
  for (const line of [
    'com',
    'a_b.com',
    '.com',
    'a..com',
    '-a.com',
    'a-.com',
    `${'a'.repeat(64)}.com`,
    'a.com..',
    '',
    '.',
  ]) {
    assert.equal(look(line, isPlainDomain), false, line);
  }
});

test('a plain domain is no longer than 255 characters', () => {
  const labels = `${'a'.repeat(49)}.`.repeat(5);
  assert.equal(look(`${labels}${'a'.repeat(5)}`, isPlainDomain), true);
  assert.equal(look(`${labels}${'a'.repeat(6)}`, isPlainDomain), false);
});

test('plain domains are recognised as by a regular expression', () => {
  const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
  const plainly = new RegExp(`^(?=.*\\.)${label}(?:\\.${label})*\\.?$`);
  const piece = fc.constantFrom('a', 'Z', '0', '-', '.', 'ads', 'com', '_', ' ', 'a'.repeat(61), '|');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
      const line = pieces.join('');
      if (line.length <= 255) assert.equal(look(line, isPlainDomain), plainly.test(line), line);
    }),
    runs,
  );
});
