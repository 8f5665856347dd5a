import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostsGap, hostsNameColumns, hostsNames, isHostsLine } from './hosts-line.ts';

test('a hosts line is an address, a blank and names', () => {
  for (const line of ['0.0.0.0 ads.example.com', '127.0.0.1\tads.example.com', '::1 localhost', '[::]\v x', '0 x']) {
    assert.equal(isHostsLine(line), true, line);
  }
});

test('an address may name its zone', () => {
  assert.equal(isHostsLine('fe80::1%lo0 localhost'), true);
  assert.equal(isHostsLine('fe80::1% localhost'), false);
  assert.equal(isHostsLine('fe80::1%LO localhost'), false);
});

test('any text of hexadecimal digits counts as an address', () => {
  assert.equal(isHostsLine('add example.com'), true);
  assert.equal(isHostsLine('999.999 example.com'), true);
  assert.equal(isHostsLine('2001:DB8::1 example.com'), false);
});

test('lines that only resemble hosts lines are not recognised', () => {
  for (const line of [
    '',
    '0.0.0.0',
    '0.0.0.0 ',
    ' 0.0.0.0 a.com',
    '0.0.0.0 # a comment',
    '# 0.0.0.0 a.com',
    'ads a.com',
  ]) {
    assert.equal(isHostsLine(line), false, JSON.stringify(line));
  }
});

test('two blanks and a comment make a hosts line without names', () => {
  assert.equal(isHostsLine('0.0.0.0  # a comment'), true);
  assert.deepEqual(hostsNames('0.0.0.0  # a comment'), []);
});

test('names are parted by any white space and end at a comment', () => {
  assert.deepEqual(hostsNames('0.0.0.0 a.com\tb.com\u00a0c.com  # d.com'), ['a.com', 'b.com', 'c.com']);
  assert.deepEqual(hostsNames('0.0.0.0 a.com#b.com'), ['a.com']);
  assert.deepEqual(hostsNames('0.0.0.0 a.com '), ['a.com']);
});

test('each name has its columns, also if it occurs twice', () => {
  const line = '0.0.0.0  a.com\tb.com\u00a0a.com# a.com';
  const places = hostsNames(line).map((_, nth) => hostsNameColumns(line, nth));
  assert.deepEqual(places, [
    { start: 9, end: 14 },
    { start: 15, end: 20 },
    { start: 21, end: 26 },
  ]);
});

test('the gap behind an address reaches to the comment or the end', () => {
  assert.deepEqual(hostsGap('0.0.0.0  # a comment'), { start: 7, end: 9 });
  assert.deepEqual(hostsGap('::1 \t '), { start: 3, end: 6 });
});
