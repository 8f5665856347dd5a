import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type Management, startManagement } from './support/management.ts';

type Begun = Management & {
  readonly as: string;
  readonly server: string;
  readonly rules: () => Promise<readonly string[]>;
  readonly auditLength: () => Promise<number>;
};

const plans = {
  default: { devices: 5, dnsServers: 3, userRules: 30, accessRules: 5, dedicatedIpv4: 2, requests: 2 ** 31 - 1 },
};

async function begin(t: Parameters<typeof startManagement>[0]): Promise<Begun> {
  const management = await startManagement(t, { plans });
  const { ask, account } = management;
  const as = await account('anna@example.org');
  const [{ id: server }] = (await ask('GET', '/oapi/v1/dns_servers', { as })).json;
  const rules = async (): Promise<readonly string[]> =>
    (await ask('GET', `/oapi/v1/dns_servers/${server}`, { as })).json.settings.user_rules_settings.rules;
  const auditLength = async (): Promise<number> =>
    (await ask('GET', '/api/v1/audit?limit=1000', { as })).json.items.length;
  return { ...management, as, server, rules, auditLength };
}

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

test('twenty parallel read-modify-writes with If-Match lose no rule', async (t) => {
  const { ask, as, server, rules } = await begin(t);
  const path = `/oapi/v1/dns_servers/${server}`;
  const add = async (rule: string): Promise<void> => {
    const read = await ask('GET', path, { as });
    const json = { user_rules_settings: { rules: [...read.json.settings.user_rules_settings.rules, rule] } };
    const headers = { 'if-match': read.headers.get('etag')! };
    const { status } = await ask('PUT', `${path}/settings`, { as, json, headers });
    if (status === 412) return add(rule);
    assert.equal(status, 200);
  };
  const wanted = range(20).map((index) => `||ads${index}.example^`);
  await Promise.all(wanted.map(add));
  assert.deepEqual((await rules()).toSorted(), wanted.toSorted());
});

test('a change with another ETag is 412 with the current one, and nothing is changed', async (t) => {
  const { ask, as, server, rules } = await begin(t);
  const path = `/oapi/v1/dns_servers/${server}/settings`;
  const put = (rule: string, ifMatch?: string): Promise<Answer> =>
    ask('PUT', path, {
      as,
      json: { user_rules_settings: { rules: [rule] } },
      ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
    });
  const etag = (await ask('GET', path, { as })).headers.get('etag')!;
  assert.match(etag, /^"[\w-]{43}"$/);
  const first = await put('||one.example^', etag);
  assert.equal(first.status, 200);
  const next = first.headers.get('etag')!;
  assert.notEqual(next, etag);
  assert.equal((await ask('GET', path, { as })).headers.get('etag'), next);
  const late = await put('||two.example^', etag);
  assert.deepEqual([late.status, late.headers.get('etag')], [412, next]);
  assert.equal(late.json.message, 'The resource was changed since it was read: read it again');
  assert.equal((await put('||two.example^', `W/${next}`)).status, 412, 'a weak tag never matches');
  assert.deepEqual(await rules(), ['||one.example^']);
  assert.equal((await put('||three.example^', `"other", ${next}`)).status, 200);
  assert.equal((await put('||four.example^', '*')).status, 200);
  assert.equal((await put('||five.example^')).status, 200, 'without If-Match as before');
  const malformed = await put('||six.example^', 'abc');
  assert.deepEqual([malformed.status, malformed.json.fields[0].field], [400, 'If-Match']);
  assert.deepEqual(await rules(), ['||five.example^']);
});

test('each part of the settings has the ETag of its DNS server; an operation without ETag never matches', async (t) => {
  const { ask, as, server } = await begin(t);
  const tag = async (path: string): Promise<string | null> => (await ask('GET', path, { as })).headers.get('etag');
  const etag = await tag(`/oapi/v1/dns_servers/${server}`);
  for (const part of ['upstreams', 'custom_lists', 'local_names', 'temporary_rules'])
    assert.equal(await tag(`/api/v1/dns_servers/${server}/${part}`), etag, part);
  const headers = { 'if-match': etag! };
  const json = { rule: '||x.example^', minutes: 5 };
  assert.equal((await ask('POST', `/api/v1/dns_servers/${server}/temporary_rules`, { as, json, headers })).status, 200);
  assert.equal((await ask('DELETE', `/oapi/v1/dns_servers/${server}`, { as, headers })).status, 412);
  const account = await ask('PUT', '/api/v1/account', { as, json: { log_retention_days: 3 }, headers });
  assert.deepEqual(
    [account.status, account.json.message],
    [412, 'This operation has no ETag: send it without If-Match'],
  );
  const missing = await ask('PUT', '/oapi/v1/dns_servers/ffffffff/settings', { as, json: {}, headers });
  assert.equal(missing.status, 404);
});

test('a device has an ETag that linked addresses do not change', async (t) => {
  const { ask, as, server } = await begin(t);
  const json = { name: 'Phone', device_type: 'IOS', dns_server_id: server };
  const { id } = (await ask('POST', '/oapi/v1/devices', { as, json })).json;
  const path = `/oapi/v1/devices/${id}`;
  const etag = (await ask('GET', path, { as })).headers.get('etag')!;
  await ask('PUT', `/api/v1/devices/${id}/linked_address`, { as, json: { ip: '198.51.100.7' } });
  const headers = { 'if-match': etag };
  const renamed = await ask('PUT', path, { as, json: { name: 'Tablet' }, headers });
  assert.equal(renamed.status, 200);
  const late = await ask('PUT', `${path}/settings`, { as, json: { protection_enabled: false }, headers });
  assert.equal(late.status, 412);
});

test('identifiers of a device and networks have separate ETags', async (t) => {
  const { ask, as, server } = await begin(t);
  const device = { name: 'Phone', device_type: 'IOS', dns_server_id: server };
  const { id } = (await ask('POST', '/oapi/v1/devices', { as, json: device })).json;
  const identifiers = [{ kind: 'address', value: '192.168.1.7' }];
  const changes = [
    ['/api/v1/networks', { networks: [{ network: '192.168.1.0/24', dns_server_id: server }] }, { networks: [] }],
    [`/api/v1/devices/${id}/identifiers`, { identifiers, tags: [] }, { identifiers, tags: ['user_child'] }],
  ] as const;
  for (const [path, first, second] of changes) {
    const headers = { 'if-match': (await ask('GET', path, { as })).headers.get('etag') ?? assert.fail(path) };
    const saved = await ask('PUT', path, { as, json: first, headers });
    const etag = saved.headers.get('etag');
    assert.deepEqual([saved.status, etag], [200, (await ask('GET', path, { as })).headers.get('etag')]);
    const late = await ask('PUT', path, { as, json: second, headers });
    assert.deepEqual([late.status, late.headers.get('etag')], [412, etag], path);
    assert.equal((await ask('PUT', path, { as, json: second, headers: { 'if-match': etag! } })).status, 200);
  }
});

test('a change that changes nothing writes no audit row and is not announced', async (t) => {
  const { ask, as, server, store, auditLength } = await begin(t);
  const device = { name: 'Phone', device_type: 'IOS', dns_server_id: server };
  const { id } = (await ask('POST', '/oapi/v1/devices', { as, json: device })).json;
  const { json: read } = await ask('GET', `/oapi/v1/dns_servers/${server}`, { as });
  const before = await auditLength();
  let commits = 0;
  t.after(store.onCommit(() => void commits++));
  const same = [
    ['PUT', `/oapi/v1/dns_servers/${server}/settings`, read.settings],
    ['PUT', `/oapi/v1/dns_servers/${server}`, { name: read.name }],
    ['PUT', `/oapi/v1/devices/${id}`, device],
    ['PUT', `/oapi/v1/devices/${id}/settings`, { protection_enabled: true }],
    ['PUT', `/api/v1/dns_servers/${server}/upstreams`, { upstreams: [] }],
    ['PUT', `/api/v1/dns_servers/${server}/custom_lists`, { custom_lists: [] }],
  ] as const;
  for (const [method, path, json] of same) assert.equal((await ask(method, path, { as, json })).status, 200, path);
  assert.equal(commits, 0);
  assert.equal((await ask('PUT', '/api/v1/account', { as, json: {} })).status, 200);
  assert.equal((await ask('PUT', '/api/v1/networks', { as, json: { networks: [] } })).status, 200);
  assert.equal(await auditLength(), before);
  await ask('PUT', `/oapi/v1/dns_servers/${server}`, { as, json: { name: 'Children' } });
  assert.equal(await auditLength(), before + 1);
});

test('single rules are added and removed, also in parallel', async (t) => {
  const { ask, as, server, rules, auditLength } = await begin(t);
  const path = `/api/v1/dns_servers/${server}/user_rules`;
  const wanted = range(20).map((index) => `||ads${index}.example^`);
  const added = await Promise.all(wanted.map((rule) => ask('POST', path, { as, json: { rule } })));
  assert.deepEqual(new Set(added.map(({ status }) => status)), new Set([200]));
  assert.deepEqual((await rules()).toSorted(), wanted.toSorted());
  const before = await auditLength();
  assert.deepEqual((await ask('POST', path, { as, json: { rule: wanted[3] } })).json, { count: 20 });
  assert.equal(await auditLength(), before, 'a rule that is in the list');
  const remove = (rule: string): Promise<Answer> => ask('DELETE', `${path}?rule=${encodeURIComponent(rule)}`, { as });
  assert.equal((await remove(wanted[3]!)).status, 200);
  const again = await remove(wanted[3]!);
  assert.deepEqual([again.status, again.json.message], [404, 'Entry not found']);
  assert.equal((await rules()).length, 19);
  const ignored = '||ads.example^$third-party';
  const { json } = await ask('POST', path, { as, json: { rule: ignored } });
  assert.deepEqual(json, { count: 20, ignored_reason: 'the modifier "third-party" is not supported by a DNS filter' });
  const withRules = { user_rules_settings: { rules: [...(await rules()), '||a.example##.banner'] } };
  const stored = await ask('PUT', `/oapi/v1/dns_servers/${server}/settings`, { as, json: withRules });
  assert.deepEqual([stored.status, stored.headers.get('rules-without-effect')], [200, '2']);
  for (const rule of [ignored, '||a.example##.banner']) assert.equal((await remove(rule)).status, 200);
  const invalid = await ask('POST', path, { as, json: { rule: 'a\nb' } });
  assert.deepEqual([invalid.status, invalid.json.fields[0].field], [400, 'rule']);
  for (const index of range(11)) await ask('POST', path, { as, json: { rule: `||more${index}.example^` } });
  const beyond = await ask('POST', path, { as, json: { rule: '||last.example^' } });
  assert.deepEqual([beyond.status, beyond.json.fields[0].error_code], [400, 'FIELD_REACHED_LIMIT']);
});

test('single entries of the other lists are added and removed', async (t) => {
  const { ask, as, server, account } = await begin(t);
  const at = `/api/v1/dns_servers/${server}`;
  const settings = async () => (await ask('GET', `/oapi/v1/dns_servers/${server}/settings`, { as })).json;
  const lists = async () => (await settings()).filter_lists_settings.filter_list;
  const [first] = await lists();
  await ask('POST', `${at}/filter_lists`, { as, json: { filter_id: 'hagezi_pro++' } });
  await ask('POST', `${at}/filter_lists`, { as, json: { filter_id: first.filter_id, enabled: false } });
  assert.deepEqual(await lists(), [
    { filter_id: first.filter_id, enabled: false },
    { filter_id: 'hagezi_pro++', enabled: true },
  ]);
  assert.equal((await ask('DELETE', `${at}/filter_lists/hagezi_pro%2B%2B`, { as })).status, 200);
  assert.equal((await lists()).length, 1);
  const unknown = await ask('POST', `${at}/filter_lists`, { as, json: { filter_id: 'nothing' } });
  assert.deepEqual([unknown.status, unknown.json.fields[0].field], [400, 'filter_id']);

  await ask('POST', `${at}/blocked_services`, { as, json: { id: 'tiktok' } });
  assert.deepEqual((await settings()).parental_control_settings.blocked_services, [{ id: 'tiktok', enabled: true }]);
  assert.equal((await ask('DELETE', `${at}/blocked_services/tiktok`, { as })).status, 200);
  assert.equal((await ask('DELETE', `${at}/blocked_services/tiktok`, { as })).status, 404);

  await ask('POST', `${at}/blocked_clients`, { as, json: { client: 'as15169' } });
  await ask('POST', `${at}/allowed_clients`, { as, json: { client: '192.0.2.1' } });
  await ask('POST', `${at}/blocked_domain_rules`, { as, json: { rule: '||ads.example^' } });
  const { access_settings: access } = await settings();
  assert.deepEqual(
    [access.blocked_clients, access.allowed_clients, access.blocked_domain_rules],
    [['AS15169'], ['192.0.2.1'], ['||ads.example^']],
  );
  assert.equal((await ask('DELETE', `${at}/blocked_clients?client=as15169`, { as })).status, 200);

  const other = await account('bob@example.org');
  assert.equal((await ask('POST', `${at}/blocked_services`, { as: other, json: { id: 'tiktok' } })).status, 404);
});
