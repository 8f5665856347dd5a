import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { domainToASCII } from 'node:url';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { temporaryFolder } from '../src/app/temporary-folder-for-tests.ts';
import {
  type CompiledList,
  compileList,
  formatNames,
  listStrings,
  SourceError,
  type TransformationName,
  transform,
  transformationNames,
  writeFormat,
} from '../src/compiler/index.ts';

// Nothing that a list contains can crash, hang or corrupt a compilation. What comes out is compared with a model of what
// the documentation says each transformation writes, made of plain strings and sharing nothing with the compiler. The
// model drops nothing; what the compiler drops must leave the rest in place: its lines are the model's, with gaps.

const isComment = (line: string): boolean => /^(!|# |#$|####)/.test(line);
const isHosts = (line: string): boolean => /^([a-f0-9.:\][]+)(%[a-z0-9]+)?\s+([^#]+)(#.*)?$/.test(line);
const isCosmetic = (line: string): boolean => /##|#@#|#@?[$?%]{1,2}#|\$@?\$/.test(line);
const isDomain = (line: string): boolean =>
  line.length <= 255 &&
  /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+\.?$/i.test(line) &&
  line.split('.').every((label) => label.length <= 63);

/** The rule before its modifiers, and the modifiers, as they are written. */
function parts(rule: string): { pattern: string; modifiers: string[] } {
  const bare = rule.replace(/^@@/, '');
  const dollar = [...bare.matchAll(/(?<!\\)\$/g)].at(-1)?.index;
  const isExpression = bare.startsWith('/') && bare.endsWith('/') && !bare.includes('replace=');
  if (dollar === undefined || isExpression) return { pattern: rule, modifiers: [] };
  const before = rule.length - bare.length + dollar;
  return { pattern: rule.slice(0, before), modifiers: rule.slice(before + 1).split(/(?<!\\),/) };
}

const writes: Readonly<Partial<Record<TransformationName, (line: string) => string[]>>> = {
  ConvertToAscii: (line) => [isComment(line) || (isCosmetic(line) && !isHosts(line)) ? line : asciiOf(line)],
  TrimLines: (line) => [line.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '')],
  Compress: (line) => {
    const names = isHosts(line) ? line.replace(/#.*$/s, '').split(/\s+/).slice(1) : isDomain(line) ? [line] : [];
    const rules = names.filter((name) => name !== '').map((name) => `||${name}^`);
    return rules.length > 0 ? rules : [line];
  },
  RemoveModifiers: (line) => [withoutModifiers(line.trim())],
  InvertAllow: (line) => [
    line === '' || isComment(line) || isHosts(line) || line.startsWith('@@') ? line : `@@${line}`,
  ],
  ValidateAllowIp: (line) => [withPlainAddress(line)],
  ValidateAllowIpAndPublicSuffix: (line) => [withPlainAddress(line)],
};

const asciiOf = (line: string): string =>
  line.replace(/[^\s^$|=]+/g, (word) => {
    if (!/.\../s.test(word) || /^[\0-\x7f]*$/.test(word) || /[/:?#@%\\<>[\]]/.test(word)) return word;
    return domainToASCII(word) || word;
  });

function withoutModifiers(line: string): string {
  if (isComment(line) || isHosts(line) || isCosmetic(line)) return line;
  const { pattern, modifiers } = parts(line);
  const kept = modifiers.filter((modifier) => !/^(third-party|3p|all|document|doc|popup|network)(=|$)/s.test(modifier));
  if (kept.length === modifiers.length) return line;
  return kept.some((modifier) => modifier !== '') ? `${pattern}$${kept.join(',')}` : pattern;
}

function withPlainAddress(line: string): string {
  if (/^[!#]/.test(line)) return line;
  const { pattern, modifiers } = parts(line.trim());
  const octet = '(?:25[0-5]|2[0-4]\\d|[01]?\\d?\\d)';
  const whole = new RegExp(`^(@@)?\\|{0,2}(${octet}(?:\\.${octet}){3})(?:\\^\\|?)?$`).exec(pattern);
  const subnet = new RegExp(`^(@@)?\\|{0,2}(${octet}(?:\\.${octet}){2}\\.\\*?)$`).exec(pattern);
  const address = whole ? `||${whole[2]}^` : subnet && `||${subnet[2]}`;
  const written = `${(whole ?? subnet)?.[1] ?? ''}${address}`;
  if (!address || written === pattern) return line;
  const kept = modifiers
    .filter((modifier) => modifier !== '')
    .map((modifier) => modifier.replaceAll('\\,', ',').split('=').slice(0, 2).join('='));
  return kept.length > 0 ? `${written}$${kept.join(',')}` : written;
}

/** All that these transformations could leave, in the order in which they must leave it. */
function model(lines: readonly string[], steps: readonly TransformationName[]): string[] {
  let written = lines.map((line) => line.toWellFormed());
  for (const name of transformationNames) {
    const write = steps.includes(name) ? writes[name] : undefined;
    if (write) written = written.flatMap(write);
  }
  return steps.includes('InsertFinalNewLine') ? [...written, ''] : written;
}

function assertComesFrom(
  found: readonly string[],
  lines: readonly string[],
  steps: readonly TransformationName[],
): void {
  const possible = model(lines, steps);
  let at = 0;
  for (const line of found) {
    while (at < possible.length && possible[at] !== line) at++;
    assert.ok(at < possible.length, `${steps.join(', ')}: ${JSON.stringify(line)} does not come from the input`);
    at++;
  }
  // Only steps that are there to drop lines may do so.
  const droppers = /^(RemoveComments|Compress|Validate.*|Deduplicate|RemoveEmptyLines)$/;
  const closed = possible.at(-1) === '' && possible.at(-2)?.trim() === '' ? 1 : 0;
  if (!steps.some((step) => droppers.test(step))) assert.ok(possible.length - found.length <= closed);
}

const validators = transformationNames.filter((name) => name.startsWith('Validate'));
const others = transformationNames.filter((name) => !name.startsWith('Validate'));
/** Each transformation alone, and all that can be used together. */
const sets: readonly (readonly TransformationName[])[] = [
  [],
  ...transformationNames.map((name) => [name]),
  ...validators.map((validator) => [...others, validator]),
];

const name = fc.constantFrom(
  ...[
    'example.com',
    'ads.example.com',
    'a.b.example.co.uk',
    'EXAMPLE.com',
    'example.com.',
    '_sip.example.com',
    'localhost',
  ],
  ...[
    'пример.рф',
    'реклама.example',
    'faß.example',
    'é',
    'é.',
    '.é',
    'xn--e1afmkfd.xn--p1ai',
    '\u00AD.example',
    'а.б\0',
  ],
  ...['constructor', '__proto__', 'com', 'co.uk', 'github.io', 'a..b', '-a.example', `${'a'.repeat(64)}.com`, 'a/b.é'],
  ...[
    '1.2.3.4',
    '1.2.3.',
    '1.2.3.*',
    '999.1.1.1',
    '::1',
    '[::1]',
    'fe80::1%lo0',
    '0.0.0.0',
    '1.2.3.4^|',
    '*.example.com',
  ],
);
const modifiers = fc
  .array(
    fc.constantFrom(
      ...['third-party', 'popup', 'all', 'document=1', '~third-party', 'important', 'badfilter', '', 'x=', 'dnstype=A'],
      ...[
        'dnsrewrite=NOERROR;TXT;a=b=c',
        'denyallow=а.рф|b.com',
        'client=a\\,b',
        'domain=пример.рф',
        '\\$',
        ' 3p',
        '$',
      ],
    ),
    { maxLength: 4 },
  )
  .map((all) => all.join(','));
const blanks = fc.constantFrom('', '', '', ' ', '\t', '  ', '\u00A0', '\uFEFF', '\v');
// Half of a surrogate pair stands for nothing, and yet a string can hold it.
const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
  .map((codes) => String.fromCharCode(...codes).replace(/[\r\n]/g, ''));
const rule = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('||', '@@||', '|', '', '@@', '://', '/', '.'),
      name,
      fc.constantFrom('^', '', '^|', '/', '^x'),
    )
    .map((all) => all.join('')),
  fc
    .tuple(fc.constantFrom('||', '@@||', '|', ''), name, fc.constantFrom('^$', '$', '\\$'), modifiers)
    .map((all) => all.join('')),
  fc
    .tuple(name, fc.constantFrom(' ', '\t', '  '), name, fc.constantFrom('', ' b.example.com', ' # c $3p', '#x'))
    .map((all) => all.join('')),
  fc.tuple(name, fc.constantFrom('##', '#@#', '#$#', '#?#', '$$', '#%#'), name).map((all) => all.join('')),
  fc.constantFrom(
    '',
    '!',
    '! a comment',
    '# a comment',
    '#',
    '####',
    '###',
    '##',
    '@@',
    '0.0.0.0  # x',
    '||^',
    '/',
    '//',
    '$',
  ),
  units,
);
const line = fc
  .tuple(blanks, rule, blanks, fc.oneof({ weight: 4, arbitrary: fc.constant('') }, rule), blanks)
  .map((all) => all.join(''));
// Directives are another matter, see below.
const lines = fc.array(line, { maxLength: 30 }).map((all) => all.filter((one) => !one.startsWith('!#')));

test('every line that comes out of transformations is a line of the input, or its documented rewriting', () => {
  fc.assert(
    fc.property(lines, (input) => {
      for (const steps of sets) {
        const found = transform(input, steps);
        assertComesFrom(found, input, steps);
        assert.deepEqual(transform(input, steps), found);
      }
    }),
    { numRuns: 500 },
  );
});

/** What a list is, as the documentation says: trimmed as a whole and parted by line breaks. */
function linesIn(bytes: Uint8Array): string[] {
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(marked)
    .decode(bytes)
    .trim()
    .split(/[\r\n]+/);
}

const timestamp = new Date('2026-11-15T08:00:00Z');

/** Compiles twice, checks all that must hold of the result, and gives it. */
async function compileChecked(
  source: string,
  content: Uint8Array,
  steps: readonly TransformationName[],
): Promise<CompiledList> {
  const configuration = { name: 'T', sources: [{ source, name: 'Random' }], transformations: steps };
  const [list, again] = [
    await compileList(configuration, { timestamp, explain: true }),
    await compileList(configuration, { timestamp, explain: false }),
  ];
  assert.ok(Buffer.from(list.bytes).equals(again.bytes));
  const written = listStrings(list);
  assert.equal(Buffer.from(list.bytes).toString(), written.join('\n'));
  const header = written.slice(0, list.header.length);
  assert.ok(header.every((one) => one.startsWith('!')));
  const inline = !source.startsWith('/');
  const named = ['!', '! Source name: Random', `! Source: ${inline ? 'inline rules' : source}`, '!'];
  assertComesFrom(written.slice(header.length), [...named, ...linesIn(content)], steps);
  for (const format of formatNames) {
    assert.deepEqual(writeFormat(list, format), writeFormat(again, format));
  }
  return list;
}

const piece = fc.constantFrom(
  ...[
    '||',
    '^',
    '@@',
    '0.0.0.0 ',
    'ads.example.com',
    'пример.рф',
    '$third-party',
    '##',
    '! ',
    '\n',
    '\n',
    '\r\n',
    '\r',
    ' ',
  ].map((text) => Buffer.from(text)),
  ...[
    [0],
    [0xff],
    [0xfe],
    [0xef, 0xbb, 0xbf],
    [0xc3],
    [0xed, 0xa0, 0x80],
    [0xf0, 0x9f],
    [0xe2, 0x80, 0xa8],
    [0xc2, 0x85],
  ].map((bytes) => Buffer.from(bytes)),
);
const content = fc
  .oneof(
    fc.uint8Array({ maxLength: 2000 }),
    fc.array(piece, { maxLength: 200 }).map((all) => Buffer.concat(all)),
  )
  .filter((bytes) => !/^\s*!#|[\r\n]!#/.test(linesIn(bytes).join('\n')));
const someSteps = fc.constantFrom(...sets);

test('a file of any bytes at all is compiled, and only what stands in it comes out', async (t) => {
  const file = join(await temporaryFolder(t), 'list.txt');
  await fc.assert(
    fc.asyncProperty(content, someSteps, async (bytes, steps) => {
      await writeFile(file, bytes);
      await compileChecked(file, bytes, steps);
    }),
    { numRuns: 150 },
  );
});

test('so is any text in the configuration itself', async () => {
  await fc.assert(
    fc.asyncProperty(lines, someSteps, async (input, steps) => {
      const source = ['||first.example.com^', ...input, '||last.example.com^'].join('\n');
      await compileChecked(source, Buffer.from(source.toWellFormed()), steps);
    }),
    { numRuns: 150 },
  );
});

const directive = fc.constantFrom(
  ...[
    '!#if true',
    '!#if x',
    '!#if',
    '!#if (',
    '!#if )(',
    '!#if !',
    '!#if a && || b',
    '!#if true&&true',
    '!#else',
    '!#else x',
  ],
  ...[
    '!#endif',
    '!#endif x',
    '!#include',
    '!#include none.txt',
    '!#include ://',
    '!#safari',
    '!#',
    'a',
    'b',
    '||c.example.com^',
  ],
);

test('any directives give a list, or an error that names the source', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(directive, { maxLength: 15 }), async (input) => {
      const source = ['||first.example.com^', ...input].join('\n');
      try {
        const list = await compileList({ name: 'T', sources: [{ source }] });
        assertSubset(listStrings(list).slice(list.header.length + 3), input);
      } catch (error) {
        assert.ok(error instanceof SourceError, String(error));
        assert.match(error.message, /^\|\|first\.example\.com\^/);
      }
    }),
    { numRuns: 300 },
  );
});

function assertSubset(found: readonly string[], input: readonly string[]): void {
  for (const one of found.slice(1)) assert.ok(input.includes(one), one);
}

/** So many conditions, each inside the one before. */
const nested = (depth: number): string =>
  [
    '||first.example.com^',
    ...Array<string>(depth).fill('!#if true'),
    'a',
    ...Array<string>(depth).fill('!#endif'),
  ].join('\n');

test('conditions may be nested as deep as a list likes', async () => {
  const list = await compileList({ name: 'T', sources: [{ source: nested(2000) }] });
  assert.equal(listStrings(list).at(-1), 'a');
  const condition = `!#if ${'('.repeat(50_000)}true${')'.repeat(50_000)}`;
  await assert.rejects(compileList({ name: 'T', sources: [{ source: `${condition}\na\n!#endif` }] }), SourceError);
});

test('and take no more time than their number asks for', { todo: 'each is compared with all around it' }, async () => {
  const startedAt = performance.now();
  // What is deeper than a limit may be refused instead.
  await compileList({ name: 'T', sources: [{ source: nested(20_000) }] }).catch(() => {});
  assert.ok(performance.now() - startedAt < 1000);
});

/** Stops what takes too long, so that a test that would never end fails. */
const inTime = <T>(ms: number, run: () => T): T => runInNewContext('run()', { run }, { timeout: ms }) as T;

const shapes: Readonly<Record<string, (length: number) => string>> = {
  'one letter': (length) => 'a'.repeat(length),
  'a word with an accent': (length) => `é${'a'.repeat(length)}`,
  'an accent behind a word': (length) => `${'a'.repeat(length)}é`,
  accents: (length) => 'é'.repeat(length / 2),
  'a name of many labels': (length) => `||${'a.'.repeat(length / 2)}com^`,
  'an accent in many labels': (length) => `||${'é.'.repeat(length / 3)}com^`,
  'many accented words': (length) => 'é.com '.repeat(length / 7),
  dots: (length) => `é${'.'.repeat(length)}`,
  hyphens: (length) => `||a${'-'.repeat(length)}b.com^`,
  digits: (length) => '1'.repeat(length),
  'dotted digits': (length) => '1.'.repeat(length / 2),
  'a hosts line of many names': (length) => `0.0.0.0 ${'a.b '.repeat(length / 4)}`,
  'a hosts line of one name': (length) => `0.0.0.0 ${'a.'.repeat(length / 2)}com`,
  'hexadecimal digits and a blank': (length) => `${'a'.repeat(length)} `,
  blanks: (length) => `x${' '.repeat(length)}y`,
  'wide blanks': (length) => `${'\u3000'.repeat(length / 3)}x`,
  'dollar signs': (length) => `||a.com^${'$'.repeat(length)}`,
  'escaped dollar signs': (length) => `||a.com^${'\\$'.repeat(length / 2)}`,
  commas: (length) => `||a.com^$${','.repeat(length)}`,
  'removable modifiers': (length) => `||a.com^$${'popup,'.repeat(length / 6)}`,
  'hash signs': (length) => `a${'#@'.repeat(length / 2)}`,
  'bars and carets': (length) => `${'|'.repeat(length / 2)}${'^'.repeat(length / 2)}`,
  asterisks: (length) => `||${'*.'.repeat(length / 2)}^`,
  slashes: (length) => `://${'/'.repeat(length)}`,
  NULs: (length) => '\0'.repeat(length),
  'halves of pairs': (length) => '\uD800'.repeat(length / 3),
};

test('a long line of whatever shape takes no more time than its length asks for', () => {
  for (const make of Object.values(shapes)) {
    const input = ['||a.example.com^', make(100_000), '||b.example.com^'];
    for (const steps of sets.slice(1)) {
      const found = inTime(5000, () => transform(input, steps));
      assertComesFrom(found, input, steps);
    }
  }
});

const giants = ['a word with an accent', 'a name of many labels', 'a hosts line of one name'];

for (const shape of giants) {
  test(`a line of 10 MB ends in every transformation: ${shape}`, () => {
    const giant = shapes[shape]!(10_000_000);
    for (const steps of [...transformationNames.map((one) => [one]), sets.at(-1)!]) {
      inTime(20_000, () => transform([giant, '||a.example.com^'], steps));
    }
  });
}

test('a million lines are compiled by every transformation alone and by all together', async (t) => {
  const million = 1_000_000;
  const common = Array<string>(8).fill('||h#.example.com^');
  const kinds = [...common, '0.0.0.0 h#.example.net # a', '! comment #', '@@||h#.пример.example^$third-party'];
  const text = Array.from({ length: million }, (_, at) => kinds[at % kinds.length]!.replace('#', String(at))).join(
    '\n',
  );
  const source = join(await temporaryFolder(t, { 'million.txt': text }), 'million.txt');
  for (const steps of [...transformationNames.map((one) => [one]), sets.at(-1)!]) {
    const { report, bytes } = await compileList(
      { name: 'T', sources: [{ source, transformations: steps }] },
      { timestamp },
    );
    assert.equal(report.sources[0]?.lines, million);
    assert.ok(bytes.length > 1_000_000, steps.join());
  }
});
