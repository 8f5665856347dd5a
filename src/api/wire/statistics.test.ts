import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  categoriesToWire,
  companiesToWire,
  companyDetailsToWire,
  countriesToWire,
  devicesToWire,
  domainsToWire,
  timesToWire,
} from './statistics.ts';

const value = { queries: 30, blocked: 20, companies: 10 };
const nameOf = (id: string): string => (id === 'acme' ? 'ACME Ltd' : id);

test('categories have queries only', () => {
  assert.deepEqual(categoriesToWire([{ category: 'ADS', queries: 4 }]), {
    stats: [{ category_type: 'ADS', queries: 4 }],
  });
  assert.deepEqual(categoriesToWire([]), { stats: [] });
});

test('rows keep their order and have the counts below the name of the row', () => {
  const zero = { queries: 0, blocked: 0, companies: 0 };
  assert.deepEqual(
    countriesToWire([
      { country: 'DE', value },
      { country: 'QN', value: zero },
    ]),
    [
      { country: 'DE', value },
      { country: 'QN', value: zero },
    ],
  );
  assert.deepEqual(devicesToWire([{ device: '1a2b3c4d', lastActivity: 5000, value }]), [
    { device_id: '1a2b3c4d', last_activity_time_millis: 5000, value },
  ]);
  assert.deepEqual(domainsToWire([{ domain: 'example.org', value }]), [{ domain: 'example.org', value }]);
  assert.deepEqual(timesToWire([{ time: 60_000, value }]), { stats: [{ time_millis: 60_000, value }] });
});

test('a company has its name, or the id if the name is not known', () => {
  assert.deepEqual(
    companiesToWire(
      [
        { companyId: 'acme', value },
        { companyId: 'other', value },
      ],
      nameOf,
    ),
    [
      { company_name: 'ACME Ltd', value },
      { company_name: 'other', value },
    ],
  );
});

test('a company of which nothing was blocked has no top blocked domain', () => {
  const row = { companyId: 'acme', value, domains: 3, topQueriesDomain: 'www.acme.example' };
  const items = [{ ...row, topBlockedDomain: 'ads.acme.example' }, row];
  const pages = [{ number: 2, cursor: '2:1:20', isCurrent: false }];
  const navigation = { prev: { page_cursor: '1:1:20', page_number: 1 } };
  const shown = {
    company_name: 'ACME Ltd',
    domains_count: 3,
    top_queries_domain: 'www.acme.example',
    value,
  };
  assert.deepEqual(companyDetailsToWire({ items, pages }, navigation, nameOf), {
    navigation,
    pages: [{ current: false, page_cursor: '2:1:20', page_number: 2 }],
    stats: [{ ...shown, top_blocked_domain: 'ads.acme.example' }, shown],
  });
});
