import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/kit/until.ts';
import { certificateAuthority } from '../../../test/support/resolver/upstream/certificates.ts';
import { addressesOf, answered, answerTo, question } from '../../../test/support/resolver/upstream/messages.ts';
import { now } from '../../../test/support/resolver/upstream/one-upstream.ts';
import {
  after,
  honest,
  saying,
  silence,
  startHttpsUpstream,
  startTlsUpstream,
  startUpstream,
} from '../../../test/support/resolver/upstream/upstream.ts';
import { openAll } from '../../../test/support/resolver/upstream/upstreams.ts';

const timed = async <T>(work: Promise<T>): Promise<{ value: T; tookMs: number }> => {
  const begun = now();
  const value = await work;
  return { value, tookMs: now() - begun };
};

test('parallel: the first useful answer is used', async (t) => {
  const slow = await startUpstream(t, { udp: after(300, saying('192.0.2.2')) });
  const fast = await startUpstream(t, { udp: after(20, saying('192.0.2.3')) });
  const broken = await startUpstream(t, { udp: (query, reply) => reply(answerTo(query, { rcode: 2, answer: [] })) });
  const { resolve } = openAll(t, { upstreams: [slow.text, fast.text, broken.text], strategy: 'parallel' });
  const { value, tookMs } = await timed(resolve(question('example.com')));
  assert.deepEqual(addressesOf(value), ['192.0.2.3']);
  assert.ok(tookMs < 250);
  assert.deepEqual(
    [slow, fast, broken].map(({ udpQueries }) => udpQueries.length),
    [1, 1, 1],
  );
});

test('ordered: the second upstream is not queried while the first one answers', async (t) => {
  const first = await startUpstream(t);
  const second = await startUpstream(t);
  const { resolve } = openAll(t, { upstreams: [first.text, second.text], strategy: 'ordered' });
  for (let i = 0; i < 20; i++) await resolve(question(`n${i}.example`));
  assert.ok(first.udpQueries.length >= 20);
  // On a very slow machine the first may count as late.
  assert.ok(second.udpQueries.length <= 2);
});

test('fastest: the faster one gets nearly all questions, and the slower one some', async (t) => {
  const slow = await startUpstream(t, { udp: after(60, honest) });
  const fast = await startUpstream(t, { udp: after(5, honest) });
  const { resolve, statusOf } = openAll(t, { upstreams: [slow.text, fast.text] });
  for (let i = 0; i < 150; i++) await resolve(question(`n${i}.example`));
  assert.ok(fast.udpQueries.length > 110, `${fast.udpQueries.length} of 150`);
  assert.ok(slow.udpQueries.length > 0);
  assert.ok(statusOf(slow.text).latencyMs! > statusOf(fast.text).latencyMs!);
});

test('the fallback is queried only if the others do not respond', async (t) => {
  const main = await startUpstream(t);
  const reserve = await startUpstream(t, { udp: saying('192.0.2.5') });
  const { resolve } = openAll(t, { upstreams: [main.text], fallback: [reserve.text] });
  for (let i = 0; i < 10; i++) assert.deepEqual(addressesOf(await resolve(question(`n${i}.example`))), ['192.0.2.1']);
  assert.equal(reserve.udpQueries.length, 0);
  main.change(silence);
  for (let i = 10; i < 20; i++) assert.deepEqual(addressesOf(await resolve(question(`n${i}.example`))), ['192.0.2.5']);
});

test('a slow answer of the main upstream does not cause a query to the fallback', async (t) => {
  const main = await startUpstream(t, { udp: after(600, honest) });
  const reserve = await startUpstream(t);
  const { resolve } = openAll(t, { upstreams: [main.text], fallback: [reserve.text] });
  await resolve(question('hard.example'));
  assert.equal(reserve.udpQueries.length, 0);
});

test('a slow upstream stays in use when no other one is faster', async (t) => {
  const servers = [
    await startUpstream(t, { udp: after(1300, honest) }),
    await startUpstream(t, { udp: after(1300, honest) }),
  ];
  const { resolve, status } = openAll(t, { upstreams: servers.map(({ text }) => text) });
  await Promise.all([1, 2, 3, 4, 5].map((number) => resolve(question(`hard${number}.example`))));
  await until('the late answers', () => status().upstreams.every(({ open }) => open === 0));
  for (const { state, failed } of status().upstreams) assert.deepEqual({ state, failed }, { state: 'in', failed: {} });
});

test('an upstream without a good certificate is passed over, and named with the reason', async (t) => {
  const authority = certificateAuthority();
  const bad = await startTlsUpstream(t, authority.issue('dns.example', 'expired'));
  const good = await startTlsUpstream(t, authority.issue('dns.example'));
  const text = ({ port }: { port: number }) => `tls://dns.example:${port}#127.0.0.1`;
  const { resolve, events } = openAll(
    t,
    { upstreams: [text(bad), text(good)], strategy: 'ordered' },
    { ca: [authority.cert] },
  );
  for (let i = 0; i < 4; i++) assert.equal(answered(await resolve(question(`n${i}.example`))).upstream, text(good));
  assert.equal(bad.queries.length, 0);
  const [out] = events;
  assert.ok(out?.kind === 'upstream out' && out.why === 'certificate' && /expired/.test(out.detail));
  assert.equal(out.upstream, text(bad));
});

test('a DoH upstream that says it has had too many is left alone for as long as it asks', async (t) => {
  const authority = certificateAuthority();
  const busy = await startHttpsUpstream(
    t,
    authority.issue('dns.example'),
    (_, response) => void response.writeHead(429, { 'retry-after': '20' }).end(),
  );
  const good = await startUpstream(t);
  const text = `https://dns.example:${busy.port}/dns-query#127.0.0.1`;
  const clock = { aheadMs: 0 };
  const { resolve } = openAll(
    t,
    { upstreams: [text, good.text], strategy: 'ordered' },
    { ca: [authority.cert], now: () => now() + clock.aheadMs },
  );
  for (let i = 0; i < 10; i++) {
    assert.deepEqual(addressesOf(await resolve(question(`n${i}.example`))), ['192.0.2.1']);
    clock.aheadMs += 1_500;
  }
  assert.equal(busy.queries.length, 1);
});

test('a slow answer that was not waited for does not count as a failure', async (t) => {
  const slow = await startUpstream(t, { udp: after(500, honest) });
  const fast = await startUpstream(t);
  const { resolve, statusOf } = openAll(t, { upstreams: [slow.text, fast.text], strategy: 'ordered' });
  await resolve(question('example.com'));
  await until('the slow answer', () => statusOf(slow.text).answered === 1);
  assert.deepEqual(statusOf(slow.text).failed, {});
});
