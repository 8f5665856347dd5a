import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../test/support/kit/any-text.ts';
import { mark, unmarked } from '../../test/support/rules/marked.ts';
import { splitAdblockRule } from './adblock-rule.ts';
import { type ParsedLine, parseRule } from './parse-rule.ts';
import type { Pattern, Rule } from './rule.ts';

const rule = (pattern: Pattern, limits: Partial<Rule> = {}): ParsedLine => ({
  kind: 'rule',
  rule: { allow: false, pattern, important: false, badfilter: false, ...limits },
});
const domain = (name: string): Pattern => ({ kind: 'domain', name });
const expression = (source: string): Pattern => ({ kind: 'expression', source });
const everything: Pattern = { kind: 'wildcard', start: 'anywhere', pieces: [], end: 'anywhere' };

function assertParsed(cases: readonly (readonly [line: string, parsed: ParsedLine])[]): void {
  for (const [line, parsed] of cases) assert.deepEqual(parseRule(line), parsed, line);
}

test('a line may be blank or a comment', () => {
  for (const line of ['', '  ', '\t', '\ufeff']) assert.deepEqual(parseRule(line), { kind: 'blank' });
  for (const line of ['! why', '!', '#', '# why', ' #why', '## why', '####', '[Adblock Plus 2.0]', '[]', '!#if (x)']) {
    assert.deepEqual(parseRule(line), { kind: 'comment' }, line);
  }
});

test('a rule blocks, an exception allows', () => {
  assertParsed([
    ['||example.com^', rule(domain('example.com'))],
    ['@@||example.com^', rule(domain('example.com'), { allow: true })],
    ['  ||example.com^\t', rule(domain('example.com'))],
    ['example.com', rule({ kind: 'exact', name: 'example.com' })],
    ['@@1.2.3.4', rule({ kind: 'exact', name: '1.2.3.4' }, { allow: true })],
  ]);
});

test('a bare name may have a comment behind it', () => {
  assertParsed([
    ['example.com # why', rule({ kind: 'exact', name: 'example.com' })],
    ['abc.de  ## why', rule({ kind: 'exact', name: 'abc.de' })],
    ['пример.рф # why', rule({ kind: 'exact', name: 'xn--e1afmkfd.xn--p1ai' })],
  ]);
});

test('a hosts line has an address and names', () => {
  assertParsed([
    ['0.0.0.0 ads.example.com', { kind: 'hosts', address: '0.0.0.0', names: ['ads.example.com'] }],
    [' 192.0.2.1\tA.com b.com # why ', { kind: 'hosts', address: '192.0.2.1', names: ['a.com', 'b.com'] }],
    ['2001:DB8::1 a.com', { kind: 'hosts', address: '2001:db8::1', names: ['a.com'] }],
    ['::1 localhost', { kind: 'hosts', address: '::1', names: [] }],
  ]);
});

test('modifiers follow the first dollar sign', () => {
  assertParsed([
    ['||a.com^$important', rule(domain('a.com'), { important: true })],
    ['||a.com^$badfilter', rule(domain('a.com'), { badfilter: true })],
    ['||a.com^$', rule(domain('a.com'))],
    ['||a.com^$client=a$b', rule(domain('a.com'), { clients: { only: [{ kind: 'name', name: 'a$b' }], except: [] } })],
    ['||a.com^$denyallow=b.a.com', rule(domain('a.com'), { denyallow: ['b.a.com'] })],
    ['||a.com^$respgeo=~DE', rule(domain('a.com'), { locations: { only: new Set(), except: new Set(['DE']) } })],
    ['@@||a.com^$dnsrewrite', rule(domain('a.com'), { allow: true, rewrite: { kind: 'any' } })],
  ]);
});

test('a regular expression ends with the slash that is followed by nothing or by modifiers', () => {
  const important = { important: true };
  assertParsed([
    ['/ads/', rule(expression('ads'))],
    ['/ads$/', rule(expression('ads$'))],
    ['/ads/$important', rule(expression('ads'), important)],
    ['/ads$/$important', rule(expression('ads$'), important)],
    ['@@/a\\/b|c$/$important', rule(expression('a\\/b|c$'), { allow: true, ...important })],
    ['/a/b/', rule(expression('a/b'))],
    ['/a/$/', rule(expression('a/$'))],
    ['/a\\\\/$important', rule(expression('a\\\\'), important)],
    ['/ads/$', rule(expression('ads'))],
    ['/a##b$$/', rule(expression('a##b$$'))],
    [
      '/a/$dnsrewrite=NOERROR;TXT;b/c/',
      rule(expression('a'), { rewrite: { kind: 'record', type: 16, value: { kind: 'text', text: 'b/c/' } } }),
    ],
    ['/.*/', rule(expression('.*'))],
  ]);
});

test('rules without dollar signs in their values are taken apart as Validate does', () => {
  for (const line of [
    '||a.com^$important',
    '@@/a$/',
    '/a$b/$dnstype=A',
    '@@||a.com^',
    '/ads/$',
    'a.com$client=x\\,y',
  ]) {
    const { allow, pattern, modifiers } = splitAdblockRule(line);
    const whole = parseRule(line);
    const parts = parseRule(`${allow ? '@@' : ''}${pattern}${modifiers ? `$${modifiers}` : ''}`);
    assert.ok(whole.kind === 'rule', line);
    assert.deepEqual(parts, whole);
    assert.equal(whole.rule.allow, allow);
  }
});

test('a rule may match every name if it applies only to some of the queries', () => {
  assertParsed([
    ['*$denyallow=com|net', rule(everything, { denyallow: ['com', 'net'] })],
    ['$dnstype=AAAA', rule(everything, { types: { negated: false, types: new Set([28]) } })],
    ['||*^', rule(everything)],
    ['||*^$client=x', rule(everything, { clients: { only: [{ kind: 'name', name: 'x' }], except: [] } })],
  ]);
});

test('cosmetic rules, and rules with a modifier that has no meaning for DNS, are ignored', () => {
  for (const line of ['example.com##.ad', '##.ad', 'example.com#@#.ad', 'example.com#%#f()', 'example.com$$div']) {
    const parsed = parseRule(line);
    assert.ok(parsed.kind === 'ignored' && parsed.why === 'not for DNS', line);
    assert.deepEqual([parsed.fault.start, parsed.fault.end], [0, line.length]);
  }
  for (const [marked, modifier] of [
    ['||example.com^$«third-party»', 'third-party'],
    [' @@||example.com/path$important,«domain=a.com|b.com»,script', 'domain'],
    ['||example.com^$«all»', 'all'],
    ['/ads/$«script»', 'script'],
  ] as const) {
    const { text, start, end } = unmarked(marked);
    const parsed = parseRule(text);
    assert.ok(parsed.kind === 'ignored' && parsed.why === 'unknown modifier', text);
    assert.deepEqual([parsed.modifier, parsed.fault.start, parsed.fault.end], [modifier, start, end]);
  }
});

const invalid: readonly (readonly [reason: RegExp, marked: string])[] = [
  [/^the rule would block nearly everything: write a longer name, or a modifier such as client/, '«*»'],
  [/^the rule would block nearly everything/, '«»$important'],
  [/^the rule would block nearly everything/, ' «ab»'],
  [/^the rule would allow nearly everything/, '@@«*»'],
  [/^the rule would rewrite nearly everything/, '«*»$dnsrewrite=1.2.3.4'],
  [/^denyallow cannot be used with an IP address$/, '@@«||1.2.3.4^»$denyallow=com'],
  [/^a DNS filter sees only host names/, '  @@||example.com«/»path$important'],
  [/^a DNS filter sees only host names/, 'http«:»//example.com/'],
  [/^a name cannot contain a space; a comment needs a separate line/, '||example.com^« »# why'],
  [/^a name cannot contain a space/, 'add« »example.com'],
  [/^the host name after the address is missing$/, ' 0.0.0.0«  »# why'],
  [/^missing "\)": write a literal bracket as \\\($/, '\t@@/a«(»b/$important'],
  [/^the modifier "important" takes no value$/, '||a.com^$important«=1»'],
  [/^the modifier "important" is given twice$/, ' ||a.com^$important,«important»'],
  [/^the modifier "dnsrewrite" needs a value/, '||a.com^$dnsrewrite=«»'],
  [/^"B" is not a record type/, ' /a/$dnstype=A|«B»'],
  [/^a rule can have at most 10240 characters$/, `${'a'.repeat(10240)}«aaa»`],
];
for (const [reason, marked] of invalid) {
  test(`${marked.slice(0, 40)} is invalid: ${reason.source}`, () => {
    const { text, start, end } = unmarked(marked);
    const parsed = parseRule(text);
    assert.ok(parsed.kind === 'invalid', JSON.stringify(parsed));
    assert.match(parsed.fault.reason, reason);
    assert.deepEqual([parsed.fault.start, parsed.fault.end], [start, end], mark(text, parsed.fault));
  });
}

test('no text makes it throw, and every fault lies in its text', () => {
  const marks = Array.from('|^$/\\*.,=~;#![(:\u{1f600}\ud800\u2003 \'"').concat([
    '||',
    '@@',
    '0.0.0.0 ',
    '2001:db8::1',
  ]);
  const words = [
    'example.com',
    'пример',
    'important',
    'badfilter',
    'dnstype=',
    'A|AAAA',
    'client=',
    'denyallow=',
    'DE',
  ];
  const rewrites = ['respgeo=', 'dnsrewrite=', 'NOERROR;', 'MX;10 a.b', 'HTTPS;1 . alpn=h3'];
  const part = fc.constantFrom(...marks, ...words, ...rewrites);
  const text = fc.oneof(
    { weight: 4, arbitrary: fc.array(part, { maxLength: 14 }).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: anyText(60) },
  );
  fc.assert(
    fc.property(text, (line) => {
      const parsed = parseRule(line);
      if (!('fault' in parsed)) return;
      const { reason, start, end } = parsed.fault;
      assert.ok(reason.length > 5 && 0 <= start && start <= end && end <= line.length, mark(line, parsed.fault));
    }),
    { numRuns: 8000 },
  );
});

test('no line takes long to parse', () => {
  const pieces = [
    'a',
    'a.',
    '*',
    '||',
    '|',
    '^',
    '/',
    '\\',
    '$',
    ',',
    '~',
    "'",
    '|a',
    '\\,',
    ':',
    '(',
    '[',
    'я',
    'я.',
    '/$a',
    '.*',
    ' ',
    '#',
  ];
  const before = process.cpuUsage();
  for (const prefix of [
    '',
    '||',
    '/',
    '0.0.0.0 ',
    "||a.com^$client='",
    '||a.com^$dnsrewrite=',
    '||a.com^$denyallow=',
  ]) {
    for (const piece of pieces) parseRule((prefix + piece.repeat(10240)).slice(0, 10240));
  }
  const { user } = process.cpuUsage(before);
  assert.ok(user / (7 * pieces.length) < 10_000, `${user / 7 / pieces.length} µs a line`);
});
