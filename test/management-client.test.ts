import assert from 'node:assert/strict';
import { test } from 'node:test';
import connect from 'swagger-client';
import { assertConforms } from './support/conforms.ts';
import { type Management, NOW, PASSWORD, startManagement } from './support/management.ts';
import { contractOperations } from './support/management-contract.ts';
import { contractOperations15 } from './support/management-contract-15.ts';
import { databases } from './support/store/stores.ts';

for (const [name, newDatabase] of Object.entries(databases))
  test(`${name}: a client made from the document can use every published operation`, async (t) => {
    const options = await newDatabase(t);
    if (!options) return t.skip('there is no PostgreSQL here');
    await useEverything(await startManagement(t, {}, options));
  });

async function useEverything(management: Management): Promise<void> {
  const { url, document, account, log, store } = management;
  await account('anna@example.org');
  const used = new Set<string>();
  let authorization = '';
  const client = await connect({
    url: `${url}/swagger/openapi.json`,
    requestInterceptor: (request) => {
      if (authorization !== '') request.headers['Authorization'] = authorization;
      return request;
    },
  });
  const calls = new Map(Object.values(client.apis).flatMap((group) => Object.entries(group)));
  const call = async (id: string, parameters: object = {}, requestBody?: unknown) => {
    used.add(id);
    const answer = await calls.get(id)!(parameters, requestBody === undefined ? {} : { requestBody });
    const type = answer.headers['content-type'] ?? null;
    const [method = ''] = (contractOperations[id] ?? contractOperations15[id])!.split(' ');
    assertConforms(document, method, new URL(answer.url).pathname, { ...answer, type, json: answer.body });
    return answer;
  };

  const tokens = await call('accessToken', {}, { username: 'anna@example.org', password: PASSWORD });
  authorization = `Bearer ${tokens.body.access_token}`;
  const [server] = (await call('listDNSServers')).body;
  const device = (await call('createDevice', {}, { name: 'Phone', device_type: 'IOS', dns_server_id: server.id })).body;
  const device_id = device.id;
  const { account: accountId } = (await store.read.users.byEmail('anna@example.org'))!;
  await log.append([
    {
      time: NOW,
      account: accountId,
      dnsServer: server.id,
      device: device_id,
      domain: 'ads.example',
      type: 1,
      rcode: 0,
      protocol: 'DOH',
      status: 'REQUEST_BLOCKED',
      source: 'FILTERS',
      filterId: 'adguard_dns_filter',
      rule: '||ads.example^',
      responseCountry: 'US',
      dnssec: false,
      companyId: 'google',
      category: 'ADS',
    },
    {
      time: NOW,
      account: accountId,
      dnsServer: server.id,
      domain: 'bets.example',
      type: 1,
      rcode: 0,
      protocol: 'DOH',
      status: 'REQUEST_BLOCKED',
      source: 'PARENTAL_FILTERING_CATEGORY',
      serviceId: 'gambling',
      dnssec: false,
      companyId: 'unknown',
      category: 'OTHERS',
    },
  ]);

  assert.equal((await call('getAccountLimits')).body.devices.used, 1);
  assert.equal((await call('listDevices')).body.length, 1);
  assert.deepEqual((await call('getDevice', { device_id })).body, device);
  assert.equal((await call('updateDevice', { device_id }, { name: 'Tablet' })).headers['content-length'], '0');
  await call('updateDeviceSettings', { device_id }, { protection_enabled: false });
  await call('resetDOHPassword', { device_id });
  for (const id of ['getDoHMobileConfig', 'getDoTMobileConfig']) {
    const profile = await call(id, { device_id, exclude_wifi_networks: ['Home', 'Work'], exclude_domain: ['lan'] });
    assert.equal(profile.headers['content-type'], 'application/x-apple-aspen-config');
  }
  const { ip } = (await call('allocateDedicatedIPv4Address')).body;
  await call('linkDedicatedIPv4Address', { device_id }, { ip });
  assert.deepEqual((await call('listDedicatedIPv4Addresses')).body, [{ device_id, ip }]);
  assert.deepEqual((await call('listDedicatedAddressesForDevice', { device_id })).body.ipv4, [ip]);
  await call('unlinkDedicatedIPv4Address', { device_id, ip });
  const second = (await call('createDNSServer', {}, { name: 'Kids' })).body;
  await call('updateDNSServer', { dns_server_id: second.id }, { name: 'Children' });
  await call('updateDNSServerSettings', { dns_server_id: second.id }, { block_ttl_seconds: 60 });
  assert.equal((await call('getDNSServer', { dns_server_id: second.id })).body.settings.block_ttl_seconds, 60);
  // Version 1.15.
  const dns_server_id = second.id;
  const [category] = (await call('listParentalControlFilteringCategories')).body;
  const update = {
    parental_control_settings: { enabled: true, blocked_filtering_categories: [{ id: category.id, enabled: true }] },
    safebrowsing_settings: {
      typosquatting_protection_enabled: true,
      homoglyph_protection_enabled: true,
      blocking_mode_settings: { blocking_mode: 'REFUSED' },
    },
  };
  await call('updateDNSServerSettings', { dns_server_id }, update);
  assert.partialDeepStrictEqual((await call('getDNSServerSettings', { dns_server_id })).body, update);
  const unknown = { parental_control_settings: { blocked_filtering_categories: [{ id: 'weather' }] } };
  await assert.rejects(call('updateDNSServerSettings', { dns_server_id }, unknown), { status: 400 });
  assert.equal((await call('getDnsServers', { limit: 1 })).body.items.length, 1);
  assert.equal((await call('getDevices', { search: 'Tablet' })).body.items[0].id, device_id);
  assert.equal((await call('getDeviceSettings', { device_id })).body.protection_enabled, false);
  await call('removeDNSServer', { dns_server_id: second.id });
  const { body: lists } = await call('listFilterLists');
  assert.ok(lists.length > 50);
  // No list was downloaded: these are the figures of the catalogue.
  for (const { filter_id: id, time_updated } of lists) assert.ok(Date.parse(time_updated) > Date.UTC(2015), id);
  assert.ok(lists.filter(({ rules_count }: { rules_count: number }) => rules_count > 0).length > lists.length - 5);
  assert.ok((await call('listWebServices')).body.length > 100);

  const range = { time_from_millis: NOW - 60_000, time_to_millis: NOW };
  const rows = await call('getQueryLog', { ...range, statuses: ['REQUEST_BLOCKED', 'NONE'], devices: [device_id] });
  assert.equal(rows.body.items[0].domain, 'ads.example');
  assert.equal(rows.body.items[0].time_iso, '2026-11-15T12:00:00.000+00:00');
  const statistics = {
    getCategoriesQueriesStats: { category_type: 'ADS', queries: 1 },
    getCompaniesStats: { company_name: 'Google' },
    getDetailedCompaniesStats: { company_name: 'Google', top_queries_domain: 'ads.example' },
    getCountriesQueriesStats: { country: 'US' },
    getDevicesQueriesStats: { device_id },
    getDomainsQueriesStats: { domain: 'ads.example' },
  };
  for (const [id, row] of Object.entries(statistics))
    assert.partialDeepStrictEqual((await call(id, { ...range, limit: 1 })).body.stats[0], row, id);
  const { stats } = (await call('getBlockedParentalCategoryStats', range)).body;
  assert.deepEqual(stats, [{ blocked: 1, category: 'gambling' }]);
  const buckets = (await call('getTimeQueriesStats', range)).body.stats as { value: { queries: number } }[];
  assert.equal(
    buckets.reduce((sum, { value }) => sum + value.queries, 0),
    2,
  );
  assert.equal((await call('clearQueryLog')).status, 202);
  assert.deepEqual((await call('getQueryLog', range)).body.items, []);
  await call('removeDevice', { device_id });
  await call('revokeToken', { refresh_token: tokens.body.refresh_token });
  await assert.rejects(call('listDevices'), { status: 401 });

  const all = Object.keys({ ...contractOperations, ...contractOperations15 });
  // A browser follows it; tests of signing in use it.
  const unused = all.filter((id) => !used.has(id) && id !== 'authorize');
  assert.deepEqual(unused, []);
}
