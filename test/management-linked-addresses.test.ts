import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deps } from '../src/api/deps.ts';
import { type Management, startManagement } from './support/management.ts';
import { databases } from './support/store/stores.ts';

type Linked = { readonly id: string; readonly at: string; readonly path: string; readonly token: string };
type Begun = Management & {
  readonly as: string;
  readonly here: { address: string };
  readonly names: Map<string, string>;
};

function onBoth(sentence: string, job: (begun: Begun) => Promise<void>): void {
  for (const [name, newDatabase] of Object.entries(databases))
    test(`${name}: ${sentence}`, async (t) => {
      const options = await newDatabase(t);
      if (!options) return t.skip('there is no PostgreSQL here');
      const here = { address: '203.0.113.7' };
      const names = new Map<string, string>();
      const given: Partial<Deps> = {
        addressOf: () => here.address,
        clientOf: () => here.address,
        addressBehind: async (domain) => names.get(domain),
      };
      const management = await startManagement(t, given, options);
      await job({ ...management, as: await management.account('anna@example.org'), here, names });
    });
}

async function deviceOf({ ask }: Management, as: string, name = 'Router'): Promise<Linked> {
  const [{ id: server }] = (await ask('GET', '/oapi/v1/dns_servers', { as })).json;
  const json = { name, device_type: 'ROUTER', dns_server_id: server };
  const { id } = (await ask('POST', '/oapi/v1/devices', { as, json })).json;
  const at = `/api/v1/devices/${id}/linked_address`;
  const { link_url } = (await ask('GET', at, { as })).json;
  assert.match(link_url, new RegExp(`^https://weir\\.example/linkip/${id}/[A-Za-z0-9]{43}$`));
  const path = new URL(link_url).pathname;
  return { id, at, path, token: path.split('/')[3]! };
}

const shown = async ({ ask }: Management, as: string, { at }: Linked) => {
  const { ip, ddns } = (await ask('GET', at, { as })).json;
  return [ip, ddns];
};

const pendingOf = async ({ ask }: Management, as: string, { at }: Linked) =>
  (await ask('GET', at, { as })).json.pending_ip;

const lastAudit = async ({ store }: Management, email: string) => {
  const { account } = (await store.read.users.byEmail(email))!;
  const [last] = await store.read.audit.list(account, { limit: 1 });
  return last && [last.action, last.by, last.from, last.before, last.after];
};

onBoth('the link of a device links the address that it is opened from', async (begun) => {
  const { ask, as, here, store } = begun;
  const device = await deviceOf(begun, as);
  assert.match((await ask('GET', `${device.path}/status`)).text, /^No address is linked to Router\n$/);
  const { status, text, type } = await ask('GET', device.path);
  assert.deepEqual([status, text], [200, '203.0.113.7 has been linked to Router\n']);
  assert.match(type!, /^text\/plain/);
  here.address = '203.0.113.8';
  assert.equal((await ask('HEAD', device.path)).status, 200);
  assert.deepEqual(await shown(begun, as, device), ['203.0.113.7', undefined], 'a look at the headers changes nothing');
  begun.clock.now += 1;
  assert.match((await ask('POST', device.path)).text, /^203\.0\.113\.8 has been linked/);
  assert.match((await ask('GET', `${device.path}/status`)).text, /^203\.0\.113\.8 has been linked/);
  assert.deepEqual(await shown(begun, as, device), ['203.0.113.8', undefined]);

  let commits = 0;
  const stopListening = store.onCommit(() => void commits++);
  await ask('POST', device.path);
  stopListening();
  assert.equal(commits, 0, 'an address that is already linked is not written again');
  const { account } = (await store.read.users.byEmail('anna@example.org'))!;
  const [last] = await store.read.audit.list(account, { limit: 1 });
  assert.deepEqual(
    [last?.action, last?.by, last?.from, last?.before, last?.after],
    ['device.link', 'the link of the device', '203.0.113.8', { linkedIp: '203.0.113.7' }, { linkedIp: '203.0.113.8' }],
  );
});

onBoth('an address moves between devices of an account', async (begun) => {
  const { ask, as } = begun;
  const [router, tablet] = [await deviceOf(begun, as), await deviceOf(begun, as, 'Tablet')];
  await ask('GET', router.path);
  await ask('GET', tablet.path);
  assert.deepEqual(await shown(begun, as, router), [undefined, undefined]);
  assert.deepEqual(await shown(begun, as, tablet), ['203.0.113.7', undefined]);
  begun.here.address = '198.51.100.1';
  await ask('PUT', router.at, { as, json: { ip: '203.0.113.7' } });
  assert.deepEqual(await shown(begun, as, router), ['203.0.113.7', undefined], 'the account has proven it');
});

onBoth('a typed address or name is pending, and the response reveals nothing about other accounts', async (begun) => {
  const { ask, as, here, names } = begun;
  const berta = await begun.account('berta@example.org');
  const other = await deviceOf(begun, berta);
  const linkedElsewhere = await deviceOf(begun, as);
  await ask('GET', linkedElsewhere.path);
  here.address = '198.51.100.1';
  names.set('taken.example.org', '203.0.113.7').set('free.example.org', '203.0.113.99');
  const claim = async (json: object) => {
    const { status, json: said } = await ask('PUT', other.at, { as: berta, json });
    return [status, said.ip, said.pending_ip, Object.keys(said)];
  };
  const pending = (ip: string, ...more: string[]) => [
    200,
    undefined,
    ip,
    ['link_url', 'pending_ip', 'proof_name', ...more],
  ];
  assert.deepEqual(await claim({ ip: '203.0.113.7' }), pending('203.0.113.7'));
  assert.deepEqual(await claim({ ip: '203.0.113.99' }), pending('203.0.113.99'));
  assert.deepEqual(await claim({ ddns: 'taken.example.org' }), pending('203.0.113.7', 'ddns'));
  assert.deepEqual(await claim({ ddns: 'free.example.org' }), pending('203.0.113.99', 'ddns'));
  const byLink = await ask('POST', `/ddns/${other.id}/${other.token}/taken.example.org`);
  assert.equal(byLink.status, 200);
  assert.match(byLink.text, /^203\.0\.113\.7 \(taken\.example\.org\) is not linked to Router yet: .*\.link\.server, /);
  assert.deepEqual(await shown(begun, as, linkedElsewhere), ['203.0.113.7', undefined]);
});

onBoth('the newest proof has the address, and neither account learns of the other', async (begun) => {
  const { ask, as, here } = begun;
  const router = await deviceOf(begun, as);
  await ask('GET', router.path);
  const berta = await begun.account('berta@example.org');
  const other = await deviceOf(begun, berta, 'Other router');
  begun.clock.now += 1;
  const { status, text } = await ask('GET', other.path);
  assert.deepEqual([status, text], [200, '203.0.113.7 has been linked to Other router\n']);
  assert.deepEqual(await shown(begun, as, router), [undefined, undefined]);
  assert.equal(await pendingOf(begun, as, router), '203.0.113.7');
  assert.deepEqual(await lastAudit(begun, 'anna@example.org'), [
    'device.unlink',
    'a newer proof of the address',
    undefined,
    { linkedIp: '203.0.113.7' },
    { pendingIp: '203.0.113.7' },
  ]);
  assert.deepEqual(await lastAudit(begun, 'berta@example.org'), [
    'device.link',
    'the link of the device',
    '203.0.113.7',
    {},
    { linkedIp: '203.0.113.7' },
  ]);
  begun.clock.now += 1;
  await ask('PUT', router.at, { as, json: { ip: '203.0.113.7' } });
  assert.deepEqual(
    await shown(begun, as, router),
    ['203.0.113.7', undefined],
    'a request from there proves it as well',
  );
  here.address = '198.51.100.1';
  await ask('PUT', other.at, { as: berta, json: { ip: '203.0.113.7' } });
  assert.deepEqual(await shown(begun, as, router), ['203.0.113.7', undefined]);
});

onBoth('of accounts that prove an address at the same time one has it', async (begun) => {
  const { ask, as } = begun;
  const berta = await begun.account('berta@example.org');
  const [one, other] = [await deviceOf(begun, as), await deviceOf(begun, berta)];
  const opened = await Promise.all(Array.from({ length: 12 }, (_, nth) => ask('GET', nth % 2 ? one.path : other.path)));
  for (const { status, text } of opened)
    assert.deepEqual([status, text], [200, '203.0.113.7 has been linked to Router\n']);
  const ips = [await shown(begun, as, one), await shown(begun, berta, other)].map(([ip]) => ip);
  assert.equal(ips.filter((ip) => ip === '203.0.113.7').length, 1);
});

onBoth('private addresses are linked while there is one account', async (begun) => {
  const { ask, as, here } = begun;
  const [router, tablet] = [await deviceOf(begun, as), await deviceOf(begun, as, 'Tablet')];
  const put = (device: Linked, ip: string) => ask('PUT', device.at, { as, json: { ip } });
  assert.equal((await put(router, '192.168.1.7')).json.ip, '192.168.1.7');
  await begun.account('berta@example.org');
  here.address = '192.168.1.8';
  const typed = await put(tablet, '192.168.1.8');
  assert.deepEqual([typed.status, typed.json.fields[0].field], [400, 'ip']);
  const opened = await ask('GET', tablet.path);
  assert.equal(opened.status, 400);
  assert.match(opened.text, /^This address cannot be linked: it must be a public address/);
  assert.deepEqual(await shown(begun, as, router), ['192.168.1.7', undefined], 'a link from before stays');
});

onBoth('a page of another site cannot link the address of its visitors', async (begun) => {
  const { ask, as } = begun;
  const device = await deviceOf(begun, as);
  const open = (site: string, path = device.path, method = 'GET') =>
    ask(method, path, { headers: { 'sec-fetch-site': site } });
  for (const site of ['cross-site', 'same-site']) {
    assert.equal((await open(site)).status, 403);
    assert.equal((await open(site, `/ddns/${device.id}/${device.token}/home.example.org`, 'POST')).status, 403);
  }
  assert.deepEqual(await shown(begun, as, device), [undefined, undefined]);
  assert.equal((await open('none')).status, 200);
});

onBoth(
  'an invalid link is answered like an unknown one and soon rate limited; a valid one still works',
  async (begun) => {
    const { ask, as } = begun;
    const device = await deviceOf(begun, as);
    const wrong = [
      `/linkip/${device.id}/${'x'.repeat(43)}`,
      `/linkip/ffffffff/${device.token}`,
      `/linkip/${device.id}/${device.token.slice(1)}/status`,
      '/linkip/nobody/%00',
    ];
    for (const path of wrong) {
      const { status, text } = await ask('GET', path);
      assert.deepEqual([status, text], [404, 'Unknown link\n'], path);
    }
    assert.equal((await ask('POST', `/ddns/ffffffff/${device.token}/home.example.org`)).status, 404);
    const { status, headers } = await ask('GET', wrong[0]!);
    assert.deepEqual([status, headers.get('retry-after')], [429, '1']);
    assert.equal((await ask('GET', device.path)).status, 200);
    begun.clock.now += 1001;
    assert.equal((await ask('GET', wrong[0]!)).status, 404);
  },
);

onBoth('a name is linked once its address is proven', async (begun) => {
  const { ask, as, here, names } = begun;
  const device = await deviceOf(begun, as);
  const ddns = `/ddns/${device.id}/${device.token}`;
  const early = await ask('POST', `${ddns}/home.example.org`);
  assert.match(early.text, /^home\.example\.org is stored for Router; its address could not be found/);
  names.set('home.example.org', '198.51.100.4');
  assert.match((await ask('POST', `${ddns}/home.example.org`)).text, /is not linked to Router yet/);
  assert.match((await ask('GET', `${device.path}/status`)).text, /is not linked to Router yet/);
  assert.deepEqual(await shown(begun, as, device), [undefined, 'home.example.org']);
  here.address = '198.51.100.4';
  const { status, text } = await ask('GET', device.path);
  assert.deepEqual([status, text], [200, '198.51.100.4 (home.example.org) has been linked to Router\n']);
  assert.deepEqual(await shown(begun, as, device), ['198.51.100.4', 'home.example.org']);
  names.set('away.example.org', '198.51.100.4');
  assert.match(
    (await ask('POST', `${ddns}/away.example.org`)).text,
    /^198\.51\.100\.4 \(away\.example\.org\) has been/,
  );
  assert.equal((await ask('POST', `${ddns}/localhost`)).status, 400);
  here.address = '203.0.113.7';
  await ask('GET', device.path);
  assert.deepEqual(await shown(begun, as, device), ['203.0.113.7', undefined], 'the last wish counts');
});

onBoth('an owner sets address or name, and unlinks both with the link', async (begun) => {
  const { ask, as, names } = begun;
  names.set('home.example.org', '198.51.100.4');
  const device = await deviceOf(begun, as);
  const put = (json: object) => ask('PUT', device.at, { as, json });
  assert.equal((await put({ ip: '::ffff:192.0.2.9' })).json.pending_ip, '192.0.2.9');
  assert.equal((await put({ ip: '::ffff:203.0.113.7' })).json.ip, '203.0.113.7');
  const { json } = await put({ ddns: 'Home.Example.org' });
  assert.deepEqual([json.ip, json.pending_ip, json.ddns], [undefined, '198.51.100.4', 'home.example.org']);
  assert.match(json.proof_name, /^[a-z2-7]{26}\.link\.server$/);
  for (const wrong of [
    {},
    { ip: '192.0.2.9', ddns: 'home.example.org' },
    { ip: 'home' },
    { ip: '0.0.0.0' },
    { ddns: 'home' },
  ])
    assert.equal((await put(wrong)).status, 400, JSON.stringify(wrong));
  const gone = await ask('DELETE', device.at, { as });
  assert.deepEqual([gone.json.ip, gone.json.pending_ip, gone.json.ddns], [undefined, undefined, undefined]);
  assert.equal((await ask('GET', device.path)).status, 404);
  assert.equal((await ask('GET', new URL(gone.json.link_url).pathname)).status, 200);
});

onBoth('links of an account that is suspended lead nowhere', async (begun) => {
  const { ask, as, store } = begun;
  const device = await deviceOf(begun, as);
  const { account: id } = (await store.read.users.byEmail('anna@example.org'))!;
  const account = (await store.read.accounts.find(id))!;
  await store.inTransaction(({ accounts }) => accounts.update({ ...account, isSuspended: true }));
  assert.equal((await ask('GET', device.path)).status, 404);
});
