import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { proofName } from '../domain/link-proof.ts';
import { deviceOperations } from './devices.ts';
import { linkedAddressOperations } from './linked-addresses.ts';

/** The address of the requests of `openApi`. */
const HERE = '192.0.2.1';

async function openLinked(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, [...linkedAddressOperations, ...deviceOperations], {
    addressBehind: async (name) => (name === 'home.example.org' ? '203.0.113.9' : undefined),
  });
  const home = await api.account('home');
  const body = { device_type: 'ROUTER', dns_server_id: home.server, name: 'Router' };
  const { reply } = await api.done('createDevice', home, { body });
  const params = { device_id: reply.id as string };
  const get = async (caller = home) => (await api.done('getLinkedAddress', caller, { params })).reply;
  const set = (given: object, caller = home) => api.call('setLinkedAddress', caller, { params, body: given });
  /** The response without the URL and the proof, which are random. */
  const linked = async (given: object) => {
    const result = await set(given);
    assert.ok(result.ok, JSON.stringify(result));
    const { link_url: _, proof_name: __, ...rest } = result.value.reply;
    return rest;
  };
  const fieldsOf = async (given: object) => {
    const result = await set(given);
    return !result.ok && result.error.kind === 'invalid' && result.error.errors.map(({ field }) => field);
  };
  return { ...api, home, params, get, set, linked, fieldsOf };
}

test('the address of the request is linked at once, and another one is pending with its proof', async (t) => {
  const { linked, get, deps } = await openLinked(t);
  assert.deepEqual(await linked({ ip: HERE }), { ip: HERE });
  assert.deepEqual(await linked({ ip: '203.0.113.9' }), { ip: HERE, pending_ip: '203.0.113.9' });
  const shown = await get();
  const token = shown.link_url.split('/').at(-1);
  assert.equal(shown.proof_name, proofName(token, deps.sha256));
});

test('a linked address is audited', async (t) => {
  const { set, params } = await openLinked(t);
  const result = await set({ ip: HERE });
  assert.ok(result.ok);
  assert.deepEqual(result.value.audit, {
    action: 'device.link',
    subject: params.device_id,
    before: {},
    after: { linkedIp: HERE },
  });
});

test('the name of a DDNS service is looked up; a name without an address is stored', async (t) => {
  const { linked } = await openLinked(t);
  assert.deepEqual(await linked({ ddns: 'Home.Example.org.' }), {
    ddns: 'home.example.org',
    pending_ip: '203.0.113.9',
  });
  assert.deepEqual(await linked({ ddns: 'gone.example.org' }), { ddns: 'gone.example.org' });
});

test('a request has either an address or a name, and it is valid', async (t) => {
  const { fieldsOf, get } = await openLinked(t);
  assert.deepEqual(await fieldsOf({}), ['ip']);
  assert.deepEqual(await fieldsOf({ ip: HERE, ddns: 'home.example.org' }), ['ip']);
  assert.deepEqual(await fieldsOf({ ip: '0.0.0.0' }), ['ip']);
  assert.deepEqual(await fieldsOf({ ddns: 'no name' }), ['ddns']);
  assert.deepEqual(Object.keys(await get()), ['link_url']);
});

test('a viewer sees the address, and neither the URL nor the proof', async (t) => {
  const { set, get, home } = await openLinked(t);
  await set({ ip: '203.0.113.9' });
  assert.deepEqual(await get({ ...home, role: 'viewer' }), { pending_ip: '203.0.113.9' });
});

test('unlinking ends the address and the URL, with an audit note', async (t) => {
  const { done, get, linked, home, params } = await openLinked(t);
  await linked({ ip: HERE });
  const { link_url } = await get();
  const { reply, audit } = await done('removeLinkedAddress', home, { params });
  assert.deepEqual(Object.keys(reply), ['link_url']);
  assert.notEqual(reply.link_url, link_url);
  assert.deepEqual(await get(), reply);
  assert.deepEqual([audit?.action, audit?.subject], ['device.unlink', params.device_id]);
  assert.deepEqual(audit?.before, { linkToken: '(secret)', linkedIp: HERE });
});

test('a device of another account is not found', async (t) => {
  const { account, call, params } = await openLinked(t);
  const other = await account('other');
  for (const operation of ['getLinkedAddress', 'setLinkedAddress', 'removeLinkedAddress'])
    assert.deepEqual(await call(operation, other, { params, body: { ip: HERE } }), {
      ok: false,
      error: { kind: 'not found', what: 'device' },
    });
});
