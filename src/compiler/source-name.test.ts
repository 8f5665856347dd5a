import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstLine, sourceName } from './source-name.ts';

test('the display name of a source is its name or location', () => {
  assert.equal(sourceName({ name: 'Ads', source: 'lists/ads.txt' }), 'Ads');
  assert.equal(sourceName({ source: 'lists/ads.txt' }), 'lists/ads.txt');
});

test('the display name of inline rules is their beginning', () => {
  assert.equal(sourceName({ source: '\n||a.com^\r\n||b.com^\n' }), '||a.com^…');
  assert.equal(sourceName({ source: '||a.com^\n' }), '||a.com^');
});

test('a long line is truncated', () => {
  assert.equal(firstLine('x'.repeat(200)), 'x'.repeat(200));
  assert.equal(firstLine('x'.repeat(201)), `${'x'.repeat(200)}…`);
});
