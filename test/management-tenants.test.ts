import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { operations } from '../src/api/operations.ts';
import { type Answer, type Management, NOW, PASSWORD, startManagement } from './support/management.ts';
import { passkeyAuthenticator } from './support/passkey-authenticator.ts';
import { databases } from './support/store/stores.ts';

/** Valid request bodies: only the id is wrong. */
const bodies: Readonly<Record<string, object>> = {
  updateDevice: { name: 'Mine now' },
  updateDeviceSettings: { protection_enabled: false },
  linkDedicatedIPv4Address: { ip: '192.0.2.10' },
  explainQuery: { name: 'ads.example' },
  setLinkedAddress: { ip: '192.0.2.77' },
  updateDNSServer: { name: 'Mine now' },
  updateDNSServerSettings: { protection_enabled: false },
  updateMember: { role: 'viewer' },
  updatePasskey: { name: 'Mine now' },
  createTemporaryRule: { rule: '||ads.example^', minutes: 10 },
  updateDNSServerUpstreams: { upstreams: ['9.9.9.9'] },
  updateDNSServerCustomLists: { custom_lists: [] },
  updateCustomList: { name: 'Mine now' },
  updateLocalRecord: { name: 'mine.example', type: 'A', value: '192.0.2.1' },
  updateForwardRule: { domain: 'mine.example', upstreams: ['9.9.9.9'] },
  updateDeviceIdentifiers: { identifiers: [], tags: [] },
  adoptNetworkClient: { name: 'Mine', device_type: 'IOS', dns_server_id: 'ffffffff', identify_by: 'mac' },
  updateDNSServerLocalNames: { rebinding_allowed: [], search_domains: [] },
  addUserRule: { rule: '||mine.example^' },
  addBlockedDomainRule: { rule: '||mine.example^' },
  addBlockedClient: { client: '192.0.2.1' },
  addAllowedClient: { client: '192.0.2.1' },
  addFilterList: { filter_id: 'adguard_dns_filter' },
  addBlockedService: { id: 'tiktok' },
};
const queries: Readonly<Record<string, string>> = {
  unlinkDedicatedIPv4Address: '?ip=192.0.2.10',
  removeUserRule: '?rule=x',
  removeBlockedDomainRule: '?rule=x',
  removeBlockedClient: '?client=192.0.2.1',
  removeAllowedClient: '?client=192.0.2.1',
};

// Operations of the operator answer everyone else with 403, whatever the id.
const ofOperator = /^\/api\/v1\/(?:system|nodes)\//;
// The catalogue is the same for all accounts.
const ofCatalogue = /^\/api\/v1\/filter_lists\//;
const withId = operations.filter(({ path }) => path.includes(':') && !ofOperator.test(path) && !ofCatalogue.test(path));

async function idsOf({ ask, store }: Management, as: string): Promise<Record<string, string>> {
  const [server] = (await ask('GET', '/oapi/v1/dns_servers', { as })).json;
  const device = { name: 'Phone', device_type: 'IOS', dns_server_id: server.id };
  const { id: device_id } = (await ask('POST', '/oapi/v1/devices', { as, json: device })).json;
  const rule = { rule: '||ads.example^', minutes: 10 };
  const rules = `/api/v1/dns_servers/${server.id}/temporary_rules`;
  const list = { name: 'Mine', rules: '||ads.example^' };
  const record = { name: 'nas.example', type: 'A', value: '192.0.2.1' };
  const forward = { domain: 'lan.example', upstreams: ['9.9.9.9'] };
  const invited = { email: `friend-${device_id}@example.org`, role: 'viewer' };
  const client_id = await addNetworkClient(store);
  return {
    device_id,
    client_id,
    filter_id: 'adguard_dns_filter',
    id: 'tiktok',
    ip: (await ask('POST', '/oapi/v1/dedicated_addresses/ipv4', { as })).json.ip,
    dns_server_id: server.id,
    member_id: (await ask('GET', '/api/v1/members', { as })).json[0].id,
    invitation_id: (await ask('POST', '/api/v1/invitations', { as, json: invited })).json.id,
    temporary_rule_id: (await ask('POST', rules, { as, json: rule })).json.id,
    custom_list_id: (await ask('POST', '/api/v1/custom_lists', { as, json: list })).json.id,
    local_record_id: (await ask('POST', '/api/v1/local_records', { as, json: record })).json.id,
    forward_rule_id: (await ask('POST', '/api/v1/forward_rules', { as, json: forward })).json.id,
    passkey_id: await passkeyOf(ask, as),
    api_key_id: (await ask('POST', '/api/v1/api_keys', { as, json: { name: 'script' } })).json.id,
  };
}

async function passkeyOf(ask: Management['ask'], as: string): Promise<string> {
  const { json } = await ask('POST', '/api/v1/passkeys/options', { as, json: { password: PASSWORD } });
  const credential = passkeyAuthenticator('https://weir.example').create(json);
  return (await ask('POST', '/api/v1/passkeys', { as, json: { name: 'Phone', credential } })).json.id;
}

/** Of the first account. */
async function addNetworkClient(store: Management['store']): Promise<string> {
  const [first] = await store.read.accounts.list();
  const seen = { firstSeen: 1, lastSeen: Date.now(), queries: 1, hours: [] };
  const unknown = { names: {}, profile: undefined, device: undefined };
  const addresses = [{ address: '192.168.1.5', lastSeen: Date.now() }];
  const client = { id: 'client', account: first!.id, mac: 'b8:27:eb:00:00:01', addresses, ...unknown, ...seen };
  await store.inTransaction((tx) => tx.networkClients.put([client]));
  return client.id;
}

const told = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== 'date'),
});

/** On each database. */
function onBoth(sentence: string, job: (t: TestContext, management: Management) => Promise<void>): void {
  for (const [name, newDatabase] of Object.entries(databases)) {
    test(`${sentence} (${name})`, async (t) => {
      const options = await newDatabase(t);
      if (!options) return t.skip('there is no PostgreSQL here');
      return job(t, await startManagement(t, {}, options));
    });
  }
}

onBoth(
  'an id of another account is answered like an unknown one, by every operation and both kinds of credentials',
  async (t, management) => {
    let compared = 0;
    const { ask, account, store } = management;
    const anna = await account('anna@example.org');
    const berta = await account('berta@example.org');
    const ids = await idsOf(management, anna);
    const key = (await ask('POST', '/api/v1/api_keys', { as: berta, json: { name: 'script' } })).json.api_key;
    const before = await ask('GET', '/oapi/v1/dns_servers', { as: anna });
    assert.ok(withId.length >= 18);
    for (const { method, path, operationId = '', security = [] } of withId) {
      const wish = bodies[operationId] && { json: bodies[operationId] };
      const at = (idOf: (name: string) => string): string =>
        path.replace(/:(\w+)/g, (_, name: string) => idOf(name)) + (queries[operationId] ?? '');
      const foreign = at((name) => ids[name]!);
      const unknown = at((name) => (name.startsWith('d') ? 'ffffffff' : 'nobody'));
      for (const as of security.includes('ApiKey') ? [berta, `ApiKey ${key}`] : [berta]) {
        const answered = await ask(method, foreign, { as, ...wish });
        assert.equal(answered.status, 404, `${operationId} ${answered.text}`);
        assert.deepEqual(told(answered), told(await ask(method, unknown, { as, ...wish })), operationId);
        compared++;
      }
    }
    assert.deepEqual((await ask('GET', '/oapi/v1/dns_servers', { as: anna })).json, before.json);
    assert.equal((await ask('GET', `/oapi/v1/devices/${ids['device_id']}`, { as: anna })).json.name, 'Phone');
    assert.equal((await ask('GET', '/api/v1/members', { as: anna })).json[0].role, 'owner');
    assert.equal(await store.read.accounts.count(), 2);
    t.diagnostic(
      `P15 ids of another account: ${compared} of ${compared} requests answered like an unknown id (${withId.length} operations)`,
    );
  },
);

onBoth('an id of another account within a request is rejected like an unknown one', async (_t, management) => {
  const { ask, account, log, store } = management;
  const anna = await account('anna@example.org');
  const berta = await account('berta@example.org');
  const { device_id, dns_server_id, custom_list_id } = await idsOf(management, anna);
  const own = await idsOf(management, berta);
  const create = (id: string | undefined) =>
    ask('POST', '/oapi/v1/devices', { as: berta, json: { name: 'P', device_type: 'IOS', dns_server_id: id } });
  assert.deepEqual((await create(dns_server_id)).json, (await create('ffffffff')).json);
  const moved = await ask('PUT', `/oapi/v1/devices/${own['device_id']}`, { as: berta, json: { dns_server_id } });
  assert.deepEqual(
    moved.json.fields.map(({ field }: { field: string }) => field),
    ['dns_server_id'],
  );
  const chosen = await ask('PUT', `/api/v1/dns_servers/${own['dns_server_id']}/custom_lists`, {
    as: berta,
    json: { custom_lists: [{ id: custom_list_id }] },
  });
  assert.equal(chosen.status, 400);
  assert.equal(chosen.json.fields[0].field, 'custom_lists[0].id');
  const { ip } = (await ask('POST', '/oapi/v1/dedicated_addresses/ipv4', { as: anna })).json;
  const link = `/oapi/v1/devices/${own['device_id']}/dedicated_addresses/ipv4`;
  assert.equal((await ask('POST', link, { as: berta, json: { ip } })).status, 404);

  const accountOfAnna = (await store.read.users.byEmail('anna@example.org'))!.account;
  await log.append([
    {
      time: NOW,
      account: accountOfAnna,
      dnsServer: dns_server_id!,
      device: device_id!,
      domain: 'secret.example',
      type: 1,
      rcode: 0,
      protocol: 'DOH',
      status: 'NONE',
      dnssec: false,
      companyId: 'unknown',
      category: 'OTHERS',
    },
  ]);
  const range = `time_from_millis=0&time_to_millis=${NOW}&devices=${device_id}`;
  assert.equal((await ask('GET', `/oapi/v1/query_log?${range}`, { as: anna })).json.items.length, 1);
  assert.deepEqual((await ask('GET', `/oapi/v1/query_log?${range}`, { as: berta })).json.items, []);
  assert.deepEqual((await ask('GET', `/oapi/v1/stats/domains?${range}`, { as: berta })).json.stats, []);
  assert.deepEqual((await ask('GET', `/oapi/v2/devices?devices=${device_id}`, { as: berta })).json.items, []);
});

onBoth(
  'every operation that needs credentials rejects requests without them, or with wrong ones',
  async (_t, { ask }) => {
    for (const { method, path, operationId, handler } of operations.filter(
      ({ handler }) => handler.kind !== 'public',
    )) {
      const at = path.replace(/:\w+/g, 'ffffffff');
      for (const as of [undefined, 'ApiKey no', 'Bearer no', 'Basic bm86bm8=', 'no']) {
        const { status, json, headers } = await ask(method, at, as === undefined ? {} : { as });
        assert.equal(status, 401, `${operationId} ${handler.kind} ${as}`);
        assert.equal(json.error, 'unauthorized');
        assert.match(headers.get('www-authenticate')!, /Bearer/);
      }
    }
  },
);
