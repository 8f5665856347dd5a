import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { homeOf, makeHome, startDns } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';

const needs = { skip: missing('dig', 'kdig') };
const SITE = 'site.example.com';
const rule = (enabled: boolean) => ({ user_rules_settings: { enabled, rules: [`||${SITE}^`] } });

test('a blocked name is blocked exactly when the protection state says so, also after a restart', needs, async (t) => {
  const world = await startWorld(t);
  const data = await temporaryFolder(t);
  const service = await startDns(t, world.address, [], { data });
  const first = await makeHome(service);
  const [phone, tablet] = [(await first.device('phone')).id, (await first.device('tablet')).id];
  let home = first;

  type Shown = { device_id: string; state: string; reasons: { code: string }[] };
  const check = async (expected: Readonly<Record<string, string>>, what: string): Promise<void> => {
    const states: Shown[] = await home.ask('GET', '/api/v1/protection/devices');
    for (const { device_id, state, reasons } of states) {
      assert.equal([state, ...reasons.map(({ code }) => code)].join(' '), expected[device_id], what);
      const isBlocked = state === 'protected' || state === 'partly';
      const overs: readonly ('udp' | 'doh')[] = device_id === phone ? ['udp', 'doh'] : ['udp'];
      for (const over of overs) {
        const { answer } = await home.dug(device_id, over, SITE);
        assert.equal(answer.join().endsWith(' 0.0.0.0'), isBlocked, `${what} over ${over}`);
      }
    }
  };
  const both = (state: string) => ({ [phone]: state, [tablet]: state });
  const pause = (json: object) => home.ask('POST', '/api/v1/protection/pause', json);
  const resume = (json: object) => home.ask('POST', '/api/v1/protection/resume', json);

  const quiet = { safebrowsing_settings: { enabled: false } };
  await home.set({ ...quiet, ...rule(true) });
  for (const id of [phone, tablet]) await home.dug(id, 'udp', SITE);
  await home.logged(SITE, 2);
  await check(both('protected'), 'everything is on');

  await pause({ device_id: phone, minutes: 5 });
  await check({ [phone]: 'paused device_paused', [tablet]: 'protected' }, 'a device is paused');
  const { filtering } = await home.ask('POST', `/api/v1/dns_servers/${home.server}/explain`, {
    name: SITE,
    device_id: phone,
  });
  assert.equal(filtering, 'paused');

  await pause({ until: 'tomorrow' });
  assert.equal(await service.stop(), 0);
  home = await homeOf(await startDns(t, world.address, [], { data }), home.authorization);
  const everything = 'paused dns_server_paused';
  await check({ [phone]: 'paused device_paused dns_server_paused', [tablet]: everything }, 'after a restart');
  await resume({});
  await check(both('protected'), 'all pauses were ended');

  await home.set({ protection_enabled: false });
  await check(both('off dns_server_off'), 'the DNS server is off');
  // Not the default list, whose built-in rules would soon be loaded.
  const list = { filter_lists_settings: { enabled: true, filter_list: [{ filter_id: 'oisd_full' }] } };
  await home.set({ protection_enabled: true, ...list });
  await check(both('partly lists_not_loaded'), 'a list is not loaded');
  await home.set(rule(false));
  await check(both('off nothing_loaded'), 'only lists that are not loaded are enabled');
  await home.set({ filter_lists_settings: { enabled: false } });
  await check(both('off nothing_enabled'), 'nothing is enabled');
});
