import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startService } from './support/service.ts';
import { post, postUntilHit, untilAwaited } from './support/service-contract.ts';
import { patientOrigin } from './support/service-origins.ts';
import { postAndLeave } from './support/service-raw.ts';

const service = await startService({ after }, [
  '--requests-per-minute',
  '1000',
  '--allow-source-address',
  '127.0.0.1/32',
]);

const bodyFor = (source: string): object => ({ configuration: { name: 'Shared', sources: [{ source }] } });

test('fifty equal concurrent requests fetch the source once: one is a MISS, all others are deduplicated', async (t) => {
  const { url, waiting, answer } = await patientOrigin(t);
  const body = bodyFor(url);
  const requests = Array.from({ length: 50 }, () => post(service, '/compile', body));
  await untilAwaited(service, 50);
  await answer('||shared.example^');
  const answers = await Promise.all(requests);
  assert.equal(waiting.length, 1);
  const misses = answers.filter(({ headers }) => headers.get('x-cache') === 'MISS');
  const shared = answers.filter(({ headers }) => headers.get('x-request-deduplication') === 'HIT');
  t.diagnostic(`P13 50 identical requests: ${misses.length} compilation, ${waiting.length} download`);
  assert.equal(misses.length, 1);
  assert.equal(shared.length, 49);
  assert.deepEqual(Object.keys(misses[0]!.json), ['success', 'rules', 'ruleCount', 'compiledAt']);
  for (const { status, headers, json } of shared) {
    assert.equal(status, 200);
    assert.equal(headers.get('x-cache'), null);
    assert.equal(headers.get('content-type'), 'application/json');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.deepEqual(json, { ...misses[0]!.json, deduplicated: true });
  }
  assert.deepEqual(Object.keys(shared[0]!.json).at(-1), 'deduplicated');
});

test('requests with their own texts are not shared', async () => {
  const body = { configuration: { name: 'Own', sources: [{ source: 'k' }] }, preFetchedContent: { k: '||k.example^' } };
  const answers = await Promise.all(Array.from({ length: 5 }, () => post(service, '/compile', body)));
  for (const { headers, json } of answers) {
    assert.equal(headers.get('x-cache'), 'MISS');
    assert.equal(json.deduplicated, undefined);
  }
});

test('a failure is shared, too, and no longer than it lasts', async (t) => {
  const { url, waiting, isAsked } = await patientOrigin(t);
  const body = bodyFor(url);
  const requests = [post(service, '/compile', body), post(service, '/compile', body)];
  await isAsked();
  await untilAwaited(service, 2);
  for (const response of waiting) response.writeHead(404).end();
  for (const { status, headers, json } of await Promise.all(requests)) {
    assert.equal(status, 500);
    assert.equal(headers.get('x-request-deduplication'), null);
    assert.deepEqual(json, { success: false, error: 'HTTP 404: Not Found' });
  }
  assert.equal(waiting.length, 1);
});

test('when the first client disconnects, the others still get the result', async (t) => {
  const { url, waiting, isAsked, answer } = await patientOrigin(t);
  const body = bodyFor(url);
  const leader = postAndLeave(service, '/compile', body);
  await isAsked();
  const followers = [post(service, '/compile', body), post(service, '/compile', body)];
  await untilAwaited(service, 3);
  leader.leave();
  await untilAwaited(service, 2);
  await answer('||shared.example^');
  for (const { status, json } of await Promise.all(followers)) {
    assert.equal(status, 200);
    assert.equal(json.deduplicated, true);
    assert.equal(json.rules?.at(-1), '||shared.example^');
  }
  assert.equal(waiting.length, 1);
  await postUntilHit(service, body);
});

test('when all of them have left, the connection to the source is closed', async (t) => {
  const { url, connections, isAsked } = await patientOrigin(t);
  const body = bodyFor(url);
  const all = [postAndLeave(service, '/compile', body)];
  await isAsked();
  all.push(postAndLeave(service, '/compile', body), postAndLeave(service, '/compile/stream', body));
  all.push(postAndLeave(service, '/compile/batch', { requests: [{ id: 'a', ...body }] }));
  await untilAwaited(service, 4);
  const closed = once(connections[0]!, 'close');
  for (const one of all.slice(1)) one.leave();
  await untilAwaited(service, 1);
  assert.equal(connections[0]!.destroyed, false, 'one still waits');
  all[0]!.leave();
  await closed;
});

test('a request after all clients disconnected starts a new compilation', async (t) => {
  const { url, connections, waiting, isAsked, answer } = await patientOrigin(t);
  const body = bodyFor(url);
  const one = postAndLeave(service, '/compile', body);
  await isAsked();
  const closed = once(connections[0]!, 'close');
  one.leave();
  await closed;
  const next = post(service, '/compile', body);
  while (waiting.length < 2) await setTimeout(10);
  await answer('||shared.example^');
  const { headers, json } = await next;
  assert.equal(headers.get('x-cache'), 'MISS');
  assert.equal(json.rules?.at(-1), '||shared.example^');
});
