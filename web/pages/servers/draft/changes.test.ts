import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerSettings } from '../../../api/wire.ts';
import {
  conflictingPaths,
  rebased,
  settingsWith,
  updateOf,
  withChanges,
  withoutPaths,
  withoutSaved,
} from './changes.ts';

const settings = {
  block_ttl_seconds: 10,
  blocking_mode_settings: { blocking_mode: 'NULL_IP' },
  access_settings: { enabled: false, blocked_clients: ['192.0.2.1'] },
} as unknown as ServerSettings;

test('changes of several sections become one request with only the differences', () => {
  const some = withChanges({}, settings, { access_settings: { enabled: true } });
  const more = withChanges(some, settings, { block_ttl_seconds: 5 });
  assert.deepEqual(updateOf(more), { access_settings: { enabled: true }, block_ttl_seconds: 5 });
  assert.deepEqual(updateOf(more, 'before'), { access_settings: { enabled: false }, block_ttl_seconds: 10 });
  assert.deepEqual(settingsWith(settings, more).access_settings, { enabled: true, blocked_clients: ['192.0.2.1'] });
});

test('a value set back to the saved one is not a change', () => {
  const some = withChanges({}, settings, { access_settings: { blocked_clients: [] } });
  assert.deepEqual(withChanges(some, settings, { access_settings: { blocked_clients: ['192.0.2.1'] } }), {});
  const mode = { blocking_mode: 'NULL_IP', ipv4_blocking_address: '' } as const;
  assert.deepEqual(withChanges({}, settings, { blocking_mode_settings: mode }), {});
});

test('a blocking mode is sent completely', () => {
  const mode = { blocking_mode: 'CUSTOM_IP', ipv4_blocking_address: '192.0.2.9' } as const;
  const changes = withChanges({}, settings, { blocking_mode_settings: mode });
  assert.deepEqual(updateOf(changes), { blocking_mode_settings: mode });
});

test('edits made while saving are kept', () => {
  const saved = withChanges({}, settings, { block_ttl_seconds: 5, access_settings: { enabled: true } });
  const typed = withChanges(saved, settings, { block_ttl_seconds: 6 });
  assert.deepEqual(withoutSaved(typed, saved), { block_ttl_seconds: { before: 5, wanted: 6 } });
});

test('concurrent changes are detected', () => {
  const changes = withChanges({}, settings, { block_ttl_seconds: 5, access_settings: { enabled: true } });
  assert.deepEqual(conflictingPaths(changes, { ...settings, block_ttl_seconds: 60 }), ['block_ttl_seconds']);
  assert.deepEqual(conflictingPaths(changes, { ...settings, block_ttl_seconds: 5 }), []);
});

test('a conflict ends when the user accepts it or takes the other value', () => {
  const changes = withChanges({}, settings, { block_ttl_seconds: 5, access_settings: { enabled: true } });
  const theirs = { ...settings, block_ttl_seconds: 60 };
  const accepted = rebased(changes, theirs);
  assert.deepEqual(conflictingPaths(accepted, theirs), []);
  assert.deepEqual(conflictingPaths(accepted, { ...theirs, block_ttl_seconds: 70 }), ['block_ttl_seconds']);
  assert.deepEqual(updateOf(accepted, 'before').block_ttl_seconds, 60);
  assert.deepEqual(updateOf(withoutPaths(changes, conflictingPaths(changes, theirs))), {
    access_settings: { enabled: true },
  });
});
