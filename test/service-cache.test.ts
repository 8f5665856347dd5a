import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from './support/kit/until.ts';
import { postStream, startService } from './support/service.ts';
import { post, postUntilHit, untilAwaited } from './support/service-contract.ts';
import { versionedOrigin } from './support/service-origins.ts';

const flags = ['--requests-per-minute', '1000', '--allow-source-address', '127.0.0.1/32'];
const [service, expiring, alwaysExpired] = await Promise.all([
  startService({ after }, flags),
  startService({ after }, [...flags, '--cache-time', '2s']),
  startService({ after }, [...flags, '--cache-time', '0']),
]);

const listOf = (source: string, more: object = {}): object => ({
  configuration: { name: 'Kept', sources: [{ source }], ...more },
});

test('the cache key ignores the order of members and includes every value', async (t) => {
  const { source, said } = await versionedOrigin(t);
  const sources = [{ name: 'One', source, exclusions: ['a', 'b'] }];
  await postUntilHit(service, { configuration: { name: 'Kept', sources, version: '1' } });
  const turned = { version: '1', sources: [{ exclusions: ['a', 'b'], source, name: 'One' }], name: 'Kept' };
  const same = await post(service, '/compile', { benchmark: false, configuration: turned });
  assert.equal(same.headers.get('x-cache'), 'HIT');
  const before = said.length;
  const others = [
    { name: 'Kept', sources, version: '2' },
    { name: 'Kept', sources: [{ ...sources[0], exclusions: ['b', 'a'] }], version: '1' },
    { name: 'Kept', sources: [{ ...sources[0], exclusions: ['a', 'c'] }], version: '1' },
    { name: 'Kept', sources: [{ ...sources[0], source: `${source}?2` }], version: '1' },
  ];
  for (const configuration of others) {
    const { headers } = await post(service, '/compile', { configuration });
    assert.equal(headers.get('x-cache'), 'MISS', JSON.stringify(configuration));
  }
  assert.equal(said.length, before + others.length);
});

test('format and explain are part of the cache key, and benchmark is not', async (t) => {
  const { source } = await versionedOrigin(t);
  await postUntilHit(service, listOf(source));
  const hosts = await post(service, '/compile', { ...listOf(source), format: 'hosts' });
  assert.equal(hosts.headers.get('x-cache'), 'MISS');
  const explained = await post(service, '/compile', { ...listOf(source), explain: true });
  assert.equal(explained.headers.get('x-cache'), 'MISS');
  const measured = await post(service, '/compile', { ...listOf(source), benchmark: true });
  assert.equal(measured.headers.get('x-cache'), 'HIT');
  assert.deepEqual(Object.keys(measured.json), ['success', 'rules', 'ruleCount', 'metrics', 'compiledAt', 'cached']);
});

test('a cached result has its dropped and unsupported rules', async () => {
  const source = '||twin.example^\n||twin.example^\n/expression/';
  const body = { ...listOf(source, { transformations: ['Deduplicate'] }), explain: true, format: 'hosts' };
  const first = await post(service, '/compile', body);
  const { json } = await postUntilHit(service, body);
  assert.deepEqual(json, { ...first.json, cached: true });
  assert.deepEqual(Object.keys(json).slice(-4), ['dropped', 'unsupported', 'unsaid', 'cached']);
});

test('the result of a stream is cached, too', async (t) => {
  const { source, said } = await versionedOrigin(t);
  const { events } = await postStream(service, listOf(source));
  const { json } = await postUntilHit(service, listOf(source));
  assert.deepEqual(json.rules, events.at(-2)?.data['rules']);
  assert.equal(said.length, 1);
});

test('content in the request is compiled each time and not cached', async () => {
  const body = { ...listOf('mine'), preFetchedContent: { mine: '||mine.example^' } };
  for (let times = 0; times < 3; times++) {
    const { headers, json } = await post(service, '/compile', body);
    assert.equal(headers.get('x-cache'), 'MISS');
    assert.equal(headers.get('content-location'), null);
    assert.equal(json.cached, undefined);
  }
});

test('an empty preFetchedContent is ignored', async (t) => {
  const { source } = await versionedOrigin(t);
  await postUntilHit(service, listOf(source));
  const { headers } = await post(service, '/compile', { ...listOf(source), preFetchedContent: {} });
  assert.equal(headers.get('x-cache'), 'HIT');
});

test('a request after the first response is a HIT', async (t) => {
  const { source } = await versionedOrigin(t);
  for (let times = 0; times < 10; times++) {
    const body = listOf(source, { version: `${times}` });
    await post(service, '/compile', body);
    const { headers, json } = await post(service, '/compile', body);
    assert.equal(headers.get('x-cache'), 'HIT');
    assert.equal(json.cached, true);
  }
});

test('a failure is not cached: the next request tries again', async (t) => {
  const { source, state, said } = await versionedOrigin(t);
  state.status = 404;
  const failed = await post(service, '/compile', listOf(source));
  assert.equal(failed.status, 500);
  state.status = 200;
  const { status, headers } = await post(service, '/compile', listOf(source));
  assert.equal(status, 200);
  assert.equal(headers.get('x-cache'), 'MISS');
  assert.deepEqual(said, [404, 200]);
});

test('the cache survives a restart', async (t) => {
  const { source, said } = await versionedOrigin(t);
  const first = await startService(t, flags);
  const { json } = await postUntilHit(first, listOf(source));
  assert.equal(await first.stop(), 0);
  const second = await startService(t, flags, { data: first.data });
  const again = await post(second, '/compile', listOf(source));
  assert.equal(again.headers.get('x-cache'), 'HIT');
  assert.deepEqual(again.json, json);
  assert.equal(said.length, 1);
});

test('an expired list whose sources have not changed is a HIT, and not compiled', async (t) => {
  const { source, said } = await versionedOrigin(t);
  const first = await postUntilHit(alwaysExpired, listOf(source));
  const before = said.length;
  const { headers, json } = await post(alwaysExpired, '/compile', listOf(source));
  assert.equal(headers.get('x-cache'), 'HIT');
  assert.deepEqual(json, first.json, 'with the date of its compilation');
  assert.deepEqual(said.slice(before), [304]);
});

test('an expired list that was found unchanged is fresh again', async (t) => {
  const { source, said } = await versionedOrigin(t);
  await postUntilHit(expiring, listOf(source));
  await until('the list to expire', async () => {
    await post(expiring, '/compile', listOf(source));
    return said.length > 1;
  });
  assert.equal((await post(expiring, '/compile', listOf(source))).headers.get('x-cache'), 'HIT');
  assert.deepEqual(said, [200, 304]);
});

test('an expired list whose source has changed is a MISS with the previous version', async (t) => {
  const { source, said, state } = await versionedOrigin(t);
  const first = await postUntilHit(alwaysExpired, listOf(source));
  const before = said.length;
  state.version = 2;
  const { headers, json } = await post(alwaysExpired, '/compile', listOf(source));
  assert.equal(headers.get('x-cache'), 'MISS');
  assert.deepEqual(Object.keys(json), ['success', 'rules', 'ruleCount', 'compiledAt', 'previousVersion']);
  assert.equal(json.rules?.at(-1), '||version-2.example^');
  const { rules, ruleCount, compiledAt } = first.json;
  assert.deepEqual(json.previousVersion, { rules, ruleCount, compiledAt });
  assert.deepEqual(Object.keys(json.previousVersion!), ['rules', 'ruleCount', 'compiledAt']);
  assert.deepEqual(said.slice(before), [200], 'requested once, and compiled from that response');
});

test('an expired list whose source fails is a failure, and the stored version stays', async (t) => {
  const { source, state } = await versionedOrigin(t);
  await postUntilHit(alwaysExpired, listOf(source));
  state.status = 410;
  assert.equal((await post(alwaysExpired, '/compile', listOf(source))).status, 500);
  Object.assign(state, { status: 200, version: 2 });
  const { json } = await post(alwaysExpired, '/compile', listOf(source));
  assert.equal(json.previousVersion?.rules.at(-1), '||version-1.example^');
});

test('inline rules never change: expired, they are a HIT', async () => {
  const { headers } = await postUntilHit(alwaysExpired, listOf('||inline.example^'));
  assert.equal(headers.get('x-cache'), 'HIT');
});

test('a stream compiles also when it joins a request that only asks whether the source has changed', async (t) => {
  const { source, state } = await versionedOrigin(t);
  await postUntilHit(alwaysExpired, listOf(source));
  const { promise, resolve: release } = Promise.withResolvers<void>();
  state.released = promise;
  const revalidating = post(alwaysExpired, '/compile', listOf(source));
  await untilAwaited(alwaysExpired, 1);
  const streaming = postStream(alwaysExpired, listOf(source));
  await untilAwaited(alwaysExpired, 2);
  release();
  const { events } = await streaming;
  await revalidating;
  const names = events.map(({ event }) => event);
  assert(names.includes('source:complete'), names.join());
  assert.deepEqual(Object.keys(events.at(-2)!.data), ['rules', 'ruleCount', 'previousVersion']);
});
