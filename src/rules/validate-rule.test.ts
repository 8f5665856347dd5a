import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRuleError, whyInvalid } from './validate-rule.ts';

const modes = {
  plain: { allowIp: false, allowPublicSuffix: false },
  ip: { allowIp: true, allowPublicSuffix: false },
  suffix: { allowIp: false, allowPublicSuffix: true },
  both: { allowIp: true, allowPublicSuffix: true },
};
type Mode = keyof typeof modes;

/** The modes in which a rule is valid. */
const validIn = (rule: string): Mode[] =>
  (Object.keys(modes) as Mode[]).filter((mode) => whyInvalid(rule, modes[mode]) === undefined);
const everywhere: Mode[] = ['plain', 'ip', 'suffix', 'both'];

function assertValid(modesExpected: readonly Mode[], rules: readonly string[]): void {
  for (const rule of rules) assert.deepEqual(validIn(rule), modesExpected, rule);
}

test('names are valid in every way of writing them', () => {
  assertValid(everywhere, [
    '||example.com^',
    '@@||example.com^',
    '||example.com^|',
    '*.example.com^',
    '.example.com^',
    'example.com^',
    '|example.com^',
    '||example.com',
    '  ||example.com^\t',
    '0.0.0.0 example.com www.example.com # ads',
    '://ads.example.com^',
  ]);
});

test('a modifier must mean something to a DNS filter', () => {
  assertValid(everywhere, [
    '||example.com^$important,dnstype=AAAA',
    '||example.com^$~important,ctag=device_pc',
    '||example.com^$dnsrewrite=NOERROR;CNAME;a.com',
    '||example.com^$',
    '||example.com^$,',
  ]);
  assertValid([], ['||example.com^$script', '||example.com^$Important', '||example.com^$~dnstype=A']);
  assert.equal(
    whyInvalid('||example.com^$third-party', modes.plain),
    'the modifier "third-party" is not supported by a DNS filter',
  );
});

test('a regular expression passes unread, a pattern of less than five characters does not', () => {
  assertValid(everywhere, ['/ads[0-9]+/', '/((((/$important', 'adsrv', '*****', '||a.b^']);
  assertValid([], ['ads', 'ads*', '/a/', '||^', '']);
  assert.equal(whyInvalid('ads*', modes.plain), '"ads*" is too short to be a safe pattern');
});

test('only letters, digits, dots, dashes and operators are allowed in a pattern', () => {
  assertValid(
    [],
    ['||example.com/path^', '||a_b.example.com^', '||example.com:80^', '||пример.рф^', '||a b.com^', '||2001:db8::1^'],
  );
  assert.equal(whyInvalid('||example.com/ads', modes.plain), '"/" is not allowed in a host name');
  assert.equal(whyInvalid('||😀.com^', modes.plain), '"😀" is not allowed in a host name');
});

test('an address is valid only where addresses are allowed', () => {
  assertValid(
    ['ip', 'both'],
    ['||1.2.3.4^', '1.2.3.4', '0.0.0.0 1.2.3.4', '||1.2.3.', '||1.2.3.*', '||999.999.999.999^'],
  );
  assertValid(
    [],
    ['1.2.3.4^', '||1.2.3^', '1.2.3.', '||1.2.3.4.', '1.2.3', '||1.2.3.4/24^', '||1.2.3.4^$denyallow=a.com'],
  );
});

test('a public suffix is valid where suffixes are allowed, if a registry lists it', () => {
  assertValid(['suffix', 'both'], ['||org^', '||co.uk^', '.org^', '*.org^', 'org^', '||*.co.uk^', '0.0.0.0 co.uk']);
  assertValid([], ['||localhost^', '0.0.0.0 localhost', '||*.notatld^', '0.0.0.0 example.com localhost']);
  assertValid(everywhere, ['||github.io^', '||*.example.com^', '||ads*.org^', '||*.org']);
});

test('a wildcard on a whole suffix counts as a suffix', () => {
  assertValid(['suffix', 'both'], ['||*.co.uk^x', '||*.org^^']);
  assertValid(everywhere, ['||*.example.com^x', '||a*.co.uk^x']);
  assertValid([], ['||*.notatld^x']);
});

test('a rule that is restricted to some names or clients may apply to any suffix', () => {
  assertValid(everywhere, ['||org^$denyallow=a.org', '||localhost^$client=10.0.0.1', '||co.uk^$badfilter']);
  assertValid(
    ['suffix', 'both'],
    ['||org^$important', '||org^$~important', '||org^$dnstype=A', '||org^$dnsrewrite=,ctag=x'],
  );
});

test('behind the separator only the end of the name may follow', () => {
  assertValid(everywhere, ['||example.com^|']);
  assertValid([], ['||example.com^*', '||ex.com^ads']);
  assert.equal(whyInvalid('||example.com^*', modes.plain), 'a "*" after "^" never matches a host name');
  assert.equal(whyInvalid('||example.com^path', modes.plain), '"path" after "^" never matches a host name');
});

test('every name of a hosts line must be a host name', () => {
  assertValid([], ['0.0.0.0 example.com -', '0.0.0.0 пример', '0.0.0.0  # nothing']);
  assert.equal(whyInvalid('0.0.0.0  # nothing', modes.plain), 'the host name after the address is missing');
  assertValid(everywhere, ['0.0.0.0 a_b.example.com', '0.0.0.0 http://example.com/path']);
});

/** Rules with the invalid part between « and »: each must be reported with that reason and these columns. */
function assertErrors(reason: (part: string) => string, marked: readonly string[], mode: Mode = 'plain'): void {
  for (const text of marked) {
    const [before = '', part = '', behind = ''] = text.split(/[«»]/);
    const fault = { reason: reason(part), start: before.length, end: before.length + part.length };
    assert.deepEqual(findRuleError(before + part + behind, modes[mode]), fault, text);
  }
}

test('an unknown modifier is reported with its columns, including its value', () => {
  assertErrors(
    (part) => `the modifier "${part.split('=')[0]}" is not supported by a DNS filter`,
    [
      '||example.com^$«third-party»',
      '||example.com^$important,«domain=a.com|b.com»,script',
      ' @@||example.com^$,important,,«app=a\\,b»,dnstype=A,script\t',
      '||script.com^$dnsrewrite=script,«script»',
      '||example.com^$«=»',
      'ads$«css»',
    ],
  );
});

test('a pattern that is too short is pointed at, also where it is missing', () => {
  assertErrors(
    (part) => `"${part}" is too short to be a safe pattern`,
    ['«ads*»', '\t@@«ads»$important', '@@«»', '«»$important', '«/a/»', '«||^»'],
  );
});

test('the first character that no host name has is pointed at, whole', () => {
  assertErrors(
    (part) => `"${part}" is not allowed in a host name`,
    [
      '||example.com«/»path/',
      '  @@||a«_»b_c.com^',
      '||a.«😀».com^',
      '://ads.com«:»80^',
      'example.com«#»#.ad',
      '||«п»ример.рф^',
    ],
  );
});

test('for an address, only the columns of the octets are reported', () => {
  assertErrors(() => 'an address with "^" needs "||" in front', ['«1.2.3.4»^', '@@«1.2.3.4»^|', '«1.2.3.»^']);
  assertErrors(() => 'so short a part of an address matches far too much', ['||«10.0.»', ' |«10.*»$important']);
  assertErrors(() => 'three octets match far too much', ['«1.2.3»', '||«1.2.3»']);
  assertErrors(() => 'a part of an address needs "||" in front', ['«1.2.3.*»', '@@«1.2.3.»']);
  assertErrors(() => 'a part of an address is not a host', ['||«1.2.3»^', '|«1.2.3.*»', '||«1.2.3.4.»']);
  for (const [rule, pattern] of [
    ['@@||«1.2.3.4»^|$important', '||1.2.3.4^|'],
    [' «1.2.3.4»', '1.2.3.4'],
    ['://«999.2.3.4»^', '999.2.3.4^'],
  ] as const) {
    assertErrors(() => `"${pattern}" is an IP address`, [rule]);
  }
});

test('a denyallow that an address cannot have is pointed at', () => {
  const reason = (): string => 'denyallow cannot be used with an IP address';
  assertErrors(reason, ['||1.2.3.4^$important,«denyallow=a.com»,client=b'], 'both');
});

test('the error of text that is invalid after the separator has its position', () => {
  assertErrors(() => 'a "*" after "^" never matches a host name', ['||example.com^a«*»b*', '@@example^«*»']);
  assertErrors((part) => `"${part}" after "^" never matches a host name`, ['@@||example.com^«path^»$important']);
});

test('a name that cannot be blocked is pointed at without the marks around it', () => {
  assertErrors(
    (part) => `"${part}" is a public suffix: the rule would block every site under it`,
    ['||«co.uk»^', '@@||«org»^|$important', '*.«org»^', ' .«org»^', '||*.«co.uk»^', '||*.«co.uk»^x', '||«co.uk»^x'],
  );
  assertErrors(
    (part) => `"${part}" is a single word that no registry lists as a top-level domain`,
    ['||«localhost»^', '||*.«notatld»^x', '0.0.0.0 example.com  «localhost» localhost # localhost'],
    'both',
  );
  assertErrors(
    (part) => `"${part}" is not a host name`,
    ['||«»^path', '||«---»^', '0.0.0.0\ta.com\u00a0«-»', '||«-.-»^'],
  );
  assertErrors((part) => `"${part}" is an IP address`, ['0.0.0.0 a.com «1.2.3.4»#b', '0 «[::1]»']);
});

test('in a hosts line without names the gap is pointed at', () => {
  assertErrors(() => 'the host name after the address is missing', ['0.0.0.0«  »# nothing', '::1« \t »']);
});
