import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterLists } from '../src/domain/catalogue/filter-lists.ts';
import { containedIn, isPreset, presetNames, presets, withPreset } from '../web/pages/servers/lists/presets.ts';

test('presets consist of lists of the catalogue, and no list of a preset contains another', () => {
  const known = new Set(filterLists().map(({ id }) => id));
  for (const name of presetNames) {
    const ids = new Set<string>(presets[name]);
    for (const id of ids) {
      assert.ok(known.has(id), id);
      assert.equal(containedIn(id, ids), undefined, `${name}: ${id}`);
    }
  }
});

test('a preset enables exactly its lists and keeps the entries that were saved', () => {
  const saved = [
    { filter_id: 'oisd_full', enabled: true },
    { filter_id: 'adguard_dns_filter', enabled: false },
  ];
  const chosen = withPreset('balanced', saved);
  assert.deepEqual(chosen, [
    { filter_id: 'oisd_full', enabled: false },
    { filter_id: 'adguard_dns_filter', enabled: true },
    { filter_id: 'hagezi_threat_intelligence_feeds_mini', enabled: true },
  ]);
  const enabled = new Set(chosen.filter(({ enabled }) => enabled).map(({ filter_id }) => filter_id));
  assert.deepEqual(
    presetNames.filter((name) => isPreset(name, enabled)),
    ['balanced'],
  );
});

test('a list that another enabled list contains is found', () => {
  const enabled = new Set(['hagezi_multilight', 'hagezi_pro', 'oisd_basic']);
  assert.equal(containedIn('hagezi_multilight', enabled), 'hagezi_pro');
  assert.equal(containedIn('hagezi_pro', enabled), undefined);
  assert.equal(containedIn('oisd_basic', enabled), undefined);
  assert.equal(containedIn('peter_lowe_list', enabled), undefined);
});
