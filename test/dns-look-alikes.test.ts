import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeHome, startDns, until } from './support/dns.ts';
import { HERE, startWorld } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';

const needs = { skip: missing('dig') };

const world = await startWorld({ after });
const home = await makeHome(await startDns({ after }, world.address));
const { id } = await home.device('phone');

const protections = [
  { member: 'typosquatting_protection_enabled', type: 'TYPOSQUATTING', name: 'gogle.com', other: 'google.com' },
  { member: 'homoglyph_protection_enabled', type: 'HOMOGLYPH', name: 'xn--pypal-4ve.com', other: 'paypal.com' },
];

for (const { member, type, name, other } of protections)
  test(`${name} is blocked with ${member}, and the log says why`, needs, async () => {
    const first = async (domain: string): Promise<string | undefined> =>
      (await home.dug(id, 'udp', domain)).answer[0]?.split(' ').at(-1);
    assert.equal(await first(name), HERE);
    await home.set({ safebrowsing_settings: { enabled: true, [member]: true } });
    await until(`${name} is blocked`, async () => ((await first(name)) === '0.0.0.0' ? true : undefined));
    assert.equal(await first(other), HERE);
    // Rows of queries before the table was there may come first.
    const { filtering_info: reason } = await until('a blocked row', async () =>
      (await home.logged(name)).find(({ filtering_info }) => filtering_info.filtering_status === 'REQUEST_BLOCKED'),
    );
    assert.equal(reason.filtering_type, type);
    assert.equal(reason.filter_rule, `||${name}^`);
    await home.set({ safebrowsing_settings: { [member]: false } });
    assert.equal(await first(name), HERE);
  });
