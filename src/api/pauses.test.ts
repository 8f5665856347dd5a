import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { deviceOperations } from './devices.ts';
import { dnsServerOperations } from './dns-servers.ts';
import { pauseOperations } from './pauses.ts';

async function openPauses(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, [...pauseOperations, ...deviceOperations, ...dnsServerOperations]);
  const [home, other] = [await api.account('home'), await api.account('other')];
  const { reply: server } = await api.done('createDNSServer', home, { body: { name: 'Second' } });
  const body = { device_type: 'ANDROID', dns_server_id: home.server, name: 'Phone' };
  const { reply: device } = await api.done('createDevice', home, { body });
  const pausedIn = async (account: typeof home) => {
    const { read } = api.store;
    const ends = [
      ...(await read.profiles.list(account.account)).map(({ id, settings }) => [id, settings.own.pausedUntil] as const),
      ...(await read.devices.list(account.account)).map(({ id, pausedUntil }) => [id, pausedUntil] as const),
    ];
    return Object.fromEntries(ends.filter(([, end]) => end !== undefined));
  };
  return { ...api, home, other, second: server.id as string, device: device.id as string, pausedIn };
}
const minutes = { minutes: 10 };

test('a device, a DNS server or all of them are paused; other accounts are not', async (t) => {
  const { call, done, home, other, second, device, pausedIn, clock } = await openPauses(t);
  const probe = await call('pauseProtection', home, { body: { ...minutes, device_id: device } });
  assert.ok(probe.ok, JSON.stringify(probe));
  const end = Date.parse(probe.value.reply.paused_until);
  assert.equal(end, clock.now + 600_000);
  assert.deepEqual(await pausedIn(home), { [device]: end });
  await done('pauseProtection', home, { body: { ...minutes, dns_server_id: second } });
  assert.deepEqual(await pausedIn(home), { [device]: end, [second]: end });
  const { audit } = await done('pauseProtection', home, { body: minutes });
  assert.equal(audit!.action, 'protection.pause');
  assert.deepEqual(await pausedIn(home), { [device]: end, [second]: end, [home.server]: end });
  assert.deepEqual(await pausedIn(other), {});
});

test('a resume ends one pause, or all of the account', async (t) => {
  const { done, home, second, device, pausedIn } = await openPauses(t);
  await done('pauseProtection', home, { body: minutes });
  await done('pauseProtection', home, { body: { ...minutes, device_id: device } });
  await done('resumeProtection', home, { body: { dns_server_id: second } });
  assert.deepEqual(Object.keys(await pausedIn(home)).sort(), [device, home.server].sort());
  await done('resumeProtection', home, { body: {} });
  assert.deepEqual(await pausedIn(home), {});
});

test('ids of another account are not found, and two ids are an error', async (t) => {
  const { call, home, other, device, pausedIn } = await openPauses(t);
  for (const body of [{ device_id: device }, { dns_server_id: home.server }]) {
    const result = await call('pauseProtection', other, { body: { ...minutes, ...body } });
    assert.equal(!result.ok && result.error.kind, 'not found');
  }
  const both = { ...minutes, device_id: device, dns_server_id: home.server };
  const result = await call('pauseProtection', home, { body: both });
  assert.equal(!result.ok && result.error.kind, 'invalid');
  assert.deepEqual(await pausedIn(home), {});
});
