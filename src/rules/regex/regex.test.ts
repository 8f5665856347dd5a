import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { mark, unmarked } from '../../../test/support/rules/marked.ts';
import { type Regex, readRegex } from './regex.ts';

function read(source: string): Regex {
  const expression = readRegex(source);
  assert.ok(expression.ok, `${source}: ${expression.ok || expression.error.reason}`);
  return expression.value;
}

const meanings: readonly (readonly [source: string, matching: readonly string[], others: readonly string[]])[] = [
  ['ads', ['ads', 'www.ads.com', 'loads.net'], ['ad.s', '']],
  ['ADS', ['ads.com'], ['ad.com']],
  ['^ads', ['ads.com'], ['www.ads.com']],
  ['\\.com$', ['ads.com'], ['com', 'ads.com.net']],
  ['^$', [''], ['a']],
  ['^a.c$', ['abc', 'a-c'], ['ac', 'abbc']],
  ['^a(b|cd)e$', ['abe', 'acde'], ['ae', 'abcde']],
  ['^a?b*c+$', ['c', 'abbcc'], ['ab', 'aac']],
  ['^a{2}b{2,}c{0,2}$', ['aabb', 'aabbbbcc'], ['abb', 'aabbccc']],
  ['^a{,2}$', ['a{,2}'], ['aa']],
  ['^[a-c0-2_]+$', ['abc_012'], ['abd', 'a-b']],
  ['^[^a-c.]+$', ['xyz-1'], ['xya', 'x.y']],
  ['^[]a]+$', [']a]'], ['b']],
  ['^[a\\]-]+$', ['a]-'], ['\\']],
  ['^[a-]+$', ['a-a'], ['b']],
  ['^[[:alpha:]]+[[:digit:]]+$', ['ab12'], ['12', 'a-1']],
  ['^[[:^alpha:]]+$', ['1-2.3'], ['1a']],
  ['^\\d\\D\\w\\W\\s?$', ['1a_-'], ['aa_-', '1a_b']],
  ['^[\\d.]+$', ['1.2.3.4'], ['1.2.3.x']],
  ['^\\x61\\x{62}\\143\\.$', ['abc.'], ['abcd']],
  ['\\bads\\b', ['ads', 'x.ads.com', 'x-ads-y'], ['loads', 'ads1', 'x_ads']],
  ['\\Bads', ['loads.com'], ['ads.com', 'x.ads']],
  ['^(?:a|b)(?<x>c)(?P<y>d)$', ['acd', 'bcd'], ['ad']],
  ['(?i)ADS', ['ads'], ['ad']],
  ['^(?i:A)(?s-U)b$', ['ab'], ['a']],
  ['\\Aads\\z', ['ads'], ['ads.com']],
  ['^\\p{L}+\\pN\\P{L}$', ['ab12'], ['ab1c']],
  ['^\\p{Greek}*$', [''], ['a']],
  ['^\\p{^L}$', ['1'], ['a']],
  ['^a*?$', ['', 'aaa'], ['b']],
  ['(|ads)', ['', 'anything'], []],
  ['^(a*)*b$', ['b', 'aab'], ['aa']],
  ['реклама|ads', ['ads.com'], ['xn--80aa']],
];
for (const [source, matching, others] of meanings) {
  test(`the expression ${source} matches what RE2 says it does`, () => {
    const { test: matches } = read(source);
    const re2 = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
    for (const name of matching) assert.equal(matches(name), true, `${source} matches ${name}`);
    for (const name of others) assert.equal(matches(name), false, `${source} does not match ${name}`);
    for (const name of [...matching, ...others]) assert.equal(re2.test(name), matches(name), `RE2 on ${name}`);
  });
}

const refusals: readonly (readonly [reason: RegExp, marked: string])[] = [
  [/^the regular expression is empty$/, '«»'],
  [/^look-ahead and look-behind are not supported: they can stall the resolver$/, 'ads«(?=»x)'],
  [/^look-ahead and look-behind/, '«(?!»x)ads'],
  [/^look-ahead and look-behind/, 'a(b«(?<=»b)c)'],
  [/^look-ahead and look-behind/, '«(?<!»a*)b'],
  [/^back-references are not supported: they can stall the resolver$/, '(a)«\\1»'],
  [/^back-references/, '(?<n>a)«\\k»<n>'],
  [/^missing "\)": write a literal bracket as \\\($/, 'a«(»b'],
  [/^unmatched "\)": write a literal bracket as \\\)$/, 'ab«)»c'],
  [/^missing "]": write a literal bracket as \\\[$/, 'a«[»b-c'],
  [/^missing "]": write a literal bracket as \\\[$/, '«[»]'],
  [/^the range "z-a" is reversed$/, 'x[a«z-a»]'],
  [/^unknown character class "alfa"$/, '[«[:alfa:]»]'],
  [/^"\*" has nothing to repeat$/, '«*».ads'],
  [/^"\+" has nothing/, 'a|«+»'],
  [/^"\{" has nothing/, '(«{»2})'],
  [/^a repetition cannot follow another/, 'x«a**»'],
  [/^a repetition cannot follow another/, '«a{2}{»3}'],
  [/^flags cannot be repeated$/, '«(?i)»*'],
  [/^at most 1000 repetitions/, 'a«{1001}»'],
  [/^at most 1000 repetitions/, `a«{1,${'9'.repeat(400)}}»`],
  [/^the minimum of the repetition is larger than the maximum$/, 'a«{3,2}»'],
  [/^the expression has more than 2000 steps with its repetitions expanded$/, 'x«(a{0,1000}){0,1000}»'],
  [/^the expression has more than 2000 steps/, 'x(«((){1000}){1000}»){1000}'],
  [/^the expression has more than 2000 steps/, `«${'a{500}'.repeat(5)}»`],
  [/^unknown escape "\\y": write a literal backslash as \\\\$/, 'a«\\y»'],
  [/^unknown escape "\\"/, 'a«\\»'],
  [/^unknown group: write/, '«(?»>a)'],
  [/^unknown Unicode property$/, '«\\p{Nonsense}»'],
  [/^a regular expression can have at most 1000 characters/, `${'a'.repeat(1000)}«aa»`],
];
for (const [reason, marked] of refusals) {
  test(`the expression ${marked.slice(0, 40)} is refused, because ${reason.source.replace(/[\\^$]/g, '')}`, () => {
    const { text, start, end } = unmarked(marked);
    const expression = readRegex(text);
    assert.ok(!expression.ok);
    assert.match(expression.error.reason, reason);
    assert.deepEqual([expression.error.start, expression.error.end], [start, end], mark(text, expression.error));
  });
}

// Expressions that stall a backtracking engine, or swell one that unrolls repetitions.
const attacks: readonly (readonly [source: string, name: string])[] = [
  ['^(a+)+$', `${'a'.repeat(254)}!`],
  ['^(a|aa)+$', `${'a'.repeat(254)}!`],
  ['(a*)*b', 'a'.repeat(255)],
  ['^(.*a){20}$', `${'a'.repeat(254)}!`],
  ['(x+x+)+y', 'x'.repeat(255)],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(255)],
  ['\\d+\\d+\\d+\\d+$', `${'1'.repeat(254)}x`],
  ['^\\s+|\\s+$', `${' '.repeat(254)}x`],
  ['(.*)*=.*=(.*)', 'x'.repeat(255)],
  ['.*.*=.*', 'x'.repeat(255)],
  ['(?:a?){50}a{50}', 'a'.repeat(50)],
  ['[\\w-]+\\.[\\w-]+\\.[\\w-]+$', `${'a.'.repeat(127)}!`],
  ['^(?:[a-z0-9-]+\\.)+com$', `${'a.'.repeat(127)}!`],
  ['((((((((((a)*)*)*)*)*)*)*)*)*)*', `${'a'.repeat(254)}!`],
  ['(a|b)*a(a|b){400}$', 'ab'.repeat(127)],
  ['(([ab]?){30}){15}c', 'ab'.repeat(127)],
];

const cpuMs = (run: () => void): number => {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

test('no expression takes long to read, nor any name to be tested', () => {
  read('warm(up|.*)[a-z]+$').test('www.example.com');
  for (const [source, name] of attacks) {
    const readingMs = cpuMs(() => read(source));
    const { test: matches } = read(source);
    matches('');
    // The minimum of three, because a garbage collection may fall into one of them.
    const testingMs = Math.min(...[1, 2, 3].map(() => cpuMs(() => matches(name))));
    assert.ok(readingMs < 50, `${source} is read in ${readingMs} ms`);
    assert.ok(testingMs < 5, `${source} is tested in ${testingMs} ms`);
  }
});

test('an expression of more states than are kept still gives the right answer', () => {
  const source = 'a(a|b){12}-\\bc';
  const { test: matches } = read(source);
  const re2 = RE2JS.compile(source);
  const names = fc.string({ unit: fc.constantFrom('a', 'b', 'ab', 'ba', 'aabb', '-c'), minLength: 20, maxLength: 100 });
  fc.assert(
    fc.property(names, (name) => {
      assert.equal(matches(name), re2.test(name), name);
    }),
    { numRuns: 600 },
  );
});

// Expressions and names over a small alphabet, so that they often match.
const { expression } = fc.letrec<{ expression: string; sequence: string; repeated: string; atom: string }>((tie) => ({
  expression: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((branches) => branches.join('|')),
  sequence: fc.array(tie('repeated'), { maxLength: 4 }).map((parts) => parts.join('')),
  repeated: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '', '', '*', '+', '?', '*?', '{2}', '{1,2}', '{0,3}', '{1,}'))
    .map((parts) => parts.join('')),
  atom: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(
      ...Array.from('aabbc1'),
      'abc',
      '\\.',
      '-',
      '.',
      '^',
      '$',
      '\\b',
      '\\B',
      '\\d',
      '\\w',
      '\\W',
      '[^.]',
    ),
    fc.constantFrom(
      '[ab]',
      '[^a]',
      '[a-c1]',
      '[b-]',
      '[[:digit:]a]',
      '[^[:alpha:]]',
      '[\\d.]',
      '\\x61',
      '(?i)',
      '[B]',
      'C',
    ),
    tie('expression').map((inner) => `(${inner})`),
    tie('expression').map((inner) => `(?:${inner})`),
  ),
}));
const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '.', '-', 'abc'), maxLength: 12 });

test('every expression that RE2 accepts is accepted, and matches the same names', () => {
  fc.assert(
    fc.property(expression, fc.array(name, { minLength: 5, maxLength: 10 }), (source, names) => {
      const ours = readRegex(source);
      let re2: RE2JS | undefined;
      try {
        re2 = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
      } catch {
        re2 = undefined;
      }
      // An empty expression is rejected by design, and so are repeated flags.
      if (source === '' || /\(\?i\)[*+?{]/.test(source)) return;
      assert.equal(ours.ok, re2 !== undefined, `${source}: ${ours.ok ? 'only we read it' : ours.error.reason}`);
      for (const one of names) assert.equal(ours.ok && ours.value.test(one), re2?.test(one), `${source} on ${one}`);
    }),
    { numRuns: 400 },
  );
});

test('any text is read or refused with a place that lies in it', () => {
  const text = fc.string({
    unit: fc.constantFrom(...Array.from('ab01-.*+?()[]{}|^$\\,:<>=!PpLiQxdé\u{1f600}')),
    maxLength: 30,
  });
  fc.assert(
    fc.property(text, (source) => {
      const expression = readRegex(source);
      if (expression.ok) return;
      const { start, end } = expression.error;
      assert.ok(0 <= start && start <= end && end <= source.length, `${source} ${start} ${end}`);
    }),
    { numRuns: 400 },
  );
});

const words = Array.from({ length: 100 }, (_, index) => `word${100 + index}`);
const literals: readonly (readonly [source: string, literals: readonly string[]])[] = [
  ['tracker', ['tracker']],
  ['^TRACKER[0-9]+\\.', ['tracker']],
  ['(^|\\.)tracker[0-9]+\\.', ['tracker']],
  ['doubleclick|adnxs|criteo', ['doubleclick', 'adnxs', 'criteo']],
  ['doubleclick|ad', []],
  ['doubleclick|[0-9]+', []],
  ['^ad(vert|serv)s?[0-9]*\\.', ['advert', 'adserv']],
  ['^(.+[_.-])?telemetry', ['telemetry']],
  ['(tracker)+x', ['tracker']],
  ['(tracker)*x', []],
  ['(tracker)?', []],
  ['(a|b)(c|d)(e|f)', ['ace', 'acf', 'ade', 'adf', 'bce', 'bcf', 'bde', 'bdf']],
  ['ads[a-z0-9]{9}comp', ['comp']],
  ['longer-word.*short', ['longer-word']],
  [words.join('|'), words],
  [`^(${words.join('|')})[0-9]\\.`, words],
  ['^a.*$', []],
  ['\\bads\\b', ['ads']],
];
for (const [source, expected] of literals) {
  test(`a name that matches ${source.slice(0, 40)} contains ${expected.slice(0, 8).join(' or ') || 'nothing that is known'}`, () => {
    assert.deepEqual([...read(source).literals].sort(), [...expected].sort());
  });
}

test('no name matches without one of the literals', () => {
  fc.assert(
    fc.property(expression, fc.array(name, { minLength: 10, maxLength: 20 }), (source, names) => {
      const ours = readRegex(source);
      if (!ours.ok || ours.value.literals.length === 0) return;
      const { test: matches, literals: needed } = ours.value;
      for (const one of [...names, ...needed]) {
        if (matches(one))
          assert.ok(
            needed.some((literal) => one.includes(literal)),
            `${source} needs ${needed.join(' or ')}: ${one}`,
          );
      }
      for (const literal of needed) assert.ok(literal.length >= 3 && literal === literal.toLowerCase());
    }),
    { numRuns: 400 },
  );
});
