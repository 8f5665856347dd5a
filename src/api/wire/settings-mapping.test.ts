import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rightUpdates, roomy } from '../../../test/support/domain/settings.ts';
import { defaultSettings } from '../../domain/default-settings.ts';
import { updateSettings } from '../../domain/profile-update.ts';
import { schemaCheck } from '../../http/check-body.ts';
import { DNSServerSettings, DNSServerSettingsUpdate } from './dns-server-settings.ts';
import { settingsFromWire, settingsToWire } from './settings-mapping.ts';

const isSettings = schemaCheck(DNSServerSettings);
const isUpdate = schemaCheck(DNSServerSettingsUpdate);

test('settings that are read and sent back are unchanged', () => {
  fc.assert(
    fc.property(rightUpdates, (update) => {
      const settings = updateSettings(defaultSettings(), update, roomy);
      assert.ok(settings.ok);
      const wire = settingsToWire(settings.value);
      assert.ok(isSettings(wire).ok);
      assert.ok(isUpdate(wire).ok);
      assert.deepEqual(updateSettings(defaultSettings(), settingsFromWire(wire), roomy), settings);
    }),
  );
});

test('members absent on the wire change nothing', () => {
  const empty = {
    access_settings: {},
    user_rules_settings: {},
    parental_control_settings: {},
    safebrowsing_settings: {},
  };
  for (const wire of [{}, empty]) {
    const updated = updateSettings(defaultSettings(), settingsFromWire(wire), roomy);
    assert.deepEqual(updated, { ok: true, value: defaultSettings() });
  }
});

test('members of newer versions are always shown', () => {
  assert.deepEqual(settingsToWire(defaultSettings()).safebrowsing_settings, {
    block_dangerous_domains: true,
    block_nrd: false,
    enabled: true,
    blocking_mode_settings: { blocking_mode: 'NONE' },
    typosquatting_protection_enabled: false,
    homoglyph_protection_enabled: false,
  });
  const update = { safebrowsing_settings: { blocking_mode_settings: { blocking_mode: 'REFUSED' as const } } };
  const updated = updateSettings(defaultSettings(), settingsFromWire(update), roomy);
  assert.ok(updated.ok);
  assert.deepEqual(settingsToWire(updated.value).safebrowsing_settings.blocking_mode_settings, {
    blocking_mode: 'REFUSED',
  });
});
