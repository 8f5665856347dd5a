import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linesOf, look } from '../../../test/support/compiler/lines.ts';
import { countKinds, detectFormat, type Format, type RuleKind, ruleKind } from './rule-kinds.ts';

const format = (list: string): Format => detectFormat(linesOf(list.split('\n')));

test('each line has its kind', () => {
  const kinds = {
    '||a.com^': 'block',
    '||a.com^$important': 'block',
    'a.com##.ad': 'block',
    '@@||a.com^': 'allow',
    '0.0.0.0 a.com': 'hosts',
    'a.com': 'domain',
    '/ads[0-9]/': 'regular expression',
    '! a.com': 'comment',
    '# 0.0.0.0 a.com': 'comment',
    '': 'empty',
    ' \t': 'empty',
  };
  for (const [line, kind] of Object.entries(kinds)) assert.equal(look(line, ruleKind), kind, line);
});

test('kinds are counted; missing ones are zero', () => {
  assert.deepEqual(countKinds(linesOf(['||a.com^', '||b.com^', '! x', '0 a.com', ''])), {
    block: 2,
    allow: 0,
    hosts: 1,
    domain: 0,
    'regular expression': 0,
    comment: 1,
    empty: 1,
  });
});

test('counting all lines at once gives the same counts as checking each line', () => {
  const part = fc.constantFrom(
    '||',
    '^',
    'a.com',
    'A.b',
    '0.0.0.0',
    ' ',
    '#',
    '!',
    '@@',
    '/',
    '.',
    '-',
    'é',
    '^$x',
    '',
  );
  const line = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 50 }), (lines) => {
      const expected = Object.groupBy(lines, (text) => look(text, ruleKind));
      for (const [kind, count] of Object.entries(countKinds(linesOf(lines)))) {
        assert.equal(count, expected[kind as RuleKind]?.length ?? 0, kind);
      }
    }),
    { numRuns: 400 },
  );
});

test('the format of a list is that of nine tenths of its rules', () => {
  const hosts = '0 a.com\n'.repeat(9);
  assert.equal(format(`${hosts}||b.com^`), 'hosts');
  assert.equal(format(`${hosts}||b.com^\n||c.com^`), 'mixed');
  assert.equal(format(`${'a.com\n'.repeat(9)}||b.com^`), 'domains');
  assert.equal(format(`${'||a.com^\n'.repeat(9)}b.com`), 'adblock');
  assert.equal(format('||a.com^\n@@||b.com^\n/c/'), 'adblock');
});

test('comments and empty lines are not counted', () => {
  assert.equal(format('! x\n# y\n\n \n0 a.com'), 'hosts');
  assert.equal(format('! x\n\n'), 'empty');
});

test('the format of a long list is determined by a sample from all parts', () => {
  const lines = [...Array<string>(3000).fill('0 a.com'), ...Array<string>(7000).fill('||a.com^')];
  assert.equal(format(lines.join('\n')), 'mixed');
  assert.equal(format(lines.toSorted().slice(0, 3100).join('\n')), 'hosts');
});
