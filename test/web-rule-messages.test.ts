import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compileList } from '../src/compiler/index.ts';
import { parseHostsFile } from '../src/domain/hosts-file.ts';
import { parseUpstream } from '../src/domain/upstream-address.ts';
import { parseRule } from '../src/rules/parse-rule.ts';
import { readHostName } from '../src/rules/read-host-name.ts';
import { readSetting } from '../src/settings/read-setting.ts';
import { settingsTable } from '../src/settings/settings-table.ts';
import { matchMessage } from '../web/components/service-message.ts';
import { messageTemplates } from '../web/components/service-message-templates.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

// Each error of the parser at least once, with the key of its translation.
const malformed: Readonly<Record<string, readonly string[]>> = {
  'rule.length': [`||${'a.'.repeat(6000)}org^`],
  'rule.hostMissing': ['||^', '||.^', '0.0.0.0  # no name'],
  'rule.emptyLabel': ['||bad..name^', '||.example.org^', '0.0.0.0 .example.org'],
  'rule.longName': [`||${'a'.repeat(64)}.org^`, `||${'abc.'.repeat(70)}org^`, `||${'a'.repeat(600)}^`],
  'rule.blank': ['||a b.example^'],
  'rule.path': ['||example.org/ads^', '||example.org?ads^'],
  'rule.port': ['||example.org:8080^'],
  'rule.star': ['0.0.0.0 exa*mple.org'],
  'rule.caret': ['||exa^mple.org^'],
  'rule.bar': ['||exa|mple.org^'],
  'rule.character': ['||exa%mple.org^', '||exa\u{200b}mple.org^'],
  'rule.noLetter': ['||exa\u{37e}mple.org^'],
  'rule.starNonAscii': ['||exa*mplé.org^'],
  'rule.addressName': ['0.0.0.0 192.0.2.1'],
  'rule.addressBars': ['192.168^', '192.168.1.'],
  'rule.addressPart': ['192.168', '192.168.1'],
  'rule.cosmetic': ['example.org##.ad'],
  'rule.modifier': ['||example.org^$popup'],
  'rule.modifierTwice': ['||example.org^$important,important'],
  'rule.modifierValue': ['||example.org^$important=1'],
  'rule.modifierEmpty': ['||example.org^$client'],
  'rule.quote': ["||example.org^$client='tablet"],
  'rule.valueMissing': ['||example.org^$client=a||b', '||example.org^$dnsrewrite=NOERROR;TXT;'],
  'rule.denyallowAddress': ['||192.0.2.1^$denyallow=example.org'],
  'rule.denyallowTilde': ['||example.org^$denyallow=~a.example.org'],
  'rule.queryType': ['||example.org^$dnstype=NONE'],
  'rule.prefix': ['||example.org^$client=10.0.0.0/33', '||example.org^$client=fd00::/129'],
  'rule.tag': ['||example.org^$ctag=a-b'],
  'rule.location': ['||example.org^$respgeo=Germany'],
  'rule.tooWide': ['*', '@@a', 'a$dnsrewrite=192.0.2.1'],
  'rule.responseCode': ['||example.org^$dnsrewrite=FOO', '||example.org^$dnsrewrite=;A;192.0.2.1'],
  'rule.fullRewrite': ['||example.org^$dnsrewrite=NOERROR;A'],
  'rule.codeRecord': ['||example.org^$dnsrewrite=NXDOMAIN;A;192.0.2.1'],
  'rule.recordType': ['||example.org^$dnsrewrite=NOERROR;LOC;x', '||example.org^$dnsrewrite=NOERROR;;192.0.2.1'],
  'rule.recordValue': ['A', 'AAAA', 'MX', 'SRV', 'HTTPS'].map((type) => `||a.org^$dnsrewrite=NOERROR;${type};x.org`),
  'rule.aliasParameters': ['||example.org^$dnsrewrite=NOERROR;HTTPS;0 . port=1'],
  'rule.parameterTwice': ['||example.org^$dnsrewrite=NOERROR;HTTPS;1 . port=1 port=2'],
  'rule.parameter': ['foo=1', '=1'].map((word) => `||example.org^$dnsrewrite=NOERROR;HTTPS;1 . ${word}`),
  'rule.parameterBare': ['no-default-alpn=1', 'ohttp=1'].map((word) => `||a.org^$dnsrewrite=NOERROR;SVCB;1 . ${word}`),
  'rule.parameterBase64': ['||example.org^$dnsrewrite=NOERROR;HTTPS;1 . ech=%'],
  'rule.parameterLike': ['alpn', 'port=x', 'ipv4hint=x', 'ipv6hint=x', 'dohpath'].map(
    (word) => `||example.org^$dnsrewrite=NOERROR;HTTPS;1 . ${word}`,
  ),
  'rule.emptyRegex': ['//'],
  'rule.longRegex': [`/${'a'.repeat(1001)}/`],
  'rule.lookAround': ['/(?=ad)/', '/(?<!ad)/'],
  'rule.backReference': [String.raw`/(ad)\1/`],
  'rule.bracket': ['/(ad/', '/ad)/', '/[ad/'],
  'rule.steps': ['/(abc){900}/', '/(abc){400}(abc){400}/'],
  'rule.repeatTwice': ['/a**/'],
  'rule.repeatNothing': ['/*ad/'],
  'rule.repeatFlags': ['/(?i)*ad/'],
  'rule.repeatMost': ['/a{1001}/'],
  'rule.repeatOrder': ['/a{5,2}/'],
  'rule.group': ['/(?#ad)/'],
  'rule.characterClass': ['/[[:foo:]]/'],
  'rule.unicodeProperty': [String.raw`/\p{Foo}/`],
  'rule.range': ['/[z-a]/'],
  'rule.escape': [String.raw`/\y/`],
};
// Errors of the API about a whole rule.
const ofApi = ['rule.accountSteps', 'rule.comment'];

test('every error of the rule parser is recognised', () => {
  for (const [key, rules] of Object.entries(malformed))
    for (const rule of rules) {
      const parsed = parseRule(rule);
      assert.ok('fault' in parsed, rule);
      assert.equal(matchMessage(parsed.fault.reason)?.key, key, `${rule}: ${parsed.fault.reason}`);
    }
  const keys = messageTemplates.map(([, key]) => key).filter((key) => key.startsWith('rule.'));
  assert.deepEqual([...Object.keys(malformed), ...ofApi].sort(), [...new Set<string>(keys)].sort());
});

const lines = (...texts: readonly string[]): string => `${texts.join('\n')}\n`;
// Rules that the compiler drops, with the keys of the reasons.
const droppedRules: readonly { readonly keys: readonly string[]; readonly configuration: object }[] = [
  {
    keys: [
      'dropped.comment',
      'dropped.empty',
      'rule.modifier',
      'rule.modifier',
      'dropped.short',
      'dropped.short',
      'rule.hostMissing',
      'rule.character',
      'rule.denyallowAddress',
      'dropped.partOfAddress',
      'dropped.address',
      'dropped.afterCaret',
      'dropped.afterCaret',
      'value.hostName',
      'dropped.unknownTld',
      'dropped.publicSuffix',
    ],
    configuration: {
      transformations: ['RemoveComments', 'RemoveEmptyLines', 'Validate'],
      sources: [
        lines(
          '! comment',
          '  ',
          '||example.org^$script',
          '||example.org^$=',
          'abc',
          '$important',
          ':////',
          '||exa%mple.org^',
          '||192.0.2.1^$denyallow=example.org',
          '||192.0.2.^',
          '||192.0.2.1^',
          '||example.org^*abc',
          '||example.org^abc',
          '||exa..mple.org^',
          '||localhost^',
          '||co.uk^',
        ),
      ],
    },
  },
  {
    keys: ['dropped.aboveDropped', 'dropped.duplicate'],
    configuration: {
      transformations: ['Deduplicate'],
      sources: [lines('! comment', '||example.org^', '', '||example.net^', '||example.org^')],
    },
  },
  {
    keys: ['dropped.sameName', 'dropped.parent', 'dropped.excluded', 'dropped.notIncluded'],
    configuration: {
      transformations: ['Compress'],
      exclusions: ['excluded'],
      inclusions: ['/example/', 'excluded'],
      sources: [
        lines('||example.org^', '0.0.0.0 example.org', '||www.example.org^', '||excluded.example^', '||other.test^'),
      ],
    },
  },
];

test('every reason why the compiler drops a rule is recognised', async () => {
  const seen = new Set<string>();
  for (const { keys, configuration } of droppedRules) {
    const { sources, ...settings } = configuration as { sources: string[] };
    const list = await compileList(
      { name: 'List', ...settings, sources: sources.map((source) => ({ source })) },
      { explain: true },
    );
    const found = list.dropped.map(({ reason }) => matchMessage(reason)?.key ?? reason);
    assert.deepEqual(found.toSorted(), keys.toSorted());
    for (const key of found) seen.add(key);
  }
  const templates = messageTemplates.map(([, key]) => key).filter((key) => key.startsWith('dropped.'));
  assert.deepEqual(
    templates.filter((key) => !seen.has(key)),
    [],
  );
});

// Texts in the parser that are only a part of a message, or none.
const noMessages = [
  '1 example.org alpn=h3',
  '30 60 8080 example.org',
  'comment or blank',
  'ech= and base64',
  'needed unless @@',
  'no word edge',
  'no-default-alpn without a value',
  'not for DNS',
  'ohttp without a value',
  'the character U+X',
  'the rule would X nearly everything: write a longer name, or a modifier such as client or denyallow',
];
// Data, and an error that no page shows.
const withoutMessages = /\/(?:public-suffixes|is-regex-rule)\.ts$/;

test('a new error of the rule parser needs a translation', () => {
  const paths = globSync('src/rules/**/*.ts', { cwd: root }).filter(
    (path) => !path.endsWith('.test.ts') && !withoutMessages.test(path),
  );
  const texts = paths.flatMap((path) =>
    readFileSync(root + path, 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
      .flatMap((line) => [...line.matchAll(/'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)])
      .map(([, single, template]) =>
        (single ?? template ?? '').replaceAll(/\$\{[^}]*\}/g, 'X').replaceAll(/\\(.)/g, '$1'),
      )
      .filter((text) => text.split(' ').length > 2),
  );
  const unknown = texts.filter((text) => !matchMessage(text));
  assert.deepEqual([...new Set(unknown)].sort(), noMessages);
});

/** Recognised, and so is the reason in it. */
function assertRecognised(message: string): void {
  const match = matchMessage(message);
  assert.ok(match, message);
  const { reason } = match.values;
  if (reason !== undefined) assertRecognised(reason);
}

test('errors in upstreams, hosts files and queries are recognised', () => {
  for (const text of [
    '',
    'h3://dns.example',
    'quic://dns.example',
    'sdns://AgcAAAAA',
    'http://dns.example',
    'ftp://dns.example',
    'tls://user@dns.example',
    'tls://dns.example#192.0.2.1#x',
    'tls://-',
    'udp://192.0.2.1:0',
    'https://dns.example/"',
    'udp://192.0.2.1#dns.example',
    'tls://192.0.2.1#-',
    'tls://192.0.2.1#192.0.2.2',
    'tls://dns.example#dns.example',
  ]) {
    const parsed = parseUpstream(text);
    assert.ok(!parsed.ok, text);
    assertRecognised(parsed.error);
  }
  const { errors } = parseHostsFile('nas 192.0.2.1\n192.0.2.1\n192.0.2.1 na_%s');
  assert.equal(errors.length, 3);
  for (const { message } of errors) assertRecognised(message);
  for (const text of ['https://example.org/ads', 'a b']) {
    const name = readHostName(text);
    assert.ok(!name.ok);
    assertRecognised(name.error);
  }
});

test('errors in the settings of the operator are recognised', () => {
  for (const [key, texts] of [
    ['logLevel', ['loud']],
    ['drainSeconds', ['soon', '1000h']],
    ['upstream', ['quic://dns.example']],
    ['upstreamTimeoutSeconds', ['0']],
    ['forward', ['lan', 'lan=ftp://192.0.2.1']],
    ['privateDomain', ['-']],
    ['queriesPerTenSeconds', ['many']],
    ['dnsConnections', ['0']],
    ['unlimitedClients', ['lan', '::ffff:192.0.2.1']],
    ['hostsFile', ['']],
  ] as const)
    for (const text of texts) {
      const read = readSetting(settingsTable[key].kind, text, '/');
      assert.ok(!read.ok, `${key}: ${text}`);
      assertRecognised(`${JSON.stringify(text)} ${read.error}`);
    }
});
