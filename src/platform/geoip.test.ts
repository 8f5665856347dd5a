import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { mmdbOf } from '../../test/support/query-log/mmdb.ts';
import { geoipLookup } from '../dns-server/geoip-lookup.ts';
import { addressBytes } from '../resolver/identity/address-key.ts';
import { openGeoIp } from './geoip.ts';

const countries = mmdbOf({
  '192.0.2.0/24': { country: { iso_code: 'DE' } },
  '198.51.100.0/25': { registered_country: { iso_code: 'us' } },
});
const networks = mmdbOf({
  '192.0.0.0/8': { autonomous_system_number: 64_500, autonomous_system_organization: 'Example' },
});

test('the data of an address is combined from all files', async (t) => {
  const folder = await temporaryFolder(t);
  const files = ['countries.mmdb', 'networks.mmdb'].map((name) => join(folder, name));
  await writeFile(files[0]!, countries);
  await writeFile(files[1]!, networks);
  const places = openGeoIp(files, (problem) => assert.fail(String(problem)));
  const of = (text: string) => places.of(addressBytes(text)!);
  assert.deepEqual(of('192.0.2.77'), { country: 'DE', asn: 64_500, network: 'Example' });
  assert.deepEqual(of('198.51.100.1').country, 'US');
  assert.deepEqual(of('198.51.100.200').country, undefined);
  assert.deepEqual(of('192.9.9.9').asn, 64_500);
  assert.deepEqual(of('2001:db8::1'), { country: undefined, asn: undefined, network: undefined });
});

test('a missing or damaged file is ignored, and logged once', async (t) => {
  const folder = await temporaryFolder(t, { 'broken.mmdb': 'this is no database' });
  const problems: string[] = [];
  const files = ['broken.mmdb', 'missing.mmdb'].map((name) => join(folder, name));
  const places = openGeoIp(files, (problem) => problems.push(String(problem)));
  assert.equal(places.of(addressBytes('192.0.2.1')!).country, undefined);
  places.refresh();
  assert.equal(problems.length, 2, problems.join());
  assert.match(problems.join(), /broken\.mmdb: cannot be read[\s\S]*missing\.mmdb: cannot be found/);
});

test('a new or changed file is used within a minute', async (t) => {
  const file = join(await temporaryFolder(t), 'later.mmdb');
  let now = 0;
  const placeOf = geoipLookup([file], () => now)!;
  const address = addressBytes('192.0.2.1')!;
  assert.equal(placeOf(address).country, undefined);
  await writeFile(file, countries);
  assert.equal(placeOf(address).country, undefined);
  now += 60_000;
  assert.equal(placeOf(address).country, 'DE');
});
