import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { aRecord } from '../../test/support/query-log/logs.ts';
import { accountId } from '../../test/support/store/accounts.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Deps } from './deps.ts';
import { createLiveLog, type LiveLog, liveLogOperations } from './live-log.ts';
import type { WatchLog } from './log-deps.ts';
import { isRaw } from './operation.ts';
import { recordToWire } from './wire/log-page.ts';

const anna = accountId('anna');
const ben = accountId('ben');
type Changed = ReadonlySet<AccountId> | 'all';

/** A live log whose records, commits and timers come from the test. */
function openLive(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const watching = new Map<Parameters<WatchLog>[1], string>();
  const commits = new Set<(changed: Changed) => Promise<void> | void>();
  const live = createLiveLog(
    (account, listener) => {
      watching.set(listener, account);
      return () => void watching.delete(listener);
    },
    {
      onCommit: (listener) => {
        commits.add(listener);
        return () => void commits.delete(listener);
      },
    },
    () => 1000,
  );
  t.after(() => live.endAll());
  const open = (account = anna, isAllowed = async () => true, filters = {}, until = Infinity) => {
    const stream = live.open({ account, until, isAllowed }, filters);
    assert.ok(stream);
    return stream;
  };
  const log = (records: Parameters<Parameters<WatchLog>[1]>[0], missed = 0) => {
    for (const listener of watching.keys()) listener(records, missed);
  };
  const commit = async (changed: Changed) => {
    for (const listener of commits) await listener(changed);
  };
  return { live, open, log, commit, watching, commits };
}
const read = (stream: Readable): string => String(stream.read() ?? '');
/** Whether the reader of the rest of the stream comes to its end. */
const ended = async (stream: Readable): Promise<boolean> => {
  stream.resume();
  await new Promise((resolve) => setImmediate(resolve));
  return stream.readableEnded;
};
const closed = (stream: Readable) => new Promise((resolve) => stream.destroy().once('close', resolve));
const events = (text: string) =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => {
      const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(event)!;
      return [name, JSON.parse(data!)];
    });

test('queries are events; the filters decide which', (t) => {
  const { open, log } = openLive(t);
  const stream = open(anna, undefined, { devices: ['phone'] });
  assert.equal(read(stream), 'retry: 3000\n\n');
  const wanted = aRecord({ device: 'phone' });
  log([aRecord({ device: 'tv' })]);
  assert.equal(read(stream), '');
  log([wanted, aRecord({ device: 'tv' })]);
  assert.deepEqual(events(read(stream)), [['query', JSON.parse(JSON.stringify(recordToWire(wanted)))]]);
});

test('dropped queries are counted: those of the log and those beyond a thousand', (t) => {
  const { open, log } = openLive(t);
  const stream = open();
  read(stream);
  log([], 2);
  assert.deepEqual(events(read(stream)), [['missed', { count: 2 }]]);
  log(
    Array.from({ length: 1003 }, () => aRecord({})),
    4,
  );
  const shown = events(read(stream));
  assert.equal(shown.length, 1001);
  assert.deepEqual(shown.at(-1), ['missed', { count: 7 }]);
});

test('a client that does not read gets the buffered events, and the number of dropped ones', (t) => {
  const { open, log } = openLive(t);
  const stream = open();
  const thousand = Array.from({ length: 1000 }, () => aRecord({}));
  log(thousand);
  log(thousand);
  log([aRecord({})]);
  const shown = events(read(stream).replace('retry: 3000', ''));
  assert.deepEqual([shown.length, shown.at(-1)], [2001, ['missed', { count: 1 }]]);
  assert.equal(read(stream), '');
});

test('a stream without queries has a comment every 15 seconds, and ends after 15 minutes', async (t) => {
  const { open, watching } = openLive(t);
  const stream = open();
  read(stream);
  t.mock.timers.tick(14_999);
  assert.equal(read(stream), '');
  t.mock.timers.tick(1);
  assert.equal(read(stream), ': still here\n\n');
  t.mock.timers.tick(15 * 60_000 - 15_001);
  assert.equal(watching.size, 1);
  t.mock.timers.tick(1);
  assert.equal(watching.size, 0);
  assert.equal(await ended(stream), true);
});

test('a stream ends when the credentials expire', (t) => {
  const { open, watching } = openLive(t);
  open(anna, undefined, {}, 1000 + 60_000);
  open(ben, undefined, {}, 0);
  t.mock.timers.tick(1);
  assert.deepEqual([...watching.values()], [anna]);
  t.mock.timers.tick(59_998);
  assert.equal(watching.size, 1);
  t.mock.timers.tick(1);
  assert.equal(watching.size, 0);
});

test('an account has eight streams at most; a stream that was closed makes room for one', async (t) => {
  const { live, open, watching } = openLive(t);
  const streams = Array.from({ length: 8 }, () => open());
  const another = () => live.open({ account: anna, until: Infinity, isAllowed: async () => true }, {});
  assert.equal(another(), undefined);
  assert.equal(watching.size, 8);
  open(ben);
  await closed(streams[0]!);
  assert.ok(another());
  assert.equal(another(), undefined);
  assert.equal(watching.size, 9);
});

test('a commit ends the streams of its accounts whose credentials are not valid any more', async (t) => {
  const { open, commit, watching } = openLive(t);
  const valid = new Set([anna, ben]);
  for (const account of [anna, ben]) open(account, async () => valid.has(account));
  open(anna);
  valid.clear();
  await commit(new Set([ben]));
  assert.deepEqual([...watching.values()], [anna, anna]);
  await commit('all');
  assert.deepEqual([...watching.values()], [anna]);
});

test('credentials that were revoked before the stream was registered, or cannot be checked, end it', async (t) => {
  const { open, watching } = openLive(t);
  open(anna, async () => false);
  open(anna, async () => {
    throw new Error('the store is unavailable');
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(watching.size, 0);
});

test('the end of the service ends all streams and stops listening to commits', async (t) => {
  const { live, open, watching, commits } = openLive(t);
  const streams = [open(anna), open(ben)];
  live.endAll();
  assert.deepEqual([watching.size, commits.size], [0, 0]);
  assert.deepEqual(await Promise.all(streams.map(ended)), [true, true]);
});

/** The operation with the parameters of the streams that it opens. */
async function openOperation(t: { after(end: () => unknown): void }, stream: Readable | undefined) {
  const opened: Parameters<LiveLog['open']>[] = [];
  const liveLog: LiveLog = {
    open: (...given) => {
      opened.push(given);
      return stream;
    },
    endAll: () => {},
  };
  const api = await openApi(t, liveLogOperations, { liveLog });
  const home = await api.account('home');
  const { handler } = liveLogOperations[0]!;
  assert.ok(handler.kind === 'query');
  const run = (query: object, caller = home, deps: Deps = api.deps) =>
    handler.run(api.store.read, { caller, query } as never, deps);
  return { ...api, home, run, opened };
}
const busy = { ok: false, error: { kind: 'slow down', retryAfterSeconds: 10 } };

test('the parameters are the filters, and the response is not buffered by proxies', async (t) => {
  const stream = Readable.from([]);
  const { run, opened, home } = await openOperation(t, stream);
  const query = { devices: ['phone'], dns_servers: ['00000001'], countries: ['de'], search: 'Ads' };
  const result = await run(query);
  assert.ok(result.ok && isRaw(result.value));
  assert.deepEqual(result.value, {
    headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
    content: stream,
  });
  const [reader, filters] = opened[0]!;
  assert.deepEqual(filters, { devices: ['phone'], dnsServers: ['00000001'], countries: ['DE'], search: 'ads' });
  assert.deepEqual([reader.account, reader.until, await reader.isAllowed()], [home.account, Infinity, false]);
  await run({});
  assert.deepEqual(opened[1]![1], {});
});

test('a stream of a session lasts as long as its token', async (t) => {
  const { run, opened, home } = await openOperation(t, Readable.from([]));
  const credential = { expiresAt: 5000, session: 'session', account: home.account, isOwn: true };
  await run({}, { ...home, with: credential });
  assert.equal(opened[0]![0].until, 5000);
});

test('an invalid filter opens no stream; without room or without DNS the client has to wait', async (t) => {
  const { run, opened, deps, home } = await openOperation(t, undefined);
  const refused = await run({ client_addresses: ['office'] });
  assert.ok(!refused.ok && refused.error.kind === 'invalid');
  assert.equal(opened.length, 0);
  assert.deepEqual(await run({}), busy);
  const { liveLog: _, ...withoutDns } = deps;
  assert.deepEqual(await run({}, home, withoutDns), busy);
});

test('the filters of the query log are parameters, and its time range is not', () => {
  const { properties } = liveLogOperations[0]!.query as { readonly properties?: object };
  assert.deepEqual(Object.keys(properties ?? {}).sort(), [
    'categories',
    'client_addresses',
    'companies',
    'countries',
    'devices',
    'dns_servers',
    'filter_ids',
    'search',
    'statuses',
  ]);
});
