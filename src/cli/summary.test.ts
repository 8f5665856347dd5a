import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileList, type UnsupportedRule } from '../compiler/index.ts';
import { type Summary, summaryJson, summaryText } from './summary.ts';

const list = await compileList({
  name: 'T',
  sources: [
    { source: '||a.example.com^\n||b.example.com^\n! a comment', name: 'Mine' },
    { source: '0.0.0.0 c.example.com\n||b.example.com^', name: 'Theirs', transformations: ['TrimLines'] },
  ],
  transformations: ['Compress', 'RemoveComments'],
  exclusions: ['nothing like it'],
});

const summary: Summary = {
  list,
  output: 'list.txt',
  bytes: 12_345,
  unchanged: false,
  unsupported: [],
  diff: undefined,
  seconds: 1.23,
};

const unsupportedRules = (count: number): UnsupportedRule[] =>
  Array.from({ length: count }, (_, at) => ({ rule: `rule ${at}`, source: 0, line: at, reason: 'too long' }));

const textOf = (change: Partial<Summary> = {}, verbose = false): string[] =>
  summaryText({ ...summary, ...change }, verbose).split('\n');

test('one line has the sources, the result, the duration and the output file', () => {
  assert.equal(textOf()[0], '2 sources, 5 lines -> 3 rules in 1.2 s (list.txt, 12.3 kB)');
});

test('an unchanged file is reported as up to date', () => {
  assert.equal(textOf({ unchanged: true })[0], '2 sources, 5 lines -> 3 rules in 1.2 s (list.txt is up to date)');
});

test('a dash is called standard output', () => {
  assert.match(textOf({ output: '-' })[0]!, /\(standard output, 12\.3 kB\)$/);
});

test('patterns without matches are counted, and listed with --verbose', () => {
  assert.ok(textOf().includes('1 exclusion or inclusion matched nothing (--verbose lists them)'));
  assert.deepEqual(textOf({}, true).slice(-2), ['Unused patterns:', '  exclusions: nothing like it']);
});

test('with --verbose it shows each source, step and kind, and the rules that sources share', () => {
  assert.deepEqual(textOf({}, true).slice(1, -2), [
    'Sources:',
    '  Mine: adblock, 3 lines, 2 kept',
    '  Theirs: mixed, 2 lines, 1 kept',
    'Steps:',
    '  TrimLines of Theirs: 2 -> 2',
    '  exclusions: 13 -> 13',
    '  RemoveComments: 13 -> 4',
    '  Compress: 4 -> 3',
    'Rules by type:',
    '  block: 3',
    '  allow: 0',
    '  hosts: 0',
    '  domain: 0',
    '  regular expression: 0',
    '  comment: 0',
    '  empty: 0',
    'Rules that occur in several sources:',
    '  Theirs / Mine: 1',
  ]);
});

test('skipped sources and warnings are always shown', () => {
  const [mine, theirs] = list.report.sources;
  const report = {
    ...list.report,
    sources: [mine!, { ...theirs!, outcome: 'skipped' as const, error: 'theirs.txt: status 404' }],
    warnings: ['names differ in case'],
  };
  for (const verbose of [false, true]) {
    const text = textOf({ list: { ...list, report } }, verbose);
    assert.deepEqual(text.slice(1, 3), ['skipped theirs.txt: status 404', 'warning: names differ in case']);
  }
});

test('unsupported rules are counted, and some of them shown', () => {
  assert.deepEqual(textOf({ unsupported: unsupportedRules(1) }).slice(1, 3), [
    '1 rule not supported by this format:',
    '  rule 0: too long',
  ]);
  assert.deepEqual(textOf({ unsupported: unsupportedRules(1200) }).slice(1, 6), [
    '1,200 rules not supported by this format:',
    '  rule 0: too long',
    '  rule 1: too long',
    '  rule 2: too long',
    '  … (--verbose or --explain FILE lists all)',
  ]);
});

test('with --verbose, all of them are shown', () => {
  const text = textOf({ unsupported: unsupportedRules(50) }, true);
  assert.equal(text.filter((line) => line.startsWith('  rule ')).length, 50);
  assert.ok(!text.some((line) => line.includes('lists all')));
});

test('the JSON has the counts, the unsupported rules, the changes and the complete report', () => {
  const diff = { added: ['||a.example.com^'], removed: [], unchanged: 2 };
  const parsed: unknown = JSON.parse(summaryJson({ ...summary, unsupported: unsupportedRules(2), diff }));
  const report: unknown = JSON.parse(JSON.stringify(list.report));
  assert.deepEqual(parsed, {
    output: 'list.txt',
    bytes: 12_345,
    unchanged: false,
    seconds: 1.23,
    lines: 9,
    rules: 3,
    unsupported: unsupportedRules(2),
    unsaid: unsupportedRules(2),
    diff,
    ...(report as object),
  });
});
