import assert from 'node:assert/strict';
import { test } from 'node:test';
import { protectionReasons } from '../../domain/protection-state.ts';
import { protectionToWire } from './protection.ts';

test('protection without reasons has no other members', () => {
  assert.deepEqual(protectionToWire({ state: 'protected', reasons: [] }), { state: 'protected', reasons: [] });
});

test('the end of a pause is a time in UTC, also the start of 1970', () => {
  const paused = { state: 'paused', reasons: [{ code: 'device_paused' }] } as const;
  assert.deepEqual(protectionToWire({ ...paused, pausedUntil: Date.UTC(2026, 0, 2, 3, 4, 5, 6) }), {
    state: 'paused',
    paused_until: '2026-01-02T03:04:05.006Z',
    reasons: [{ code: 'device_paused', text: 'Protection of the device is paused.' }],
  });
  assert.equal(protectionToWire({ ...paused, pausedUntil: 0 }).paused_until, '1970-01-01T00:00:00.000Z');
});

test('a reason names the lists and the DNS servers that it applies to, if it does not apply to all', () => {
  const reasons = [
    { code: 'lists_not_loaded', lists: ['ads', 'malware'] },
    { code: 'upstreams_down', servers: ['00000001'] },
  ] as const;
  assert.deepEqual(protectionToWire({ state: 'partly', reasons }), {
    state: 'partly',
    reasons: [
      { code: 'lists_not_loaded', text: 'Some enabled lists are not loaded.', lists: ['ads', 'malware'] },
      { code: 'upstreams_down', text: 'None of the upstream servers responds.', dns_servers: ['00000001'] },
    ],
  });
});

test('each reason has a different sentence', () => {
  const { reasons } = protectionToWire({ state: 'unknown', reasons: protectionReasons.map((code) => ({ code })) });
  const texts = new Set(reasons.map(({ text }) => text));
  assert.equal(texts.size, protectionReasons.length);
  for (const text of texts) assert.match(text, /^[A-Z].+\.$/);
});
