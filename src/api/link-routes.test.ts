import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { openApi } from '../../test/support/api.ts';
import { accountNamed } from '../../test/support/store/accounts.ts';
import { proofName } from '../domain/link-proof.ts';
import { registerRoutes } from '../http/register-routes.ts';
import { deviceOperations } from './devices.ts';
import { linkRoutes } from './link-routes.ts';

async function openLinks(t: { after(end: () => unknown): void }) {
  const here = { address: '203.0.113.7' };
  const names = new Map([['home.example.org', '203.0.113.7']]);
  const api = await openApi(t, deviceOperations, {
    addressOf: () => here.address,
    clientOf: () => here.address,
    addressBehind: async (name) => names.get(name),
  });
  const home = await api.account('home');
  const body = { device_type: 'ROUTER', dns_server_id: home.server, name: 'Router' };
  const id: string = (await api.done('createDevice', home, { body })).reply.id;
  const device = async () => (await api.store.read.devices.list(home.account))[0]!;
  const { linkToken } = await device();
  const server = Fastify();
  registerRoutes(server, linkRoutes(api.deps));
  const ask = async (method: 'GET' | 'HEAD' | 'POST', url: string, headers: Record<string, string> = {}) => {
    const reply = await server.inject({ method, url, headers });
    return [reply.statusCode, reply.body] as const;
  };
  const path = `/linkip/${id}/${linkToken}`;
  const audit = async () => (await api.store.read.audit.list(home.account, { limit: 10 })).map(({ action }) => action);
  return { ...api, home, here, names, server, device, ask, path, ddns: `/ddns/${id}/${linkToken}`, linkToken, audit };
}
const unknown = [404, 'Unknown link\n'];

test('the link of a device links the address of the request, by GET and by POST', async (t) => {
  const { ask, path, here, device, store, home } = await openLinks(t);
  assert.deepEqual(await ask('GET', `${path}/status`), [200, 'No address is linked to Router\n']);
  assert.deepEqual(await ask('GET', path), [200, '203.0.113.7 has been linked to Router\n']);
  here.address = '::ffff:203.0.113.8';
  assert.deepEqual(await ask('POST', path), [200, '203.0.113.8 has been linked to Router\n']);
  assert.deepEqual(await ask('GET', `${path}/status`), [200, '203.0.113.8 has been linked to Router\n']);
  assert.equal((await device()).linkedIp, '203.0.113.8');
  const [entry] = await store.read.audit.list(home.account, { limit: 1 });
  assert.deepEqual([entry?.action, entry?.by, entry?.from], ['device.link', 'the link of the device', here.address]);
});

test('the answer is plain text that is not cached', async (t) => {
  const { server, path } = await openLinks(t);
  const { headers } = await server.inject({ method: 'GET', url: path });
  assert.deepEqual([headers['content-type'], headers['cache-control']], ['text/plain; charset=utf-8', 'no-store']);
});

test('a HEAD request links nothing, and an address that is linked already is not written again', async (t) => {
  const { ask, path, device, audit } = await openLinks(t);
  assert.equal((await ask('HEAD', path))[0], 200);
  assert.equal((await device()).linkedIp, undefined);
  await ask('GET', path);
  await ask('GET', path);
  assert.deepEqual(await audit(), ['device.link']);
});

test('a page of another site cannot link its visitors', async (t) => {
  const { ask, path, device } = await openLinks(t);
  for (const site of ['cross-site', 'same-site'])
    assert.equal((await ask('GET', path, { 'sec-fetch-site': site }))[0], 403, site);
  assert.equal((await device()).linkedIp, undefined);
  for (const site of ['none', 'same-origin'])
    assert.equal((await ask('GET', path, { 'sec-fetch-site': site }))[0], 200, site);
});

test('an address that cannot be linked is refused with the reason', async (t) => {
  const { ask, path, here, account } = await openLinks(t);
  await account('other');
  here.address = '192.168.1.7';
  const reason = 'it must be a public address: private addresses cannot be linked';
  assert.deepEqual(await ask('GET', path), [400, `This address cannot be linked: ${reason}\n`]);
});

test('a wrong token, an unknown device and a suspended account have the same answer', async (t) => {
  const { ask, path, ddns, store } = await openLinks(t);
  const wrong = path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  for (const url of [wrong, `${wrong}/status`, path.replace(/\/linkip\/\w+/, '/linkip/0badcafe'), '/linkip/x/y'])
    assert.deepEqual(await ask('GET', url), unknown, url);
  await store.inTransaction(({ accounts }) => accounts.update(accountNamed('home', { isSuspended: true })));
  assert.deepEqual(await ask('GET', path), unknown);
  const limited = await ask('POST', `${ddns}/home.example.org`);
  assert.deepEqual(limited, [429, 'Too many requests with invalid links; try again later\n']);
});

test('invalid links of an address are throttled, and valid ones are not', async (t) => {
  const { ask, path, server, here, clock } = await openLinks(t);
  for (let failed = 0; failed < 5; failed++) assert.deepEqual(await ask('GET', '/linkip/x/y'), unknown);
  const limited = await server.inject({ method: 'GET', url: '/linkip/x/y' });
  assert.deepEqual([limited.statusCode, limited.headers['retry-after']], [429, '1']);
  assert.equal((await ask('GET', path))[0], 200);
  here.address = '198.51.100.1';
  assert.deepEqual(await ask('GET', '/linkip/x/y'), unknown);
  here.address = '203.0.113.7';
  clock.now += 1000;
  assert.deepEqual(await ask('GET', '/linkip/x/y'), unknown);
  const again = await server.inject({ method: 'GET', url: '/linkip/x/y' });
  assert.equal(again.headers['retry-after'], '2');
});

test('a DDNS name links the address at once if the request comes from it, and is written once', async (t) => {
  const { ask, ddns, audit } = await openLinks(t);
  const linked = [200, '203.0.113.7 (home.example.org) has been linked to Router\n'];
  assert.deepEqual(await ask('POST', `${ddns}/Home.Example.org.`), linked);
  assert.deepEqual(await ask('POST', `${ddns}/home.example.org`), linked);
  assert.deepEqual(await audit(), ['device.link']);
});

test('a DDNS name of another address is pending until a request from there proves it', async (t) => {
  const { ask, ddns, names, here, device, deps, linkToken, audit } = await openLinks(t);
  names.set('home.example.org', '203.0.113.99');
  const [status, text] = await ask('POST', `${ddns}/home.example.org`);
  assert.equal(status, 200);
  assert.ok(text.startsWith('203.0.113.99 (home.example.org) is not linked to Router yet:'), text);
  assert.ok(text.includes(proofName(linkToken, deps.sha256)));
  assert.deepEqual(await ask('POST', `${ddns}/home.example.org`), [status, text]);
  assert.deepEqual(await audit(), ['device.link']);
  here.address = '203.0.113.99';
  assert.equal((await ask('POST', `${ddns}/home.example.org`))[0], 200);
  assert.deepEqual([(await device()).linkedIp, (await device()).pendingIp], ['203.0.113.99', undefined]);
});

test('a DDNS name without an address is stored, and an invalid one is refused', async (t) => {
  const { ask, ddns, device } = await openLinks(t);
  const stored =
    'gone.example.org is stored for Router; its address could not be found and is looked up every five minutes\n';
  assert.deepEqual(await ask('POST', `${ddns}/gone.example.org`), [200, stored]);
  assert.equal((await device()).ddnsName, 'gone.example.org');
  const [status, text] = await ask('POST', `${ddns}/no%20name`);
  assert.equal(status, 400);
  assert.match(text, /^This address cannot be linked: it must be a domain name/);
});
