import assert from 'node:assert/strict';
import fc from 'fast-check';
import { slow } from '../../test/support/kit/slow.ts';
import { allPages, aRecord, NOW, testLogs } from '../../test/support/query-log/logs.ts';
import { plainLog } from '../../test/support/query-log/plain-log.ts';
import { type LogQuery, parseLogCursor } from '../domain/log-query.ts';
import {
  filteringSources,
  filteringStatuses,
  type QueryRecord,
  queryCategories,
  queryProtocols,
} from '../domain/query-record.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const everything: LogQuery = { from: 0, to: NOW + DAY, limit: 1000 };

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const time = fc.oneof(
  fc.integer({ min: NOW - 2 * HOUR, max: NOW }),
  fc.integer({ min: NOW - 12 * DAY, max: NOW }),
  fc.constantFrom(NOW, NOW - 1, NOW - HOUR, NOW - 3 * DAY),
);
const devices = fc.constantFrom('phone', 'tv', 'laptop');
const countries = fc.constantFrom('US', 'DE', 'QN');
const addresses = fc.constantFrom('192.0.2.0/24', '192.168.1.7', 'fd00::7');
const companies = fc.constantFrom('google', 'apple', 'Ünïcode', "o'neill");
const record: fc.Arbitrary<QueryRecord> = fc
  .record({
    time,
    account: fc.constantFrom('home', 'work'),
    dnsServer: fc.constantFrom('server-1', 'server-2'),
    device: maybe(devices),
    domain: fc.constantFrom(
      'example.org',
      'ads.example.org',
      'a"b\\c.example',
      '100%_.example',
      'xn--bcher-kva.example',
    ),
    type: fc.constantFrom(1, 28, 65, 65400),
    rcode: fc.constantFrom(0, 2, 3),
    protocol: fc.constantFrom(...queryProtocols),
    status: fc.constantFrom(...filteringStatuses),
    source: maybe(fc.constantFrom(...filteringSources)),
    filterId: maybe(fc.constantFrom('adguard_dns_filter', 'other_list')),
    rule: maybe(fc.constant('||example.org^')),
    serviceId: maybe(fc.constantFrom('9gag', 'gambling')),
    clientCountry: maybe(fc.constant('RU')),
    responseCountry: maybe(countries),
    asn: maybe(fc.nat(4_294_967_295)),
    network: maybe(fc.string()),
    dnssec: fc.boolean(),
    companyId: companies,
    category: fc.constantFrom(...queryCategories),
    clientSubnet: maybe(addresses),
    latencyMs: maybe(fc.constantFrom(0, 1, 99, 100, 240, 990, 1000, 7400)),
  })
  .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as QueryRecord);

const some = <T>(value: fc.Arbitrary<T>) => maybe(fc.uniqueArray(value, { maxLength: 2 }));
const range = fc
  .oneof(fc.tuple(time, time), fc.constant([NOW - 30 * DAY, NOW]), fc.constant([NOW - HOUR, NOW]))
  .map((ends) => ({ from: Math.min(...ends), to: Math.max(...ends) }));
const filters = fc.record({
  devices: some(devices),
  dnsServers: some(fc.constantFrom('server-1', 'nowhere')),
  countries: some(countries),
  companies: some(companies),
});
const defined = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

testLogs('pages and statistics equal those of a full scan', async ({ log, again }) => {
  const appended: QueryRecord[] = [];
  let store = log;
  const batches = fc.array(fc.array(record, { maxLength: 60 }), { minLength: 1, maxLength: 20 });
  const query = fc.record({
    range,
    filters,
    statuses: some(fc.constantFrom(...filteringStatuses)),
    categories: some(fc.constantFrom(...queryCategories)),
    clientAddresses: some(addresses),
    lists: some(fc.constantFrom('adguard_dns_filter', 'other_list', 'nowhere')),
    search: maybe(
      fc.constantFrom('example', 'ADS', 'g', '%', '_', '"', '\\', 'nowhere', 'xn--b', '"Example.org"', '"ads'),
    ),
    limit: fc.integer({ min: 1, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(
      batches,
      fc.array(query, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      async (given, asked, anew) => {
        for (const batch of given) {
          await store.append(batch);
          appended.push(...batch);
        }
        if (anew) store = await again();
        const plain = plainLog(appended, NOW);
        for (const { range: times, filters: wanted, limit, ...others } of asked) {
          const rows = { ...times, ...defined(wanted), ...defined(others), limit } as LogQuery;
          assert.deepEqual(sorted(await allPages(store, 'home', rows)), sorted(plain.rows('home', rows)));
          const counted = { ...times, ...defined(wanted) };
          for (const name of [
            'activeDevices',
            'blockedCategories',
            'categories',
            'clients',
            'companies',
            'countries',
            'devices',
            'domains',
            'latency',
            'lists',
            'time',
          ] as const)
            assert.deepEqual(await store.statistics[name]('home', counted), plain[name]('home', counted), name);
          const detailed = await store.statistics.companiesDetailed('home', { ...counted, limit: 100 });
          assert.deepEqual(detailed.items, plain.companiesDetailed('home', counted));
        }
      },
    ),
    { numRuns: 12 },
  );
});

// Rows of one millisecond may be in any order, if it is the same for every page.
const sorted = (rows: readonly QueryRecord[]): string[] => {
  assert.deepEqual(
    rows.map(({ time: at }) => at),
    rows.map(({ time: at }) => at).toSorted((one, other) => other - one),
  );
  return rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();
};

testLogs(
  'rolled-up and encoded rows are read unchanged',
  async ({ log, again }) => {
    const rows = Array.from({ length: 20_000 }, (_, index) =>
      aRecord({
        time: NOW - 20_000_000 + index * 1000,
        domain: `name-${index % 700}.example`,
        companyId: `c${index % 7}`,
      }),
    );
    for (let start = 0; start < rows.length; start += 5000) await log.append(rows.slice(start, start + 5000));
    const store = await again();
    const plain = plainLog(rows, NOW);
    assert.deepEqual(await allPages(store, 'home', everything), plain.rows('home', everything));
    const rare = { ...everything, search: 'name-699.', companies: ['c3'] };
    assert.deepEqual(await allPages(store, 'home', rare), plain.rows('home', rare));
    const day = { from: NOW - DAY, to: NOW };
    assert.deepEqual(await store.statistics.domains('home', day), plain.domains('home', day));
    assert.deepEqual(await store.statistics.time('home', day), plain.time('home', day));
  },
  slow,
);

testLogs('pages do not shift while rows arrive', async ({ log }) => {
  await log.append(Array.from({ length: 30 }, (_, index) => aRecord({ time: NOW - 1000 + index, type: index })));
  const first = await log.page('home', { ...everything, limit: 10 });
  await log.append([aRecord({ time: NOW, type: 99 })]);
  const cursor = parseLogCursor(first.pages[1]!.cursor)!;
  const second = await log.page('home', { ...everything, limit: 10, cursor });
  assert.deepEqual(
    second.items.map(({ type }) => type),
    [19, 18, 17, 16, 15, 14, 13, 12, 11, 10],
  );
  assert.deepEqual(
    second.pages.map(({ number, isCurrent }) => [number, isCurrent]),
    [
      [1, false],
      [2, true],
      [3, false],
    ],
  );
  assert.equal((await log.page('home', { ...everything, limit: 31 })).pages.length, 1);
});

testLogs('with a cursor of another account, only the own rows are shown', async ({ log }) => {
  await log.append([aRecord(), aRecord(), aRecord({ account: 'work', domain: 'work.example', time: NOW - 5000 })]);
  const { pages } = await log.page('home', { ...everything, limit: 1 });
  const cursor = parseLogCursor(pages[1]!.cursor)!;
  const { items } = await log.page('work', { ...everything, cursor });
  assert.deepEqual(
    items.map(({ domain }) => domain),
    ['work.example'],
  );
});

testLogs('rows older than the retention are deleted, and their rollups are kept', async ({ log }) => {
  const old = Array.from({ length: 300 }, (_, index) => aRecord({ time: NOW - 40 * DAY + index * HOUR }));
  const work = old.map((row) => ({ ...row, account: 'work' }));
  await log.append([...old, ...work]);
  await log.append([aRecord(), aRecord({ time: NOW - 30 * DAY })]);
  const cutoff = NOW - 35 * DAY + 5 * MINUTE;
  await log.applyRetention((account) => (account === 'home' ? cutoff : 0));
  const kept = [...old, aRecord({ time: NOW - 30 * DAY })].filter(({ time: at }) => at >= cutoff).length;
  assert.equal((await allPages(log, 'home', everything)).length, kept + 1);
  assert.equal((await allPages(log, 'work', everything)).length, 300);
  assert.equal(await log.requestsSince('home', 0), 302);
  await log.applyRetention(() => NOW + 1);
  assert.deepEqual((await log.page('home', everything)).items, []);
  const counts = await log.statistics.time('home', { from: NOW - 60 * DAY, to: NOW });
  assert.equal(
    counts.reduce((sum, { value }) => sum + value.queries, 0),
    302,
  );
});

testLogs('requests are counted from the start of an hour', async ({ log }) => {
  await log.append([-1, 0, 25 * HOUR].map((after) => aRecord({ time: NOW - 3 * DAY - 30 * MINUTE + after })));
  assert.equal(await log.requestsSince('home', NOW - 3 * DAY), 2);
  assert.equal(await log.requestsSince('home', NOW - 3 * DAY - HOUR), 3);
  await log.clear('home');
  assert.equal(await log.requestsSince('home', NOW - 3 * DAY), 2);
});

testLogs(
  'an old range has buckets as narrow as a new one, with hourly counts at the start of the hour',
  async ({ log }) => {
    const hour = NOW - 3 * DAY - 30 * MINUTE;
    await log.append([5, 20, 50, 70, 130].map((minutes) => aRecord({ time: hour + minutes * MINUTE })));
    const counts = await log.statistics.time('home', { from: hour + 10 * MINUTE, to: hour + 75 * MINUTE });
    assert.deepEqual([counts[0]!.time, counts.length], [hour + 10 * MINUTE, 66]);
    assert.deepEqual(
      counts.filter(({ value }) => value.queries > 0).map(({ time: at, value }) => [at, value.queries]),
      [
        [hour + 10 * MINUTE, 3],
        [hour + HOUR, 1],
      ],
    );
  },
);

testLogs(
  'a page with filters finds rare rows of every day and hour, encoded or not',
  async ({ log }) => {
    const rows = Array.from({ length: 20_000 }, (_, index) =>
      aRecord({
        time: NOW - 3 * DAY + index * 12_000,
        device: index % 4000 === 77 ? 'rare' : `device-${index % 3}`,
        companyId: `c${index % 900}`,
        status: index % 3 === 1 && index % 7 === 0 ? 'MODIFIED' : 'NONE',
      }),
    );
    for (let start = 0; start < rows.length; start += 3000) await log.append(rows.slice(start, start + 3000));
    const plain = plainLog(rows, NOW);
    for (const filters of [
      { devices: ['rare'] },
      { devices: ['rare', 'nobody'], companies: ['c77', 'c477'] },
      { devices: ['nobody'] },
      { devices: ['device-2'], statuses: ['MODIFIED' as const] },
      { devices: ['device-1'], statuses: ['MODIFIED' as const], companies: ['c7'] },
    ]) {
      const query = { ...everything, ...filters };
      assert.deepEqual(await allPages(log, 'home', query), plain.rows('home', query));
    }
    await log.clear('home');
    const later = aRecord({ time: NOW - 2 * DAY, device: 'rare' });
    await log.append([later]);
    assert.deepEqual((await log.page('home', { ...everything, devices: ['rare'] })).items, [later]);
  },
  slow,
);

testLogs(
  'rows of a value that is spread over many segments are in order on all pages',
  async ({ log }) => {
    // Each batch spans a whole day, so all segments of a day overlap.
    const rows = Array.from({ length: 40_000 }, (_, index) =>
      aRecord({
        time: NOW - (index % 2) * DAY - ((index * 7919) % (12 * HOUR)),
        domain: `name-${index % 600}.example`,
        device: index % 1500 === 77 ? 'thin' : index % 900 === 78 ? 'thinner' : `device-${index % 3}`,
        companyId: `c${index % 900}`,
        ...(index % 2500 < 2 ? { responseCountry: 'ZZ' } : {}),
      }),
    );
    for (let start = 0; start < rows.length; start += 4000) await log.append(rows.slice(start, start + 4000));
    const plain = plainLog(rows, NOW);
    for (const filters of [
      { devices: ['thin'] },
      { devices: ['thin', 'thinner', 'nobody'] },
      { companies: ['c7'] },
      { companies: ['c7'], devices: ['device-1'] },
      { companies: ['c7', 'c78'], devices: ['thinner', 'device-1'], search: 'name-7' },
      { countries: ['ZZ'], search: '1.example' },
      { devices: ['thin'], from: NOW - DAY - 3 * HOUR, to: NOW - 2 * HOUR },
    ]) {
      const query = { ...everything, limit: 6, ...filters };
      assert.deepEqual(await allPages(log, 'home', query), plain.rows('home', query));
    }
  },
  slow,
);

testLogs('a repeated statistic changes when rows are added, cleared or expired', async ({ log }) => {
  const append = (device: string) => log.append(Array.from({ length: 17_000 }, () => aRecord({ device })));
  const devices = async () =>
    (await log.statistics.devices('home', { from: NOW - 20 * DAY, to: NOW })).map(({ device, value }) => [
      device,
      value.queries,
    ]);
  const rowsOf = async (device: string) => (await log.page('home', { ...everything, devices: [device] })).items.length;
  await append('phone');
  assert.deepEqual([await devices(), await rowsOf('tv')], [[['phone', 17_000]], 0]);
  await append('tv');
  await append('tv');
  assert.deepEqual(await devices(), [
    ['tv', 34_000],
    ['phone', 17_000],
  ]);
  assert.equal(await rowsOf('tv'), 1000);
  await log.clear('home');
  assert.deepEqual([await rowsOf('tv'), (await devices()).length], [0, 0]);
  await log.deleteAccount('home');
  await append('laptop');
  assert.deepEqual([await devices(), await rowsOf('laptop')], [[['laptop', 17_000]], 1000]);
});

testLogs('companies with details come in pages', async ({ log }) => {
  await log.append(
    Array.from({ length: 60 }, (_, index) =>
      aRecord({ companyId: `c${index % 10}`, domain: `d${index % 20}.example` }),
    ),
  );
  const query = { from: NOW - HOUR, to: NOW, limit: 4, page: 3 };
  const { items, pages } = await log.statistics.companiesDetailed('home', query);
  assert.deepEqual(
    items.map(({ companyId, domains, topQueriesDomain }) => [companyId, domains, topQueriesDomain]),
    [
      ['c8', 2, 'd18.example'],
      ['c9', 2, 'd19.example'],
    ],
  );
  assert.deepEqual(
    pages.map(({ number, isCurrent }) => [number, isCurrent]),
    [
      [1, false],
      [2, false],
      [3, true],
    ],
  );
});

testLogs(
  'a bucket above the limit of names has exact sums and exact counts of its most frequent names',
  async ({ log }) => {
    const rows = Array.from({ length: 30_000 }, (_, index) =>
      aRecord({
        domain: index % 3 === 0 ? `top-${index % 30}.example` : `rare-${index}.example`,
        time: NOW - 30_000 + index,
      }),
    );
    for (let start = 0; start < rows.length; start += 3000) await log.append(rows.slice(start, start + 3000));
    const query = { from: NOW - 20 * DAY, to: NOW };
    const plain = plainLog(rows, NOW);
    assert.deepEqual(
      (await log.statistics.domains('home', query)).slice(0, 10),
      plain.domains('home', query).slice(0, 10),
    );
    for (const name of ['time', 'devices', 'companies', 'categories'] as const)
      assert.deepEqual(await log.statistics[name]('home', query), plain[name]('home', query));
  },
);

testLogs(
  'values dropped from the minutes of an hour are in the hour and the day',
  async ({ log }) => {
    const start = Math.floor((NOW - 2 * DAY) / DAY) * DAY;
    const rows = Array.from({ length: 24_000 }, (_, index) =>
      aRecord({
        domain: `name-${index % 50}.example`,
        companyId: `company-${index % 11}`,
        device: `device-${index % 13}`,
        responseCountry: ['DE', 'FR', 'JP', 'SE', 'US', 'ZA', 'BR'][index % 7]!,
        time: start + index * 150,
      }),
    );
    for (let from = 0; from < rows.length; from += 3000) await log.append(rows.slice(from, from + 3000));
    const plain = plainLog(rows, NOW);
    for (const range of [3, 20])
      for (const name of ['time', 'devices', 'categories'] as const) {
        const query = { from: NOW - range * DAY, to: NOW };
        assert.deepEqual(await log.statistics[name]('home', query), plain[name]('home', query));
      }
  },
  slow,
);
