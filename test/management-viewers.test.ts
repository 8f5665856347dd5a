import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../src/api/operations.ts';
import { PASSWORD, startManagement } from './support/management.ts';

test('no read of a viewer has a secret that lets its reader change something', async (t) => {
  const { ask, account, store } = await startManagement(t);
  const owner = await account('anna@example.org');
  const [server] = (await ask('GET', '/oapi/v1/dns_servers', { as: owner })).json;
  const { json: device } = await ask('POST', '/oapi/v1/devices', {
    as: owner,
    json: { name: 'Phone', device_type: 'IOS', dns_server_id: server.id },
  });
  const { json: list } = await ask('POST', '/api/v1/custom_lists', {
    as: owner,
    json: { name: 'Ours', url: 'https://ann:LISTSECRET@lists.example.org/ours.txt?token=LISTSECRET' },
  });
  await ask('PUT', `/api/v1/dns_servers/${server.id}/upstreams`, {
    as: owner,
    json: { upstreams: ['https://ann:LISTSECRET@dns.example.org/dns-query'] },
  });
  const { json: key } = await ask('POST', '/api/v1/api_keys', { as: owner, json: { name: 'script' } });
  const { json: invitation } = await ask('POST', '/api/v1/invitations', {
    as: owner,
    json: { email: 'vera@example.org', role: 'viewer' },
  });
  const { json: pending } = await ask('POST', '/api/v1/invitations', {
    as: owner,
    json: { email: 'later@example.org', role: 'owner' },
  });
  const accepted = await ask('POST', '/api/v1/invitations/accept', {
    json: { token: invitation.token, password: PASSWORD },
  });
  const viewer = `Bearer ${accepted.json.access_token}`;

  const { account: id } = (await store.read.users.byEmail('anna@example.org'))!;
  const kept = (await store.read.devices.find(id, device.id))!;
  const secrets = [kept.dohPassword, kept.linkToken, 'LISTSECRET', key.api_key, pending.token];
  const ids: Readonly<Record<string, string>> = {
    device_id: device.id,
    dns_server_id: server.id,
    custom_list_id: list.id,
  };
  const leaks: string[] = [];
  let reads = 0;
  for (const { method, path, handler } of operations) {
    if (method !== 'GET' || handler.kind === 'public' || path.endsWith('/live')) continue;
    const real = path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? 'none');
    const { text } = await ask('GET', `${real}?time_from_millis=0&time_to_millis=1`, { as: viewer });
    reads++;
    for (const secret of secrets) if (text.includes(secret)) leaks.push(`${real}: ${secret}`);
  }
  t.diagnostic(`secrets in ${reads} reads of a viewer: ${leaks.length}`);
  assert.deepEqual(leaks, []);
  assert.ok(reads > 30);

  const linked = `/api/v1/devices/${device.id}/linked_address`;
  assert.equal('link_url' in (await ask('GET', linked, { as: viewer })).json, false);
  assert.ok((await ask('GET', linked, { as: owner })).json.link_url.includes(kept.linkToken));
  const { dns_addresses } = (await ask('GET', `/oapi/v1/devices/${device.id}`, { as: owner })).json;
  assert.ok(dns_addresses.dns_over_https_with_auth_url.includes(kept.dohPassword));
  const shown = (await ask('GET', `/api/v1/custom_lists/${list.id}`, { as: viewer })).json;
  assert.equal(shown.url, 'https://lists.example.org/ours.txt?…');
  assert.match((await ask('GET', `/api/v1/custom_lists/${list.id}`, { as: owner })).json.url, /LISTSECRET/);
});

test('an account at its limit of custom lists gets 429', async (t) => {
  const { ask, account, deps } = await startManagement(t);
  const as = await account('anna@example.org');
  const create = (name: string) => ask('POST', '/api/v1/custom_lists', { as, json: { name, rules: '||a.example^' } });
  for (let count = 0; count < deps.maxCustomLists; count++) assert.equal((await create(`list ${count}`)).status, 200);
  const { status, json } = await create('one more');
  assert.deepEqual([status, json.error_code], [429, 'FIELD_REACHED_LIMIT']);
});
