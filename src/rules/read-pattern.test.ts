import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mark, unmarked } from '../../test/support/rules/marked.ts';
import { isTooWide, readPattern } from './read-pattern.ts';
import type { Pattern } from './rule.ts';

/** Short form of a pattern: `domain a.com`, or for wildcards `label[ads …].com name]`. */
function short(pattern: Pattern): string {
  if (pattern.kind === 'expression') return `expression ${pattern.source}`;
  if (pattern.kind !== 'wildcard') return `${pattern.kind} ${pattern.name}`;
  return `${pattern.start} [${pattern.pieces.join(' … ')}] ${pattern.end}`;
}

function read(text: string): string {
  const pattern = readPattern(text);
  return pattern.ok ? short(pattern.value) : `${mark(text, pattern.error)}: ${pattern.error.reason}`;
}

const groups: readonly (readonly [sentence: string, cases: Readonly<Record<string, string>>])[] = [
  [
    'two bars and an end make a domain with all under it',
    {
      '||example.com^': 'domain example.com',
      '||example.com|': 'domain example.com',
      '||example.com^|': 'domain example.com',
      '||example.com.^': 'domain example.com',
      '||Example.COM^': 'domain example.com',
      '||com^': 'domain com',
      '||a_b.example.com^': 'domain a_b.example.com',
      '||пример.рф^': 'domain xn--e1afmkfd.xn--p1ai',
    },
  ],
  [
    'one bar and an end, or a bare name with a dot, make one name',
    {
      '://example.com^': 'exact example.com',
      '|example.com^': 'exact example.com',
      '|example.com|': 'exact example.com',
      '|example.com^|': 'exact example.com',
      'example.com': 'exact example.com',
      'example.com.': 'exact example.com',
      'a-b.c_d.example': 'exact a-b.c_d.example',
      'пример.рф': 'exact xn--e1afmkfd.xn--p1ai',
    },
  ],
  [
    'a star and a dot in front make all under a name, without itself',
    {
      '||*.example.com^': 'subdomains example.com',
      '|*.example.com^': 'subdomains example.com',
      '*.example.com^': 'subdomains example.com',
      '.example.com^': 'subdomains example.com',
      '**.example.com|': 'subdomains example.com',
    },
  ],
  [
    'what has no end goes on with anything',
    {
      '||example.com': 'label [example.com] anywhere',
      '||t.example.': 'label [t.example.] anywhere',
      '|example.com': 'name [example.com] anywhere',
      '||example.com*': 'label [example.com] anywhere',
      '||example.*^': 'label [example.] anywhere',
    },
  ],
  [
    'what has no start begins anywhere',
    {
      'example.com^': 'anywhere [example.com] name',
      '-ads.example.com^': 'anywhere [-ads.example.com] name',
      '.example.com': 'anywhere [.example.com] anywhere',
      '*.example.com': 'anywhere [.example.com] anywhere',
      '||*ads^': 'anywhere [ads] name',
      adserver: 'anywhere [adserver] anywhere',
      localhost: 'anywhere [localhost] anywhere',
    },
  ],
  [
    'stars stand for anything, and several are one',
    {
      '||ads*.example.com^': 'label [ads … .example.com] name',
      '|ad**s***x|': 'name [ad … s … x] name',
      '||a*.пример.рф^': 'label [a … .xn--e1afmkfd.xn--p1ai] name',
      '||xn--e1*.example^': 'label [xn--e1 … .example] name',
    },
  ],
  [
    'stars alone, or nothing, are every name',
    {
      '': 'anywhere [] anywhere',
      '*': 'anywhere [] anywhere',
      '**': 'anywhere [] anywhere',
      '||*^': 'anywhere [] anywhere',
      '|*|': 'anywhere [] anywhere',
      '||': 'anywhere [] anywhere',
    },
  ],
  [
    'an address is the text of itself, in its one spelling',
    {
      '1.2.3.4': 'exact 1.2.3.4',
      '||1.2.3.4^': 'domain 1.2.3.4',
      '|1.2.3.4^': 'exact 1.2.3.4',
      '||1.2.3.*': 'label [1.2.3.] anywhere',
      '||1.2.3.': 'label [1.2.3.] anywhere',
      '2001:DB8:0::0001': 'exact 2001:db8::1',
      '||2001:db8::1^': 'domain 2001:db8::1',
      '|::1^': 'exact ::1',
      '||2001:DB8:*': 'label [2001:db8:] anywhere',
      '||2001:db8:': 'label [2001:db8:] anywhere',
    },
  ],
  [
    'slashes around it make a regular expression',
    { '/ads/': 'expression ads', '/^ad[0-9]+\\./': 'expression ^ad[0-9]+\\.', '/a|b^*/': 'expression a|b^*' },
  ],
];
for (const [sentence, cases] of groups) {
  test(sentence, () => {
    for (const [text, expected] of Object.entries(cases)) assert.equal(read(text), expected, text);
  });
}

const faults: readonly (readonly [reason: RegExp, marked: string])[] = [
  [/^the pattern has no name$/, '«||^»'],
  [/^the pattern has no name$/, '«^»'],
  [/^"\^" is only allowed at the end/, '||example.com«^»*'],
  [/^"\^" is only allowed at the end/, 'a«^»b.com'],
  [/^"\|" is only allowed at the start and the end/, '||«|»example.com^'],
  [/^"\|" is only allowed/, '||a«|»b^'],
  [/^a DNS filter sees only host names.*the port$/, '||http«:»//ads.example.com^'],
  [/^a DNS filter sees only host names.*the port$/, '||example.com«:»8080^'],
  [/^a DNS filter sees only host names: remove the path/, '||example.com«/»ads'],
  [/^a DNS filter sees only host names: remove the path/, '«/»ads/banner*'],
  [/^"=" is not allowed in a host name$/, 'ad_box«=»1'],
  [/^a name cannot contain a space/, '||example.com^« »! why'],
  [/^a name cannot start with a dot: remove it after "\|\|"$/, '||«.»example.com^'],
  [/^a label is empty: remove the extra dot$/, '||a.«.»b^'],
  [/^a "\*" cannot be combined with non-ASCII letters/, '||«при*».рф^'],
  [/^a label of a host name/, `||«${'a'.repeat(64)}».com^`],
  [/^a host name can have at most 253/, `||«${'a.'.repeat(127)}b»^`],
  [/^an address with "\^" needs "\|\|" in front$/, '«1.2.3.4^»'],
  [/^a part of an address needs "\|\|" in front$/, '«1.2.3.»'],
  [/^three octets match far too much$/, '«1.2.3»'],
  [/^so short a part of an address/, '«10.0.»'],
  [/^the regular expression is empty$/, '/«»/'],
  [/^missing "]": write a literal bracket as \\\[$/, '/ads«[»/'],
];
for (const [reason, marked] of faults) {
  test(`${marked.slice(0, 40)} is not a pattern: ${reason.source}`, () => {
    const { text, start, end } = unmarked(marked);
    const pattern = readPattern(text);
    assert.ok(!pattern.ok, pattern.ok ? short(pattern.value) : '');
    assert.match(pattern.error.reason, reason);
    assert.deepEqual([pattern.error.start, pattern.error.end], [start, end], mark(text, pattern.error));
  });
}

test('an unanchored pattern of less than three characters is too broad', () => {
  const tooWide = (text: string): boolean => {
    const pattern = readPattern(text);
    return pattern.ok && isTooWide(pattern.value);
  };
  for (const text of ['', '*', '||*^', 'ab', 'a*b', '*.', 'ad^']) assert.equal(tooWide(text), true, text);
  for (const text of ['ads', '||a^', '||t.', '|a', '*.a^', '/./', '/.*/']) assert.equal(tooWide(text), false, text);
});
