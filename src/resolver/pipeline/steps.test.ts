import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAnswering, upstreamAnswer } from '../../../test/support/resolver/pipeline.ts';
import { types } from '../../dns/numbers.ts';
import { filteringStatuses } from '../../domain/query-record.ts';
import { wireName } from '../../kit/wire-name.ts';
import { DROPPED_CLIENT, UNKNOWN_CLIENT } from '../identity/client.ts';

type Given = NonNullable<Parameters<typeof startAnswering>[0]>;
type Query = NonNullable<Parameters<ReturnType<typeof startAnswering>['ask']>[1]>;

type Case = {
  readonly step: string;
  readonly name?: string;
  readonly query?: Query;
  readonly given?: Given;
  /** RCODE, type of the first answer, and TC; undefined if the query is dropped. */
  readonly response: readonly [rcode: number, type: number | undefined, truncated: boolean] | undefined;
  readonly record: readonly [status: string, rcode: number, rule: string] | undefined;
};

const edns = { udpSize: 1232, version: 0, dnssecOk: false, options: [] };
const access = {
  enabled: true,
  allowedClients: [],
  blockedClients: ['192.0.2.0/24'],
  blockedDomainRules: [],
  blockKnownScanners: false,
};
/** Changes the byte of the header that holds QR, opcode and RD. */
const withFlags = (change: (flags: number) => number) => (query: Uint8Array) => {
  query[2] = change(query[2]!);
};
const rules = (...lines: readonly string[]) => ({ settings: { userRules: { enabled: true, rules: lines } } });

/** One query for each step that can decide it, with one result whatever path it takes. */
const cases: readonly Case[] = [
  {
    step: 'parse: a response is dropped',
    query: { change: withFlags((flags) => flags | 0x80) },
    response: undefined,
    record: undefined,
  },
  {
    step: 'parse: another opcode',
    query: { change: withFlags((flags) => flags | 0x10) },
    response: [4, undefined, false],
    record: undefined,
  },
  {
    step: 'identify: an unknown client',
    given: { client: UNKNOWN_CLIENT as { kind: 'unknown' } },
    response: [5, undefined, false],
    record: undefined,
  },
  {
    step: 'identify: a dropped client',
    given: { client: DROPPED_CLIENT as { kind: 'drop' } },
    response: undefined,
    record: undefined,
  },
  {
    step: 'identify: a dropped client, refused type',
    query: { type: types.AXFR },
    given: { client: DROPPED_CLIENT as { kind: 'drop' } },
    response: undefined,
    record: undefined,
  },
  { step: 'access: a blocked client', given: { settings: { access } }, response: undefined, record: undefined },
  {
    step: 'access: a blocked client, refused type',
    query: { type: types.AXFR },
    given: { settings: { access } },
    response: undefined,
    record: undefined,
  },
  {
    step: 'access: a refused type',
    query: { type: types.AXFR },
    response: [5, undefined, false],
    record: ['NONE', 5, ''],
  },
  { step: 'access: an obsolete type', query: { type: 254 }, response: [4, undefined, false], record: ['NONE', 4, ''] },
  {
    step: 'access: no recursion desired',
    query: { change: withFlags((flags) => flags & ~1) },
    response: [5, undefined, false],
    record: ['NONE', 5, ''],
  },
  {
    step: 'special names: type ANY',
    query: { type: types.ANY },
    response: [0, types.HINFO, false],
    record: ['NONE', 0, ''],
  },
  {
    step: 'special names: class CHAOS',
    query: { class: 3, type: types.TXT },
    response: [5, undefined, false],
    record: undefined,
  },
  { step: 'special names: localhost', name: 'localhost', response: [0, types.A, false], record: undefined },
  {
    step: 'decide: blocked',
    name: 'ads.example',
    given: { lists: { ads: ['||ads.example^'] } },
    response: [0, types.A, false],
    record: ['REQUEST_BLOCKED', 0, 'ads'],
  },
  {
    step: 'decide: allowed',
    given: rules('@@||www.example^'),
    response: [0, types.A, false],
    record: ['REQUEST_ALLOWED', 0, 'custom'],
  },
  {
    step: 'decide: rewritten',
    given: rules('|www.example^$dnsrewrite=1.2.3.4'),
    response: [0, types.A, false],
    record: ['MODIFIED', 0, 'custom'],
  },
  { step: 'cache: an answer of the upstream', response: [0, types.A, false], record: ['NONE', 0, ''] },
  {
    step: 'cache: no answer of the upstream',
    name: 'fails.example',
    response: [2, undefined, false],
    record: ['NONE', 2, ''],
  },
  {
    step: 'filter answer: blocked',
    name: 'alias.example',
    given: { lists: { ads: ['||tracker.example^'] } },
    response: [0, types.A, false],
    record: ['RESPONSE_BLOCKED', 0, 'ads'],
  },
  {
    step: 'filter answer: allowed',
    name: 'alias.example',
    given: { lists: { ads: ['@@||tracker.example^'] } },
    response: [0, types.CNAME, false],
    record: ['RESPONSE_ALLOWED', 0, 'ads'],
  },
  {
    step: 'filter answer: a private address',
    name: 'private.example',
    response: [0, types.A, false],
    record: ['RESPONSE_BLOCKED', 0, 'rebinding protection'],
  },
  {
    step: 'respond: too large for a datagram',
    name: 'large.example',
    query: { edns },
    response: [0, undefined, true],
    record: ['NONE', 0, ''],
  },
];

const address = (name: string, ...ip: number[]) => ({
  name: wireName(name)!,
  type: types.A,
  class: 1,
  ttl: 300,
  data: Uint8Array.from(ip),
});
const alias = {
  name: wireName('alias.example')!,
  type: types.CNAME,
  class: 1,
  ttl: 300,
  data: wireName('x.tracker.example')!,
};

const answersOf: Readonly<Record<string, Parameters<typeof upstreamAnswer>[1]['answer']>> = {
  'www.example': [address('www.example', 192, 0, 2, 9)],
  'alias.example': [alias, address('x.tracker.example', 192, 0, 2, 9)],
  'private.example': [address('private.example', 192, 168, 1, 1)],
  'large.example': Array.from({ length: 80 }, (_, i) => address('large.example', 192, 0, 2, i)),
};

function start(given: Given, name: string) {
  const service = startAnswering(given);
  const failed = service.upstream.answer;
  service.upstream.answer = (question, group) => {
    const answer = answersOf[name];
    return answer ? upstreamAnswer(question, { answer }) : failed(question, group);
  };
  return service;
}

const shown = (service: ReturnType<typeof start>) =>
  service.records().map(({ status, rcode, rule }) => [filteringStatuses[status], rcode, rule]);

/** The paths that a query can take to the same step. */
const paths: Readonly<Record<string, { readonly given?: Given; readonly isRepeated?: boolean }>> = {
  'a known client': {},
  'a known client, cached': { isRepeated: true },
  'a device that this query registers': { given: { registersDevice: true } },
  'a device that this query registers, cached': { given: { registersDevice: true }, isRepeated: true },
};

for (const [path, { given: pathGiven, isRepeated = false }] of Object.entries(paths))
  for (const { step, name = 'www.example', query = {}, given, response, record } of cases)
    test(`${step}; ${path}`, async () => {
      const service = start({ ...given, ...pathGiven }, name);
      if (isRepeated) {
        await service.ask(name, query);
        service.records();
      }
      const { message } = await service.ask(name, query);
      assert.deepEqual(message && [message.rcode, message.answer[0]?.type, message.truncated], response);
      assert.deepEqual(shown(service), record ? [record] : []);
      assert.deepEqual(service.faults, []);
    });

test('the rate limit counts a query once, on every path', async () => {
  for (const { given } of Object.values(paths)) {
    const service = start({ ...given, queries: 5 }, 'www.example');
    const answered = [];
    for (let i = 0; i < 8; i++) {
      const { message } = await service.ask('www.example');
      if (message && !message.truncated) answered.push(message);
    }
    assert.equal(answered.length, 5);
  }
});

test('an answered query of a client in a private network counts once as activity, on every path', async () => {
  for (const { given } of Object.values(paths)) {
    const service = start({ ...given }, 'www.example');
    const client = Uint8Array.of(192, 168, 1, 7);
    for (let i = 0; i < 3; i++) await service.ask('www.example', { client });
    await service.ask('www.example', { client: Uint8Array.of(192, 0, 2, 7) });
    await service.ask('www.example', { client, change: withFlags((flags) => flags | 0x80) });
    const [seen, ...others] = service.activity();
    assert.equal(seen?.address, '192.168.1.7');
    assert.equal(seen.queries, 3);
    assert.equal(seen.lastSeen, service.clock.ms);
    assert.deepEqual(others, []);
  }
});
