import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filtersFromWire } from './log-filters.ts';

test('filters that are not given are absent, and so is an empty search', () => {
  assert.deepEqual(filtersFromWire({ search: '' }), { ok: true, value: {} });
  assert.deepEqual(filtersFromWire({ search: 'Example', filter_ids: ['list'], statuses: ['NONE'] }), {
    ok: true,
    value: { search: 'example', lists: ['list'], statuses: ['NONE'] },
  });
});

test('addresses and networks have the spelling of the log', () => {
  const given = ['192.0.2.1', '2001:DB8:0:0::1', '203.0.113.0/24', '2001:db8:0::/56'];
  assert.deepEqual(filtersFromWire({ client_addresses: given }), {
    ok: true,
    value: { clientAddresses: ['192.0.2.1', '2001:db8::1', '203.0.113.0/24', '2001:db8::/56'] },
  });
});

test('a text that is not an address is an error with its place', () => {
  const result = filtersFromWire({ client_addresses: ['192.0.2.1', '192.0.2', '300.0.0.1'] });
  assert.ok(!result.ok && result.error.kind === 'invalid');
  assert.deepEqual(
    result.error.errors.map(({ field }) => field),
    ['client_addresses[1]'],
  );
});
