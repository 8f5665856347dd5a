import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings } from './default-settings.ts';
import {
  accountProtection,
  deviceProtection,
  type LoadedFilters,
  type Protection,
  serverProtection,
} from './protection-state.ts';

const NOW = 1_000_000;
const all: LoadedFilters = { isFiltering: true, missing: [], isParentalPaused: false, areUpstreamsDown: false };
const on = defaultSettings();
const pausedFor = (ms: number) => ({ ...on, own: { ...on.own, pausedUntil: NOW + ms } });
const server = (loaded: LoadedFilters | undefined, settings = on): Protection =>
  serverProtection({ settings, loaded, now: NOW });
const shown = ({ state, reasons }: Protection): string => [state, ...reasons.map(({ code }) => code)].join(' ');

test('a DNS server is protected only if everything that is enabled is loaded', () => {
  for (const [loaded, state] of [
    [all, 'protected'],
    [{ ...all, missing: ['ads'] }, 'partly lists_not_loaded'],
    [{ ...all, isParentalPaused: true }, 'partly parental_paused'],
    [{ ...all, areUpstreamsDown: true }, 'partly upstreams_down'],
    [{ ...all, isFiltering: false }, 'off nothing_enabled'],
    [{ ...all, isFiltering: false, missing: ['ads'] }, 'off nothing_loaded'],
    [undefined, 'unknown resolver_unavailable'],
  ] as const)
    assert.equal(shown(server(loaded)), state);
});

test('switches and pauses come before what is loaded, and a pause ends by itself', () => {
  assert.equal(shown(server(undefined, { ...on, protectionEnabled: false })), 'off dns_server_off');
  assert.equal(shown(server(all, { ...pausedFor(5), protectionEnabled: false })), 'off dns_server_off');
  assert.deepEqual(server(undefined, pausedFor(5)), {
    state: 'paused',
    pausedUntil: NOW + 5,
    reasons: [{ code: 'dns_server_paused' }],
  });
  assert.equal(shown(server(all, pausedFor(0))), 'protected');
});

test('a device has the state of its DNS server, except for its own switch, its pause, and silence', () => {
  const device = { protectionEnabled: true, pausedUntil: undefined };
  const state = (changes: object, of: Protection, isSeen: boolean | undefined = true): string =>
    shown(deviceProtection({ device: { ...device, ...changes }, server: of, isSeen, now: NOW }));
  const off = server(all, { ...on, protectionEnabled: false });
  assert.equal(state({}, server(all)), 'protected');
  assert.equal(state({}, server({ ...all, missing: ['ads'] })), 'partly lists_not_loaded');
  assert.equal(state({ protectionEnabled: false }, server(all)), 'off device_off');
  assert.equal(state({ protectionEnabled: false }, off), 'off device_off dns_server_off');
  assert.equal(state({ pausedUntil: NOW + 1 }, off), 'off dns_server_off');
  assert.equal(state({ pausedUntil: NOW + 1 }, server(all)), 'paused device_paused');
  assert.equal(state({ pausedUntil: NOW }, server(all)), 'protected');
  assert.equal(state({}, server(all), false), 'unknown not_seen');
  assert.equal(state({}, server(all), undefined), 'protected', 'without a log silence proves nothing');
  assert.equal(state({}, server(undefined)), 'unknown resolver_unavailable');
  const both = deviceProtection({
    device: { ...device, pausedUntil: NOW + 1 },
    server: server(all, pausedFor(9)),
    isSeen: true,
    now: NOW,
  });
  assert.equal(both.pausedUntil, NOW + 9, 'the later end of the two');
});

test('several DNS servers have their common state, or are partly protected for all reasons', () => {
  const missing = (id: string): Protection => server({ ...all, missing: [id] });
  const together = (...servers: Protection[]): Protection =>
    accountProtection(new Map(servers.map((each, index) => [`s${index}`, each])));
  assert.equal(shown(together(server(all), server(all))), 'protected');
  assert.deepEqual(together(missing('ads'), missing('trackers'), missing('ads')), {
    state: 'partly',
    reasons: [{ code: 'lists_not_loaded', lists: ['ads', 'trackers'] }],
  });
  assert.equal(shown(together(server(all), server(all, pausedFor(5)))), 'partly dns_server_paused');
  assert.equal(together(server(all, pausedFor(9)), server(all, pausedFor(5))).pausedUntil, NOW + 5);
  assert.equal(together().state, 'unknown');
});

test('a reason that only some of the DNS servers have names them', () => {
  const nothing = server({ ...all, isFiltering: false, missing: ['ads'] });
  const some = server({ ...all, missing: ['ads', 'malware'] });
  assert.deepEqual(
    accountProtection(
      new Map([
        ['home', nothing],
        ['children', some],
        ['guests', some],
      ]),
    ).reasons,
    [
      { code: 'nothing_loaded', lists: ['ads'], servers: ['home'] },
      { code: 'lists_not_loaded', lists: ['ads', 'malware'], servers: ['children', 'guests'] },
    ],
  );
});
