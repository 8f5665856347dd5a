import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { overs } from './support/dig.ts';
import { makeHome, startDns } from './support/dns.ts';
import { address, startWorld, worldOf } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';
import { mmdbOf } from './support/query-log/mmdb.ts';

const needs = { skip: missing('dig', 'kdig') };

const database = mmdbOf({
  '127.0.0.0/8': { country: { iso_code: 'NL' }, autonomous_system_number: 64_496 },
  '198.51.100.0/24': { country: { iso_code: 'DE' }, autonomous_system_number: 64_500 },
  '203.0.113.0/24': { country: { iso_code: 'FR' }, autonomous_system_number: 64_501 },
});
const world = worldOf([address('german.example.com', '198.51.100.1'), address('french.example.com', '203.0.113.1')]);

test('with a database of places, rules about networks and countries hold', needs, async (t) => {
  const file = join(await temporaryFolder(t), 'places.mmdb');
  await writeFile(file, database);
  const upstream = await startWorld(t, world);
  const home = await makeHome(await startDns(t, upstream.address, ['--geo-database', file]));
  const { id } = await home.device('asker');
  const first = async (name: string, over: (typeof overs)[number]): Promise<string> =>
    (await home.dug(id, over, name)).answer[0]!.split(' ').at(-1)!;

  await home.set({ user_rules_settings: { enabled: true, rules: ['*$respgeo=DE'] } });
  for (const over of overs)
    for (const times of ['fresh', 'kept']) {
      assert.equal(await first('german.example.com', over), '0.0.0.0', `${over} ${times}`);
      assert.equal(await first('french.example.com', over), '203.0.113.1', `${over} ${times}`);
    }
  await home.set({ user_rules_settings: { enabled: true, rules: ['*$respgeo=AS64501'] } });
  assert.equal(await first('german.example.com', 'udp'), '198.51.100.1');
  assert.equal(await first('french.example.com', 'udp'), '0.0.0.0');
  const { answer } = await home.dug(id, 'udp', '-c', 'CH', '-t', 'TXT', 'x.example.com');
  assert.match(answer.join('\n'), /country: NL[\s\S]*asn: 64496/);

  const access = { enabled: true, allowed_clients: [] as string[], blocked_clients: ['AS64496'] };
  await home.set({ access_settings: access });
  for (const over of ['udp', 'tcp'] as const) assert.equal(await home.dig(id, over, 'french.example.com'), undefined);
  await home.set({ access_settings: { ...access, allowed_clients: ['AS64496'] } });
  assert.equal(await first('german.example.com', 'udp'), '198.51.100.1');
  await home.set({ access_settings: { ...access, blocked_clients: ['AS64999'] } });
  assert.equal(await first('german.example.com', 'udp'), '198.51.100.1');
});

test('a missing or damaged database is logged, and DNS works without it', needs, async (t) => {
  const folder = await temporaryFolder(t, { 'broken.mmdb': 'this is no database' });
  const upstream = await startWorld(t, world);
  const files = ['broken.mmdb', 'missing.mmdb'].map((name) => join(folder, name));
  const home = await makeHome(
    await startDns(
      t,
      upstream.address,
      files.flatMap((file) => ['--geo-database', file]),
    ),
  );
  const { id } = await home.device('asker');
  await home.set({
    user_rules_settings: { enabled: true, rules: ['*$respgeo=DE'] },
    access_settings: { enabled: true, blocked_clients: ['AS64496'] },
  });
  assert.equal((await home.dug(id, 'udp', 'german.example.com')).answer[0]!.split(' ').at(-1), '198.51.100.1');
  const said = JSON.stringify(home.service.log);
  for (const words of ['broken.mmdb: cannot be read', 'missing.mmdb: cannot be found'])
    assert.ok(said.includes(words), words);
});
