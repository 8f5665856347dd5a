import assert from 'node:assert/strict';
import fc from 'fast-check';
import { slow } from '../../../test/support/kit/slow.ts';
import { allPages, aRecord, NOW, testLogs } from '../../../test/support/query-log/logs.ts';
import { plainLog } from '../../../test/support/query-log/plain-log.ts';
import type { LogQuery } from '../../domain/log-query.ts';
import { filteringStatuses, queryCategories } from '../../domain/query-record.ts';

const DAY = 86_400_000;
const everything: LogQuery = { from: 0, to: NOW + DAY, limit: 1000 };
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const defined = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

testLogs(
  'pages with any combination of filters equal those of a full scan, over large segments',
  async ({ log }) => {
    const pick = <T>(values: readonly T[], at: number): T =>
      values[Math.min(values.length - 1, at % (values.length + 7))]!;
    const [houses, lands] = [
      ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'],
      ['US', 'DE', 'JP', 'SE', 'ZZ'],
    ];
    const addresses = ['192.168.1.5', '192.168.1.6', 'fd00::5', '203.0.113.0/24'];
    const firms = Array.from({ length: 40 }, (_, number) => `firm-${number}`);
    // Steps without a common factor: every value occurs with every other, some often and some once.
    const rows = Array.from({ length: 36_000 }, (_, index) =>
      aRecord({
        time: NOW - 2 * DAY + Math.floor(index * 4.1) * 1000,
        device: pick(houses, Math.floor(index / 3)),
        ...(index % 11 === 0 ? {} : { responseCountry: pick(lands, Math.floor(index / 5)) }),
        companyId: pick(firms, Math.floor((index * index) / 7)),
        category: pick(queryCategories, Math.floor(index / 2)),
        status: pick(filteringStatuses, Math.floor(index / 13)),
        dnsServer: index % 3 === 0 ? 'server-1' : 'server-2',
        domain: `name-${index % 900}.example`,
        ...(index % 5 === 0 ? {} : { clientSubnet: pick(addresses, Math.floor(index / 17)) }),
        // A frequent tuple.
        ...(index % 4 === 0
          ? { device: 'd1', responseCountry: 'US', companyId: 'firm-0', category: 'ADS', status: 'NONE' }
          : {}),
      }),
    ).map(({ device, ...others }, index) => (index % 6 === 1 ? others : { ...others, device: device! }));
    for (let start = 0; start < rows.length; start += 4000) await log.append(rows.slice(start, start + 4000));
    const plain = plainLog(rows, NOW);
    const wish = <T>(values: readonly T[]) =>
      maybe(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 }));
    const query = fc.record({
      devices: wish([...houses, 'nobody']),
      dnsServers: wish(['server-1', 'server-2']),
      countries: wish(lands),
      companies: wish(firms),
      statuses: wish(filteringStatuses),
      categories: wish(queryCategories),
      clientAddresses: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, wish([...addresses, '10.0.0.1'])),
      search: fc.constantFrom<string | undefined>(undefined, undefined, 'name-7'),
      from: fc.integer({ min: NOW - 2 * DAY, max: NOW }),
      limit: fc.constantFrom<number>(7, 300, 1000),
    });
    const range = { from: NOW - DAY - 1234, to: NOW - DAY / 2 };
    for (const filters of [{}, { dnsServers: ['server-1'], countries: ['US', 'JP'] }])
      assert.deepEqual(
        await log.statistics.clients('home', { ...range, ...filters }),
        plain.clients('home', { ...range, ...filters }),
      );
    const nothingElse = {
      dnsServers: undefined,
      statuses: undefined,
      categories: undefined,
      clientAddresses: undefined,
      search: undefined,
    };
    const ofTheCommonKind = {
      devices: ['d1'],
      countries: ['US'],
      companies: ['firm-0'],
      from: NOW - 2 * DAY,
      limit: 300,
    };
    await fc.assert(
      fc.asyncProperty(query, async ({ limit, from, ...wishes }) => {
        const asked = { ...everything, ...defined(wishes), from, limit } as LogQuery;
        assert.deepEqual(await allPages(log, 'home', asked), plain.rows('home', asked));
      }),
      { numRuns: 20, endOnFailure: true, examples: [[{ ...nothingElse, ...ofTheCommonKind }]] },
    );
  },
  slow,
);
