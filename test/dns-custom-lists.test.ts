import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { type Over, overs } from './support/dig.ts';
import { type Home, homeOf, makeHome, startDns, until } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';

const needs = { skip: missing('dig', 'kdig') };
const flags = ['--allow-source-address', '127.0.0.0/8'];

const isBlocked = async (home: Home, device: string, domain: string, over: Over = 'udp'): Promise<boolean> =>
  (await home.dug(device, over, domain)).answer.some((line) => line.endsWith(' 0.0.0.0'));
const soon = (home: Home, device: string, domain: string, blocked = true, over: Over = 'udp'): Promise<true> =>
  until(`${domain} to be ${blocked ? 'blocked' : 'let through'} over ${over}`, async () =>
    (await isBlocked(home, device, domain, over)) === blocked ? true : undefined,
  );
const refusal = async ({ service, authorization }: Home, method: string, path: string, json?: unknown) => {
  const response = await fetch(service.url + path, {
    method,
    headers: { authorization, ...(json !== undefined && { 'content-type': 'application/json' }) },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  return { status: response.status, json: (await response.json()) as { fields?: { field: string }[] } };
};

test(
  'lists of an account: by address, by rules and by a configuration; chosen, refreshed, changed, removed',
  needs,
  async (t) => {
    let served = '||listed.example.com^\n||also.example.com^\n';
    const origin = createServer((_, response) => response.end(served));
    origin.listen(0, '127.0.0.1');
    await once(origin, 'listening');
    t.after(() => origin.close());
    const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/list.txt`;
    const world = await startWorld(t);
    const data = await temporaryFolder(t);
    const service = await startDns(t, world.address, flags, { data });
    const home = await makeHome(service);
    const { id: device } = await home.device('asker');
    const create = (list: object) => home.ask('POST', '/api/v1/custom_lists', list);
    const choose = (...ids: string[]) =>
      home.ask('PUT', `/api/v1/dns_servers/${home.server}/custom_lists`, { custom_lists: ids.map((id) => ({ id })) });
    const configuration = {
      name: 'Made',
      sources: [{ source: url, exclusions: ['also'] }, { source: '||inline.example.com^\n||inline2.example.com^' }],
      transformations: ['InvertAllow'],
    };
    const byUrl = await create({ name: 'By address', url });
    const byRules = await create({
      name: 'By rules',
      rules: '||ruled.example.com^\n@@||listed.example.com^$important\n',
    });
    const made = await create({ name: 'Made', configuration: { ...configuration, transformations: [] } });
    assert.equal(byUrl.is_in_use, false, 'nobody uses it yet');
    assert.equal(await isBlocked(home, device, 'listed.example.com'), false);

    await choose(byUrl.id);
    await soon(home, device, 'listed.example.com');
    // Each thread of DNS takes over a new table by itself.
    for (const over of overs) await soon(home, device, 'also.example.com', true, over);
    const row = await until('a row that says why', async () =>
      (await home.logged('listed.example.com')).find(
        ({ filtering_info }) => filtering_info.filtering_status === 'REQUEST_BLOCKED',
      ),
    );
    assert.equal(row.filtering_info.filter_id, byUrl.id);
    assert.equal(row.filtering_info.filter_rule, '||listed.example.com^');
    const shown = await home.ask('GET', `/api/v1/custom_lists/${byUrl.id}`);
    assert.deepEqual([shown.is_in_use, shown.rules_count, shown.url, shown.problem], [true, 2, url, undefined]);

    await choose(made.id);
    await soon(home, device, 'inline.example.com');
    await soon(home, device, 'listed.example.com');
    assert.equal(await isBlocked(home, device, 'also.example.com'), false, 'the configuration leaves it out');

    await choose(byUrl.id, byRules.id);
    await soon(home, device, 'ruled.example.com');
    await soon(home, device, 'listed.example.com', false);
    await home.ask('PUT', `/api/v1/custom_lists/${byRules.id}`, { rules: '||other.example.com^' });
    await soon(home, device, 'other.example.com');
    await soon(home, device, 'ruled.example.com', false);

    served += '||added.example.com^\n';
    await home.ask('PUT', `/api/v1/custom_lists/${byUrl.id}`, { url: `${url}?2` });
    await soon(home, device, 'added.example.com');
    const refreshed = await home.ask('POST', `/api/v1/custom_lists/${byUrl.id}/refresh`);
    assert.equal(refreshed.rules_count, 3);

    assert.equal(await service.stop(), 0);
    origin.close();
    const again = await homeOf(await startDns(t, world.address, flags, { data }), home.authorization);
    assert.equal(await isBlocked(again, device, 'added.example.com'), true, 'after a start it is there at once');
    await again.ask('DELETE', `/api/v1/custom_lists/${byUrl.id}`);
    await soon(again, device, 'added.example.com', false);
    const { custom_lists } = await again.ask('GET', `/api/v1/dns_servers/${home.server}/custom_lists`);
    assert.deepEqual(custom_lists, [{ id: byRules.id, enabled: true }]);
  },
);

test('an invalid list is rejected with the field, and the number of lists is limited', needs, async (t) => {
  const world = await startWorld(t);
  const home = await makeHome(await startDns(t, world.address, ['--max-custom-lists', '2']));
  const fieldsOf = async (list: object): Promise<readonly string[]> => {
    const { status, json } = await refusal(home, 'POST', '/api/v1/custom_lists', list);
    assert.equal(status, 400);
    return json.fields!.map(({ field }) => field);
  };
  assert.deepEqual(await fieldsOf({ name: 'x', url: 'file:///etc/passwd' }), ['url']);
  assert.deepEqual(await fieldsOf({ name: 'x' }), ['url']);
  assert.deepEqual(await fieldsOf({ name: 'x', configuration: { name: 'y', sources: [], more: 1 } }), [
    'configuration.sources',
    'configuration.more',
  ]);
  const secret = { name: 'y', sources: [{ source: '/etc/passwd' }] };
  assert.deepEqual(await fieldsOf({ name: 'x', configuration: secret }), ['configuration.sources[0].source']);
  for (const name of ['one', 'two']) await home.ask('POST', '/api/v1/custom_lists', { name, rules: '||a^' });
  const third = await refusal(home, 'POST', '/api/v1/custom_lists', { name: 'three', rules: '||a^' });
  assert.equal(third.status, 429);
});

test('a list with a private address, or too large, has an error status and blocks nothing', needs, async (t) => {
  const world = await startWorld(t);
  const home = await makeHome(await startDns(t, world.address, ['--max-custom-list-rules', '2']));
  const { id } = await home.ask('POST', '/api/v1/custom_lists', { name: 'inside', url: `${home.service.url}/metrics` });
  await home.ask('PUT', `/api/v1/dns_servers/${home.server}/custom_lists`, { custom_lists: [{ id }] });
  const problem = await until('a problem', async () => (await home.ask('GET', `/api/v1/custom_lists/${id}`)).problem);
  assert.ok(problem.length > 10);
  const rules = '||a.example.com^\n||b.example.com^\n||site.example.com^';
  const large = await home.ask('POST', '/api/v1/custom_lists', { name: 'large', rules });
  const chosen = { custom_lists: [{ id: large.id }] };
  await home.ask('PUT', `/api/v1/dns_servers/${home.server}/custom_lists`, chosen);
  const why = await until('why', async () => (await home.ask('GET', `/api/v1/custom_lists/${large.id}`)).problem);
  assert.match(why, /has 3 rules, and at most 2/);
  const { id: device } = await home.device('asker');
  assert.equal((await home.dug(device, 'udp', 'site.example.com')).status, 'NOERROR');
});
