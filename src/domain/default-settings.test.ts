import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings, storedSettings } from './default-settings.ts';
import type { ProfileSettings } from './profile.ts';

test('settings that were stored before filtering categories existed block none', () => {
  const { blockedCategories: _, ...parental } = { ...defaultSettings().parental, blockAdult: true };
  const older = JSON.parse(JSON.stringify({ ...defaultSettings(), parental })) as ProfileSettings;
  const read = storedSettings(older);
  assert.deepEqual(read.parental, { ...parental, blockedCategories: [] });
});
