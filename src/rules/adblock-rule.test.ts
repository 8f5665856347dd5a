import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isCosmetic, isRegexRule, modifierName, splitAdblockRule, splitModifiers } from './adblock-rule.ts';

/** A split rule, written as `allow pattern modifiers`. */
function parts(rule: string): readonly [boolean, string, string | undefined] {
  const { allow, pattern, modifiers } = splitAdblockRule(rule);
  return [allow, pattern, modifiers];
}

test('a rule is a pattern', () => {
  assert.deepEqual(parts('||ads.example.com^'), [false, '||ads.example.com^', undefined]);
  assert.deepEqual(parts(''), [false, '', undefined]);
});

test('two at signs make an exception, and further ones belong to the pattern', () => {
  assert.deepEqual(parts('@@||good.example.com^'), [true, '||good.example.com^', undefined]);
  assert.deepEqual(parts('@@'), [true, '', undefined]);
  assert.deepEqual(parts('@@@x'), [true, '@x', undefined]);
  assert.deepEqual(parts('@x'), [false, '@x', undefined]);
});

test('modifiers follow the last dollar sign', () => {
  assert.deepEqual(parts('||a.com^$important'), [false, '||a.com^', 'important']);
  assert.deepEqual(parts('@@a$b$c'), [true, 'a$b', 'c']);
  assert.deepEqual(parts('||a.com^$'), [false, '||a.com^', '']);
  assert.deepEqual(parts('$popup'), [false, '', 'popup']);
});

test('a dollar sign behind a backslash separates nothing', () => {
  assert.deepEqual(parts('a\\$b'), [false, 'a\\$b', undefined]);
  assert.deepEqual(parts('a$b\\$c'), [false, 'a', 'b\\$c']);
  assert.deepEqual(parts('\\$'), [false, '\\$', undefined]);
});

test('a regular expression is all pattern, dollar signs and all', () => {
  assert.deepEqual(parts('/ads$/'), [false, '/ads$/', undefined]);
  assert.deepEqual(parts('@@/a$b/'), [true, '/a$b/', undefined]);
  assert.equal(isRegexRule('/ads/'), true);
  assert.equal(isRegexRule('/ads'), false);
  assert.equal(isRegexRule('ads/'), false);
});

test('a slash at the end of a replacement makes no regular expression of the rule', () => {
  assert.deepEqual(parts('/path$replace=/a/b/'), [false, '/path', 'replace=/a/b/']);
});

test('modifiers are separated by commas without a backslash', () => {
  assert.deepEqual(splitModifiers('important,dnstype=A'), ['important', 'dnstype=A']);
  assert.deepEqual(splitModifiers('a\\,b,c'), ['a\\,b', 'c']);
  assert.deepEqual(splitModifiers(',a,,'), ['', 'a', '', '']);
  assert.deepEqual(splitModifiers(''), ['']);
});

test('the name of a modifier ends at its first equals sign', () => {
  assert.equal(modifierName('dnsrewrite=NOERROR;A;1.2.3.4'), 'dnsrewrite');
  assert.equal(modifierName('a=b=c'), 'a');
  assert.equal(modifierName('~important'), '~important');
  assert.equal(modifierName('=x'), '');
});

test('cosmetic rules are recognised by their separator', () => {
  for (const rule of [
    'a.com##.ad',
    'a.com#@#.ad',
    'a.com#$#body {}',
    'a.com#?#.ad',
    'a.com#%#f()',
    'a.com$$div',
    'a.com$@$div',
  ]) {
    assert.equal(isCosmetic(rule), true, rule);
  }
  for (const rule of ['||a.com^$important', '# comment', '||a.com/#x', '@@||a.com^']) {
    assert.equal(isCosmetic(rule), false, rule);
  }
});

test('the parts of a rule make up its text', () => {
  const rule = fc.string({ unit: fc.constantFrom('a', '$', '\\', '/', '@', ',', '=', 'replace=', '^'), maxLength: 12 });
  fc.assert(
    fc.property(rule, (text) => {
      const { allow, pattern, modifiers } = splitAdblockRule(text);
      const back = `${allow ? '@@' : ''}${pattern}${modifiers === undefined ? '' : `$${modifiers}`}`;
      assert.equal(back, text);
      assert.equal(splitModifiers(text).join(','), text);
      assert.doesNotMatch(modifiers ?? '', /^\$|[^\\]\$/);
    }),
    { numRuns: 2000 },
  );
});
