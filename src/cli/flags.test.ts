import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Flags, flagsHelp, parseFlags, unknownFlag } from './flags.ts';

const flags = {
  input: { short: 'i', value: 'SOURCE…', many: true, help: 'what to read' },
  output: { short: 'o', value: 'FILE', help: 'where to write' },
  format: { value: 'FORMAT', choices: ['tea', 'coffee'], help: 'what to brew' },
  quiet: { short: 'q', help: 'say nothing' },
  verbose: { short: 'v', help: 'say more' },
  help: { short: 'h', help: 'show this help' },
} as const satisfies Flags;

function parse(line: string) {
  const parsed = parseFlags(line === '' ? [] : line.split(' '), flags);
  return parsed.ok
    ? { given: Object.fromEntries(parsed.value.given), unknown: parsed.value.unknown }
    : { error: parsed.error };
}

test('a value follows its flag, or is joined to it', () => {
  for (const line of ['-o list.txt', '-olist.txt', '-o=list.txt', '--output list.txt', '--output=list.txt']) {
    assert.deepEqual(parse(line), { given: { output: ['list.txt'] }, unknown: [] }, line);
  }
});

test('a flag with many values takes all words up to the next flag, and may be repeated', () => {
  assert.deepEqual(parse('-i a b -o list.txt --input c -q -id'), {
    given: { input: ['a', 'b', 'c', 'd'], output: ['list.txt'], quiet: [] },
    unknown: [],
  });
});

test('a switch takes no value: the word after it is not its argument', () => {
  assert.deepEqual(parse('-q list.txt'), { given: { quiet: [] }, unknown: [] });
});

test('short switches can be combined', () => {
  assert.deepEqual(parse('-qv'), { given: { quiet: [], verbose: [] }, unknown: [] });
});

test('if a flag with one value is repeated, the last value is used', () => {
  assert.deepEqual(parse('-o a -o b'), { given: { output: ['b'] }, unknown: [] });
});

test('a single dash is a value, and so are all words after two dashes', () => {
  assert.deepEqual(parse('-o -'), { given: { output: ['-'] }, unknown: [] });
  assert.deepEqual(parse('-i a -- -b --c'), { given: { input: ['a', '-b', '--c'] }, unknown: [] });
});

test('an empty command line has no flags', () => {
  assert.deepEqual(parse(''), { given: {}, unknown: [] });
});

test('unknown flags are returned, and the words after them are not arguments', () => {
  assert.deepEqual(parse('--wat -x -i a --other=1 b'), {
    given: { input: ['a'] },
    unknown: ['--wat', '-x', '--other'],
  });
});

test('property names of Object.prototype are unknown flags', () => {
  assert.deepEqual(parse('--constructor --toString --__proto__'), {
    given: {},
    unknown: ['--constructor', '--toString', '--__proto__'],
  });
});

test('a flag without its value is rejected, with its placeholder', () => {
  assert.deepEqual(parse('-q -o'), { error: '-o needs FILE' });
  assert.deepEqual(parse('--input'), { error: '--input needs SOURCE…' });
});

test('a value outside the choices is rejected, with the choices', () => {
  assert.deepEqual(parse('--format tea'), { given: { format: ['tea'] }, unknown: [] });
  assert.deepEqual(parse('--format milk'), { error: '--format: "milk" must be one of tea, coffee' });
});

test('the warning for an unknown flag suggests the most similar one, if there is one', () => {
  assert.equal(unknownFlag('--outptu', flags), 'unknown option --outptu ignored; did you mean --output?');
  assert.equal(unknownFlag('--no-such-thing', flags), 'unknown option --no-such-thing ignored');
});

test('the help has a line for each flag, the long name first, as in the original', () => {
  assert.deepEqual(flagsHelp(flags).split('\n'), [
    '  --input, -i SOURCE…        what to read',
    '  --output, -o FILE          where to write',
    '  --format FORMAT            what to brew: tea, coffee',
    '  --quiet, -q                say nothing',
    '  --verbose, -v              say more',
    '  -h, --help                 show this help',
  ]);
});

test('long help is wrapped between words, within its column and 80 characters', () => {
  const help =
    'a flag that needs quite a number of words to be explained, so many that they take three lines at the least';
  const lines = flagsHelp({ long: { help } }).split('\n');
  assert.equal(lines.length, 3);
  assert.ok(lines.every((line) => line.length <= 80));
  assert.ok(lines.slice(1).every((line) => /^ {29}\S/.test(line)));
  assert.equal(lines.map((line) => line.slice(29)).join(' '), help);
});
