import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { evaluateCondition } from './condition.ts';

const holds = (expression: string): boolean => {
  const result = evaluateCondition(expression);
  assert.ok(result.ok, `${expression}: ${result.ok ? '' : result.error}`);
  return result.value;
};
const fault = (expression: string): string => {
  const result = evaluateCondition(expression);
  assert.ok(!result.ok, expression);
  return result.error;
};

test('only the constant true is true; all others denote browsers', () => {
  assert.equal(holds(' true '), true);
  for (const name of ['false', 'adguard', 'ext_ublock', 'True', 'truer', '1']) assert.equal(holds(name), false, name);
});

test('not, and, or and brackets have their usual meaning', () => {
  assert.equal(holds('!adguard'), true);
  assert.equal(holds('!!true'), true);
  assert.equal(holds('true && !true'), false);
  assert.equal(holds('x || true'), true);
  assert.equal(holds('!(true && x)'), true);
});

test('and binds tighter than or', () => {
  assert.equal(holds('true || x && x'), true);
  assert.equal(holds('(true || x) && x'), false);
  assert.equal(holds('x && x || true'), true);
});

test('operators need no spaces', () => {
  assert.equal(holds('true&&true'), true);
  assert.equal(holds('x||true'), true);
  assert.equal(holds('!(x||y)&&true'), true);
});

test('missing operands of a condition are an error', () => {
  for (const expression of ['', ' ', '()', 'true &&', '&& true', '|| true', '!', 'x || ()', '!()', 'x ||']) {
    assert.match(fault(expression), /Empty condition/, expression);
  }
});

test('brackets must be balanced', () => {
  for (const expression of ['(true', 'true)', ')(', '((true)', '(true))(']) {
    assert.match(fault(expression), /Incorrect brackets/, expression);
  }
});

test('words without an operator between them are an error', () => {
  assert.match(fault('(true) x'), /"x" is not expected/);
  assert.match(fault('true (x)'), /"\(" is not expected/);
});

test('an expression above the length limit is rejected, not evaluated', () => {
  assert.match(fault('!'.repeat(100_000)), /longer than/);
  assert.match(fault(`${'('.repeat(5000)}true${')'.repeat(5000)}`), /longer than/);
});

type Valued = { readonly text: string; readonly value: boolean };

/** Expressions generated from the grammar, with their values. */
const { or: expression } = fc.letrec<{ or: Valued; and: Valued; not: Valued }>((tie) => ({
  or: fc
    .tuple(fc.array(tie('and'), { minLength: 1, maxLength: 3 }), fc.constantFrom('||', ' || '))
    .map(([all, by]) => ({
      text: all.map(({ text }) => text).join(by),
      value: all.some(({ value }) => value),
    })),
  and: fc
    .tuple(fc.array(tie('not'), { minLength: 1, maxLength: 3 }), fc.constantFrom('&&', ' && '))
    .map(([all, by]) => ({
      text: all.map(({ text }) => text).join(by),
      value: all.every(({ value }) => value),
    })),
  not: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant({ text: 'true', value: true }),
    fc.constant({ text: 'adguard', value: false }),
    tie('not').map(({ text, value }) => ({ text: `!${text}`, value: !value })),
    tie('or').map(({ text, value }) => ({ text: `(${text})`, value })),
  ),
}));

test('the value of an expression follows from its parts', () => {
  const short = expression.filter(({ text }) => text.length < 500);
  fc.assert(
    fc.property(short, ({ text, value }) => assert.equal(holds(text), value, text)),
    { numRuns: 2000 },
  );
});
