import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountWith, deviceWith, profileWith } from '../../test/support/resolver/directory.ts';
import { defaultSettings } from '../domain/default-settings.ts';
import { accountLines, readAccountLines } from './account-lines.ts';
import type { FeedAccount } from './feed-account.ts';

const account = (id: string, settings: object = {}): FeedAccount => {
  const profile = profileWith('aaaaaaaa', { ...defaultSettings(), ...settings }, id);
  const devices = [deviceWith('00000001', profile.id, { name: 'Gerät 🖨' })];
  return { ...accountWith(id, { profiles: [profile], devices }), customLists: [] };
};

test('accounts are read from their lines, with the lists that they use, and again from the same memory', () => {
  const userRules = { enabled: true, rules: ['/^ads[0-9]+\\./'] };
  const filterLists = { enabled: true, lists: [{ id: 'other_list', enabled: true }] };
  const given = [account('anna'), account('ben'), account('carl', { userRules }), account('dora', { filterLists })];
  const { accounts, summary } = readAccountLines(accountLines(given), new Set(['ben']));
  assert.deepEqual(summary.ids, ['anna', 'carl', 'dora']);
  assert.deepEqual(summary.heavy, ['carl']);
  assert.deepEqual(summary.useOfId, [0, 0, 1]);
  assert.deepEqual(summary.uses[1]?.filterLists, ['other_list']);
  for (const [read, readAgain] of accounts) {
    assert.equal(read.devices[0]?.name, 'Gerät 🖨');
    assert.ok(!('customLists' in read));
    assert.deepEqual(readAgain(), read);
  }
  assert.deepEqual(readAccountLines(accountLines([]), new Set()).accounts, []);
});
