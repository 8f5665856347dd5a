import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { test } from 'node:test';
import { addressesOf, question, whyFailed } from '../../../test/support/resolver/upstream/messages.ts';
import { now } from '../../../test/support/resolver/upstream/one-upstream.ts';
import { saying, startUpstream } from '../../../test/support/resolver/upstream/upstream.ts';
import type { UpstreamStrategy } from '../../domain/upstream-strategy.ts';
import { openProfileUpstreams } from './profile-upstreams.ts';
import { DEFAULT_GROUP, forwardGroupOf, upstreamGroupOf } from './upstream-group.ts';
import { readUpstreamSettings, type UpstreamSettings } from './upstream-settings.ts';

const secret = new Uint8Array(8);

function settingsOf(upstreams: readonly string[]): UpstreamSettings {
  const read = readUpstreamSettings({ upstreams }, { listening: [], systemServers: [] });
  if (!read.ok) throw new Error(read.error.join());
  return read.value;
}

test('queries of each DNS server are sent to its own upstreams', async (t) => {
  const [ordinary, own] = await Promise.all([
    startUpstream(t, { udp: saying('192.0.2.1') }),
    startUpstream(t, { udp: saying('192.0.2.2') }),
  ]);
  const upstreams = openProfileUpstreams(settingsOf([ordinary.text]), {
    now,
    randomFill: randomFillSync,
    log: () => assert.fail('how an account’s upstreams are is nobody’s business'),
    settingsFor: ({ upstreams: texts }) => settingsOf(texts),
  });
  t.after(() => upstreams.stop());
  const asked = question('www.example.com');
  assert.deepEqual(addressesOf(await upstreams.resolve(asked, DEFAULT_GROUP)), ['192.0.2.1']);
  // More than may be open at the same time.
  for (let i = 1; i <= 250; i++) {
    const via = { id: i, upstreams: [own.text], strategy: undefined, kind: 'custom' } as const;
    assert.deepEqual(addressesOf(await upstreams.resolve(asked, via)), ['192.0.2.2']);
  }
  assert.deepEqual(addressesOf(await upstreams.resolve(asked, DEFAULT_GROUP)), ['192.0.2.1']);
  assert.equal(upstreams.status().upstreams.length, 1, 'only the operator’s are told of');
});

test('a forbidden address is not queried, and unusable upstreams fail', async (t) => {
  const server = await startUpstream(t);
  const upstreams = openProfileUpstreams(settingsOf([server.text]), {
    now,
    randomFill: randomFillSync,
    log: () => {},
    settingsFor: ({ upstreams: texts }) =>
      texts.length > 1 ? undefined : { ...settingsOf(texts), isForbidden: () => true },
  });
  t.after(() => upstreams.stop());
  const asked = question('www.example.com');
  const via = { id: 1, upstreams: [server.text], strategy: undefined, kind: 'custom' } as const;
  assert.equal(whyFailed(await upstreams.resolve(asked, via)), 'loop');
  assert.equal(whyFailed(await upstreams.resolve(asked, { ...via, id: 2, upstreams: ['x', 'y'] })), 'no address');
  assert.equal(server.udpQueries.length, 0);
});

test('the same upstreams and strategy are one group, others are another, and the secret decides which', () => {
  const groupOf = (upstreams: readonly string[], strategy?: UpstreamStrategy, key = secret) =>
    upstreamGroupOf({ upstreams, strategy }, key);
  const two = ['9.9.9.9', '1.1.1.1'];
  assert.equal(groupOf([]), DEFAULT_GROUP);
  assert.equal(groupOf([], 'parallel'), DEFAULT_GROUP);
  const all = [
    groupOf(two),
    groupOf(two, 'parallel'),
    groupOf(two, 'ordered'),
    groupOf(['9.9.9.9']),
    groupOf(two, undefined, new Uint8Array(8).fill(1)),
    forwardGroupOf({ upstreams: two, strategy: undefined }, secret),
    forwardGroupOf({ upstreams: two, strategy: 'parallel' }, secret),
    DEFAULT_GROUP,
  ];
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  assert.deepEqual(groupOf(two, 'parallel'), all[1]);
});
