import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { managementDeps } from '../../test/support/management.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import { deviceOperations } from './devices.ts';
import { mobileProfileOperations } from './mobile-profiles.ts';
import { isRaw } from './operation.ts';

async function openProfiles(t: { after(end: () => unknown): void }, given: Partial<Deps> = {}) {
  const api = await openApi(t, [...mobileProfileOperations, ...deviceOperations], given);
  const home = await api.account('home');
  const body = { device_type: 'IOS', dns_server_id: home.server, name: 'Phone' };
  const id: string = (await api.done('createDevice', home, { body })).reply.id;
  const get = async (operationId: string, query: object = {}, caller: Caller = home) => {
    const { handler } = mobileProfileOperations.find((each) => each.operationId === operationId)!;
    assert.ok(handler.kind === 'query');
    const result = await handler.run(api.store.read, { caller, params: { device_id: id }, query } as never, api.deps);
    if (!result.ok) return result;
    assert.ok(isRaw(result.value) && Buffer.isBuffer(result.value.content));
    return { headers: result.value.headers, text: result.value.content.toString() };
  };
  const textOf = async (...asked: Parameters<typeof get>): Promise<string> => {
    const got = await get(...asked);
    assert.ok('text' in got, JSON.stringify(got));
    return got.text;
  };
  return { ...api, home, id, get, textOf };
}

test('a profile is a file with the name of the device and the protocol', async (t) => {
  const { get, textOf, id } = await openProfiles(t);
  for (const [operation, protocol, address] of [
    ['getDoHMobileConfig', 'doh', `https://d.dns.example/dns-query/${id}`],
    ['getDoTMobileConfig', 'dot', `${id}.d.dns.example`],
  ] as const) {
    const got = await get(operation);
    assert.ok('headers' in got);
    assert.deepEqual(got.headers, {
      'content-type': 'application/x-apple-aspen-config',
      'content-disposition': `attachment; filename="${id}-${protocol}.mobileconfig"`,
    });
    assert.ok((await textOf(operation)).includes(address), address);
  }
});

test('networks and domains of the request are excluded', async (t) => {
  const { textOf } = await openProfiles(t);
  const excluded = { exclude_wifi_networks: ['Home Wi-Fi'], exclude_domain: ['corp.example'] };
  const [without, text] = [await textOf('getDoHMobileConfig'), await textOf('getDoHMobileConfig', excluded)];
  for (const word of ['Home Wi-Fi', 'corp.example'])
    assert.deepEqual([without.includes(word), text.includes(word)], [false, true], word);
});

test('an invalid domain is an error of its entry', async (t) => {
  const { get } = await openProfiles(t);
  const got = await get('getDoHMobileConfig', { exclude_domain: ['a..b'] });
  assert.ok('error' in got && got.error.kind === 'invalid');
  assert.deepEqual(
    got.error.errors.map(({ field }) => field),
    ['exclude_domain[0]'],
  );
});

test('a profile is signed where a certificate is configured', async (t) => {
  const { textOf } = await openProfiles(t, { signProfile: async (xml) => Buffer.from(`signed: ${xml}`) });
  assert.match(await textOf('getDoTMobileConfig'), /^signed: <\?xml/);
});

test('a protocol that is not offered, and a device of another account, have no profile', async (t) => {
  const { dns } = managementDeps(() => 0);
  const { account, get } = await openProfiles(t, { dns: { ...dns, hosts: { ...dns.hosts, dotDomain: undefined } } });
  assert.deepEqual(await get('getDoTMobileConfig'), { ok: false, error: { kind: 'not offered', protocol: 'DOT' } });
  const notFound = { ok: false, error: { kind: 'not found', what: 'device' } };
  assert.deepEqual(await get('getDoHMobileConfig', {}, await account('other')), notFound);
});
