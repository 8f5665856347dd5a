import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeHome, startDns } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';
import { addAccount } from './support/second-account.ts';

const needs = { skip: missing('dig') };
const world = await startWorld({ after });
const home = await makeHome(await startDns({ after }, world.address));
await home.set({
  user_rules_settings: {
    enabled: true,
    rules: [
      "||by-name.example.com^$client='Kids\\, tablet'",
      '||by-tag.example.com^$ctag=user_child',
      '||by-type.example.com^$ctag=device_tv',
      '||by-address.example.com^$client=127.0.0.31',
      '||by-network.example.com^$client=127.0.0.32/31',
    ],
  },
});

type Identifier = readonly [kind: string, value: string];

const identify = (device: string, identifiers: readonly Identifier[], tags: readonly string[] = []) =>
  home.ask('PUT', `/api/v1/devices/${device}/identifiers`, {
    identifiers: identifiers.map(([kind, value]) => ({ kind, value })),
    tags,
  });

let last = 0;
/** The device that a query is logged for; undefined if it is refused. */
async function deviceFrom(address: string, ...words: string[]): Promise<string | undefined> {
  const domain = `name-${++last}.example.com`;
  const { status } = await home.dug(undefined, 'udp', '-b', address, ...words, domain);
  if (status === 'REFUSED') return undefined;
  return (await home.logged(domain))[0]!.device_id;
}

const isBlocked = async (address: string, name: string, ...words: string[]): Promise<boolean> => {
  const { answer } = await home.dug(undefined, 'udp', '-b', address, ...words, name);
  return answer.some((record) => record.endsWith(' 0.0.0.0'));
};

/** As dnsmasq sends it with `--add-mac`. */
const withMac = (mac: string): string => `+ednsopt=65001:${mac.replaceAll(':', '')}`;
const [MAC, OTHER] = ['02:00:00:00:00:01', '02:00:00:00:00:02'] as const;

test('two clients behind one forwarder are two devices by their MAC addresses, in any spelling', needs, async () => {
  const [tablet, tv] = [await home.device('Tablet behind a router'), await home.device('TV', 'SMART_TV')];
  assert.equal(await deviceFrom('127.0.0.21', withMac(MAC)), undefined);
  const { identifiers } = await identify(tablet.id, [['mac', '02-00-00-00-00-01']]);
  assert.deepEqual(identifiers, [{ kind: 'mac', value: MAC }]);
  await identify(tv.id, [['mac', OTHER]]);
  for (let i = 0; i < 2; i++) {
    assert.equal(await deviceFrom('127.0.0.21', withMac(MAC)), tablet.id);
    assert.equal(await deviceFrom('127.0.0.21', withMac(OTHER)), tv.id);
    assert.equal(await deviceFrom('127.0.0.21'), undefined);
  }
  const text = Buffer.from(MAC).toString('hex');
  assert.equal(await deviceFrom('127.0.0.21', `+ednsopt=65073:${text}`), tablet.id);
  assert.equal(await isBlocked('127.0.0.21', 'by-type.example.com', withMac(OTHER)), true);
  assert.equal(await isBlocked('127.0.0.21', 'by-type.example.com', withMac(MAC)), false);
  await home.ask('DELETE', `/oapi/v1/devices/${tablet.id}`);
  assert.equal(await deviceFrom('127.0.0.21', withMac(MAC)), undefined);
});

test(
  'rules by name and tag apply to a device that its MAC address identifies, rules by address to the sender',
  needs,
  async () => {
    const { id } = await home.device('Kids, tablet', 'UNKNOWN');
    const mac = '02:00:00:00:00:31';
    await identify(id, [['mac', mac]]);
    const blocked = (name: string) => isBlocked('127.0.0.31', name, withMac(mac));
    assert.equal(await blocked('by-name.example.com'), true);
    assert.equal(await blocked('by-tag.example.com'), false);
    assert.equal(await blocked('by-address.example.com'), true);
    assert.equal(await blocked('by-network.example.com'), false);
    await identify(
      id,
      [
        ['mac', mac],
        ['network', '127.0.0.32/31'],
      ],
      ['user_child'],
    );
    assert.equal(await blocked('by-tag.example.com'), true);
    for (const name of ['by-name', 'by-tag', 'by-network'])
      assert.equal(await isBlocked('127.0.0.33', `${name}.example.com`), true, name);
    assert.equal(await isBlocked('127.0.0.33', 'by-address.example.com'), false);
  },
);

test('the most specific identifier decides, and explain says the same', needs, async () => {
  const devices = await Promise.all(['one', 'two', 'three', 'four'].map((name) => home.device(name)));
  const [byMac, byAddress, byNetwork, byLarger] = devices.map(({ id }) => id) as [string, string, string, string];
  const mac = '02:00:00:00:00:41';
  await identify(byMac, [['mac', mac]]);
  await identify(byAddress, [['address', '127.0.0.41']]);
  await identify(byNetwork, [['network', '127.0.0.40/30']]);
  await identify(byLarger, [['network', '127.0.0.40/29']]);
  const explained = (client: object) =>
    home.ask('POST', `/api/v1/dns_servers/${home.server}/explain`, { name: 'x.example.com', client });
  const cases: readonly (readonly [
    address: string,
    mac: string | undefined,
    device: string,
    matches: readonly string[],
  ])[] = [
    ['127.0.0.41', mac, byMac, [byAddress, byNetwork, byLarger]],
    ['127.0.0.41', undefined, byAddress, [byNetwork, byLarger]],
    ['127.0.0.42', undefined, byNetwork, [byLarger]],
    ['127.0.0.45', undefined, byLarger, []],
  ];
  for (const [address, option, device, others] of cases) {
    assert.equal(await deviceFrom(address, ...(option ? [withMac(option)] : [])), device);
    const { client } = await explained({ address, ...(option && { mac: option }) });
    assert.equal(client.device_id, device);
    assert.equal(client.dns_server_id, home.server);
    assert.equal(client.identified_by.device_id, device);
    assert.deepEqual(
      client.less_specific.map((match: { device_id: string }) => match.device_id),
      others,
    );
  }
  const { client } = await explained({ address: '127.0.0.49' });
  assert.deepEqual(client, { less_specific: [] });
  assert.equal(await deviceFrom('127.0.0.49'), undefined);
});

test('an identifier belongs to one device, and the error names the other device', needs, async () => {
  const [one, other] = [await home.device('Printer'), await home.device('Scanner')];
  await identify(one.id, [
    ['address', '127.0.0.61'],
    ['host name', 'printer'],
  ]);
  const response = await fetch(`${home.service.url}/api/v1/devices/${other.id}/identifiers`, {
    method: 'PUT',
    headers: { authorization: home.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      identifiers: [
        { kind: 'mac', value: '02:00:00:00:00:61' },
        { kind: 'host name', value: 'Printer' },
        { kind: 'address', value: '127.0.0.61' },
      ],
      tags: [],
    }),
  });
  assert.equal(response.status, 400);
  const { fields } = (await response.json()) as { fields: readonly { field: string; message: string }[] };
  assert.deepEqual(
    fields.map(({ field, message }) => [field, message]),
    [
      ['identifiers[1].value', 'belongs to the device "Printer"'],
      ['identifiers[2].value', 'belongs to the device "Printer"'],
    ],
  );
  assert.equal(await deviceFrom('127.0.0.61'), one.id);
});

test('weir query, or any query of class CHAOS, says what identified the client', needs, async () => {
  const { id } = await home.device('Asks');
  await identify(id, [['address', '127.0.0.71']]);
  const { answer } = await home.dug(undefined, 'udp', '-b', '127.0.0.71', '-c', 'CH', '-t', 'TXT', 'x.example.com');
  assert.ok(
    answer.some((record) => record.includes('identified-by: address 127.0.0.71')),
    answer.join('\n'),
  );
});

test('with several accounts only the operator adds identifiers; tags are for every account', needs, async () => {
  const other = await addAccount(home.service, 'other@example.org');
  const { id } = await other.device('Theirs');
  const put = (identifiers: readonly object[], tags: readonly string[]) =>
    fetch(`${home.service.url}/api/v1/devices/${id}/identifiers`, {
      method: 'PUT',
      headers: { authorization: other.authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ identifiers, tags }),
    });
  assert.equal((await other.ask('GET', `/api/v1/devices/${id}/identifiers`)).assignable, 'none');
  assert.equal((await put([{ kind: 'mac', value: '02:00:00:00:00:81' }], [])).status, 403);
  assert.equal((await put([], ['user_child'])).status, 200);
  assert.equal((await put([], ['user_alien'])).status, 400);
  const ours = await home.device('Of the operator');
  await identify(ours.id, [['mac', '02:00:00:00:00:81']]);
  assert.equal(await deviceFrom('127.0.0.81', withMac('02:00:00:00:00:81')), ours.id);
  const { client } = await other.ask('POST', `/api/v1/dns_servers/${other.server}/explain`, {
    name: 'x.example.com',
    client: { address: '127.0.0.81', mac: '02:00:00:00:00:81' },
  });
  assert.deepEqual(client, { less_specific: [] }, 'an account learns nothing about clients of another account');
});
