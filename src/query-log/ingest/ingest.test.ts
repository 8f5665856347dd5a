import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aQuery, sourceNumber, statusNumber } from '../../../test/support/query-log/records.ts';
import { recordsIn } from '../../../test/support/query-log/tables.ts';
import type { CompanyCategory } from '../../domain/catalogue/company.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import { accountBatches, type EncodedBatch, isShared, tableIn } from '../log-engine.ts';
import { nameMarker } from '../segments/row.ts';
import { createAddressFacts } from './address-facts.ts';
import { createIngest, type IngestDeps, type Outcome } from './ingest.ts';
import { createRingMemory, openRingReader, openRingWriter, type RingRecord } from './record-ring.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 15, 12);
const nowhere = { country: undefined, asn: undefined, network: undefined };

function openIngest(given: Partial<IngestDeps> = {}) {
  const batches: EncodedBatch[] = [];
  const seen: QueryRecord[] = [];
  const company = (category: CompanyCategory) => ({ id: 'google', name: 'Google', category });
  const ingest = createIngest({
    companies: {
      companyOf: (name) =>
        name === 'ads.example' ? company('ADS') : name === 'www.example' ? company('OTHERS') : undefined,
    },
    rules: { rule: () => `||${nameMarker(1)}^`, listId: (list) => ['a-list', 'hagezi_gambling_blocklist'][list] },
    addresses: createAddressFacts({ of: () => nowhere, refresh: () => {} }, false),
    encoded: (batch) => batches.push(batch),
    isSharing: false,
    tail: (_, record) => seen.push(record()),
    ...given,
  });
  const client = (clientId: number, account: string, others = {}): void =>
    ingest.setClient({
      kind: 'client',
      clientId,
      account,
      dnsServer: 'server',
      device: 'phone',
      ipLog: false,
      ...others,
    });
  client(0, 'home');
  const memory = createRingMemory(2 ** 16);
  const [writer, reader] = [openRingWriter(memory), openRingReader(memory)];
  const put = (...records: readonly Partial<RingRecord>[]): Partial<Record<Outcome, number>> => {
    for (const record of records) assert.ok(writer.put({ ...aQuery('www.example', { time: NOW }), ...record }));
    const outcomes: Partial<Record<Outcome, number>> = {};
    reader.look();
    ingest.takeAll(reader, (outcome, count) => {
      if (count > 0) outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
    });
    return outcomes;
  };
  const stored = (): QueryRecord[] => {
    ingest.encodeAll();
    return accountBatches(batches).flatMap((batch) => recordsIn(tableIn(batch), batch.account));
  };
  return { ingest, client, put, stored, batches, seen };
}
const query = (domain: string, different: Partial<RingRecord> = {}): RingRecord =>
  aQuery(domain, { time: NOW, ...different });

test('a record has the fields of its client, the company and category of its domain, and its latency', () => {
  const { put, stored } = openIngest();
  put(query('www.example', { latencyMs: 12 }), query('ADS.example'), query('other.example'));
  const [www, ads, other] = stored();
  assert.deepEqual(www, {
    time: NOW,
    account: 'home',
    dnsServer: 'server',
    device: 'phone',
    domain: 'www.example',
    type: 1,
    rcode: 0,
    protocol: 'DOT',
    status: 'NONE',
    responseCountry: 'QN',
    dnssec: false,
    companyId: 'google',
    category: 'OTHERS',
    latencyMs: 12,
  });
  assert.deepEqual([ads!.domain, ads!.companyId, ads!.category], ['ads.example', 'google', 'ADS']);
  assert.deepEqual([other!.companyId, other!.category], ['unknown', 'OTHERS']);
});

test('the rule is that of the list, or the text of the record; services and categories have ids', () => {
  const { put, stored } = openIngest();
  const status = statusNumber('REQUEST_BLOCKED');
  const text = (rule: string): Partial<RingRecord> => ({ rule: Buffer.from(rule), ruleLength: rule.length });
  put(
    query('www.example', { status, source: sourceNumber('FILTERS'), list: 0, slot: 5 }),
    query('www.example', { status, source: sourceNumber('USER_FILTER'), ...text('||www.example^\0') }),
    query('www.example', { status, source: sourceNumber('PARENTAL_BLOCKED_SERVICE'), ...text('tiktok') }),
    query('www.example', { status, source: sourceNumber('PARENTAL_FILTERING_CATEGORY'), ...text('dating') }),
    query('www.example', { status, source: sourceNumber('PARENTAL_FILTERING_CATEGORY'), list: 1, slot: 5 }),
  );
  assert.deepEqual(
    stored().map(({ source, filterId, rule, serviceId }) => [source, filterId, rule, serviceId]),
    [
      ['FILTERS', 'a-list', '||example^', undefined],
      ['USER_FILTER', undefined, '||www.example^', undefined],
      ['PARENTAL_BLOCKED_SERVICE', undefined, undefined, 'tiktok'],
      ['PARENTAL_FILTERING_CATEGORY', undefined, undefined, 'dating'],
      ['PARENTAL_FILTERING_CATEGORY', 'hagezi_gambling_blocklist', '||example^', 'gambling'],
    ],
  );
});

test('the address of a client is stored only if the client allows it', () => {
  const { client, put, stored } = openIngest();
  client(1, 'office', { ipLog: true });
  put(query('www.example'), query('www.example', { clientId: 1 }));
  assert.deepEqual(
    stored().map(({ account, clientSubnet }) => [account, clientSubnet]),
    [
      ['home', undefined],
      ['office', '192.0.2.0/24'],
    ],
  );
});

test('records of an unknown client are dropped and counted', () => {
  const { put, stored } = openIngest();
  assert.deepEqual(put(query('www.example', { clientId: 9 }), query('www.example')), { taken: 1, unknown: 1 });
  assert.equal(stored().length, 1);
});

test('records up to the time of a clearance are dropped, later ones are not', () => {
  const { ingest, put, stored } = openIngest();
  ingest.cleared('home', NOW);
  assert.deepEqual(put({ time: NOW }, { time: NOW + 1 }), { cleared: 1, taken: 1 });
  ingest.removeClearedBefore(NOW + 1);
  assert.deepEqual(put({ time: NOW }), { taken: 1 });
  assert.equal(stored().length, 2);
});

test('while logging is switched off records and buffered rows are dropped; a clearance does not switch it on', () => {
  const { ingest, put, stored } = openIngest();
  const message = { kind: 'logging', account: 'home', time: NOW } as const;
  put({}, {});
  assert.equal(ingest.setLogging({ ...message, isLogged: false }), 2);
  assert.equal(ingest.rows(), 0);
  ingest.cleared('home', 0);
  assert.deepEqual(put({ time: NOW + 5 }), { 'switched off': 1 });
  assert.equal(ingest.setLogging({ ...message, isLogged: true, time: NOW + 10 }), 0);
  assert.deepEqual(put({ time: NOW + 9 }, { time: NOW + 10 }), { 'switched off': 1, taken: 1 });
  assert.deepEqual(
    stored().map(({ time }) => time),
    [NOW + 10],
  );
});

test('rows of another day start another batch', () => {
  const { put, stored, batches } = openIngest();
  put({ time: NOW }, { time: NOW + DAY }, { time: NOW + DAY });
  assert.equal(stored().length, 3);
  assert.deepEqual(
    batches.map(({ rows }) => rows),
    [1, 2],
  );
});

test('few rows of several accounts are stored together if the log shares batches', () => {
  const { ingest, client, put, batches, stored } = openIngest({ isSharing: true });
  const accounts = Array.from({ length: 20 }, (_, number) => `account-${number}`);
  for (const [number, account] of accounts.entries()) client(number, account);
  put(...accounts.map((_, clientId) => ({ clientId })));
  ingest.encodeDue();
  assert.ok(batches.length <= 4 && batches.every(isShared));
  assert.deepEqual(
    stored()
      .map(({ account }) => account)
      .sort(),
    [...accounts].sort(),
  );
  assert.equal(ingest.rows(), 0);
});

test('records of subscribed accounts are sent to the live log', () => {
  const { ingest, client, put, seen, stored } = openIngest();
  client(1, 'office');
  ingest.setTailed('home', true);
  put(query('ads.example'), query('ads.example', { clientId: 1 }));
  assert.equal(ingest.isTailing(), true);
  ingest.setTailed('home', false);
  put(query('www.example'));
  assert.deepEqual(
    seen,
    stored().filter(({ account, domain }) => account === 'home' && domain === 'ads.example'),
  );
  assert.equal(seen.length, 1);
});

test('rules keep their texts when there are more than the tables hold', () => {
  const { put, stored } = openIngest();
  const encoder = new TextEncoder();
  const ruleOf = (number: number): string => `||${String(number).padStart(2000, 'x')}^`;
  for (let number = 0; number < 2500; number += 1) {
    const rule = encoder.encode(ruleOf(number));
    put(query('www.example', { rule, ruleLength: rule.length, source: sourceNumber('FILTERS') }));
  }
  assert.deepEqual(
    stored().map(({ rule }) => rule),
    Array.from({ length: 2500 }, (_, number) => ruleOf(number)),
  );
});
