import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { DeviceId } from '../src/domain/ids.ts';
import { openStore } from '../src/store/store.ts';
import { type Over, overs } from './support/dig.ts';
import { DEVICE_DOMAIN, type Device, makeHome, startDns, until } from './support/dns.ts';
import { HERE, startWorld } from './support/dns-upstream.ts';
import { missing, run } from './support/programs.ts';

const needs = { skip: missing('dig', 'kdig', 'curl') };
const PROHIBITED = 18;
// All of 127.0.0.0/8 is this machine.
const pool = ['127.0.0.41', '127.0.0.42'] as const;

const world = await startWorld({ after });
const listening = ['--dns', ':0', '--dedicated-address', pool.join()];
const home = await makeHome(await startDns({ after }, world.address, listening));
const { ports, certificate } = home.service;

let last = 0;
/** A name without an earlier query. */
const fresh = (): string => `name-${++last}.example.com`;

const deviceOf = async (domain: string): Promise<string | undefined> => (await home.logged(domain))[0]!.device_id;

const nameOf = (device: string): string => `${device}.${DEVICE_DOMAIN}`;

/** Queries the JSON API of DNS over HTTPS; returns the response code. */
async function curled(host: string, path: string, domain: string, ...words: string[]): Promise<number> {
  const url = `https://${host}:${ports.doh}${path}?name=${domain}`;
  const here = ['--connect-to', `${host}:${ports.doh}:127.0.0.1:${ports.doh}`];
  const { stdout, stderr } = await run('curl', [
    '-sS',
    '--noproxy',
    '*',
    '--cacert',
    certificate,
    ...here,
    ...words,
    url,
  ]);
  assert.match(stdout, /^\{/, stderr);
  return (JSON.parse(stdout) as { Status: number }).Status;
}

const loginOf = ({ dns_addresses }: Device): string => {
  const { username, password } = new URL(dns_addresses.dns_over_https_with_auth_url);
  return `${username}:${decodeURIComponent(password)}`;
};

const REFUSED = 5;

async function assertRefused(device: string | undefined, over: Over, ...words: string[]): Promise<void> {
  const { status, extendedError, answer } = await home.dug(device, over, ...words);
  assert.equal(status, 'REFUSED');
  assert.equal(extendedError, PROHIBITED);
  assert.deepEqual(answer, []);
}

for (const over of overs)
  test(`an unknown client is refused over ${over}, without an upstream query`, needs, async () => {
    const domain = fresh();
    await assertRefused(undefined, over, domain);
    await assertRefused('ffffffff', over, domain);
    assert.equal(world.timesAsked(domain), 0);
  });

for (const over of overs)
  test(`a device is identified by its id over ${over}, in any case`, needs, async () => {
    const { id } = await home.device(`by id over ${over}`);
    for (const spelling of [id, id.toUpperCase()]) {
      const domain = fresh();
      assert.equal((await home.dug(spelling, over, domain)).status, 'NOERROR');
      assert.equal(await deviceOf(domain), id);
    }
  });

test('a device of an older version is identified by its id of eight digits', needs, async (t) => {
  const { id: long } = await home.device('to be copied');
  assert.match(long, /^[0-9a-f]{16}$/);
  const id = 'b3e82cd1' as DeviceId;
  const store = await openStore({ folder: home.service.data, besideServer: true });
  t.after(() => store.close());
  const [account] = await store.read.accounts.list({ after: '' });
  await store.inTransaction(async ({ devices }) => {
    const found = (await devices.find(account!.id, long as DeviceId))!;
    const older = {
      ...found,
      id,
      name: 'older',
      addressSuffix: undefined,
      linkToken: 'x'.repeat(43),
      dohPassword: 'jaNh9iXS',
    };
    assert.ok((await devices.add(older)).ok);
  });
  await until('the device to be known', async () => {
    const { status } = await home.dug(id, 'udp', fresh());
    return status === 'NOERROR' || undefined;
  });
  for (const over of overs) {
    const domain = fresh();
    assert.equal((await home.dug(id, over, domain)).status, 'NOERROR', over);
    assert.equal(await deviceOf(domain), id);
  }
  const domain = fresh();
  assert.equal(await curled('127.0.0.1', '/resolve', domain, '--user', `${id}:jaNh9iXS`), 0);
  assert.equal(await deviceOf(domain), id);
});

test('over HTTPS a device is identified by login, path or server name', needs, async () => {
  const device = await home.device('over HTTPS');
  const ways: readonly (readonly [host: string, path: string, ...words: string[]])[] = [
    ['127.0.0.1', '/resolve', '--user', loginOf(device)],
    ['127.0.0.1', `/resolve/${device.id}`],
    [nameOf(device.id), '/resolve'],
  ];
  for (const [host, path, ...words] of ways) {
    const domain = fresh();
    assert.equal(await curled(host, path, domain, ...words), 0);
    assert.equal(await deviceOf(domain), device.id);
  }
});

test('the first thing that names a device decides, also when it names none', needs, async () => {
  const [one, other] = [await home.device('one'), await home.device('other')];
  const domain = fresh();
  assert.equal(await curled(nameOf(other.id), `/resolve/${other.id}`, domain, '--user', loginOf(one)), 0);
  assert.equal(await deviceOf(domain), one.id);
  assert.equal(await curled(nameOf(other.id), `/resolve/${other.id}`, fresh(), '--user', 'nobody:x'), REFUSED);
  assert.equal(await curled(nameOf(other.id), '/resolve/ffffffff', fresh()), REFUSED);
});

test('a client with a wrong password is unknown', needs, async () => {
  const { id } = await home.device('with a password');
  assert.equal(await curled('127.0.0.1', `/resolve/${id}`, fresh(), '--user', `${id}:wrong`), REFUSED);
});

test('a device that requires a login is identified only by that', needs, async () => {
  const device = await home.device('must log in');
  await home.ask('PUT', `/oapi/v1/devices/${device.id}/settings`, { detect_doh_auth_only: true });
  for (const over of overs) await assertRefused(device.id, over, fresh());
  assert.equal(await curled(nameOf(device.id), '/resolve', fresh()), REFUSED);
  const domain = fresh();
  assert.equal(await curled('127.0.0.1', '/resolve', domain, '--user', loginOf(device)), 0);
  assert.equal(await deviceOf(domain), device.id);

  await home.ask('PUT', `/oapi/v1/devices/${device.id}/doh_password/reset`);
  assert.equal(await curled('127.0.0.1', '/resolve', fresh(), '--user', loginOf(device)), REFUSED);
  const changed = (await home.ask('GET', `/oapi/v1/devices/${device.id}`)) as Device;
  assert.equal(await curled('127.0.0.1', '/resolve', fresh(), '--user', loginOf(changed)), 0);
});

for (const over of ['udp', 'tcp'] as const)
  test(`a dedicated address is one device over ${over}; an unassigned one does not answer`, needs, async () => {
    const { id } = await home.device(`dedicated over ${over}`);
    const { ip } = await home.ask('POST', '/oapi/v1/dedicated_addresses/ipv4');
    assert.ok(pool.includes(ip));
    const silent = await home.dig(undefined, over, `@${ip}`, '+time=1', fresh());
    assert.equal(silent, undefined);
    await home.ask('POST', `/oapi/v1/devices/${id}/dedicated_addresses/ipv4`, { ip });
    const domain = fresh();
    assert.equal((await home.dug(undefined, over, `@${ip}`, domain)).status, 'NOERROR');
    assert.equal(await deviceOf(domain), id);
    await home.ask('DELETE', `/oapi/v1/devices/${id}/dedicated_addresses/ipv4?ip=${ip}`);
    assert.equal(await home.dig(undefined, over, `@${ip}`, '+time=1', fresh()), undefined);
  });

test('opening the link of a device identifies the device by that address, and nothing else', needs, async () => {
  const { id } = await home.device('linked', 'ROUTER');
  const { link_url: link } = await home.ask('GET', `/api/v1/devices/${id}/linked_address`);
  await assertRefused(undefined, 'udp', '-b', '127.0.0.77', fresh());
  const { stdout } = await run('curl', ['-sS', '--noproxy', '*', '--interface', '127.0.0.77', link]);
  assert.match(stdout, /has been linked/);
  for (const over of ['udp', 'tcp'] as const) {
    const domain = fresh();
    assert.equal((await home.dug(undefined, over, '-b', '127.0.0.77', domain)).status, 'NOERROR');
    assert.equal(await deviceOf(domain), id);
    await assertRefused(undefined, over, '-b', '127.0.0.78', domain);
  }
  // Over HTTPS without an id the address identifies the device, too.
  const overHttps = fresh();
  assert.equal((await home.dug(undefined, 'doh', '-b', '127.0.0.77', overHttps)).status, 'NOERROR');
  assert.equal(await deviceOf(overHttps), id);
  // A query with an unknown device id is not identified by its address.
  await assertRefused('ffffffff', 'udp', '-b', '127.0.0.77', fresh());
  await home.ask('DELETE', `/api/v1/devices/${id}/linked_address`);
  await assertRefused(undefined, 'udp', '-b', '127.0.0.77', fresh());
});

test('changes that another process makes in the store take effect soon', needs, async (t) => {
  const { id } = await home.device('changed by hand');
  const store = await openStore({ folder: home.service.data, besideServer: true });
  t.after(() => store.close());
  const [account] = await store.read.accounts.list({ after: '' });
  await store.inTransaction(async ({ devices }) => {
    const found = await devices.find(account!.id, id as DeviceId);
    await devices.update({ ...found!, linkedIp: '127.0.0.79' });
  });
  const domain = fresh();
  await until('the link to be known', async () => {
    const { status } = await home.dug(undefined, 'udp', '-b', '127.0.0.79', domain);
    return status === 'NOERROR' || undefined;
  });
  assert.equal(await deviceOf(domain), id);
});

type Listed = readonly { readonly id: string; readonly name: string; readonly device_type: string }[];
const devicesNamed = async (name: string): Promise<Listed> =>
  ((await home.ask('GET', '/oapi/v1/devices')) as Listed).filter((device) => device.name === name);

test('a device that names itself is refused where that is not allowed', needs, async () => {
  await home.set({ auto_connect_devices_enabled: false });
  for (const over of overs) await assertRefused(`lnx-${home.server}-Uninvited`, over, fresh());
  assert.deepEqual(await devicesNamed('Uninvited'), []);
});

test('a device that names itself is made when it first asks, once, and known from then on', needs, async () => {
  await home.set({ auto_connect_devices_enabled: true });
  const ways: readonly (readonly [over: Over, spelling: string])[] = [
    ['dot', `adr-${home.server}-My-Phone`],
    ['dot', `adr-${home.server}-My-Phone`],
    ['doh', `ADR-${home.server.toUpperCase()}-my-phone`],
    ['doh', `adr-${home.server}-My-Phone`],
  ];
  const asked = ways.map(([over, spelling]) => ({ over, spelling, domain: fresh() }));
  const answers = await Promise.all(asked.map(({ over, spelling, domain }) => home.dug(spelling, over, domain)));
  for (const { status, answer } of answers) {
    assert.equal(status, 'NOERROR');
    assert.match(answer[0]!, new RegExp(`A ${HERE}$`));
  }
  const made = await devicesNamed('My Phone');
  assert.equal(made.length, 1);
  assert.equal(made[0]!.device_type, 'ANDROID');
  for (const { domain } of asked) assert.equal(await deviceOf(domain), made[0]!.id);
  await home.set({ auto_connect_devices_enabled: false });
  assert.equal((await home.dug(`adr-${home.server}-My-Phone`, 'dot', fresh())).status, 'NOERROR');
});

test('plain DNS creates no device, because its sender address can be forged', needs, async () => {
  await home.set({ auto_connect_devices_enabled: true });
  for (const over of ['udp', 'tcp'] as const) await assertRefused(`lnx-${home.server}-Forged`, over, fresh());
  assert.deepEqual(await devicesNamed('Forged'), []);
});

test('a deleted device is unknown from the next query on', needs, async () => {
  const { id } = await home.device('soon gone');
  const domain = fresh();
  for (const over of overs) assert.equal((await home.dug(id, over, domain)).status, 'NOERROR');
  await home.ask('DELETE', `/oapi/v1/devices/${id}`);
  for (const over of overs) await assertRefused(id, over, domain);
});
