import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overs } from './support/dig.ts';
import { makeHome, startDns, until } from './support/dns.ts';
import { address, HERE, startWorld, worldOf } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';

const needs = { skip: missing('dig', 'kdig') };
const SITE = 'site.example.com';
const ELSEWHERE = '203.0.113.9';
const LOCAL = 'printer.lan.example';

test('custom upstreams are queried, and their answers are cached separately', needs, async (t) => {
  const world = await startWorld(t);
  const other = await startWorld(t, worldOf([address(SITE, ELSEWHERE)]));
  const lan = await startWorld(t, worldOf([address(LOCAL, '192.0.2.33')]));
  const flags = ['--allow-source-address', '127.0.0.1', '--forward', `lan.example=${lan.address}`];
  const home = await makeHome(await startDns(t, world.address, flags));
  const { id: own } = await home.ask('POST', '/oapi/v1/dns_servers', { name: 'Own' });
  const path = `/api/v1/dns_servers/${own}/upstreams`;
  assert.deepEqual(await home.ask('GET', path), { upstreams: [] });
  const { id: plain } = await home.device('plain');
  const device = { name: 'other', device_type: 'LINUX', dns_server_id: own };
  const { id: special } = await home.ask('POST', '/oapi/v1/devices', device);
  const addressOf = async (who: string, over: (typeof overs)[number]): Promise<string | undefined> =>
    (await home.dug(who, over, SITE)).answer[0]?.split(' ').at(-1);

  for (const who of [plain, special]) assert.equal(await addressOf(who, 'udp'), HERE);
  const chosen = { upstreams: [other.address] };
  assert.deepEqual(await home.ask('PUT', path, chosen), chosen);
  for (const over of overs) {
    assert.equal(await addressOf(special, over), ELSEWHERE, over);
    assert.equal(await addressOf(plain, over), HERE, over);
  }
  assert.equal(world.timesAsked(SITE), 1);
  assert.equal(other.timesAsked(SITE), 1, 'it is kept for its own');
  assert.match((await home.dug(special, 'udp', LOCAL)).answer.join(), /192\.0\.2\.33/, 'what is forwarded stays so');

  other.stop();
  assert.equal((await home.dug(special, 'udp', 'new.example.com')).status, 'SERVFAIL', 'nobody else is asked instead');
  assert.equal((await home.dug(plain, 'udp', 'new.example.com')).status, 'NOERROR');
  await home.ask('PUT', path, { upstreams: [] });
  assert.equal((await home.dug(special, 'udp', 'new.example.com')).status, 'NOERROR');
  assert.equal(await addressOf(special, 'udp'), HERE);
});

test('a strategy is chosen per DNS server and per forwarding rule, else it is the operator’s', needs, async (t) => {
  const world = await startWorld(t);
  const [first, second] = [await startWorld(t), await startWorld(t)];
  const upstreams = [first.address, second.address];
  const flags = ['--allow-source-address', '127.0.0.1', '--upstream-strategy', 'parallel'];
  const home = await makeHome(await startDns(t, world.address, flags));
  const { id } = await home.device('asker');
  const path = `/api/v1/dns_servers/${home.server}/upstreams`;

  let names = 0;
  /** Queries new names over UDP (a UDP thread) and HTTPS (the resolver thread); which of the two upstreams got them. */
  const askedIn = async (domain: string, expected: 'both' | 'the first one'): Promise<void> => {
    for (const over of ['udp', 'doh', 'udp'] as const) {
      const name = `n${names++}.${domain}`;
      assert.equal((await home.dug(id, over, name)).status, 'NOERROR');
      await until(`${name} at ${expected}`, () => first.timesAsked(name) || undefined);
      if (expected === 'both') await until(`${name} at both`, () => second.timesAsked(name) || undefined);
      else assert.equal(second.timesAsked(name), 0, `${name} over ${over}`);
    }
  };
  const choose = async (chosen: object): Promise<void> => {
    assert.deepEqual(await home.ask('PUT', path, { upstreams, ...chosen }), { upstreams, ...chosen });
    assert.deepEqual(await home.ask('GET', path), { upstreams, ...chosen });
  };
  await choose({});
  await askedIn('example.com', 'both');
  // Only the strategy changes.
  await choose({ strategy: 'ordered' });
  await askedIn('example.com', 'the first one');
  await choose({ strategy: 'parallel' });
  await askedIn('example.com', 'both');
  await home.ask('PUT', path, { upstreams: [] });

  const rules = '/api/v1/forward_rules';
  const rule = await home.ask('POST', rules, { domain: 'office.example', upstreams, strategy: 'ordered' });
  assert.equal(rule.strategy, 'ordered');
  await home.ask('POST', rules, { domain: 'branch.example', upstreams, strategy: 'parallel' });
  await askedIn('office.example', 'the first one');
  await askedIn('branch.example', 'both');
  const changed = await home.ask('PUT', `${rules}/${rule.id}`, { domain: 'office.example', upstreams });
  assert.equal('strategy' in changed, false);
  await askedIn('office.example', 'both');
  const { forward_rules: stored } = await home.ask('GET', rules);
  assert.deepEqual(
    stored.map(({ strategy }: { strategy?: string }) => strategy),
    ['parallel', undefined],
  );

  await choose({ strategy: 'ordered' });
  first.stop();
  assert.equal((await home.dug(id, 'udp', 'later.example.com')).status, 'NOERROR', 'the second one is next');
});

test('an account cannot make the resolver ask inside of the operator’s network', needs, async (t) => {
  const world = await startWorld(t);
  const home = await makeHome(await startDns(t, world.address, ['--bootstrap', world.address]));
  const path = `/api/v1/dns_servers/${home.server}/upstreams`;
  const put = (upstreams: readonly string[], rest: object = {}): Promise<Response> =>
    fetch(home.service.url + path, {
      method: 'PUT',
      headers: { authorization: home.authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ upstreams, ...rest }),
    });
  const refused = [
    '127.0.0.1',
    '10.0.0.1',
    '[::1]:53',
    'tls://dns.example#192.168.0.1',
    '9.9.9.9:22',
    'dns.example:25',
  ];
  for (const upstream of [...refused, 'quic://dns.example', '']) {
    const response = await put([upstream]);
    assert.equal(response.status, 400, upstream);
    const { fields } = (await response.json()) as { fields: { field: string }[] };
    assert.deepEqual(
      fields.map(({ field }) => field),
      ['upstreams[0]'],
    );
  }
  for (const [given, strategy] of [
    [['9.9.9.9', '1.1.1.1'], 'random'],
    [[], 'parallel'],
  ] as const) {
    const response = await put(given, { strategy });
    assert.equal(response.status, 400, `${strategy}`);
    const { fields } = (await response.json()) as { fields: { field: string }[] };
    assert.deepEqual(
      fields.map(({ field }) => field),
      ['strategy'],
    );
  }
  assert.equal((await put(Array.from({ length: 9 }, (_, i) => `9.9.9.${i + 1}`))).status, 400);

  const { id } = await home.device('asker');
  world.change(worldOf([address('dns.example', '127.0.0.1')]));
  const inside = await startWorld(t, worldOf(), 0);
  assert.equal((await put([`tcp://dns.example`])).status, 200, 'where a name leads is seen when it is asked');
  assert.equal((await home.dug(id, 'udp', SITE)).status, 'SERVFAIL');
  assert.equal(inside.asked.length, 0);
});
