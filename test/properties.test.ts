import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import {
  compileList,
  formatNames,
  listStrings,
  SourceError,
  type TransformationName,
  transform,
  transformationNames,
  writeFormat,
} from '../src/compiler/index.ts';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { assertComesFrom } from './support/comes-from.ts';
import { content, directives, lines, linesIn } from './support/random-lists.ts';

// Nothing that a list contains can crash, hang or corrupt a compilation: it ends, gives the same bytes again, and every
// line of the result is a line of the input or its documented rewriting.

const validators = transformationNames.filter((name) => name.startsWith('Validate'));
const others = transformationNames.filter((name) => !name.startsWith('Validate'));
/** Each transformation alone, and all that can be used together. */
const sets: readonly (readonly TransformationName[])[] = [
  [],
  ...transformationNames.map((name) => [name]),
  ...validators.map((validator) => [...others, validator]),
];

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

const timestamp = new Date('2026-11-15T08:00:00Z');

/** Compiles twice and checks all properties of the result. */
async function compileChecked(source: string, bytes: Uint8Array, steps: readonly TransformationName[]): Promise<void> {
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
  assertComesFrom(written.slice(header.length), [...named, ...linesIn(bytes)], steps);
  for (const format of formatNames) assert.deepEqual(writeFormat(list, format), writeFormat(again, format));
}

const someSteps = fc.constantFrom(...sets);

test('a file of any bytes is refused as binary, or compiled to lines of the file', async (t) => {
  const file = join(await temporaryFolder(t), 'list.txt');
  let compiled = 0;
  await fc.assert(
    fc.asyncProperty(content, someSteps, async (bytes, steps) => {
      await writeFile(file, bytes);
      try {
        await compileChecked(file, bytes, steps);
        compiled += 1;
      } catch (error) {
        if (!(error instanceof SourceError) || !error.message.includes('is binary, not text')) throw error;
        assert.ok(bytes.some((byte) => byte < 0x20));
      }
    }),
    { numRuns: 80 },
  );
  assert.ok(compiled > 20, `${compiled} were compiled`);
});

test('so is any text in the configuration itself', async () => {
  await fc.assert(
    fc.asyncProperty(lines, someSteps, async (input, steps) => {
      const source = ['||first.example.com^', ...input, '||last.example.com^'].join('\n');
      await compileChecked(source, Buffer.from(source.toWellFormed()), steps);
    }),
    { numRuns: 80 },
  );
});

test('any directives give a list, or an error that names the source', async () => {
  await fc.assert(
    fc.asyncProperty(directives, async (input) => {
      const source = ['||first.example.com^', ...input].join('\n');
      try {
        const list = await compileList({ name: 'T', sources: [{ source }] });
        assertSubset(listStrings(list).slice(list.header.length + 3), input);
      } catch (error) {
        assert.ok(error instanceof SourceError, String(error));
        assert.match(error.message, /^\|\|first\.example\.com\^/);
      }
    }),
    { numRuns: 150 },
  );
});

function assertSubset(found: readonly string[], input: readonly string[]): void {
  for (const one of found.slice(1)) assert.ok(input.includes(one), one);
}

/** This number of nested conditions. */
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

test('and take no more time than their number asks for', async () => {
  const before = process.cpuUsage();
  // Nesting above a limit may be rejected instead.
  await compileList({ name: 'T', sources: [{ source: nested(20_000) }] }).catch(() => {});
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 3_000_000);
});

/** Aborts after a time limit, so that a hanging test fails. */
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

test('the time for a long line is linear in its length', () => {
  for (const make of Object.values(shapes)) {
    const input = ['||a.example.com^', make(100_000), '||b.example.com^'];
    for (const steps of sets.slice(1)) {
      const found = inTime(5000, () => transform(input, steps));
      assertComesFrom(found, input, steps);
    }
  }
});

const giants = ['a word with an accent', 'a hosts line of one name'];

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
  const odd = [
    '0.0.0.0 h#.example.net # a',
    '! comment #',
    '@@||h#.пример.example^$third-party',
    '   ',
    '||h0.example.com^',
  ];
  const lineAt = (at: number): string =>
    at % 20 === 0 ? odd[(at / 20) % odd.length]!.replace('#', String(at)) : `||h${at}.example.com^`;
  const text = Array.from({ length: million }, (_, at) => lineAt(at)).join('\n');
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
