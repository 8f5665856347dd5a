import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isCommentText, shortLists } from '../../test/support/compiler/transformed-lists.ts';
import { transform, type ValidatorName, validateRules } from './index.ts';
import { validatorNames } from './pipeline.ts';

const modes = validatorNames as readonly ValidatorName[];
const kindsOf = (text: string | readonly string[], mode: ValidatorName = 'Validate'): string[] =>
  validateRules(text, mode).map(({ kind }) => kind);

test('every line has a status', () => {
  assert.deepEqual(validateRules('! ads\n||a.com^\n \n||b.com^$script', 'Validate'), [
    { line: 1, rule: '! ads', kind: 'comment' },
    { line: 2, rule: '||a.com^', kind: 'valid' },
    { line: 3, rule: ' ', kind: 'empty' },
    {
      line: 4,
      rule: '||b.com^$script',
      kind: 'invalid',
      reason: 'the modifier "script" is not supported by a DNS filter',
      position: { start: 9, end: 15 },
    },
  ]);
});

test('lines are split and numbered as in an editor', () => {
  const verdicts = validateRules('\ufeff! a\r\n\r\nb.com\rc.com\n', 'Validate');
  assert.deepEqual(
    verdicts.map(({ line, rule, kind }) => [line, rule, kind]),
    [
      [1, '! a', 'comment'],
      [2, '', 'empty'],
      [3, 'b.com', 'valid'],
      [4, 'c.com', 'valid'],
      [5, '', 'empty'],
    ],
  );
  assert.deepEqual(kindsOf(''), ['empty']);
  assert.deepEqual(kindsOf([]), []);
});

test('comments and empty lines keep their kind above an invalid rule', () => {
  assert.deepEqual(kindsOf(['! a', '', '# b', '####', '||com^']), [
    'comment',
    'empty',
    'comment',
    'comment',
    'invalid',
  ]);
});

test('addresses and public suffixes are valid where they are allowed', () => {
  const rules = ['||1.2.3.4^', '||co.uk^'];
  assert.deepEqual(
    modes.map((mode) => kindsOf(rules, mode)),
    [
      ['invalid', 'invalid'],
      ['valid', 'invalid'],
      ['invalid', 'valid'],
      ['valid', 'valid'],
    ],
  );
});

test('an address that the transformation rewrites is valid as given', () => {
  assert.deepEqual(validateRules(['1.2.3.4^'], 'ValidateAllowIp'), [{ line: 1, rule: '1.2.3.4^', kind: 'valid' }]);
  assert.deepEqual(kindsOf(['1.2.3.4^', '1.2.3.*']), ['invalid', 'invalid']);
});

test('the error of a rewritten address is at the position in the original text', () => {
  for (const [marked, name] of [
    ['1.2.3.4^$«script»', 'script'],
    [' @@|1.2.3.4$,,important,«x=1»=2,script\t', 'x'],
    // Rewriting removes the backslash, and one value becomes two modifiers.
    ['1.2.3.4$client=a\\,«b»', 'b'],
    ['1.2.3.$client=a=b\\,c,,client=\\,,«c\\d»', 'c\\d'],
  ] as const) {
    const [before = '', part = '', behind = ''] = marked.split(/[«»]/);
    const [verdict] = validateRules([before + part + behind], 'ValidateAllowIp');
    assert.equal(verdict?.reason, `the modifier "${name}" is not supported by a DNS filter`, marked);
    assert.deepEqual(verdict.position, { start: before.length, end: before.length + part.length }, marked);
  }
});

test('a lone surrogate is shown as U+FFFD', () => {
  const [verdict] = validateRules(['||a\ud83d.com^'], 'Validate');
  assert.equal(verdict?.rule, '||a\ud83d.com^');
  assert.equal(verdict.reason, '"\ufffd" is not allowed in a host name');
  assert.deepEqual(verdict.position, { start: 3, end: 4 });
});

test('a regular expression is valid, with a warning when JavaScript cannot read it', () => {
  const warning = 'JavaScript cannot read the regular expression: Unterminated group';
  const rules = ['/ads[0-9]+/', '/ads(/', ' @@/ads(/$important ', '||a.com^', '://a.com^', '! /ads(/', '/a(/b$script'];
  assert.deepEqual(
    validateRules(rules, 'Validate').map(({ kind, warning }) => [kind, warning]),
    [
      ['valid', undefined],
      ['valid', warning],
      ['valid', warning],
      ['valid', undefined],
      ['valid', undefined],
      ['comment', undefined],
      ['invalid', undefined],
    ],
  );
});

const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '||',
        '|',
        '@@',
        '^',
        '$',
        '*',
        '.',
        '/',
        '://',
        '#',
        ' ',
        ',',
        '\\,',
        '=',
        '\ufeff',
        '\ud83d',
        '😀',
      ),
      fc.constantFrom('a.com', 'com', 'co.uk', 'ads', '1.2.3.4', '1.2.3.', '0.0.0.0 ', '[::1]', 'localhost', '! '),
      fc.constantFrom('important', 'denyallow', 'client', 'script', '$client=a\\,b', '$denyallow=a=b'),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''));
const address = fc
  .tuple(
    fc.constantFrom('', '@@', '|', '||', ' ', ' @@|'),
    fc.constantFrom('1.2.3.4', '1.2.3.', '1.2.3.*', '1.2.3'),
    fc.constantFrom('', '^', '^|'),
    fc.array(fc.constantFrom('', 'important', 'client=a\\,x', 'denyallow=a=b', 'x=\\,=\\,', 'a\\\\,b', '=', '\\$')),
  )
  .map(
    ([before, octets, behind, parts]) => `${before}${octets}${behind}${parts.length > 0 ? '$' : ''}${parts.join(',')}`,
  );

/** The rules that the transformation keeps, also if it rewrites them: each follows a rule with its number. */
function keptOf(rules: readonly string[], mode: (typeof modes)[number]): ReadonlySet<number> {
  const kept = new Set<number>();
  let last = -1;
  for (const line of transform(
    rules.flatMap((rule, at) => [`||number-${at}.example.org^`, rule]),
    [mode],
  )) {
    const [, number] = /^\|\|number-(\d+)\.example\.org\^$/.exec(line) ?? [];
    if (number === undefined) kept.add(last);
    else last = Number(number);
  }
  return kept;
}

test('a rule is invalid exactly if the transformation drops it, and the error is within the rule', () => {
  // Many per call, because each call creates its own memory; another test checks that rules are validated
  // independently.
  const agree = (rules: readonly string[]): void => {
    for (const mode of modes) {
      const verdicts = validateRules(rules, mode);
      assert.equal(verdicts.length, rules.length);
      const kept = keptOf(rules, mode);
      for (const [at, rule] of rules.entries()) {
        const verdict = verdicts[at]!;
        const became = kept.has(at) ? 'valid' : 'invalid';
        const expected = rule.trim() === '' ? 'empty' : isCommentText(rule) ? 'comment' : became;
        assert.equal(verdict.kind, expected, `${mode} ${rule}`);
        assert.equal(verdict.reason !== undefined, expected === 'invalid');
        assert.equal(verdict.position !== undefined, expected === 'invalid');
        const { start, end } = verdict.position ?? { start: 0, end: 0 };
        assert.ok(start >= 0 && start <= end && end <= rule.length, `${mode} ${rule} ${start}-${end}`);
      }
    }
  };
  const many = { minLength: 30, maxLength: 60 };
  fc.assert(fc.property(fc.array(soup, many), agree), { numRuns: 60 });
  fc.assert(fc.property(fc.array(address, many), agree), { numRuns: 20 });
});

test('the error of an address begins at the modifier in the message', () => {
  const plain = (text: string): string => text.replaceAll('\\', '');
  fc.assert(
    fc.property(address, (rule) => {
      const [verdict] = validateRules([rule], 'ValidateAllowIp');
      const name = /^the modifier "(.*)" means/.exec(verdict?.reason ?? '')?.[1];
      if (name === undefined) return;
      const part = rule.slice(verdict?.position?.start, verdict?.position?.end);
      assert.ok(plain(part).startsWith(plain(name)), `${rule}: ${name}, ${part}`);
    }),
    { numRuns: 800 },
  );
});

test('the status of a line does not depend on other lines', () => {
  fc.assert(
    fc.property(shortLists, (lines) => {
      for (const mode of modes) {
        const alone = lines.flatMap((line, at) =>
          validateRules([line], mode).map((verdict) => ({ ...verdict, line: at + 1 })),
        );
        assert.deepEqual(validateRules(lines, mode), alone);
        assert.deepEqual(validateRules(lines.join('\n'), mode), lines.length === 0 ? validateRules([''], mode) : alone);
      }
    }),
    { numRuns: 40 },
  );
});
