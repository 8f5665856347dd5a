import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings } from '../../domain/default-settings.ts';
import type { BlockingSettings } from '../../domain/profile.ts';
import { blockingOf, safeBrowsingBlockingOf } from './blocking.ts';

const none = { ipv4: undefined, ipv6: undefined };

test('a mode that was never chosen is that of null addresses', () => {
  assert.deepEqual(blockingOf({ mode: 'NONE', ...none }, 10), { mode: 'NULL_IP', ...none, ttlSeconds: 10 });
});

test('custom addresses become bytes, and count with their mode only', () => {
  const custom: BlockingSettings = { mode: 'CUSTOM_IP', ipv4: '192.0.2.1', ipv6: '2001:db8::1' };
  const { ipv4, ipv6 } = blockingOf(custom, 0);
  assert.equal(ipv4?.join('.'), '192.0.2.1');
  assert.equal(Buffer.from(ipv6!).toString('hex'), '20010db8000000000000000000000001');
  assert.deepEqual(blockingOf({ ...custom, mode: 'REFUSED' }, 0), { mode: 'REFUSED', ...none, ttlSeconds: 0 });
  assert.equal(blockingOf({ ...custom, ipv6: undefined }, 0).ipv6, undefined);
  assert.equal(blockingOf({ ...custom, ipv6: '::ffff:192.0.2.1' }, 0).ipv6, undefined);
});

test('dangerous domains are blocked like others unless they have a separate mode', () => {
  const settings = { ...defaultSettings(), blocking: { mode: 'REFUSED', ...none } as const };
  const withOwn = (mode: BlockingSettings['mode']) =>
    safeBrowsingBlockingOf({ ...settings, safeBrowsing: { ...settings.safeBrowsing, blocking: { mode, ...none } } });
  assert.equal(safeBrowsingBlockingOf(settings).mode, 'REFUSED');
  assert.equal(withOwn('NXDOMAIN').mode, 'NXDOMAIN');
  assert.equal(withOwn('NONE').mode, 'REFUSED');
  assert.equal(withOwn('NXDOMAIN').ttlSeconds, settings.blockTtlSeconds);
});
