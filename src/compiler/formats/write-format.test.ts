import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toFile } from '../compiled-list.ts';
import { readLines } from '../lines/read-lines.ts';
import { createWorkspace } from '../lines/workspace.ts';
import { type FormatName, formatNames } from './format-names.ts';
import { type UnsupportedRule, writeFormat } from './write-format.ts';

const header = ['!', '! Title: Ads', '! Last modified: 2026-11-15T08:00:00.000Z', '!'];
const others = formatNames.filter((name) => name !== 'adblock');

function write(
  rules: string | Uint8Array,
  format: FormatName,
): { text: string; unsupported: readonly UnsupportedRule[] } {
  const source = typeof rules === 'string' ? new TextEncoder().encode(rules) : rules;
  const lines = readLines(createWorkspace(), source, 3);
  const { bytes, unsupported } = writeFormat({ header, lines, bytes: toFile(header, lines) }, format);
  return { text: Buffer.from(bytes).toString('latin1'), unsupported };
}

/** The lines with an effect. */
const said = (rules: string, format: FormatName): string[] =>
  write(rules, format)
    .text.split('\n')
    .filter((line) => line !== '' && !/^[#;]/.test(line) && !/^(?:\$TTL|@ |server:)/.test(line));

const rules = `
||both.com^
0.0.0.0 alone.com
*.under.com^
@@||free.both.com^`;

test('every format has a name', () => {
  assert.deepEqual(formatNames, ['adblock', 'hosts', 'domains', 'dnsmasq', 'unbound', 'rpz']);
});

test('the adblock format is the list itself', () => {
  assert.deepEqual(write('||a.com^$client=tv', 'adblock'), {
    text: [...header, '||a.com^$client=tv'].join('\n'),
    unsupported: [],
  });
});

test('a hosts file has a line for each name', () => {
  assert.deepEqual(said(rules, 'hosts'), ['0.0.0.0 both.com', '0.0.0.0 alone.com']);
});

test('a list of domains has a line for each name', () => {
  assert.deepEqual(said(rules, 'domains'), ['both.com', 'alone.com']);
});

test('dnsmasq answers blocked names itself, and forwards allowed names', () => {
  assert.deepEqual(said(rules, 'dnsmasq'), [
    'local=/both.com/',
    'local=/alone.com/',
    'server=/*.alone.com/#',
    'local=/*.under.com/',
    'server=/free.both.com/#',
  ]);
});

test('Unbound gets zones, and local data for single blocked names', () => {
  assert.deepEqual(said(rules, 'unbound'), [
    'local-zone: "both.com." always_nxdomain',
    'local-data: "alone.com. A 0.0.0.0"',
    'local-zone: "free.both.com." transparent',
  ]);
});

test('a policy zone has a line for the name and one for the names under it', () => {
  assert.deepEqual(said(rules, 'rpz'), [
    'both.com CNAME .',
    '*.both.com CNAME .',
    'alone.com CNAME .',
    '*.under.com CNAME .',
    'free.both.com CNAME rpz-passthru.',
    '*.free.both.com CNAME rpz-passthru.',
  ]);
});

test('the header and the comments of the list are kept, with notes on the format and on unsupported rules', () => {
  const { text } = write('# Trackers\n||a.com^\n||b.com^$client=tv\n/ads/', 'hosts');
  assert.equal(
    text,
    `#
# Title: Ads
# Last modified: 2026-11-15T08:00:00.000Z
#
# Where the list blocks a name and everything under it, only the name is listed
# 2 rules not supported by this format
#
# Trackers
0.0.0.0 a.com
`,
  );
});

test('a policy zone begins with SOA and NS records, and its serial is the time of the list', () => {
  assert.match(
    write('||a.com^', 'rpz').text,
    /\n;\n\$TTL 300\n@ SOA localhost\. root\.localhost\. 1794729600 3600 600 604800 300\n@ NS localhost\.\na\.com CNAME/,
  );
});

test('the Unbound format begins with a server clause', () => {
  assert.match(write('||a.com^', 'unbound').text, /\n#\nserver:\nlocal-zone: /);
});

test('a rule that is left out is reported with its position and the reason', () => {
  assert.deepEqual(write('||a.com^\n\n! on the TV\n||b.com^$client=tv', 'rpz').unsupported, [
    { rule: '||b.com^$client=tv', source: 3, line: 4, reason: 'the modifier client is not supported' },
  ]);
});

test('$badfilter disables only the equivalent rule, in any spelling', () => {
  const list = [
    '||a.com^$badfilter',
    '||a.com^',
    '||A.com^|',
    '0.0.0.0 a.com',
    '||b.com^$important',
    '||b.com^$badfilter,important',
    '||c.com^$important',
    '||c.com^$badfilter',
    '@@||free.d.com^',
    '||d.com^',
    '@@||free.d.com^$badfilter',
  ].join('\n');
  assert.deepEqual(said(list, 'rpz'), [
    'a.com CNAME .',
    'c.com CNAME .',
    '*.c.com CNAME .',
    'd.com CNAME .',
    '*.d.com CNAME .',
  ]);
  for (const format of others) assert.deepEqual(write(list, format).unsupported, [], format);
});

test('rules with $denyallow that cannot be expressed are reported', () => {
  const list = [
    '||a.com^$denyallow=b.a.com,important',
    '@@||a.com^$denyallow=b.a.com',
    '||a.com^$denyallow=*.a.com',
    '*$denyallow=com',
    '||one.org^$denyallow=x.one.org',
    '||sub.one.org^$denyallow=y.sub.one.org',
    '||org^$denyallow=z.org',
  ].join('\n');
  for (const format of others)
    assert.deepEqual(
      write(list, format).unsupported.map(({ reason }) => reason),
      [
        'the modifier denyallow is not supported',
        'the modifier denyallow is not supported',
        'a value of the modifier denyallow is not a host name',
        'a pattern with "*" matches names that cannot be listed',
        'another rule with the modifier denyallow concerns the same names',
        'another rule with the modifier denyallow concerns the same names',
      ],
      format,
    );
});

const rewrites = [
  '||a.com^$dnsrewrite=192.0.2.7',
  '||a.com^$dnsrewrite=2001:db8::7',
  '||x.a.com^',
  '@@||a.com^',
  '|b.com^$dnsrewrite=NOERROR;CNAME;safe.b.com',
  '||c.com^$dnsrewrite=Safe.C.com',
  '||d.com^$dnsrewrite=REFUSED',
  '||e.com^$dnsrewrite=NXDOMAIN;;',
  '@@||e.com^',
  '|f.com^$dnsrewrite=192.0.2.8',
  '||f.com^',
].join('\n');

test('$dnsrewrite is written if the format supports the answer, and takes precedence over other rules', () => {
  const written: readonly (readonly [FormatName, readonly string[], readonly string[]])[] = [
    [
      'hosts',
      ['192.0.2.7 a.com', '2001:db8::7 a.com', '0.0.0.0 e.com', '192.0.2.8 f.com'],
      ['b.com', 'c.com', 'd.com'],
    ],
    ['domains', ['e.com', 'f.com'], ['a.com', 'a.com', 'a.com', 'b.com', 'c.com', 'd.com', 'f.com']],
    [
      'dnsmasq',
      [
        'address=/a.com/192.0.2.7',
        'address=/a.com/2001:db8::7',
        'local=/e.com/',
        'address=/f.com/192.0.2.8',
        'local=/*.f.com/',
      ],
      ['b.com', 'c.com', 'd.com'],
    ],
    [
      'unbound',
      [
        'local-zone: "a.com." redirect',
        'local-data: "a.com. A 192.0.2.7"',
        'local-data: "a.com. AAAA 2001:db8::7"',
        'local-zone: "c.com." redirect',
        'local-data: "c.com. CNAME safe.c.com."',
        'local-zone: "d.com." always_refuse',
        'local-zone: "e.com." always_nxdomain',
        'local-zone: "f.com." static',
        'local-data: "f.com. A 192.0.2.8"',
      ],
      ['b.com'],
    ],
    [
      'rpz',
      [
        'a.com A 192.0.2.7',
        'a.com AAAA 2001:db8::7',
        '*.a.com A 192.0.2.7',
        '*.a.com AAAA 2001:db8::7',
        'b.com CNAME safe.b.com.',
        'c.com CNAME safe.c.com.',
        '*.c.com CNAME safe.c.com.',
        'e.com CNAME .',
        '*.e.com CNAME .',
        'f.com A 192.0.2.8',
        '*.f.com CNAME .',
      ],
      ['d.com'],
    ],
  ];
  for (const [format, lines, names] of written) {
    assert.deepEqual(said(rewrites, format), lines, format);
    const reported = write(rewrites, format).unsupported.map(({ rule }) => /\w+\.com/.exec(rule)?.[0]);
    assert.deepEqual(reported, names, format);
  }
});

test('rewrites that cannot be expressed are reported, and exceptions disable rewrites', () => {
  const list = [
    '||a.com^$dnsrewrite=192.0.2.7',
    '@@||a.com^$dnsrewrite',
    '||b.com^$dnsrewrite=192.0.2.7',
    '@@||x.b.com^$dnsrewrite',
    '||c.com^$dnsrewrite=192.0.2.7',
    '||x.c.com^$dnsrewrite=192.0.2.8',
    '||d.com^$dnsrewrite=NOERROR;TXT;x',
    '||e.com^$dnsrewrite=192.0.2.7,client=tv',
    '||f*.com^$dnsrewrite=192.0.2.7',
    '||g.com^$dnsrewrite=rpz-drop',
    '@@|h.com^$dnsrewrite',
  ].join('\n');
  assert.deepEqual(said(list, 'rpz'), ['c.com A 192.0.2.7', '*.c.com A 192.0.2.7']);
  assert.deepEqual(
    write(list, 'rpz').unsupported.map(({ line, reason }) => [line, reason]),
    [
      [3, 'an exception with the modifier dnsrewrite concerns some of the names'],
      [6, 'another rule with the modifier dnsrewrite concerns the same names'],
      [7, 'a rewrite to other values than an address, a name, NXDOMAIN or REFUSED is not supported'],
      [8, 'a rewrite with other modifiers is not supported'],
      [9, 'a rewrite of names that cannot be listed is not supported'],
      [10, 'policy zones reserve targets that begin with "rpz-"'],
      [11, 'an exception with the modifier dnsrewrite is not supported'],
    ],
  );
});

test('$denyallow blocks a domain without these names, unless another rule blocks them', () => {
  const list = '||a.com^$denyallow=OK.a.com|b.a.com|other.com\n||b.a.com^\n@@||c.a.com^';
  for (const format of others) {
    const reasons = write(list, format).unsupported.map(({ rule }) => rule);
    assert.deepEqual(reasons, format === 'hosts' || format === 'domains' ? ['@@||c.a.com^'] : [], format);
  }
  assert.deepEqual(said(list, 'hosts'), ['0.0.0.0 a.com', '0.0.0.0 b.a.com']);
  assert.deepEqual(said(list, 'dnsmasq'), [
    'local=/a.com/',
    'server=/ok.a.com/#',
    'local=/b.a.com/',
    'server=/c.a.com/#',
  ]);
  // An ordinary rule for the whole domain blocks everything.
  assert.deepEqual(said('||a.com^$denyallow=ok.a.com\n||a.com^', 'dnsmasq'), ['local=/a.com/']);
});

test('names allowed by an exception are left out of a format without exceptions', () => {
  const list = '||a.com^\n||x.b.com^\n@@||a.com^\n@@||b.com^';
  for (const format of ['hosts', 'domains'] as const) {
    assert.deepEqual(said(list, format), []);
    assert.deepEqual(
      write(list, format).unsupported.map(({ rule }) => rule),
      ['@@||a.com^', '@@||b.com^'],
    );
  }
  assert.equal(
    write(list, 'hosts').unsupported[0]?.reason,
    'a hosts file cannot make exceptions: the names that this one allows are left out',
  );
});

test('rules that Unbound cannot distinguish are left out on both sides', () => {
  const { unsupported } = write('||a.com^\n@@|a.com^', 'unbound');
  assert.deepEqual(
    unsupported.map(({ rule, reason }) => `${rule}: ${reason}`),
    [
      '||a.com^: Unbound cannot block the names under a name without the name itself',
      '@@|a.com^: Unbound cannot allow a name and block the names under it',
    ],
  );
});

test('a name is written once, even if the list has it several times or in different case', () => {
  for (const format of others) {
    const once = said('||a.com^', format);
    assert.deepEqual(said('||a.com^\n||A.com^\na.com\n0.0.0.0 a.com', format), once);
    assert.deepEqual(said('0.0.0.0 a.com\n||a.com^', format), once);
  }
});

test('a policy zone contains no name under reserved suffixes', () => {
  const { text, unsupported } = write('||32.1.0.0.10.rpz-ip^\n||rpz-ip.com^', 'rpz');
  assert.match(text, /NS localhost\.\nrpz-ip\.com CNAME \.\n\*\.rpz-ip\.com CNAME \.\n$/);
  assert.deepEqual(
    unsupported.map(({ reason }) => reason),
    ['policy zones reserve the names under rpz-ip'],
  );
});

test('a policy zone contains no name that would be too long with the zone name', () => {
  const name = (last: number): string => ['x'.repeat(63), 'x'.repeat(63), 'x'.repeat(63), 'x'.repeat(last)].join('.');
  assert.equal(said(`||${name(26)}^`, 'rpz').length, 2);
  assert.deepEqual(
    write(`||${name(27)}^`, 'rpz').unsupported.map(({ reason }) => reason),
    ['a name in a policy zone has at most 218 characters'],
  );
});

test('empty lines are kept, except the last one', () => {
  const lines = readLines(createWorkspace(), new TextEncoder().encode('||a.com^\n! b\n||b.com^\n! end'), 0);
  lines.end[1] = lines.start[1]!;
  lines.end[3] = lines.start[3]!;
  const { bytes } = writeFormat({ header: [], lines, bytes: new Uint8Array() }, 'domains');
  assert.match(Buffer.from(bytes).toString(), /\n#\na\.com\n\nb\.com\n$/);
});

const name = '[a-z0-9_-]+(?:\\.[a-z0-9_-]+)*';
const wellFormed: Readonly<Record<Exclude<FormatName, 'adblock'>, RegExp>> = {
  hosts: new RegExp(`^0\\.0\\.0\\.0 ${name}$`),
  domains: new RegExp(`^${name}$`),
  dnsmasq: new RegExp(`^(?:local=/(?:\\*\\.)?${name}/|server=/(?:\\*\\.)?${name}/#)$`),
  unbound: new RegExp(
    `^(?:server:|local-zone: "${name}\\." (?:always_nxdomain|transparent)|local-data: "${name}\\. A 0\\.0\\.0\\.0")$`,
  ),
  rpz: new RegExp(
    `^(?:\\$TTL 300|@ (?:SOA|NS) localhost\\.[ a-z0-9.]*|(?:\\*\\.)?${name} CNAME (?:|rpz-passthru)\\.)$`,
  ),
};

const anyLine = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc
    .tuple(
      fc.constantFrom('||', '@@||', '|', '*.', '0.0.0.0 ', '! ', '# ', ''),
      fc.string({ unit: fc.constantFrom('a', 'B', '.', '-', '"', '/', ';', ' ', '\0', '\t', '{', '}', '#', '=', 'é') }),
      fc.constantFrom('^', '^$important', ' # x', '" always_nxdomain', '/1.2.3.4', ''),
    )
    .map((parts) => new TextEncoder().encode(parts.join(''))),
);

test('for any bytes, every line of every format is a comment, empty, or valid', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 12 }), (lines) => {
      const list = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
      for (const format of others) {
        for (const line of write(list, format).text.split('\n')) {
          if (line === '' || /^[#;][ -~\x80-\xff]*$/.test(line)) continue;
          assert.match(line, wellFormed[format as keyof typeof wellFormed]);
        }
      }
    }),
  );
});
