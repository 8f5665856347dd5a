import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { longLists, shortLists } from '../../test/support/compiler/transformed-lists.ts';
import { transform } from './index.ts';
import { inOrder, type TransformationName, transformationNames, validatorNames } from './pipeline.ts';

test('transformations run in their fixed order', () => {
  assert.deepEqual(transformationNames, [
    'ConvertToAscii',
    'TrimLines',
    'RemoveComments',
    'Compress',
    'RemoveModifiers',
    'InvertAllow',
    'Validate',
    'ValidateAllowIp',
    'ValidateAllowPublicSuffix',
    'ValidateAllowIpAndPublicSuffix',
    'Deduplicate',
    'RemoveEmptyLines',
    'InsertFinalNewLine',
  ]);
  assert.deepEqual(inOrder(['Deduplicate', 'Compress', 'TrimLines', 'Compress']), [
    'TrimLines',
    'Compress',
    'Deduplicate',
  ]);
});

test('four of them are validators', () => {
  assert.deepEqual(
    validatorNames,
    transformationNames.filter((name) => name.startsWith('Validate')),
  );
  assert.equal(validatorNames.length, 4);
});

test('without transformations, a list is unchanged', () => {
  const lines = ['! x', '', ' ||a.com^ ', '||a.com^', '||a.com^'];
  assert.deepEqual(transform(lines, []), lines);
});

test('a transformation gets the result of the previous one', () => {
  const list = ['  0.0.0.0 пример.рф  ', '! x', '||a.b.com^', '||b.com^$third-party', '||b.com^', '||b.com^'];
  assert.deepEqual(
    transform(list, ['Deduplicate', 'RemoveModifiers', 'Compress', 'RemoveComments', 'TrimLines', 'ConvertToAscii']),
    ['||xn--e1afmkfd.xn--p1ai^', '||b.com^'],
  );
});

test('order and repetitions of their names are ignored', () => {
  const names = fc.uniqueArray(fc.constantFrom(...transformationNames), { maxLength: 8 });
  const shuffled = names.chain((wanted) =>
    fc.tuple(
      fc.constant(wanted),
      fc.shuffledSubarray([...wanted, ...wanted], { minLength: wanted.length * 2, maxLength: wanted.length * 2 }),
    ),
  );
  fc.assert(
    fc.property(shortLists, shuffled, (lines, [wanted, again]) => {
      assert.deepEqual(transform(lines, again), transform(lines, wanted));
    }),
    { numRuns: 280 },
  );
});

/** Each run starts from the text alone, so that no state of one run can affect the next. */
function sameAsOneByOne(lines: readonly string[], wanted: readonly TransformationName[]): void {
  const oneByOne = inOrder(wanted).reduce((list, name) => transform(list, [name]), [...lines]);
  assert.deepEqual(transform(lines, wanted), oneByOne);
}

test('running them together equals running them separately in order', () => {
  const names = fc.uniqueArray(fc.constantFrom(...transformationNames), { maxLength: 8 });
  fc.assert(fc.property(shortLists, names, sameAsOneByOne), { numRuns: 280 });
});

test('names that Compress marks as normalized are valid in later steps', () => {
  const behind = fc.subarray<TransformationName>(['RemoveModifiers', 'InvertAllow', 'Deduplicate', 'RemoveEmptyLines']);
  const validator = fc.constantFrom(undefined, ...validatorNames);
  fc.assert(
    fc.property(fc.oneof(shortLists, longLists), behind, validator, (lines, names, check) => {
      sameAsOneByOne(lines, ['Compress', ...names, ...(check ? [check] : [])]);
    }),
    { numRuns: 80 },
  );
});
