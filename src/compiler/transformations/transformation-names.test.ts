import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transform } from '../index.ts';

// The output of Compress for lists without duplicates.
const write = (list: string): string[] => transform(list.split('\n'), ['Compress']);

test('hosts lines and plain domains are converted to rules', () => {
  assert.deepEqual(write('0.0.0.0 a.com\nb.com\n::1\tc.com\n||d.com^'), [
    '||a.com^',
    '||b.com^',
    '||c.com^',
    '||d.com^',
  ]);
});

test('a hosts line with several names is replaced by one rule per name, in order', () => {
  assert.deepEqual(write('! above\n0.0.0.0 c.com a.com  b.com # d.com\n! below'), [
    '! above',
    '||c.com^',
    '||a.com^',
    '||b.com^',
    '! below',
  ]);
});

test('any text after an address counts as a name', () => {
  assert.deepEqual(write('0.0.0.0 http://a.com/\n0 !\nadd Example'), ['||http://a.com/^', '||!^', '||Example^']);
});

test('a hosts line without a name is not changed', () => {
  assert.deepEqual(write('0.0.0.0  # nothing'), ['0.0.0.0  # nothing']);
});

test('plain domains keep their case and their trailing dot', () => {
  assert.deepEqual(write('Ads.Example.COM\na.com.\n1.2.3.4'), ['||Ads.Example.COM^', '||a.com.^', '||1.2.3.4^']);
});

test('names in other scripts are only recognised in hosts lines', () => {
  assert.deepEqual(write('0.0.0.0 пример.рф\u00a0bücher.de\nпример.com'), [
    '||пример.рф^',
    '||bücher.de^',
    'пример.com',
  ]);
});

test('non-ASCII white space separates names, also after an ASCII name', () => {
  assert.deepEqual(write('0.0.0.0 a.com\u3000b.com c.com'), ['||a.com^', '||b.com^', '||c.com^']);
  assert.deepEqual(write('0.0.0.0\u00a0a.com'), ['||a.com^']);
});

test('all other lines are not changed', () => {
  const others = [
    '! x',
    '',
    ' ',
    '@@||a.com^',
    '||a.com^$important',
    '/ads/',
    'a.com##.ad',
    'a_b.com',
    'com',
    '@@',
    '||*.b.com^',
    '||c.com^|',
  ];
  assert.deepEqual(write(others.join('\n')), others);
});

test('a list grows by any number of names of its hosts lines', () => {
  const lines = Array.from({ length: 700 }, (_, at) => `0.0.0.0 a${at}.com b${at}.com c${at}.com`);
  assert.deepEqual(
    transform(lines, ['Compress']),
    lines.flatMap((line) =>
      line
        .split(' ')
        .slice(1)
        .map((name) => `||${name}^`),
    ),
  );
});
