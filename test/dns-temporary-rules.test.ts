import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { overs } from './support/dig.ts';
import { homeOf, makeHome, startDns } from './support/dns.ts';
import { HERE, startWorld } from './support/dns-upstream.ts';
import { faketimeFor } from './support/faketime.ts';
import { missing } from './support/programs.ts';

const needs = { skip: missing('dig', 'kdig') };
const SITE = 'site.example.com';
const blocked = [`${SITE}. 10 IN A 0.0.0.0`];
const open = [`${SITE}. 300 IN A ${HERE}`];

test(
  'a temporary rule applies from the next query on, is listed, can be deleted, and survives a restart',
  needs,
  async (t) => {
    const world = await startWorld(t);
    const data = await temporaryFolder(t);
    const service = await startDns(t, world.address, [], { data });
    const home = await makeHome(service);
    const { id } = await home.device('asker');
    const rules = `/api/v1/dns_servers/${home.server}/temporary_rules`;
    const block = { rule: `||${SITE}^`, minutes: 10 };
    const made = await home.ask('POST', rules, block);
    assert.equal(made.rule, block.rule);
    assert.ok(made.seconds_left > 590 && made.seconds_left <= 600);
    for (const over of overs) assert.deepEqual((await home.dug(id, over, SITE)).answer, blocked);
    const listed = await home.ask('GET', rules);
    assert.deepEqual(
      listed.map((rule: { id: string }) => rule.id),
      [made.id],
    );
    const { user_rules_settings } = await home.ask('GET', `/oapi/v1/dns_servers/${home.server}/settings`);
    assert.deepEqual(user_rules_settings.rules, [], 'the published settings do not know of it');
    await home.set({ user_rules_settings: { enabled: false } });
    assert.deepEqual((await home.dug(id, 'udp', SITE)).answer, blocked, 'also where the others are switched off');
    const [row] = await home.logged(SITE);
    assert.equal(row!.filtering_info.filter_rule, block.rule);

    assert.equal(await service.stop(), 0);
    const again = await homeOf(await startDns(t, world.address, [], { data }), home.authorization);
    assert.deepEqual((await again.dug(id, 'udp', SITE)).answer, blocked);
    await again.ask('DELETE', `${rules}/${made.id}`);
    for (const over of overs) assert.match((await again.dug(id, over, SITE)).answer.join(), new RegExp(HERE));
    assert.deepEqual(await again.ask('GET', rules), []);
  },
);

test('a temporary rule can allow a name that a list or rule blocks', needs, async (t) => {
  const world = await startWorld(t);
  const home = await makeHome(await startDns(t, world.address));
  const { id } = await home.device('asker');
  await home.set({ user_rules_settings: { enabled: true, rules: [`||${SITE}^`] } });
  assert.deepEqual((await home.dug(id, 'udp', SITE)).answer, blocked);
  const rules = `/api/v1/dns_servers/${home.server}/temporary_rules`;
  await home.ask('POST', rules, { rule: `@@||${SITE}^`, minutes: 60 });
  assert.deepEqual((await home.dug(id, 'udp', SITE)).answer, open);
});

test('a temporary rule ends within a second of its expiry, without a request', {
  skip: faketimeFor.skip || needs.skip,
}, async (t) => {
  const world = await startWorld(t);
  const clock = await faketimeFor.clock(t);
  const home = await makeHome(await startDns(t, world.address, [], { env: clock.env }));
  const { id } = await home.device('asker');
  await home.ask('POST', `/api/v1/dns_servers/${home.server}/temporary_rules`, { rule: `||${SITE}^`, minutes: 10 });
  for (const over of overs) assert.deepEqual((await home.dug(id, over, SITE)).answer, blocked);
  await clock.shift('+500');
  assert.deepEqual((await home.dug(id, 'udp', SITE)).answer, blocked);
  await clock.shift('+600');
  await sleep(1000);
  for (const over of overs) assert.match((await home.dug(id, over, SITE)).answer.join(), new RegExp(HERE));
});
