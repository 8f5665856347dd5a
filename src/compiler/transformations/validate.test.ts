import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isCommentText, longLists, shortLists } from '../../../test/support/compiler/transformed-lists.ts';
import { whyInvalid } from '../../rules/validate-rule.ts';
import { transform } from '../index.ts';

const modes = {
  Validate: { allowIp: false, allowPublicSuffix: false },
  ValidateAllowIp: { allowIp: true, allowPublicSuffix: false },
  ValidateAllowPublicSuffix: { allowIp: false, allowPublicSuffix: true },
  ValidateAllowIpAndPublicSuffix: { allowIp: true, allowPublicSuffix: true },
} as const;
type Mode = keyof typeof modes;

const validate = (list: string, mode: Mode = 'Validate'): string[] => transform(list.split('\n'), [mode]);

test('rules that a DNS filter cannot apply are dropped', () => {
  const list = '||a.com^\n||a.com/path\n0.0.0.0 b.com\n0.0.0.0 localhost\n||c.com^$script\nd.com\na.com##.ad';
  assert.deepEqual(validate(list), ['||a.com^', '0.0.0.0 b.com', 'd.com']);
});

test('addresses and public suffixes are kept if they are allowed', () => {
  const list = '||1.2.3.4^\n||co.uk^\n||a.com^';
  assert.deepEqual(validate(list), ['||a.com^']);
  assert.deepEqual(validate(list, 'ValidateAllowIp'), ['||1.2.3.4^', '||a.com^']);
  assert.deepEqual(validate(list, 'ValidateAllowPublicSuffix'), ['||co.uk^', '||a.com^']);
  assert.deepEqual(validate(list, 'ValidateAllowIpAndPublicSuffix'), ['||1.2.3.4^', '||co.uk^', '||a.com^']);
});

test('allowed addresses are normalised', () => {
  const list = '1.2.3.4\n|1.2.3.5^\n@@1.2.3.6^|\n1.2.3.\n 1.2.4.* \n0.0.0.0';
  const written = ['||1.2.3.4^', '||1.2.3.5^', '@@||1.2.3.6^', '||1.2.3.', '||1.2.4.*', '||0.0.0.0^'];
  assert.deepEqual(validate(list, 'ValidateAllowIp'), written);
  assert.deepEqual(validate(list, 'ValidateAllowIpAndPublicSuffix'), written);
  assert.deepEqual(validate('1.2.3.4\n||1.2.3.4', 'ValidateAllowPublicSuffix'), []);
});

test('a rewritten address keeps its modifiers, without empty ones and repeated equals signs', () => {
  assert.deepEqual(validate('1.2.3.4$important,,client=a=b', 'ValidateAllowIp'), ['||1.2.3.4^$important,client=a']);
  assert.deepEqual(validate('||1.2.3.4^$client=a=b', 'ValidateAllowIp'), ['||1.2.3.4^$client=a=b']);
});

test('the comments and empty lines above a dropped rule are dropped, up to a line of spaces', () => {
  const list = '! one\n||a.com^\n! gone\n\n# gone\n||b.com/x\n! two\n \n! gone\n||com^\n! last';
  assert.deepEqual(validate(list), ['! one', '||a.com^', '! two', ' ', '! last']);
});

test('no line causes an exception', () => {
  for (const mode of Object.keys(modes) as Mode[]) {
    assert.deepEqual(validate('@@\n0.0.0.0  # x\n \n@@   \n$\n||\n^', mode), [' ']);
  }
});

/** Reference: line by line as text, from the last to the first. */
function plainly(lines: readonly string[], mode: Mode): string[] {
  let isDroppedBelow = false;
  const kept = lines.toReversed().filter((line) => {
    if (line === '' || isCommentText(line)) return !isDroppedBelow;
    isDroppedBelow = line.trim() !== '' && whyInvalid(line, modes[mode]) !== undefined;
    return !isDroppedBelow;
  });
  return kept.toReversed();
}

/** Normalises addresses; already normalised ones keep the surrounding spaces. */
function normalise(line: string): string {
  const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|\\d?\\d)';
  const rule = line
    .trim()
    .replace(new RegExp(`^(@@)?\\|{0,2}((?:${octet}\\.){3}${octet})(?:\\^\\|?)?$`), '$1||$2^')
    .replace(new RegExp(`^(@@)?\\|{0,2}((?:${octet}\\.){3}\\*?)$`), '$1||$2');
  return rule === line.trim() ? line : rule;
}

function sameAsPlainly(lines: readonly string[]): void {
  for (const mode of Object.keys(modes) as Mode[]) {
    assert.deepEqual(transform(lines, [mode]), plainly(modes[mode].allowIp ? lines.map(normalise) : lines, mode), mode);
  }
}

/** The modifiers of addresses are tested above. */
const withoutModifiersOnAddresses = (lines: readonly string[]): string[] =>
  lines.filter((line) => !/^[@|]*[\d.]+\^?\$/.test(line));

test('lines on which earlier versions differed from the original are treated as by the original', () => {
  // What the original makes of each line; undefined if it drops it.
  const expected: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['1.2.3..*', undefined, '||1.2.3.*'],
    ['0.0..*', undefined, undefined],
    ['||1.2.3.4..*', undefined, undefined],
    [':////', undefined, undefined],
    ['@@://///$important', undefined, undefined],
    ['1.2.3.4$=', undefined, '||1.2.3.4^$'],
    ['1.2.3.4$client=,important', undefined, '||1.2.3.4^$client,important'],
  ];
  for (const [line, strict, allowIp] of expected) {
    assert.deepEqual(transform([line], ['Validate']), strict === undefined ? [] : [strict], line);
    assert.deepEqual(transform([line], ['ValidateAllowIp']), allowIp === undefined ? [] : [allowIp], line);
  }
});

test('the result of any list equals that of its single lines', () => {
  fc.assert(fc.property(shortLists.map(withoutModifiersOnAddresses), sameAsPlainly), { numRuns: 200 });
  const address = fc
    .tuple(
      fc.constantFrom('', '@@', '|', '||', ' '),
      fc.array(fc.constantFrom('0', '10', '255', '256'), { minLength: 1, maxLength: 5 }),
      fc.constantFrom('', '.', '.*', '^', '^|'),
    )
    .map(([before, octets, behind]) => before + octets.join('.') + behind);
  fc.assert(fc.property(fc.array(address, { maxLength: 5 }), sameAsPlainly), { numRuns: 200 });
});

test('so is a list of many blocks', () => {
  fc.assert(fc.property(longLists.map(withoutModifiersOnAddresses), sameAsPlainly), { numRuns: 6 });
});

test('comments are dropped with the rule below them, also across blocks', () => {
  // Seven lines per repetition, so that blocks end at each of them.
  const pieces = ['||a.com^', '! gone', '', '# gone', '||a.com/x', '! stays', '||b.com^'];
  const rounds = Array.from({ length: 70_000 }, (_, at) => pieces[at % 7]!);
  for (const lines of [rounds, [...rounds, '||c.com^', '||d.com^', '||e.com^']]) {
    assert.deepEqual(
      transform(lines, ['Validate']),
      lines.filter((line) => !line.includes('gone') && line !== '' && line !== '||a.com/x'),
    );
  }
});
