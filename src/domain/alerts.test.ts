import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../kit/durations.ts';
import { alertsOf } from './alerts.ts';

const NOW = 100 * DAY_MS;
const nothing = { lists: [], installation: undefined, devices: [], networkClients: [], now: NOW };
const shown = (facts: Partial<Parameters<typeof alertsOf>[0]>): string[] =>
  alertsOf({ ...nothing, ...facts }).map(({ code, subject }) => `${code} ${subject}`);

const list = (id: string, changes: object = {}) => ({
  id,
  isBuiltIn: false,
  fetchedAt: NOW,
  checkedAt: NOW,
  problem: undefined,
  isHeldBack: false,
  ...changes,
});

test('a list that failed, is held back or was not checked for a week is reported', () => {
  const old = { fetchedAt: NOW - 8 * DAY_MS, checkedAt: NOW - 8 * DAY_MS };
  const lists = [
    list('fine'),
    list('failed', { problem: { since: 1 } }),
    list('held back', { problem: { since: 1 }, isHeldBack: true }),
    list('stale', old),
    list('built in', { ...old, isBuiltIn: true }),
    list('unchanged for long', { fetchedAt: 0 }),
  ];
  assert.deepEqual(shown({ lists }), ['list_failed failed', 'list_held_back held back', 'list_stale stale']);
});

test('upstreams and certificates are reported to the operator', () => {
  const certificate = (domain: string, days: number, isSelfSigned = false) => ({
    domains: [domain],
    expiresAt: NOW + days * DAY_MS,
    isSelfSigned,
  });
  const installation = {
    upstreams: [
      { upstream: '9.9.9.9', state: 'in' },
      { upstream: '1.1.1.1', state: 'out' },
    ] as const,
    certificates: [
      certificate('far', 15),
      certificate('near', 14),
      certificate('over', 0),
      certificate('own', 1, true),
    ],
  };
  assert.deepEqual(shown({ installation }), [
    'upstream_down 1.1.1.1',
    'certificate_expires near',
    'certificate_expired over',
  ]);
});

test('devices and network clients of the last day are new, at most five of each', () => {
  const devices = Array.from({ length: 7 }, (_, i) => ({ id: `d${i}`, createdAt: NOW - i }));
  const networkClients = [
    { id: 'old', firstSeen: NOW - DAY_MS },
    { id: 'new', firstSeen: NOW - DAY_MS + 1 },
  ];
  assert.deepEqual(shown({ devices, networkClients }), [
    ...['d0', 'd1', 'd2', 'd3', 'd4'].map((id) => `new_device ${id}`),
    'new_network_client new',
  ]);
});
