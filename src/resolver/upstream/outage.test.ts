import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { slow } from '../../../test/support/kit/slow.ts';
import { until } from '../../../test/support/kit/until.ts';
import { addressesOf, question, whyFailed } from '../../../test/support/resolver/upstream/messages.ts';
import { now, sleep } from '../../../test/support/resolver/upstream/one-upstream.ts';
import {
  after,
  honest,
  saying,
  silence,
  startUpstream,
  startWire,
} from '../../../test/support/resolver/upstream/upstream.ts';
import { openAll } from '../../../test/support/resolver/upstream/upstreams.ts';

const timed = async <T>(work: Promise<T>): Promise<{ value: T; tookMs: number }> => {
  const begun = now();
  const value = await work;
  return { value, tookMs: now() - begun };
};

// The tests mostly wait, so they run concurrently.
describe('when upstreams are gone', { concurrency: true, ...slow }, () => {
  for (const strategy of ['fastest', 'parallel', 'ordered'])
    test(`${strategy}: with one of two upstreams silent, all queries are answered within two seconds, from the first one on`, async (t) => {
      const gone = await startUpstream(t, { udp: silence });
      const good = await startUpstream(t);
      const { resolve, statusOf } = openAll(t, { upstreams: [gone.text, good.text], strategy });
      const begun = now();
      const asking: Promise<{ value: unknown; tookMs: number }>[] = [];
      for (let i = 0; now() - begun < 2500; i++) {
        asking.push(timed(resolve(question(`n${i}.example`)).then(addressesOf)));
        await sleep(5);
      }
      const took = (await Promise.all(asking)).map(({ tookMs }) => tookMs).sort((one, other) => one - other);
      assert.ok(took.length > 100);
      t.diagnostic(
        `P5 one of two upstreams silent (${strategy}): ${took.length} of ${took.length} answered, slowest ${Math.round(took.at(-1)!)} ms`,
      );
      assert.ok(took.at(-1)! < 2000, `the slowest of ${took.length} took ${took.at(-1)} ms`);
      assert.ok(took[Math.floor(took.length / 2)]! < 1000);
      assert.equal(statusOf(gone.text).state, 'out');
      assert.equal(statusOf(good.text).state, 'in');
    });

  test('a silent upstream is tried with one query at a time, and its recovery is detected within five seconds', async (t) => {
    const first = await startUpstream(t, { udp: silence });
    const second = await startUpstream(t);
    const { resolve, statusOf, events } = openAll(t, { upstreams: [first.text, second.text], strategy: 'ordered' });
    let asked = 0;
    const askFor = async (ms: number, until = () => false): Promise<void> => {
      const end = now() + ms;
      while (now() < end && !until()) {
        void resolve(question(`n${asked++}.example`));
        await sleep(10);
      }
    };
    await askFor(1500, () => statusOf(first.text).state === 'out');
    assert.equal(statusOf(first.text).state, 'out');
    const before = first.udpQueries.length;
    await askFor(4000);
    const tries = first.udpQueries.length - before;
    assert.ok(tries >= 1 && tries <= 4, `${tries} tries in four seconds`);

    first.change(saying('192.0.2.9'));
    const { tookMs } = await timed(askFor(6000, () => statusOf(first.text).state === 'in'));
    assert.ok(tookMs < 5000, `seen after ${tookMs} ms`);
    assert.deepEqual(addressesOf(await resolve(question('back.example'))), ['192.0.2.9']);
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['upstream out', 'upstream back'],
    );
  });

  test('with all upstreams silent a query fails in time, and is answered within five seconds after their recovery', async (t) => {
    const servers = [await startUpstream(t, { udp: silence }), await startUpstream(t, { udp: silence })];
    const { resolve } = openAll(t, { upstreams: servers.map(({ text }) => text), timeoutMs: 1500 });
    for (let i = 0; i < 3; i++) {
      const { value, tookMs } = await timed(resolve(question(`n${i}.example`)));
      assert.equal(whyFailed(value), 'timeout');
      assert.ok(tookMs < 1800, `${tookMs} ms`);
    }
    // The same name, so that the cached failure applies.
    for (let i = 0; i < 30; i++) {
      await resolve(question('wanted.example'));
      await sleep(50);
    }
    for (const server of servers) server.change(honest);
    const begun = now();
    while ((await resolve(question('wanted.example'))).kind !== 'answer') {
      assert.ok(now() - begun < 5000, 'not answered after five seconds');
      await sleep(50);
    }
  });

  test('with all upstreams suspended, all of them are still queried', async (t) => {
    const server = await startUpstream(t, { udp: silence });
    const { resolve, statusOf } = openAll(t, { upstreams: [server.text], timeoutMs: 1100 });
    await Promise.all([1, 2, 3].map((number) => resolve(question(`n${number}.example`))));
    await sleep(50);
    assert.equal(statusOf(server.text).state, 'out');
    server.change(honest);
    assert.deepEqual(addressesOf(await resolve(question('next.example'))), ['192.0.2.1']);
    assert.equal(statusOf(server.text).state, 'in');
  });

  test('a datagram that is lost is sent again, to the only upstream there is', async (t) => {
    let seen = 0;
    const server = await startUpstream(t, {
      udp: (query, reply, from) => (++seen < 3 ? undefined : honest(query, reply, from)),
    });
    const { value, tookMs } = await timed(openAll(t, { upstreams: [server.text] }).resolve(question('example.com')));
    assert.deepEqual(addressesOf(value), ['192.0.2.1']);
    assert.ok(tookMs < 1500, `${tookMs} ms`);
  });

  test('one question makes three packets at most to one upstream', async (t) => {
    const server = await startUpstream(t, { udp: silence });
    await openAll(t, { upstreams: [server.text], timeoutMs: 4000 }).resolve(question('example.com'));
    assert.equal(server.udpQueries.length, 3);
  });

  test('an answer that takes three seconds is still an answer', async (t) => {
    const server = await startUpstream(t, { udp: after(2500, honest) });
    assert.deepEqual(addressesOf(await openAll(t, { upstreams: [server.text] }).resolve(question('example.com'))), [
      '192.0.2.1',
    ]);
  });

  test('a connection that is dead without a word costs a question two seconds and not its answer', async (t) => {
    const server = await startUpstream(t);
    const wire = await startWire(t, server.port);
    const clock = { aheadMs: 0 };
    const { resolve } = openAll(
      t,
      { upstreams: [`tcp://127.0.0.1:${wire.port}`] },
      { now: () => now() + clock.aheadMs },
    );
    await resolve(question('example.com'));
    clock.aheadMs += 1000;
    wire.cut();
    const { value, tookMs } = await timed(resolve(question('next.example')));
    assert.deepEqual(addressesOf(value), ['192.0.2.1']);
    assert.ok(tookMs < 2200, `${tookMs} ms`);
  });

  test('every pending query ends, and no socket stays open', async (t) => {
    const gone = await startUpstream(t, { udp: silence });
    const good = await startUpstream(t);
    const { resolve, status } = openAll(t, { upstreams: [gone.text, good.text], strategy: 'parallel' });
    await Promise.all(Array.from({ length: 100 }, (_, index) => resolve(question(`n${index}.example`))));
    await until('all sockets are closed', () => status().upstreams.every(({ open }) => open === 0));
  });

  test('names that failed during an outage are queried again as soon as an upstream answers', async (t) => {
    const server = await startUpstream(t, { udp: silence });
    const { resolve, statusOf } = openAll(t, { upstreams: [server.text], timeoutMs: 1100 });
    await Promise.all([1, 2, 3].map((number) => resolve(question(`n${number}.example`))));
    await sleep(50);
    assert.equal(statusOf(server.text).state, 'out');
    server.change(honest);
    assert.equal(whyFailed(await resolve(question('n1.example'))), 'timeout');
    await resolve(question('next.example'));
    assert.deepEqual(addressesOf(await resolve(question('n1.example'))), ['192.0.2.1']);
  });

  test('a name whose failure is remembered still finds out that an upstream is back', async (t) => {
    const server = await startUpstream(t, { udp: silence });
    const clock = { aheadMs: 0 };
    const { resolve, statusOf } = openAll(
      t,
      { upstreams: [server.text], timeoutMs: 300 },
      { now: () => now() + clock.aheadMs },
    );
    for (const rememberedMs of [1000, 2000, 4000]) {
      assert.equal(whyFailed(await resolve(question('wanted.example'))), 'timeout');
      clock.aheadMs += rememberedMs;
    }
    await until('the upstream is out', () => statusOf(server.text).state === 'out');
    assert.equal(whyFailed(await resolve(question('wanted.example'))), 'timeout');
    server.change(honest);
    clock.aheadMs += 4100;
    const begun = now();
    while ((await resolve(question('wanted.example'))).kind !== 'answer') await sleep(10);
    assert.ok(now() - begun < 600, `${now() - begun} ms`);
  });
});
