import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../../test/support/compiler/lines.ts';
import { toStrings } from '../lines/lines.ts';
import { readLines } from '../lines/read-lines.ts';
import { createWorkspace } from '../lines/workspace.ts';
import { resolveConditions } from './conditions.ts';

const resolve = (list: string): string[] => toStrings(resolveConditions(readLines(createWorkspace(), utf8(list), 0)));

test('lines are kept if their condition is true; directives are removed', () => {
  assert.deepEqual(resolve('a\n!#if true\nb\n!#endif\n!#if adguard\nc\n!#endif\nd'), ['a', 'b', 'd']);
});

test('lines after the else are kept if the condition is false', () => {
  assert.deepEqual(resolve('!#if adguard\na\n!#else\nb\n!#endif'), ['b']);
  assert.deepEqual(resolve('!#if !adguard\na\n!#else  \nb\n!#endif'), ['a']);
});

test('conditions can be nested', () => {
  assert.deepEqual(resolve('!#if true\na\n!#if x\nb\n!#else\nc\n!#endif\nd\n!#endif\ne'), ['a', 'c', 'd', 'e']);
  assert.deepEqual(resolve('!#if x\na\n!#if true\nb\n!#endif\nc\n!#endif\nd'), ['d']);
});

test('an else belongs to the outer condition if the inner one is closed', () => {
  assert.deepEqual(resolve('!#if true\n!#if true\na\n!#endif\nb\n!#else\nc\n!#endif'), ['a', 'b']);
});

test('in a skipped branch, an else belongs to the last condition without one', () => {
  assert.deepEqual(resolve('!#if x\n!#if true\na\n!#else\nb\n!#endif\n!#else\nc\n!#endif'), ['c']);
  assert.deepEqual(resolve('!#if x\n!#if true\na\n!#endif\nb\n!#else\nc\n!#endif'), []);
});

test('a condition in a skipped branch is not evaluated', () => {
  assert.deepEqual(resolve('!#if x\n!#if ((\na\n!#endif\n!#endif\nb'), ['b']);
});

test('directives must be in lower case at the start of a line', () => {
  const lines = ['!#IF x', ' !#if x', '! #if x', '#if x', '!#safari_cb_affinity', '!#'];
  assert.deepEqual(resolve(lines.join('\n')), lines);
});

test('text after an endif is ignored', () => {
  assert.deepEqual(resolve('!#if x\na\n!#endif of x\nb'), ['b']);
});

test('lines keep their numbers', () => {
  const lines = resolveConditions(readLines(createWorkspace(), utf8('!#if true\n\na\n!#endif\nb'), 4));
  assert.deepEqual([lines.number[0], lines.number[1], lines.source[1]], [3, 5, 4]);
});

test('every unmatched directive is reported with its line', () => {
  assert.throws(() => resolve('a\n!#if true\nb'), /line 2: this !#if is never closed/);
  assert.throws(() => resolve('a\n!#endif'), /line 2: this !#endif has no !#if/);
  assert.throws(() => resolve('a\n!#else'), /line 2: this !#else has no !#if/);
  assert.throws(() => resolve('!#if true\n!#else\n!#else\n!#endif'), /line 3: a second !#else for the !#if of line 1/);
  assert.throws(() => resolve('!#if true\n!#else x\n!#endif'), /line 2: nothing may follow !#else/);
  assert.throws(() => resolve('a\n!#if\n!#endif'), /line 2: Invalid directives: Empty condition/);
  assert.throws(() => resolve('!#if (x\n!#endif'), /line 1: Invalid directives: Incorrect brackets/);
});
