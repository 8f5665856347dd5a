import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DnsState, SystemState } from '../deps.ts';
import { backupToWire, systemListToWire, systemToWire } from './system.ts';

const START = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const START_TEXT = '2026-01-02T03:04:05.006Z';
const LATER = START + 60_000;
const LATER_TEXT = '2026-01-02T03:05:05.006Z';

const state: SystemState = {
  version: '1.2.3',
  update: undefined,
  nodeVersion: 'v24.0.0',
  database: 'sqlite',
  startedAt: START,
  memoryBytes: 1000,
  listeners: [],
  dns: undefined,
  records: { written: 1, stored: 2, waiting: 3, lagMs: 4.6, dropped: { full: 5 } },
  lastBackup: undefined,
  acme: undefined,
};
const shown = {
  version: '1.2.3',
  node_version: 'v24.0.0',
  database: 'sqlite',
  time_started: START_TEXT,
  memory_bytes: 1000,
  listeners: [],
  records: { written: 1, stored: 2, waiting: 3, lag_ms: 5, dropped: { full: 5 } },
};
const dns: DnsState = {
  areSettingsCurrent: true,
  accounts: 1,
  devices: 2,
  upstreams: [],
  lists: [],
  customLists: 3,
  cache: { entries: 4, bytes: 5 },
  udp: { answered: 6 },
  certificateEndsAt: undefined,
  certificates: [],
};
const shownDns = {
  are_settings_current: true,
  accounts: 1,
  devices: 2,
  upstreams: [],
  lists: [],
  custom_lists: 3,
  cache_entries: 4,
  cache_bytes: 5,
  udp: { answered: 6 },
  certificates: [],
};
const dnsWith = (changes: Partial<DnsState>) => systemToWire({ ...state, dns: { ...dns, ...changes } }).dns;

test('a service without DNS, certificates, update check and backup has none of their members', () => {
  assert.deepEqual(systemToWire(state), shown);
});

test('listeners and the last backup are shown', () => {
  const lastBackup = { file: '/data/backups/a.backup', bytes: 17, at: 0 };
  const last_backup = {
    file: '/data/backups/a.backup',
    size_bytes: 17,
    time_created: '1970-01-01T00:00:00.000Z',
  };
  const listeners = [{ name: 'dns', host: '0.0.0.0', port: 53 }];
  assert.deepEqual(systemToWire({ ...state, listeners, lastBackup }), { ...shown, listeners, last_backup });
  assert.deepEqual(backupToWire(lastBackup), last_backup);
});

test('the check for a newer version is an empty object before the first check', () => {
  assert.deepEqual(systemToWire({ ...state, update: {} }).update, {});
  assert.deepEqual(
    systemToWire({ ...state, update: { version: '2.0', checkedAt: START, problem: 'HTTP 500' } }).update,
    {
      version: '2.0',
      time_checked: START_TEXT,
      problem: 'HTTP 500',
    },
  );
});

test('a certificate that was not requested yet has neither a last attempt nor an error', () => {
  const acme = {
    domains: ['dns.example'],
    directory: 'https://ca.example/dir',
    challenge: 'http-01',
    certificate: 'none',
    lastAttemptAt: undefined,
    nextAttemptAt: LATER,
    lastError: undefined,
  } as const;
  const shownAcme = {
    domains: ['dns.example'],
    directory: 'https://ca.example/dir',
    challenge: 'http-01',
    has_certificate: false,
    time_next_attempt: LATER_TEXT,
  };
  assert.deepEqual(systemToWire({ ...state, acme }).acme, shownAcme);
  const advice = { remedy: 'delegate', text: 'Add a record.', records: ['_acme CNAME x'] };
  const failed = { at: START, text: 'refused', domain: 'dns.example', advice };
  const error = { time: START_TEXT, text: 'refused' };
  const attempted = { ...acme, certificate: 'valid', lastAttemptAt: START } as const;
  assert.deepEqual(systemToWire({ ...state, acme: { ...attempted, lastError: failed } }).acme, {
    ...shownAcme,
    has_certificate: true,
    time_last_attempt: START_TEXT,
    last_error: {
      ...error,
      domain: 'dns.example',
      remedy: 'delegate',
      advice: 'Add a record.',
      records: ['_acme CNAME x'],
    },
  });
  const bare = systemToWire({ ...state, acme: { ...attempted, lastError: { at: START, text: 'refused' } } });
  assert.deepEqual(bare.acme?.last_error, error);
});

test('the resolver has its counters, and the expiry of a certificate if it has one', () => {
  assert.deepEqual(dnsWith({}), shownDns);
  assert.deepEqual(dnsWith({ certificateEndsAt: START, areSettingsCurrent: false }), {
    ...shownDns,
    are_settings_current: false,
    time_certificate_ends: START_TEXT,
  });
});

test('failures of an upstream are added up, and its latency has one decimal', () => {
  const upstream = { upstream: '9.9.9.9', asked: 10, answered: 5 };
  const wire = dnsWith({
    upstreams: [
      { ...upstream, state: 'in', failed: {} },
      {
        ...upstream,
        state: 'out',
        why: 'timeout',
        latencyMs: 12.36,
        failed: { timeout: 2, refused: 3, other: undefined },
      },
    ],
  });
  assert.deepEqual(wire?.upstreams, [
    { ...upstream, is_in: true, failed: 0 },
    { ...upstream, is_in: false, problem: 'timeout', latency_ms: 12.4, failed: 5 },
  ]);
});

test('a list has the time of its download and the error of the last one, if there are any', () => {
  const list = {
    id: 'ads',
    isLoaded: false,
    isBuiltIn: false,
    rules: 7,
    ignored: 0,
    invalid: 0,
    changes: undefined,
    fetchedAt: undefined,
    checkedAt: LATER,
    problem: undefined,
    isHeldBack: false,
  };
  const wire = { filter_id: 'ads', is_in_use: false, rules_count: 7, is_held_back: false };
  assert.deepEqual(systemListToWire(list), wire);
  const loaded = {
    ...list,
    isLoaded: true,
    fetchedAt: START,
    problem: { why: 'HTTP 500', since: 0 },
    isHeldBack: true,
  };
  assert.deepEqual(dnsWith({ lists: [loaded] })?.lists, [
    {
      filter_id: 'ads',
      is_in_use: true,
      rules_count: 7,
      time_updated: START_TEXT,
      problem: 'HTTP 500',
      is_held_back: true,
    },
  ]);
});

test('a certificate has an OCSP response only if it has a responder', () => {
  const certificate = {
    domains: ['dns.example'],
    issuer: 'Example CA',
    keyType: 'ECDSA',
    startsAt: START,
    expiresAt: LATER,
    isSelfSigned: false,
    ocsp: undefined,
  };
  const wire = {
    domains: ['dns.example'],
    issuer: 'Example CA',
    key_type: 'ECDSA',
    time_starts: START_TEXT,
    time_ends: LATER_TEXT,
    is_self_signed: false,
  };
  const missing = {
    status: 'missing',
    isRequired: true,
    endsAt: undefined,
    nextAttemptAt: undefined,
    problem: undefined,
  } as const;
  const stapled = { ...missing, status: 'stapled', isRequired: false, endsAt: LATER, nextAttemptAt: START } as const;
  const certificates = [
    certificate,
    { ...certificate, ocsp: missing },
    { ...certificate, isSelfSigned: true, ocsp: { ...stapled, problem: 'HTTP 500' } },
  ];
  assert.deepEqual(dnsWith({ certificates })?.certificates, [
    wire,
    { ...wire, ocsp: { status: 'missing', is_required: true } },
    {
      ...wire,
      is_self_signed: true,
      ocsp: {
        status: 'stapled',
        is_required: false,
        time_ends: LATER_TEXT,
        time_next_attempt: START_TEXT,
        problem: 'HTTP 500',
      },
    },
  ]);
});
