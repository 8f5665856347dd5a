import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { managementDeps } from '../../test/support/management.ts';
import { invalid } from '../domain/domain-error.ts';
import { err } from '../kit/result.ts';
import type { Deps } from './deps.ts';
import { deviceOperations } from './devices.ts';
import { dnsServerOperations } from './dns-servers.ts';
import { explainOperations } from './explain.ts';

async function openExplain(t: { after(end: () => unknown): void }) {
  const asked: Parameters<Deps['explain']>[0][] = [];
  const { explain } = managementDeps(() => 0);
  const api = await openApi(t, [...explainOperations, ...deviceOperations, ...dnsServerOperations], {
    explain: async (input) => {
      asked.push(input);
      return input.name === 'a..b' ? err(invalid('name', 'must be a domain name')) : explain(input);
    },
  });
  const home = await api.account('home');
  const device = async (dns_server_id: string): Promise<string> =>
    (await api.done('createDevice', home, { body: { device_type: 'IOS', dns_server_id, name: 'Phone' } })).reply.id;
  const params = { dns_server_id: home.server };
  const ask = (body: object, caller = home) => api.call('explainQuery', caller, { params, body });
  return { ...api, home, device, params, ask, asked };
}

test('the type is A by default, and no device and no answer are assumed', async (t) => {
  const { ask, asked, home } = await openExplain(t);
  const result = await ask({ name: 'a.example' });
  assert.ok(result.ok && result.value.reply.filtering === 'off');
  assert.deepEqual(asked, [
    {
      account: home.account,
      dnsServer: home.server,
      device: undefined,
      name: 'a.example',
      type: 'A',
      answer: [],
      clientAddress: undefined,
      client: undefined,
    },
  ]);
});

test('all members of the question are passed on', async (t) => {
  const { ask, asked, device, home } = await openExplain(t);
  const id = await device(home.server);
  const question = { name: 'a.example', type: 'AAAA', answer: ['192.0.2.1'] };
  assert.ok((await ask({ ...question, device_id: id, client_address: '192.0.2.7' })).ok);
  const client = { mac: '00:11:22:33:44:55' };
  assert.ok((await ask({ ...question, client })).ok);
  const common = { account: home.account, dnsServer: home.server, ...question };
  assert.deepEqual(asked, [
    { ...common, device: id, clientAddress: '192.0.2.7', client: undefined },
    { ...common, device: undefined, clientAddress: undefined, client },
  ]);
});

test('a device of another DNS server, an unknown one, and a client beside a device are errors', async (t) => {
  const { ask, asked, device, done, home } = await openExplain(t);
  const { reply } = await done('createDNSServer', home, { body: { name: 'Second' } });
  const fieldOf = async (body: object) => {
    const result = await ask({ name: 'a.example', ...body });
    return !result.ok && result.error.kind === 'invalid' && result.error.errors.map(({ field }) => field);
  };
  for (const device_id of [await device(reply.id), '0badcafe', '', 'no id'])
    assert.deepEqual(await fieldOf({ device_id }), ['device_id'], device_id);
  assert.deepEqual(await fieldOf({ device_id: await device(home.server), client: {} }), ['client']);
  assert.deepEqual(asked, []);
});

test('an error of the explanation is the response; a DNS server of another account is not found', async (t) => {
  const { account, ask } = await openExplain(t);
  const errors = [{ field: 'name', kind: 'wrong value', message: 'must be a domain name' }];
  assert.deepEqual(await ask({ name: 'a..b' }), { ok: false, error: { kind: 'invalid', errors } });
  const notFound = { ok: false, error: { kind: 'not found', what: 'DNS server' } };
  assert.deepEqual(await ask({ name: 'a.example' }, await account('other')), notFound);
});
