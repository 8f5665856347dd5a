import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sectionNamed, sectionOf } from './sections.ts';

test('settings belong to the section with the longest path', () => {
  const expected = {
    'filter_lists_settings.filter_list[3].filter_id': 'lists',
    'parental_control_settings.blocked_services[0]': 'services',
    'parental_control_settings.enabled': 'services',
    'parental_control_settings.engines_safe_search_enabled': 'safety',
    'parental_control_settings.screen_time_schedule.daily_schedule[1]': 'schedule',
    'blocking_mode_settings.ipv4_blocking_address': 'advanced',
    block_private_relay: 'advanced',
    'name.name': 'overview',
    'localNames.dns64.prefix': 'names',
    customLists: 'lists',
    'upstreams.upstreams[0]': 'advanced',
  };
  for (const [path, section] of Object.entries(expected)) assert.equal(sectionOf(path), section, path);
});

test('links with earlier names of sections lead to the new ones, unknown names to none', () => {
  assert.deepEqual(['parental', 'blocking', 'general', undefined, 'nothing', 'schedule'].map(sectionNamed), [
    'services',
    'advanced',
    'overview',
    'overview',
    undefined,
    'schedule',
  ]);
});
