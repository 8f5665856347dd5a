import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { fixedWindow } from '../src/kit/fixed-window.ts';
import { type Answer, type Management, startManagement } from './support/management.ts';

const EMAIL = 'anna@example.org';
const fieldsOf = ({ json }: Answer): Record<string, string> =>
  Object.fromEntries(
    json.fields.map(({ field, error_code }: { field: string; error_code: string }) => [field, error_code]),
  );

type Begun = Management & { readonly as: string; readonly server: string };

async function begin(t: Parameters<typeof startManagement>[0]): Promise<Begun> {
  const management = await startManagement(t);
  const as = await management.account(EMAIL);
  const [{ id: server }] = (await management.ask('GET', '/oapi/v1/dns_servers', { as })).json;
  return { ...management, as, server };
}

const newDevice = ({ ask, as, server }: Begun, name = 'Phone'): Promise<Answer> =>
  ask('POST', '/oapi/v1/devices', { as, json: { name, device_type: 'IOS', dns_server_id: server } });

test('a set-up makes an owner, an account and its default DNS server', async (t) => {
  const { ask, account } = await startManagement(t);
  assert.deepEqual((await ask('GET', '/api/v1/set_up')).json, { is_done: false, session_keep_days: 30 });
  const as = await account(EMAIL);
  assert.equal((await ask('GET', '/api/v1/set_up')).json.is_done, true);
  // The largest integer of 64 bits is a time of the contract.
  const forever = '/oapi/v1/stats/time?time_from_millis=0&time_to_millis=9223372036854775807';
  assert.equal((await ask('GET', forever, { as })).status, 200);
  assert.equal((await ask('GET', forever.replace('stats/time', 'query_log'), { as })).status, 200);
  const { json } = await ask('GET', '/oapi/v1/dns_servers', { as });
  assert.deepEqual([json.length, json[0].default, json[0].device_ids], [1, true, []]);
});

test('a device has every way to be reached, and a new password when it is reset', async (t) => {
  const begun = await begin(t);
  const { ask, as, server } = begun;
  const { json: device } = await newDevice(begun, '  Kitchen tablet ');
  assert.equal(device.name, 'Kitchen tablet');
  assert.equal(device.dns_server_id, server);
  assert.equal(device.dns_addresses.dns_over_https_url, `https://d.dns.example/dns-query/${device.id}`);
  assert.deepEqual(device.dns_addresses.ip_addresses[0], { ip_address: '192.0.2.53', type: 'V4' });
  const reset = await ask('PUT', `/oapi/v1/devices/${device.id}/doh_password/reset`, { as });
  assert.deepEqual([reset.status, reset.text, reset.type], [200, '', null]);
  const { json: after } = await ask('GET', `/oapi/v1/devices/${device.id}`, { as });
  assert.match(after.dns_addresses.dns_over_https_with_auth_url, /^https:\/\/[0-9a-f]{16}:\w{16}@d\.dns\.example/);
  assert.notEqual(after.dns_addresses.dns_over_https_with_auth_url, device.dns_addresses.dns_over_https_with_auth_url);
});

test('an update of a device or of its settings changes only the given fields', async (t) => {
  const begun = await begin(t);
  const { ask, as } = begun;
  const { json: device } = await newDevice(begun);
  const at = `/oapi/v1/devices/${device.id}`;
  await ask('PUT', at, { as, json: { name: 'Tablet' } });
  await ask('PUT', `${at}/settings`, { as, json: { detect_doh_auth_only: true } });
  const { json } = await ask('GET', at, { as });
  assert.deepEqual(json, {
    ...device,
    name: 'Tablet',
    settings: { detect_doh_auth_only: true, protection_enabled: true },
  });
  assert.deepEqual((await ask('GET', `${at}/settings`, { as })).json, json.settings);
});

test('all errors of a request are reported at once, by dotted path', async (t) => {
  const { ask, as, server } = await begin(t);
  const empty = await ask('POST', '/oapi/v1/devices', { as, json: {} });
  assert.equal(empty.status, 400);
  assert.deepEqual([empty.json.error_code, empty.json.message], ['BAD_REQUEST', 'Validation failed']);
  assert.deepEqual(fieldsOf(empty), {
    device_type: 'FIELD_REQUIRED',
    dns_server_id: 'FIELD_REQUIRED',
    name: 'FIELD_REQUIRED',
  });
  const wrong = await ask('PUT', `/oapi/v1/dns_servers/${server}/settings`, {
    as,
    json: {
      block_ttl_seconds: 3601,
      blocking_mode_settings: {},
      user_rules_settings: { rules: ['ok', 'x'.repeat(1025)] },
      parental_control_settings: { screen_time_schedule: { daily_schedule: [{ day_of_week: 'SOMEDAY' }] } },
    },
  });
  assert.deepEqual(fieldsOf(wrong), {
    block_ttl_seconds: 'FIELD_WRONG_VALUE',
    'blocking_mode_settings.blocking_mode': 'FIELD_REQUIRED',
    // Too short for a rule.
    'user_rules_settings.rules[0]': 'FIELD_WRONG_VALUE',
    'user_rules_settings.rules[1]': 'FIELD_WRONG_VALUE',
    'parental_control_settings.screen_time_schedule.daily_schedule[0].day_of_week': 'FIELD_WRONG_VALUE',
  });
  const unmeant = await ask('POST', '/oapi/v1/dns_servers', {
    as,
    json: { name: '\u0007', settings: { blocking_mode_settings: { blocking_mode: 'CUSTOM_IP' } } },
  });
  assert.deepEqual(fieldsOf(unmeant), {
    name: 'FIELD_WRONG_VALUE',
    'settings.blocking_mode_settings.ipv4_blocking_address': 'FIELD_REQUIRED',
  });
});

test('settings change by section, and a whole object that was read can be put back', async (t) => {
  const { ask, as, server } = await begin(t);
  const at = `/oapi/v1/dns_servers/${server}`;
  const put = (json: unknown): Promise<Answer> => ask('PUT', `${at}/settings`, { as, json });
  assert.equal((await put({ user_rules_settings: { rules: ['||ads.example^'] }, unknown: 1 })).status, 200);
  await put({ safebrowsing_settings: { typosquatting_protection_enabled: true } });
  const { settings } = (await ask('GET', at, { as })).json;
  assert.deepEqual(settings.user_rules_settings, { enabled: true, rules: ['||ads.example^'], rules_count: 1 });
  assert.equal(settings.safebrowsing_settings.typosquatting_protection_enabled, true);
  assert.deepEqual(await put(settings).then(({ status, text }) => [status, text]), [200, '']);
  assert.deepEqual((await ask('GET', `${at}/settings`, { as })).json, settings);
});

test('limits on rules are faults of the field, limits on things are 429', async (t) => {
  const begun = await begin(t);
  const { ask, as, server } = begun;
  const at = `/oapi/v1/dns_servers/${server}/settings`;
  const rules = Array.from({ length: 11 }, (_, number) => `||ads${number}.example^`);
  const refused = await ask('PUT', at, { as, json: { user_rules_settings: { rules } } });
  assert.equal(refused.status, 400);
  assert.deepEqual(fieldsOf(refused), { 'user_rules_settings.rules': 'FIELD_REACHED_LIMIT' });
  for (let number = 0; number < 4; number++) assert.equal((await newDevice(begun)).status, 200);
  const racing = await Promise.all(Array.from({ length: 20 }, () => newDevice(begun)));
  assert.deepEqual(racing.map(({ status }) => status).filter((status) => status === 200).length, 1);
  assert.equal(racing.find(({ status }) => status !== 200)?.status, 429);
  const { json: limits } = await ask('GET', '/oapi/v1/account/limits', { as });
  assert.deepEqual(limits.devices, { limit: 5, used: 5 });
  assert.deepEqual(limits.requests, { limit: 2 ** 31 - 1, used: 0 });
});

test('removing a DNS server moves its devices to the default one, which stays', async (t) => {
  const { ask, as, server } = await begin(t);
  const { json: kids } = await ask('POST', '/oapi/v1/dns_servers', { as, json: { name: 'Kids' } });
  const json = { name: 'Phone', device_type: 'IOS', dns_server_id: kids.id };
  const { json: device } = await ask('POST', '/oapi/v1/devices', { as, json });
  assert.deepEqual((await ask('GET', `/oapi/v1/dns_servers/${kids.id}`, { as })).json.device_ids, [device.id]);
  assert.equal((await ask('DELETE', `/oapi/v1/dns_servers/${kids.id}`, { as })).status, 200);
  assert.equal((await ask('GET', `/oapi/v1/devices/${device.id}`, { as })).json.dns_server_id, server);
  assert.equal((await ask('DELETE', `/oapi/v1/dns_servers/${server}`, { as })).status, 400);
});

test('unknown fields of a request are ignored', async (t) => {
  const { url, ask, as } = await begin(t);
  const json = { 'content-type': 'application/json' };
  assert.equal((await ask('GET', '/oapi/v1/devices', { as, headers: json })).status, 200);
  assert.equal((await ask('DELETE', '/oapi/v1/query_log', { as, headers: json })).status, 202);
  assert.equal((await ask('POST', '/oapi/v1/dedicated_addresses/ipv4', { as, headers: json })).status, 200);
  const range = 'time_from_millis=0&time_to_millis=1&limit=1000';
  for (const more of [
    'devices=a',
    'devices=a&devices=b&devices=a',
    'devices[]=a&devices[]=b',
    'device_ids[]=a&x=1',
    'devices=',
  ])
    assert.equal((await ask('GET', `/oapi/v1/query_log?${range}&${more}`, { as })).status, 200, more);
  // fetch sends no body with GET, but some clients do.
  const status = await new Promise((resolve, reject) => {
    const headers = { authorization: as, ...json, 'content-length': 7 };
    const sent = request(`${url}/oapi/v1/dns_servers`, { method: 'GET', headers });
    sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    sent.end('{"a":1}');
  });
  assert.equal(status, 200);
});

test('parameters out of bounds are 400 with their name', async (t) => {
  const { ask, as } = await begin(t);
  const log = '/oapi/v1/query_log?time_from_millis=0&time_to_millis=1';
  const wrong: Readonly<Record<string, string>> = {
    '/oapi/v1/query_log': 'time_from_millis',
    '/oapi/v1/stats/time?time_from_millis=5&time_to_millis=4': 'time_to_millis',
    '/oapi/v1/stats/time?time_from_millis=x&time_to_millis=4': 'time_from_millis',
    [`${log}&limit=1001`]: 'limit',
    [`${log}&limit=0`]: 'limit',
    [`${log}&cursor=x`]: 'cursor',
    [`${log}&statuses=NONE&statuses=SOME`]: 'statuses[1]',
    [`${log}&search=${'a'.repeat(256)}`]: 'search',
    '/oapi/v2/devices?cursor=1:2': 'cursor',
  };
  for (const [path, field] of Object.entries(wrong)) {
    const answer = await ask('GET', path, { as });
    assert.equal(answer.status, 400, path);
    assert.ok(Object.keys(fieldsOf(answer)).includes(field), `${path} ${answer.text}`);
  }
});

test('unknown paths, wrong methods and invalid JSON have the usual error body', async (t) => {
  const { ask, as } = await begin(t);
  const refused = async (method: string, path: string, wish = {}): Promise<number> => {
    const answer = await ask(method, path, { as, ...wish });
    assert.equal(answer.type, 'application/json', path);
    assert.deepEqual(Object.keys(answer.json), ['error_code', 'fields', 'message']);
    return answer.status;
  };
  assert.equal(await refused('GET', '/oapi/v1/nothing'), 404);
  assert.equal(await refused('GET', '/oapi/v1/devices/'), 404);
  assert.equal(await refused('POST', '/api/v1/nothing', { json: {} }), 404);
  assert.equal(await refused('PATCH', '/oapi/v1/devices'), 405);
  assert.equal((await ask('DELETE', '/oapi/v1/devices', { as })).headers.get('allow'), 'GET, HEAD, POST');
  const json = { headers: { 'content-type': 'application/json' } };
  assert.equal(await refused('POST', '/oapi/v1/devices', { form: { name: 'x' } }), 415);
  assert.equal(await refused('POST', '/oapi/v1/devices', json), 400);
  assert.equal(await refused('POST', '/oapi/v1/devices', { form: { '{': '' }, ...json }), 400);
  assert.equal(await refused('POST', '/oapi/v1/devices', { json: 'x'.repeat(2 ** 20) }), 413);
  const preflight = await ask('OPTIONS', '/oapi/v1/devices');
  assert.match(preflight.headers.get('access-control-allow-headers')!, /Authorization/);
});

test('lists in pages show the newest first and stay as they were while things are made', async (t) => {
  const begun = await begin(t);
  const { ask, as, clock, server } = begun;
  const names = ['One', 'Two', 'Three', 'Four'];
  for (const name of names) {
    clock.now += 1000;
    await newDevice(begun, name);
  }
  const page = async (query: string) => (await ask('GET', `/oapi/v2/devices?${query}`, { as })).json;
  const first = await page('limit=3');
  assert.deepEqual(
    first.items.map(({ name }: { name: string }) => name),
    ['Four', 'Three', 'Two'],
  );
  clock.now += 1000;
  await newDevice(begun, 'Five');
  const second = await page(`cursor=${first.navigation.next.page_cursor}`);
  assert.deepEqual(
    second.items.map(({ name }: { name: string }) => name),
    ['One'],
  );
  assert.deepEqual(Object.keys(second.navigation), ['prev']);
  assert.deepEqual((await page(`cursor=${second.navigation.prev.page_cursor}`)).items, first.items);
  assert.deepEqual((await page('search=t%25')).items, []);
  assert.equal((await page('search=T')).items.length, 2);
  assert.equal((await page(`dns_servers=${server}&limit=1000`)).items.length, 5);
  assert.equal((await page('dns_servers=ffffffff')).items.length, 0);
  const servers = (await ask('GET', `/oapi/v2/dns_servers?dns_servers=${server}`, { as })).json;
  assert.deepEqual([servers.items[0].id, servers.items[0].devices_count], [server, 5]);
});

test('an account is given addresses of the pool, and a device one of the account', async (t) => {
  const begun = await begin(t);
  const { ask, as } = begun;
  const { id } = (await newDevice(begun)).json;
  const other = (await newDevice(begun)).json.id;
  const at = (device: string): string => `/oapi/v1/devices/${device}/dedicated_addresses/ipv4`;
  const allocate = () => ask('POST', '/oapi/v1/dedicated_addresses/ipv4', { as });
  const { json: first } = await allocate();
  assert.deepEqual(first, { ip: '192.0.2.10' });
  await allocate();
  assert.equal((await allocate()).status, 429);
  assert.equal((await ask('POST', at(id), { as, json: first })).status, 200);
  assert.deepEqual(fieldsOf(await ask('POST', at(other), { as, json: first })), { ip: 'FIELD_WRONG_VALUE' });
  assert.equal((await ask('POST', at(id), { as, json: { ip: '192.0.2.99' } })).status, 404);
  const { json: device } = await ask('GET', `/oapi/v1/devices/${id}`, { as });
  assert.equal(device.dns_addresses.ip_addresses[0].ip_address, '192.0.2.10');
  assert.deepEqual((await ask('GET', `/oapi/v1/devices/${id}/dedicated_addresses`, { as })).json, {
    ipv4: ['192.0.2.10'],
    ipv4_limit: { limit: 2, used: 1 },
    ipv6: device.dns_addresses.ip_addresses
      .filter(({ type }: { type: string }) => type === 'V6')
      .map(({ ip_address }: { ip_address: string }) => ip_address),
  });
  assert.equal((await ask('DELETE', `${at(other)}?ip=192.0.2.10`, { as })).status, 404);
  assert.equal((await ask('DELETE', `${at(id)}?ip=192.0.2.10`, { as })).status, 200);
});

test('null for an optional member is as if it were absent', async (t) => {
  const { ask, account } = await startManagement(t);
  const as = await account('nulls@example.org');
  const created = await ask('POST', '/oapi/v1/dns_servers', { as, json: { name: 'Kids', settings: null } });
  assert.equal(created.status, 200);
  const path = `/oapi/v1/dns_servers/${created.json.id}/settings`;
  const json = {
    block_ttl_seconds: null,
    access_settings: null,
    blocking_mode_settings: { blocking_mode: 'REFUSED', ipv4_blocking_address: null, ipv6_blocking_address: null },
    filter_lists_settings: { enabled: null, filter_list: [{ filter_id: 'adguard_dns_filter', enabled: null }] },
  };
  assert.equal((await ask('PUT', path, { as, json })).status, 200);
  const { json: settings } = await ask('GET', path, { as });
  assert.deepEqual(settings, {
    ...created.json.settings,
    blocking_mode_settings: { ...created.json.settings.blocking_mode_settings, blocking_mode: 'REFUSED' },
  });
  const required = await ask('PUT', path, { as, json: { blocking_mode_settings: { blocking_mode: null } } });
  assert.deepEqual([required.status, required.json.fields[0].field], [400, 'blocking_mode_settings.blocking_mode']);
});

test('a dedicated address that is not linked is released, and another account may get it', async (t) => {
  const begun = await begin(t);
  const { ask, as, account } = begun;
  const { json: device } = await newDevice(begun);
  const { ip } = (await ask('POST', '/oapi/v1/dedicated_addresses/ipv4', { as })).json;
  const linked = `/oapi/v1/devices/${device.id}/dedicated_addresses/ipv4`;
  await ask('POST', linked, { as, json: { ip } });
  const release = (caller = as): Promise<Answer> =>
    ask('DELETE', `/api/v1/dedicated_addresses/ipv4/${ip}`, { as: caller });
  assert.deepEqual(fieldsOf(await release()), { ip: 'FIELD_WRONG_VALUE' });
  await ask('DELETE', `${linked}?ip=${ip}`, { as });
  const other = await account('berta@example.org');
  assert.equal((await release(other)).status, 404);
  assert.equal((await release()).status, 200);
  assert.equal((await release()).status, 404);
  assert.deepEqual((await ask('GET', '/oapi/v1/dedicated_addresses/ipv4', { as })).json, []);
  assert.equal((await ask('POST', '/oapi/v1/dedicated_addresses/ipv4', { as: other })).json.ip, ip);
});

test('errors of form and of meaning come together', async (t) => {
  const { ask, as, server } = await begin(t);
  const json = { name: '', device_type: 'IOS', dns_server_id: 'ffffffff' };
  const refused = await ask('POST', '/oapi/v1/devices', { as, json });
  assert.deepEqual(fieldsOf(refused), { name: 'FIELD_WRONG_VALUE', dns_server_id: 'FIELD_WRONG_VALUE' });
  const long = { ...json, name: 'x'.repeat(300) };
  assert.deepEqual(Object.keys(fieldsOf(await ask('POST', '/oapi/v1/devices', { as, json: long }))), [
    'name',
    'dns_server_id',
  ]);
  const nameless = { device_type: 'IOS', dns_server_id: 'ffffffff' };
  assert.deepEqual(fieldsOf(await ask('POST', '/oapi/v1/devices', { as, json: nameless })), {
    name: 'FIELD_REQUIRED',
    dns_server_id: 'FIELD_WRONG_VALUE',
  });
  const typeless = { ...json, device_type: 'NOPE' };
  assert.deepEqual(Object.keys(fieldsOf(await ask('POST', '/oapi/v1/devices', { as, json: typeless }))).sort(), [
    'device_type',
    'dns_server_id',
    'name',
  ]);
  assert.deepEqual((await ask('GET', '/oapi/v1/devices', { as })).json, []);
  const update = {
    block_ttl_seconds: 'long',
    filter_lists_settings: {
      filter_list: [
        { filter_id: 'unknown', enabled: true },
        { filter_id: 'other', enabled: 2 },
      ],
    },
    access_settings: { enabled: 1, allowed_clients: ['nonsense'] },
  };
  const path = `/oapi/v1/dns_servers/${server}/settings`;
  assert.deepEqual(Object.keys(fieldsOf(await ask('PUT', path, { as, json: update }))).sort(), [
    'access_settings.allowed_clients[0]',
    'access_settings.enabled',
    'block_ttl_seconds',
    'filter_lists_settings.filter_list[0].filter_id',
    'filter_lists_settings.filter_list[1].enabled',
    'filter_lists_settings.filter_list[1].filter_id',
  ]);
  // Without the type of a record, its value cannot be validated.
  const record = { name: 'a.home', value: 'b.home' };
  assert.deepEqual(fieldsOf(await ask('POST', '/api/v1/local_records', { as, json: record })), {
    type: 'FIELD_REQUIRED',
  });
});

test('pages of the audit have the navigation of other lists', async (t) => {
  const { ask, as, server } = await begin(t);
  for (const name of ['a', 'b', 'c']) await ask('PUT', `/oapi/v1/dns_servers/${server}`, { as, json: { name } });
  const { json: first } = await ask('GET', '/api/v1/audit?limit=2', { as });
  assert.equal(first.navigation.next.page_number, 2);
  assert.equal(first.navigation.next.page_cursor, first.next_cursor);
  const { json: second } = await ask('GET', `/api/v1/audit?limit=2&cursor=${first.next_cursor}`, { as });
  assert.deepEqual(
    [...first.items, ...second.items].slice(0, 3).map(({ after }: { after: { name?: string } }) => after.name),
    ['c', 'b', 'a'],
  );
  assert.equal((await ask('GET', '/api/v1/audit?limit=1000', { as })).json.navigation.next, undefined);
});

test('long JSON of reads is compressed as the client prefers', async (t) => {
  const { url, as, server } = await begin(t);
  const get = (path: string, encoding: string, method = 'GET'): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: as, 'accept-encoding': encoding };
      request(url + path, { method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(Object.assign(response, { body: Buffer.concat(chunks) })));
      })
        .on('error', reject)
        .end();
    });
  const bodyOf = (answer: IncomingMessage): Buffer => (answer as IncomingMessage & { body: Buffer }).body;
  const plain = await get('/oapi/v1/web_services', 'identity');
  assert.deepEqual([plain.headers['content-encoding'], plain.headers['vary']], [undefined, 'accept-encoding']);
  const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };
  for (const [encoding, decode] of Object.entries(decoders)) {
    const answer = await get('/oapi/v1/web_services', encoding);
    assert.equal(answer.headers['content-encoding'], encoding);
    assert.ok(bodyOf(answer).length < bodyOf(plain).length / 2);
    assert.deepEqual(decode(bodyOf(answer)), bodyOf(plain));
  }
  assert.equal((await get('/oapi/v1/account/limits', 'gzip')).headers['content-encoding'], undefined, 'a short one');
  const { headers } = await get(`/oapi/v1/dns_servers/${server}`, 'gzip');
  assert.ok(headers['etag']);
});

test('with a limit of requests the headers have the rest, and requests above it are 429', async (t) => {
  let now = 0;
  const requestRate = fixedWindow({ limit: 3, windowMs: 60_000, now: () => now, maxKeys: 10 });
  const { ask, account } = await startManagement(t, { requestRate });
  const as = await account(EMAIL);
  const left = async (): Promise<(string | null)[]> => {
    const { status, headers } = await ask('GET', '/oapi/v1/devices', { as });
    return [String(status), headers.get('ratelimit-remaining'), headers.get('ratelimit-reset')];
  };
  assert.deepEqual(await left(), ['200', '2', '60']);
  now = 30_000;
  assert.deepEqual(await left(), ['200', '1', '30']);
  await left();
  const refused = await ask('GET', '/oapi/v1/devices', { as });
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '30']);
  const other = await account('berta@example.org');
  assert.equal((await ask('GET', '/oapi/v1/devices', { as: other })).status, 200, 'each user has a limit');
  now = 60_000;
  assert.deepEqual(await left(), ['200', '2', '60']);
});
