import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from './support/kit/until.ts';
import { missing } from './support/programs.ts';
import { startService } from './support/service.ts';
import { startValkey } from './support/valkey.ts';

const needs = { skip: missing('redis-server') };
const LIMIT = 6;

const compile = (url: string, name: string): Promise<Response> =>
  fetch(`${url}/compile`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ configuration: { name, sources: [{ source: '||ads.example^\n||more.example^' }] } }),
  });

test('two nodes share limits and compiled lists, and go on alone without the server', needs, async (t: TestContext) => {
  const server = await startValkey(t);
  const flags = ['--role', 'compile', '--valkey', server.url, '--requests-per-minute', `${LIMIT}`];
  const [one, other] = await Promise.all([startService(t, flags), startService(t, flags)]);
  const first = await compile(one.url, 'Shared');
  assert.equal(first.status, 200);
  assert.equal(first.headers.get('ratelimit-remaining'), `${LIMIT - 1}`);
  const second = await compile(other.url, 'Shared');
  assert.equal(second.headers.get('ratelimit-remaining'), `${LIMIT - 2}`);
  assert.equal(second.headers.get('x-cache'), 'HIT');
  const path = first.headers.get('content-location')!;
  const lists = await Promise.all([one, other].map(async ({ url }) => (await fetch(url + path)).text()));
  assert.match(lists[0]!, /\|\|more\.example\^/);
  assert.equal(lists[1], lists[0]);

  const statuses = await Promise.all(Array.from({ length: LIMIT }, (_, at) => compile([one, other][at % 2]!.url, 'x')));
  assert.equal(statuses.filter(({ status }) => status === 200).length, LIMIT - 2);
  assert.equal(statuses.filter(({ status }) => status === 429).length, 2);

  const metric = async (): Promise<string> => (await fetch(`http://127.0.0.1:${one.adminPort}/metrics`)).text();
  assert.match(await metric(), /^weir_valkey_up 1$/m);
  await server.kill();
  await until('the loss', async () => /^weir_valkey_up 0$/m.test(await metric()));
  const alone = await compile(one.url, 'Shared');
  assert.equal(alone.status, 200);
  assert.equal(alone.headers.get('ratelimit-remaining'), `${LIMIT - 1}`);
  const warnings = one.log.filter(({ msg }) => String(msg).startsWith('Valkey does not answer'));
  assert.equal(warnings.length, 1);
  assert.doesNotMatch(JSON.stringify(warnings), /redis:\/\//);
});
