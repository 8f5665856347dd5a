import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTyped, suggestionsFor, type TypedFilter } from './typed-filters.ts';

const filters: readonly TypedFilter[] = [
  {
    field: 'devices',
    keys: ['gerät', 'device'],
    options: [
      { value: 'a1', label: 'Ann’s iPhone' },
      { value: 'b2', label: 'Living room TV' },
      { value: 'c3', label: 'TV' },
    ],
  },
  { field: 'companies', keys: ['company'], options: [{ value: 'google', label: 'Google' }] },
];

test('typed filters are found by name and taken out of the text', () => {
  assert.deepEqual(readTyped('ads device:ann company:GOOGLE net', filters), {
    text: 'ads net',
    found: [
      { field: 'devices', values: ['a1'] },
      { field: 'companies', values: ['google'] },
    ],
    unknown: [],
  });
  assert.deepEqual(readTyped('gerät:"living room"', filters).found, [{ field: 'devices', values: ['b2'] }]);
  assert.deepEqual(readTyped('device:tv', filters).found, [{ field: 'devices', values: ['c3'] }], 'the exact name');
});

test('filters without a match are reported, and other words with a colon are text', () => {
  assert.deepEqual(readTyped('device:fridge x', filters), {
    text: 'device:fridge x',
    found: [],
    unknown: ['device:fridge'],
  });
  assert.deepEqual(readTyped('fe80:1', filters), { text: 'fe80:1', found: [], unknown: [] });
});

test('keys and names are suggested for the last word', () => {
  assert.deepEqual(suggestionsFor('', filters), []);
  assert.deepEqual(suggestionsFor('ads com', filters), ['ads company:']);
  assert.deepEqual(suggestionsFor('device:tv', filters), ['device:"Living room TV"', 'device:TV']);
  assert.deepEqual(suggestionsFor('x device:"living r', filters), ['x device:"Living room TV"']);
  assert.deepEqual(suggestionsFor('doubleclick', filters), []);
});
