import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linesOf } from '../../../test/support/compiler/lines.ts';
import { createLineFilter, exclude, include, type LineFilter } from './line-filter.ts';

function filterOf(patterns: readonly string[]): LineFilter {
  return createLineFilter(patterns) ?? assert.fail('no pattern');
}

/** The remaining lines of a list. */
function kept(run: typeof exclude, patterns: readonly string[], texts: readonly string[]): string[] {
  const lines = linesOf(texts);
  const dropped = new Set<number>();
  run(lines, filterOf(patterns), (at) => dropped.add(at));
  return texts.filter((_, at) => !dropped.has(at));
}

test('exclusions drop each line that one of them matches', () => {
  const list = ['! ads', '||ads.com^', '||good.com^', '||Ads.com^', '@@||x.com^', ''];
  assert.deepEqual(kept(exclude, ['ads', '/^@@/'], list), ['||good.com^', '||Ads.com^', '']);
});

test('inclusions keep only lines that one of them matches, including comments', () => {
  const list = ['! ads', '||ads.com^', '||good.com^', ''];
  assert.deepEqual(kept(include, ['ads', '||G*'], list), ['! ads', '||ads.com^', '||good.com^']);
});

test('text is case-sensitive, wildcards and expressions are not', () => {
  const list = ['||ADS.com^', '||ads.com^'];
  assert.deepEqual(kept(exclude, ['||ads.com^'], list), ['||ADS.com^']);
  assert.deepEqual(kept(exclude, ['||Ads*'], list), []);
  assert.deepEqual(kept(exclude, ['/^..aDs/'], list), []);
});

test('a dropped line is reported with the exclusion that matches it', () => {
  const details: (string | undefined)[] = [];
  const lines = linesOf(['||ads.com^', '||x.com^']);
  exclude(lines, filterOf(['nothing', 'x', '*ads.com*']), (_, reason, __, detail) =>
    details.push(`${reason} ${detail}`),
  );
  assert.deepEqual(details, ['excluded *ads.com*', 'excluded x']);
});

test('without patterns the filter is undefined; duplicates and empty ones are ignored', () => {
  assert.equal(createLineFilter([]), undefined);
  assert.equal(createLineFilter(['', '']), undefined);
  assert.deepEqual(filterOf(['a', '', 'b', 'a']).patterns, ['a', 'b']);
});

test('an invalid pattern is rejected', () => {
  assert.throws(() => createLineFilter(['ads', '/(/']), /Invalid regular expression/);
});

test('patterns without a match are reported, also those that only repeat the matches of others', () => {
  const filter = filterOf(['ads.com', '||ads*', '/ads/', 'nowhere.com', '/x{9}/', 'no']);
  exclude(linesOf(['||ads.com^']), filter, () => {});
  assert.deepEqual(filter.unused(), ['nowhere.com', '/x{9}/', 'no']);
});

/** Reference: each pattern by itself, with regular expressions and `includes` only. */
function plainly(pattern: string, line: string): boolean {
  if (pattern.length > 2 && pattern.startsWith('/') && pattern.endsWith('/')) {
    return new RegExp(pattern.slice(1, -1), 'mi').test(line);
  }
  if (!pattern.includes('*')) return line.includes(pattern);
  const literal = (part: string): string => part.replace(/[.^$|()[\]{}+?\\/]/g, '\\$&');
  return new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`, 'mi').test(line);
}

const word = fc.constantFrom(
  'ads',
  'Ads',
  '.',
  'example',
  'EXAMPLE',
  '.com',
  '||',
  '^',
  '@@',
  '! ',
  'é',
  'É',
  'x',
  '0.0.0.0 ',
  's',
  'ſ',
);
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(''));
const pattern = fc.oneof(
  text,
  fc.array(fc.oneof(word, fc.constant('*')), { maxLength: 6 }).map((words) => words.join('')),
  fc.constantFrom(
    '/ads/',
    '/^\\|\\|ads/',
    '/É$/',
    '/x+\\./',
    '/^$/',
    '//',
    '/ads/i',
    '/com\\^?$/',
    '*',
    '**',
    '/',
    '^',
  ),
);

test('lines match as each pattern alone would match them, and exactly the unused patterns are reported', () => {
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 8 }), fc.array(text, { maxLength: 12 }), (patterns, texts) => {
      const filter = createLineFilter(patterns);
      const wanted = [...new Set(patterns)].filter((one) => one !== '');
      if (!filter) return assert.deepEqual(wanted, []);
      const lines = linesOf(texts);
      for (const [at, line] of texts.entries()) {
        const found = filter.match(lines, at);
        if (found === -1) assert.ok(!wanted.some((one) => plainly(one, line)), `${JSON.stringify(wanted)} on ${line}`);
        else assert.ok(plainly(filter.patterns[found]!, line), `${filter.patterns[found]} on ${line}`);
      }
      assert.deepEqual(
        filter.unused(),
        wanted.filter((one) => !texts.some((line) => plainly(one, line))),
      );
    }),
    { numRuns: 1200 },
  );
});
