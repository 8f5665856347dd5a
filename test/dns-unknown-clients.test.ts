import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { overs } from './support/dig.ts';
import { homeOf, makeHome, startDns } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';

test('with unknown-clients set, unknown clients get the settings of that DNS server', {
  skip: missing('dig', 'kdig'),
}, async (t) => {
  const world = await startWorld(t);
  const data = await temporaryFolder(t);
  const before = await startDns(t, world.address, [], { data });
  const owner = await makeHome(before);
  await owner.set({ user_rules_settings: { enabled: true, rules: ['||blocked.example.com^'] } });
  assert.equal((await owner.dug(undefined, 'udp', 'open.example.com')).status, 'REFUSED');
  assert.equal(await before.stop(), 0);

  const service = await startDns(t, world.address, ['--unknown-clients', owner.server], { data });
  const home = await homeOf(service, owner.authorization);
  for (const over of overs) {
    for (const device of [undefined, 'ffffffff']) {
      assert.equal((await home.dug(device, over, 'open.example.com')).status, 'NOERROR');
      assert.deepEqual((await home.dug(device, over, 'blocked.example.com')).answer, [
        'blocked.example.com. 10 IN A 0.0.0.0',
      ]);
    }
  }
  for (const row of await home.logged('example.com', overs.length * 4)) {
    assert.equal(row.dns_server_id, owner.server);
    assert.equal(row.device_id, '');
  }
  // Unknown clients may not read the debug answer, which shows settings.
  assert.equal((await home.dug(undefined, 'udp', '-c', 'CH', '-t', 'TXT', 'blocked.example.com')).status, 'REFUSED');
});
