import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountWith, deviceWith, profileWith } from '../../test/support/resolver/directory.ts';
import { defaultSettings } from '../domain/default-settings.ts';
import { HAS_NO_LOG, HAS_REGEX_RULES, lineText, READ_AT_ONCE, readIndex } from '../resolver/identity/account-block.ts';
import { accountsIn, blockOf, indexed, parseDirectoryAccount, useIn } from './account-blocks.ts';
import type { FeedAccount } from './feed-account.ts';

const account = (id: string, settings: object = {}, more: object = {}): FeedAccount => {
  const profile = profileWith('aaaaaaaa', { ...defaultSettings(), ...settings }, id);
  const devices = [deviceWith('00000001', profile.id, { name: 'Gerät 🖨' })];
  return { ...accountWith(id, { profiles: [profile], devices }), customLists: [], ...more };
};

test('accounts are read from their lines, with the lists that they use', () => {
  const userRules = { enabled: true, rules: ['/^ads[0-9]+\\./'] };
  const filterLists = { enabled: true, lists: [{ id: 'other_list', enabled: true }] };
  const own = { ...defaultSettings().own, customLists: [{ id: 'mine', enabled: true }] };
  const source = { kind: 'rules', rules: '||ads.example^' };
  const given = [
    account('anna', {}, { note: '\u2028' }),
    account('carl', { userRules }, { logEnabled: false }),
    account('dora', { filterLists }, { dedicated: [{ ip: '192.0.2.1', device: undefined }] }),
    account('emil', { own }, { customLists: [{ id: 'mine', account: 'emil', source }] }),
  ];
  const block = blockOf(given);
  const index = readIndex(block);
  assert.deepEqual(
    index.map(({ id, flags, devices }) => [id, flags, devices]),
    [
      ['anna', 0, 1],
      ['carl', HAS_REGEX_RULES | HAS_NO_LOG, 1],
      ['dora', READ_AT_ONCE, 1],
      ['emil', 0, 1],
    ],
  );
  assert.deepEqual(
    index.map((entry) => useIn(block, entry).filterLists),
    [['adguard_dns_filter'], ['adguard_dns_filter'], ['other_list'], ['adguard_dns_filter']],
  );
  assert.equal(block.uses.length, 2);
  assert.deepEqual(useIn(block, index[3]!).customIds, ['mine']);
  // The last line end is one.
  assert.equal(
    Buffer.from(block.lines)
      .toString()
      .split(/[\n\u2028]/).length,
    given.length + 1,
  );
  for (const [nth, entry] of index.entries()) {
    const read = parseDirectoryAccount(lineText(block, entry));
    assert.equal(read.id, given[nth]!.id);
    assert.equal(read.devices[0]?.name, 'Gerät 🖨');
    assert.ok(!('customLists' in read));
  }
  assert.deepEqual(readIndex(indexed(block.lines)), index);
  assert.deepEqual(accountsIn(indexed(block.lines)), accountsIn(block));
  assert.deepEqual(readIndex(blockOf([])), []);
});
