import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HeaderFacts, listHeader, oneLine, sourceHeader } from './header.ts';

const facts: HeaderFacts = { timestamp: new Date('2026-11-15T06:07:08.009Z'), compiledBy: 'Weir v1', annotations: [] };
const sources = [{ source: 'a.txt' }];

test('the header has the title, the date and the compiler', () => {
  assert.deepEqual(listHeader({ name: 'My list', sources }, facts), [
    '!',
    '! Title: My list',
    '! Last modified: 2026-11-15T06:07:08.009Z',
    '!',
    '! Compiled by Weir v1',
    '!',
  ]);
});

test('further members of the header have a fixed order', () => {
  const about = { license: 'L', homepage: 'H', version: 'V', description: 'D' };
  assert.deepEqual(listHeader({ ...about, name: 'N', sources }, facts).slice(1, 6), [
    '! Title: N',
    '! Description: D',
    '! Version: V',
    '! Homepage: H',
    '! License: L',
  ]);
});

test('empty members are left out', () => {
  const empty = { description: '', version: '', homepage: '', license: '' };
  assert.deepEqual(listHeader({ ...empty, name: 'N', sources }, facts), listHeader({ name: 'N', sources }, facts));
});

test('notes are written below the date', () => {
  assert.deepEqual(
    listHeader({ name: 'N', sources }, { ...facts, annotations: ['Skipped source: b\nbad'] }).slice(2, 4),
    ['! Last modified: 2026-11-15T06:07:08.009Z', '! Skipped source: b bad'],
  );
});

test('line breaks cannot end the comment', () => {
  const header = listHeader({ name: 'N\n||a.com^', description: 'x\r\n\r\ny\rz', sources }, facts);
  assert.equal(header[1], '! Title: N ||a.com^');
  assert.equal(header[2], '! Description: x y z');
  assert.equal(oneLine('a\n\r\nb'), 'a b');
});

test('the header of a source has its name and location', () => {
  assert.deepEqual(sourceHeader({ source: 'a.txt' }, false), ['!', '! Source: a.txt', '!']);
  assert.deepEqual(sourceHeader({ source: 'a.txt', name: 'A\nB' }, false), [
    '!',
    '! Source name: A B',
    '! Source: a.txt',
    '!',
  ]);
});

test('inline rules are not repeated in their header', () => {
  assert.deepEqual(sourceHeader({ source: '||a.com^\n||b.com^' }, true), ['!', '! Source: inline rules', '!']);
});
