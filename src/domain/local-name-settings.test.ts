import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLocalNameSettings, type LocalNameSettingsInput, rebindingPresets } from './local-name-settings.ts';

const check = (input: Partial<LocalNameSettingsInput>) =>
  checkLocalNameSettings({ dns64: undefined, rebindingAllowed: [], searchDomains: [], ...input });

const prefixOf = (prefix?: string) => {
  const settings = check({ dns64: { prefix } });
  return settings.ok ? settings.value.dns64?.prefix : settings.error.kind;
};

test('DNS64 prefixes are those of RFC 6052', () => {
  assert.equal(prefixOf(), '64:ff9b::/96');
  assert.equal(prefixOf('2001:DB8:1::/48'), '2001:db8:1::/48');
  for (const length of [32, 40, 48, 56, 64, 96]) assert.equal(prefixOf(`2001:db8::/${length}`), `2001:db8::/${length}`);
  for (const wrong of ['2001:db8::/33', '2001:db8::/128', '2001:db8::', '10.0.0.0/8', 'x', '2001:db8:0:0:100::/96'])
    assert.equal(prefixOf(wrong), 'invalid', wrong);
  const off = check({});
  assert.ok(off.ok && off.value.dns64 === undefined);
});

test('domains are in canonical form and named once; errors have paths', () => {
  const settings = check({ rebindingAllowed: ['Plex.direct.', '*.plex.direct'], searchDomains: ['Home', 'lan'] });
  assert.ok(settings.ok);
  assert.deepEqual(settings.value.rebindingAllowed, ['plex.direct']);
  assert.deepEqual(settings.value.searchDomains, ['home', 'lan']);
  const wrong = check({ rebindingAllowed: ['ok', 'a b'], searchDomains: Array.from({ length: 7 }, (_, i) => `d${i}`) });
  assert.ok(!wrong.ok && wrong.error.kind === 'invalid');
  assert.deepEqual(
    wrong.error.errors.map(({ field }) => field),
    ['rebinding_allowed[1]', 'search_domains'],
  );
});

test('every preset is a valid domain', () => {
  const domains = rebindingPresets.map(({ domain }) => domain);
  const settings = check({ rebindingAllowed: domains });
  assert.ok(settings.ok);
  assert.deepEqual(settings.value.rebindingAllowed, domains);
});
