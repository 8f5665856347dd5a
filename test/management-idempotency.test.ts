import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { type Answer, type Management, startManagement } from './support/management.ts';

const EMAIL = 'anna@example.org';

const plans = {
  default: { devices: 5, dnsServers: 3, userRules: 50, accessRules: 5, dedicatedIpv4: 2, requests: 2 ** 31 - 1 },
};

type Begun = Management & { readonly as: string; readonly create: (name: string, key?: string) => Promise<Answer> };

async function begin(t: Parameters<typeof startManagement>[0]): Promise<Begun> {
  const management = await startManagement(t, { plans });
  const as = await management.account(EMAIL);
  return { ...management, as, create: creator(management, as) };
}

const creator =
  ({ ask }: Pick<Management, 'ask'>, as: string) =>
  (name: string, key?: string): Promise<Answer> =>
    ask('POST', '/oapi/v1/dns_servers', { as, json: { name }, ...(key && { headers: { 'idempotency-key': key } }) });

const names = async ({ ask, as }: Begun): Promise<string[]> =>
  (await ask('GET', '/oapi/v1/dns_servers', { as })).json.map(({ name }: { name: string }) => name);

test('a repeated POST with the same key is executed once and gets the same response', async (t) => {
  const begun = await begin(t);
  const { create } = begun;
  const first = await create('Children', 'one');
  const again = await create('Children', 'one');
  assert.deepEqual([first.status, first.headers.get('idempotent-replayed')], [200, null]);
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
  assert.deepEqual(again.json, first.json);
  assert.deepEqual((await names(begun)).length, 2);
  assert.notEqual((await create('Children', 'two')).json.id, first.json.id);
});

test('a key of another request is 422, and nothing is changed', async (t) => {
  const begun = await begin(t);
  const { ask, as, create } = begun;
  await create('Children', 'one');
  const other = await create('Guests', 'one');
  assert.deepEqual([other.status, other.json.error_code], [422, 'BAD_REQUEST']);
  const headers = { 'idempotency-key': 'one' };
  assert.equal((await ask('POST', '/oapi/v1/dedicated_addresses/ipv4', { as, headers })).status, 422);
  assert.equal((await names(begun)).length, 2);
});

test('an invalid key is 400', async (t) => {
  const { ask, as } = await begin(t);
  for (const key of ['a'.repeat(256), 'k\u00e9y']) {
    const headers = { 'idempotency-key': key };
    const { status, json } = await ask('POST', '/oapi/v1/dns_servers', { as, json: { name: 'x' }, headers });
    assert.deepEqual([status, json.fields[0].field], [400, 'Idempotency-Key']);
  }
});

test('a failed request is not stored: it is executed again', async (t) => {
  const begun = await begin(t);
  const { create, ask, as } = begun;
  const limited = await Promise.all([create('a'), create('b')]);
  assert.equal((await create('c', 'one')).status, 429);
  await ask('DELETE', `/oapi/v1/dns_servers/${limited[0]!.json.id}`, { as });
  assert.equal((await create('c', 'one')).status, 200);
});

test('a reply outlives a restart', async (t) => {
  const place = { folder: join(await temporaryFolder(t), 'settings') };
  const ends: (() => unknown)[] = [];
  const first = await startManagement({ after: (end) => ends.push(end) }, {}, place);
  const as = await first.account(EMAIL);
  const created = await creator(first, as)('Children', 'one');
  for (const end of ends.toReversed()) await end();
  const second = await startManagement(t, {}, place);
  const again = await creator(second, as)('Children', 'one');
  assert.deepEqual([again.json, again.headers.get('idempotent-replayed')], [created.json, 'true']);
});

test('replies with secrets and long replies are not stored: a repetition is 409 and changes nothing', async (t) => {
  const { ask, as, create } = await begin(t);
  const headers = { 'idempotency-key': 'one' };
  const makeKey = (): Promise<Answer> => ask('POST', '/api/v1/api_keys', { as, json: { name: 'laptop' }, headers });
  assert.equal((await makeKey()).status, 200);
  const again = await makeKey();
  assert.equal(again.status, 409);
  assert.match(again.json.message, /was executed before/);
  assert.equal((await ask('GET', '/api/v1/api_keys', { as })).json.length, 1);
  assert.equal((await create('a')).status, 200);

  const rules = Array.from({ length: 40 }, (_, index) => `! ${index} ${'x'.repeat(1000)}`);
  const json = { name: 'long', settings: { user_rules_settings: { rules } } };
  const makeLong = (): Promise<Answer> =>
    ask('POST', '/oapi/v1/dns_servers', { as, json, headers: { 'idempotency-key': 'two' } });
  assert.deepEqual([(await makeLong()).status, (await makeLong()).status], [200, 409]);
  assert.equal((await ask('GET', '/oapi/v1/dns_servers', { as })).json.length, 3);
});
