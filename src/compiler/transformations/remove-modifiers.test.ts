import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isCommentText, longLists, shortLists } from '../../../test/support/compiler/transformed-lists.ts';
import { transform } from '../index.ts';

const removeModifiers = (list: string): string[] => transform(list.split('\n'), ['RemoveModifiers']);
const unchanged = (...rules: string[]): void => assert.deepEqual(removeModifiers(rules.join('\n')), rules);

test('modifiers without meaning for DNS are removed', () => {
  for (const modifier of ['third-party', '3p', 'all', 'document', 'doc', 'popup', 'network']) {
    assert.deepEqual(removeModifiers(`||a.com^$${modifier}`), ['||a.com^'], modifier);
    assert.deepEqual(removeModifiers(`@@||a.com^$${modifier}=1,important`), ['@@||a.com^$important'], modifier);
  }
});

test('other modifiers are kept', () => {
  unchanged(
    '||a.com^$important',
    '||a.com^$~third-party',
    '||a.com^$Popup',
    '||a.com^$domain=b.com',
    '||a.com^$all-of-it',
  );
});

test('all other bytes of the rule are kept', () => {
  assert.deepEqual(removeModifiers('||a.com^$a=b=c,popup,d\\,popup,,dnsrewrite=x\\$y'), [
    '||a.com^$a=b=c,d\\,popup,,dnsrewrite=x\\$y',
  ]);
  unchanged('||a.com^$a=b=c', '||a.com^$x\\,y', '||a.com^$,,', '||a.com^$');
});

test('a rule with only such modifiers loses its dollar sign, too', () => {
  assert.deepEqual(removeModifiers('||a.com^$popup,,3p\n$popup\n@@$all'), ['||a.com^', '', '@@']);
});

test('only the last dollar sign begins modifiers', () => {
  assert.deepEqual(removeModifiers('||a.com/$popup,x$popup'), ['||a.com/$popup,x']);
});

test('cosmetic rules, comments, hosts lines and regular expressions are not changed', () => {
  unchanged('a.com##x$popup', 'a.com#@#x$popup', 'a.com#$#x$popup', 'a.com#?#x$popup', 'a.com$$x$popup');
  unchanged('! x$popup', '# x$popup', '0.0.0.0 a.com # $popup', '/ads$popup/', '@@');
});

test('every line is trimmed of all white space', () => {
  assert.deepEqual(removeModifiers(' ||a.com^$popup \n\u00a0! x\t\n \u3000\n\va.com'), [
    '||a.com^',
    '! x',
    '',
    'a.com',
  ]);
});

/** Reference with regular expressions. */
function plainly(line: string): string {
  const rule = line.trim();
  const found = /^(?<pattern>.*?)(?<!\\)\$(?<modifiers>(?:[^$]|(?<=\\)\$)*)$/.exec(rule);
  const isHosts = /^[0-9a-f.:[\]]+(?:%[0-9a-z]+)?\s+[^#]+(?:#.*)?$/.test(rule);
  const isOther =
    isCommentText(rule) ||
    (isHosts && /#.*\$/.test(rule)) ||
    /#[@$?%]*#|\$@?\$/.test(rule) ||
    /^(?:@@)?\/.*\/$/.test(rule);
  if (!found?.groups || isOther) return rule;
  const { pattern, modifiers } = found.groups;
  const parts = modifiers!.split(/(?<!\\),/);
  const kept = parts.filter((part) => !/^(?:third-party|3p|all|document|doc|popup|network)(?:=|$)/.test(part));
  if (kept.length === parts.length) return rule;
  return kept.join('') === '' ? pattern! : `${pattern}$${kept.join(',')}`;
}

const sameAsPlainly = (lines: readonly string[]): void => {
  assert.deepEqual(transform(lines, ['RemoveModifiers']), lines.map(plainly));
};

test('modifiers of hosts lines are removed, but not text in their comments', () => {
  const lines = ['127.0.0.1 x.com|$document', '0.0.0.0 x.com$important,doc', '0.0.0.0 x.com # costs $document'];
  assert.deepEqual(transform(lines, ['RemoveModifiers']), [
    '127.0.0.1 x.com|',
    '0.0.0.0 x.com$important',
    '0.0.0.0 x.com # costs $document',
  ]);
});

test('any rule is changed as by regular expressions', () => {
  const modifier = fc.constantFrom(
    'popup',
    'popup=1',
    '~popup',
    'all',
    'doc',
    'important',
    'a=b=c',
    'a\\',
    '',
    'x\\$',
    ' ',
  );
  const rule = fc
    .tuple(
      fc.constantFrom('||a.com^', '@@||a.com^', '', 'a$b', ' a.com', '/x/', 'a\\'),
      fc.array(modifier, { maxLength: 5 }),
    )
    .map(([pattern, modifiers]) => `${pattern}$${modifiers.join(',')}`);
  fc.assert(fc.property(fc.array(rule), sameAsPlainly), { numRuns: 800 });
});

test('so is any list, of many blocks too', () => {
  fc.assert(fc.property(shortLists, sameAsPlainly), { numRuns: 400 });
  fc.assert(fc.property(longLists, sameAsPlainly), { numRuns: 6 });
});
