import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeFromWire } from './time-range.ts';

test('a range keeps its filters, with countries in upper case', () => {
  const range = rangeFromWire({
    time_from_millis: 5,
    time_to_millis: 5,
    devices: ['phone'],
    dns_servers: ['server'],
    countries: ['de', 'Fr'],
  });
  const value = { from: 5, to: 5, devices: ['phone'], dnsServers: ['server'], countries: ['DE', 'FR'] };
  assert.deepEqual(range, { ok: true, value });
});

test('times after the last date are that date; an end before the start is an error of its field', () => {
  const last = 8.64e15;
  const largest = { time_from_millis: 0, time_to_millis: Number.MAX_SAFE_INTEGER };
  assert.deepEqual(rangeFromWire(largest), { ok: true, value: { from: 0, to: last } });
  const reversed = rangeFromWire({ time_from_millis: 6, time_to_millis: 5 });
  assert.ok(!reversed.ok && reversed.error.kind === 'invalid');
  assert.equal(reversed.error.errors[0]!.field, 'time_to_millis');
});
