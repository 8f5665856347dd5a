import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { slow } from '../../test/support/kit/slow.ts';
import { until } from '../../test/support/kit/until.ts';
import {
  aQuery,
  everything,
  openKept,
  sourceNumber,
  statusNumber,
  testRecords,
} from '../../test/support/query-log/records.ts';
import { logPageText } from '../api/wire/log-page.ts';
import type { LogQuery } from '../domain/log-query.ts';
import type { QueryRecord } from '../domain/query-record.ts';
import type { RecordStats } from './ingest/record-stats.ts';
import type { LogStore } from './log-store.ts';

const dropsOf = ({ dropped }: RecordStats): number => Object.values(dropped).reduce((sum, count) => sum + count, 0);

testRecords('an answered query becomes a record with all known fields', async (t, location) => {
  const { put, log } = await openKept(t, location);
  const time = Date.now();
  const text = new TextEncoder().encode('||tracker.example^$important');
  put(
    aQuery('Metrics.Tracker.EXAMPLE', {
      time,
      latencyMs: 1234,
      status: statusNumber('REQUEST_BLOCKED'),
      source: sourceNumber('USER_FILTER'),
      rule: text,
      ruleLength: text.length,
      isDnssec: true,
    }),
  );
  const service = new TextEncoder().encode('tiktok');
  put(
    aQuery('www.tiktok.com', {
      time: time + 1,
      clientId: 1,
      status: statusNumber('REQUEST_BLOCKED'),
      source: sourceNumber('PARENTAL_BLOCKED_SERVICE'),
      rule: service,
      ruleLength: service.length,
      rcode: 3,
    }),
    1,
  );
  const [mine] = (await log.page('home', everything)).items;
  assert.deepEqual(mine, {
    time,
    account: 'home',
    dnsServer: 'server of home',
    device: 'phone',
    domain: 'metrics.tracker.example',
    type: 1,
    rcode: 0,
    protocol: 'DOT',
    status: 'REQUEST_BLOCKED',
    source: 'USER_FILTER',
    rule: '||tracker.example^$important',
    responseCountry: 'QN',
    dnssec: true,
    companyId: 'unknown',
    category: 'OTHERS',
    // Two digits.
    latencyMs: 1200,
  } satisfies QueryRecord);
  const [theirs] = (await log.page('office', everything)).items;
  assert.equal(theirs?.serviceId, 'tiktok');
  assert.equal(theirs?.rule, undefined);
  assert.equal(theirs?.clientSubnet, '192.0.2.0/24');
  assert.equal(theirs?.rcode, 3);
});

testRecords('domains of one company have their own categories', async (t, location) => {
  const { put, log } = await openKept(t, location);
  const time = Date.now();
  for (const [offset, domain] of ['www.google.com', 'doubleclick.net', 'www.google.com'].entries())
    put(aQuery(domain, { time: time + offset }));
  const { items } = await log.page('home', everything);
  assert.deepEqual(
    items.map(({ domain, companyId, category }) => [domain, companyId, category]),
    [
      ['www.google.com', 'google', 'OTHERS'],
      ['doubleclick.net', 'google', 'ADS'],
      ['www.google.com', 'google', 'OTHERS'],
    ],
  );
});

testRecords(
  'answered queries are always stored or counted as dropped',
  async (t, location) => {
    const { put, log, stats } = await openKept(t, location, { ringBytes: 16 * 1024 });
    let answered = 0;
    for (let round = 0; round < 20; round += 1) {
      for (let each = 0; each < 1000; each += 1, answered += 1)
        put(aQuery(`name-${each}.example`, { clientId: each % 3 }), each & 1);
      await log.requestsSince('home', 0);
    }
    const told = await stats();
    assert.equal(told.waiting, 0);
    assert.equal(told.stored + dropsOf(told), answered);
    assert.ok(told.dropped['ring full'] > 0, 'rings of 16 KiB are full before they are looked at');
    assert.ok(told.dropped.unknown > 0, 'nobody has said who the third is');
    assert.equal(told.written + told.dropped['ring full'], answered);
    const counted = (await log.requestsSince('home', 0)) + (await log.requestsSince('office', 0));
    assert.equal(counted, told.stored);
  },
  slow,
);

testRecords(
  'a client that is announced before its first query is known, also while the thread is busy',
  async (t, location) => {
    const { put, name, log, stats } = await openKept(t, location);
    const record = aQuery();
    for (let clientId = 2; clientId < 4000; clientId += 1) {
      name({
        kind: 'client',
        clientId,
        account: 'home',
        dnsServer: 'server of home',
        device: `device-${clientId}`,
        ipLog: false,
      });
      for (let each = 0; each < 5; each += 1) put({ ...record, clientId });
      // Keeps the thread busy reading its rings.
      if (clientId % 50 === 0) void stats();
    }
    await log.requestsSince('home', 0);
    const { stored, dropped } = await stats();
    assert.deepEqual({ stored, unknown: dropped.unknown }, { stored: 3998 * 5, unknown: 0 });
  },
);

testRecords(
  'a large batch of queries is stored like a small one, also after reopening and rolling up',
  async (t, location) => {
    const [rows, names, start] = [40_000, 700, Date.now() - 300_000];
    const first = await openKept(t, location, { ringBytes: 16 * 2 ** 20 });
    for (let row = 0; row < rows; row += 1) {
      const status = statusNumber(row % 5 === 0 ? 'REQUEST_BLOCKED' : 'NONE');
      // Rings are read one after the other, so rows are out of order.
      assert.ok(
        first.put(aQuery(`name-${row % names}.example`, { time: start + Math.floor(row / 200), status }), row & 1),
      );
    }
    const everywhere = { from: start - 3_600_000, to: start + 3_600_000 };
    const told = async (log: LogStore) => {
      const page = async (query: Partial<LogQuery>) => (await log.page('home', { ...everything, ...query })).items;
      const counts = await log.statistics.domains('home', everywhere);
      const times = (await page({})).map(({ time }) => time);
      return {
        requests: await log.requestsSince('home', 0),
        isInOrder: times.every((time, index) => index === 0 || times[index - 1]! >= time),
        newest: times[0],
        found: (await page({ search: 'name-77.' })).length,
        blocked: (await page({ statuses: ['REQUEST_BLOCKED'], search: 'name-75.' })).length,
        passed: (await page({ statuses: ['NONE'], search: 'name-75.' })).length,
        names: counts.length,
        counted: counts.reduce((sum, { value }) => sum + value.queries, 0),
        countedBlocked: counts.reduce((sum, { value }) => sum + value.blocked, 0),
        byMinute: (await log.statistics.time('home', everywhere)).reduce((sum, { value }) => sum + value.queries, 0),
      };
    };
    const expected = {
      requests: rows,
      isInOrder: true,
      newest: start + Math.floor((rows - 1) / 200),
      found: Math.ceil((rows - 77) / names),
      blocked: Math.ceil((rows - 75) / names),
      passed: 0,
      names,
      counted: rows,
      countedBlocked: rows / 5,
      byMinute: rows,
    };
    assert.deepEqual(await told(first.log), expected);
    await first.stop();
    const again = await openKept(t, location);
    assert.deepEqual(await told(again.log), expected);
    await again.log.clear('home');
    const nothing = { newest: undefined, found: 0, blocked: 0, names: 0, counted: 0, countedBlocked: 0, byMinute: 0 };
    const cleared = { ...expected, ...nothing };
    assert.deepEqual(await told(again.log), cleared);
  },
  slow,
);

testRecords('a stop stores all records', async (t, location) => {
  const first = await openKept(t, location);
  for (let each = 0; each < 10_000; each += 1) assert.ok(first.put(aQuery(`name-${each}.example`), each & 1));
  await first.stop();
  const second = await openKept(t, location);
  assert.equal(await second.log.requestsSince('home', 0), 10_000);
  assert.equal((await second.log.page('home', { ...everything, search: 'name-9999.' })).items.length, 1);
});

testRecords('records are stored within seconds although nothing reads the log', async (t, location) => {
  const { put, stats } = await openKept(t, location);
  put(aQuery());
  const deadline = Date.now() + 10_000;
  while ((await stats()).stored === 0 && Date.now() < deadline) await setTimeout(50);
  assert.equal((await stats()).stored, 1);
});

testRecords('queries answered before the log was cleared are not stored', async (t, location) => {
  const { put, log, stats } = await openKept(t, location);
  for (let each = 0; each < 100; each += 1) put(aQuery());
  await log.clear('home');
  put(aQuery('late.example', { time: Date.now() - 5000 }));
  await setTimeout(5);
  put(aQuery('new.example'));
  const { items } = await log.page('home', everything);
  assert.deepEqual(
    items.map(({ domain }) => domain),
    ['new.example'],
  );
  assert.equal((await stats()).dropped.cleared, 1);
  assert.equal(await log.requestsSince('home', 0), 101);
});

testRecords('late rows of a deleted account are not stored', async (t, location) => {
  const { put, log, stats } = await openKept(t, location);
  for (let each = 0; each < 100; each += 1) put(aQuery());
  await log.deleteAccount('home');
  put(aQuery('late.example', { time: Date.now() + 1000 }));
  put(aQuery('other.example', { clientId: 1 }));
  assert.deepEqual((await log.page('home', everything)).items, []);
  assert.deepEqual(await log.accounts(), ['office']);
  assert.equal((await stats()).dropped.cleared, 1);
});

testRecords(
  'a live subscription gets the queries of its account as they arrive, and no others',
  async (t, location) => {
    const { put, subscribe, log } = await openKept(t, location);
    const tail: QueryRecord[] = [];
    let missed = 0;
    const stop = subscribe('home', (records, more) => {
      tail.push(...records);
      missed += more;
    });
    await log.requestsSince('home', 0);
    for (let each = 0; each < 2000; each += 1) put(aQuery(`name-${each}.example`, { clientId: each & 1 }));
    await log.requestsSince('home', 0);
    await until('all queries', () => tail.length + missed >= 1000);
    assert.equal(tail.length + missed, 1000);
    assert.equal(tail[0]?.domain, 'name-0.example');
    assert.ok(tail.every(({ account }) => account === 'home'));
    stop();
    const before = tail.length;
    await log.requestsSince('home', 0);
    put(aQuery());
    await log.requestsSince('home', 0);
    await setTimeout(50);
    assert.equal(tail.length, before);
  },
);

testRecords('a page is written by the thread and has all earlier queries', async (t, location) => {
  const { put, log, pageJson } = await openKept(t, location);
  for (const name of ['one.example', 'two.example']) put(aQuery(name));
  const text = await pageJson('home', everything);
  assert.deepEqual((JSON.parse(text).items as { readonly domain: string }[]).map(({ domain }) => domain).sort(), [
    'one.example',
    'two.example',
  ]);
  assert.equal(text, logPageText(await log.page('home', everything)));
  await log.close();
  await assert.rejects(pageJson('home', everything), { message: 'the query log is closed' });
});
