import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sections } from './setting-kinds.ts';

test('every section of the settings has a name in the interface', () => {
  const { settings } = JSON.parse(readFileSync('web/locales/en/system.json', 'utf8'));
  assert.deepEqual(Object.keys(settings.sections), [...sections]);
});
