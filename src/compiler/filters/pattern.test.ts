import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foldCase, matchesWildcard, type Pattern, parsePattern } from './pattern.ts';

function parsed(text: string): Pattern {
  const pattern = parsePattern(text);
  assert.ok(pattern.ok, text);
  return pattern.value;
}

const matches = (wildcard: string, line: string): boolean => {
  const pattern = parsed(wildcard);
  assert.ok(pattern.kind === 'wildcard', wildcard);
  return matchesWildcard(pattern.parts, foldCase(line));
};

test('text between slashes is a case-insensitive regular expression', () => {
  const pattern = parsed('/^ads[0-9]$/');
  assert.ok(pattern.kind === 'regular expression');
  assert.equal(pattern.expression.source, '^ads[0-9]$');
  assert.equal(pattern.expression.flags, 'im');
});

test('slashes must enclose text and end the pattern', () => {
  for (const text of ['//', '/', '/ads/i', 'x/ads/', 'ads']) assert.deepEqual(parsed(text), { kind: 'text', text });
});

test('an asterisk makes a wildcard, unless the pattern is enclosed in slashes', () => {
  assert.equal(parsed('*.example.com').kind, 'wildcard');
  assert.equal(parsed('/.*/').kind, 'regular expression');
  assert.equal(parsed('/ads*').kind, 'wildcard');
});

test('an invalid expression is reported with the message of the engine', () => {
  const pattern = parsePattern('/(/');
  assert.ok(!pattern.ok);
  assert.match(pattern.error, /Invalid regular expression.*Unterminated group/);
});

test('a wildcard matches the whole line', () => {
  assert.equal(matches('*.google.com', 'ads.google.com'), true);
  assert.equal(matches('*.google.com', '||ads.google.com^'), false);
  assert.equal(matches('||ads*', '||ads.com^'), true);
  assert.equal(matches('ads*', '||ads.com^'), false);
  assert.equal(matches('*', ''), true);
  assert.equal(matches('**', 'anything'), true);
});

test('all characters except the asterisk are literal and case-insensitive', () => {
  assert.equal(matches('a.c*', 'abc'), false);
  assert.equal(matches('A.[c]*', 'a.[C]x'), true);
  assert.equal(matches('*РЕКЛАМА*', '! реклама'), true);
});

test('the parts of a wildcard do not overlap', () => {
  assert.equal(matches('ab*ba', 'aba'), false);
  assert.equal(matches('ab*ba', 'abba'), true);
  assert.equal(matches('*ab*ab*', 'xabx'), false);
  assert.equal(matches('a*b*b', 'ab'), false);
});

test('matching is fast with any number of asterisks', () => {
  assert.equal(matches(`${'*a'.repeat(50)}*b`, 'a'.repeat(20_000)), false);
});

test('a wildcard matches the same as its regular expression', () => {
  const text = (units: readonly string[]) => fc.string({ unit: fc.constantFrom(...units), maxLength: 8 });
  fc.assert(
    fc.property(
      text(['a', 'B', '*', '.', 'é', 'ſ', 'ß']),
      text(['a', 'A', 'b', '.', 'É', 's', 'ß', 'S']),
      (pattern, line) => {
        if (!pattern.includes('*')) return;
        const literal = (part: string): string => part.replace(/[.]/g, '\\.');
        const expression = new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`, 'is');
        assert.equal(matches(pattern, line), expression.test(line), `${pattern} on ${line}`);
      },
    ),
    { numRuns: 5000 },
  );
});

test('case is folded as the i flag of regular expressions does, character by character', () => {
  const odd = [...Array.from('kKK sSſ ßẞ iIıİ µμΜ θΘϑ ῼῳ ǅǆǄ éÉ яЯ \u{10400}\u{10428}'), '\ud801', '\udc00'];
  for (const a of odd) {
    for (const b of odd) {
      assert.equal(foldCase(a) === foldCase(b), new RegExp(`^${a}$`, 'i').test(b), `${a} and ${b}`);
    }
  }
});
