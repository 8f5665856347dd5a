import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CompiledList, compileList, type UnsupportedRule } from '../compiler/index.ts';
import { explainText } from './explain-text.ts';

const list: CompiledList = {
  ...(await compileList({ name: 'T', sources: [{ source: '||kept.example.com^', name: 'Mine' }] })),
  dropped: [
    { rule: '! a comment', source: 'Mine', line: 1, step: 'RemoveComments', reason: 'it is a comment' },
    { rule: '||é.example^$x="y"', source: 'Mine', line: 20, step: 'Validate', reason: 'it means nothing' },
  ],
};
const unsupported: readonly UnsupportedRule[] = [
  { rule: '@@||ok.example.com^', source: 0, line: 3, reason: 'no exceptions here' },
];

const textFor = (file: string): string => Buffer.from(explainText(list, unsupported, file)).toString();

test('text output has the source, the line and the rule, and below it the step and the reason', () => {
  const text = `Mine:1: ! a comment
    RemoveComments: it is a comment
Mine:20: ||é.example^$x="y"
    Validate: it means nothing
Mine:3: @@||ok.example.com^
    format: no exceptions here
`;
  for (const file of ['-', 'dropped.txt', 'dropped', 'json']) assert.equal(textFor(file), text);
});

test('files with a JSON extension have one object per line', () => {
  for (const file of ['dropped.json', 'dropped.jsonl', 'DROPPED.JSON']) {
    const objects = textFor(file).trimEnd().split('\n');
    assert.deepEqual(
      objects.map((object): unknown => JSON.parse(object)),
      [
        ...list.dropped,
        { rule: '@@||ok.example.com^', source: 'Mine', line: 3, step: 'format', reason: 'no exceptions here' },
      ],
    );
  }
});

test('nothing is printed if no rule was dropped', () => {
  assert.equal(explainText({ ...list, dropped: [] }, [], 'dropped.txt').length, 0);
  assert.equal(explainText({ ...list, dropped: [] }, [], 'dropped.json').length, 0);
});

test('a rule of an unknown source is shown without a source', () => {
  const stray = { ...unsupported[0]!, source: 7 };
  assert.match(Buffer.from(explainText(list, [stray], 'x')).toString(), /^:3: @@\|\|ok/m);
});
