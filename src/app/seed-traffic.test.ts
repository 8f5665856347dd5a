import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unknownCompany } from '../domain/catalogue/company.ts';
import type { AccountId, DeviceId, ProfileId } from '../domain/ids.ts';
import { generateTraffic } from './seed-traffic.ts';

const from = Date.parse('2026-11-01T00:00:00Z');
const DAY = 86_400_000;

test('traffic is in its time range and in order, higher by day than by night, and deterministic for a seed', () => {
  const make = () => {
    let state = 7;
    const random = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    const device = { id: '1a2b3c4d' as DeviceId, account: 'a' as AccountId, profile: 'b' as ProfileId };
    const ads = { id: 'ads', name: 'Ads', category: 'ADS' as const };
    const domains = [['a.example', unknownCompany] as const, ['ads.example', ads] as const];
    return [...generateTraffic({ devices: [device], domains, from, to: from + 2 * DAY, queries: 5000, random })];
  };
  const records = make();
  assert.ok(Math.abs(records.length - 5000) < 50);
  assert.ok(
    records.every(({ time }, at) => time >= from && time < from + 2 * DAY && time >= (records[at - 1]?.time ?? 0)),
  );
  const inHour = (hour: number): number => records.filter(({ time }) => new Date(time).getUTCHours() === hour).length;
  assert.ok(inHour(19) > 5 * inHour(3));
  assert.ok(records.some(({ status, domain }) => status === 'REQUEST_BLOCKED' && domain === 'ads.example'));
  assert.ok(records.every(({ status, domain }) => status === 'NONE' || domain === 'ads.example'));
  assert.deepEqual(make(), records);
});
