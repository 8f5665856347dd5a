import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SettingState } from '../deps.ts';
import { settingToWire } from './maintenance.ts';

const setting: SettingState = {
  name: 'upstream',
  section: 'DNS',
  help: 'Upstreams.',
  placeholder: 'ADDRESS',
  isList: true,
  choices: ['a', 'b'],
  values: ['9.9.9.9'],
  source: 'default',
  place: undefined,
  isLive: false,
};
const shown = {
  name: 'upstream',
  section: 'DNS',
  help: 'Upstreams.',
  placeholder: 'ADDRESS',
  is_list: true,
  choices: ['a', 'b'],
  values: ['9.9.9.9'],
  source: 'default',
  is_live: false,
};

test('a setting with its default has no location and no pending values', () => {
  assert.deepEqual(settingToWire(setting), shown);
});

test('a setting has the location that sets it, and the values after a restart, even if these are empty', () => {
  assert.deepEqual(settingToWire({ ...setting, source: 'flag', place: '--upstream', isLive: true, pending: [] }), {
    ...shown,
    source: 'flag',
    place: '--upstream',
    is_live: true,
    pending: [],
  });
});
