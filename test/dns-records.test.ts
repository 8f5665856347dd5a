import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openLog } from '../src/query-log/index.ts';
import { openStore } from '../src/store/store.ts';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { overs } from './support/dig.ts';
import { type Home, homeOf, makeHome, startDns, until } from './support/dns.ts';
import { type Asks, overHttps, overTls } from './support/dns-client.ts';
import { alias, startWorld, worldOf } from './support/dns-upstream.ts';
import { missing, run } from './support/programs.ts';

const needs = { skip: missing('dig', 'kdig', 'dnsperf') };

type Counts = { readonly queries: number; readonly blocked: number };

/** Query counts of each device, from the statistics. */
async function counts(home: Home): Promise<ReadonlyMap<string, Counts>> {
  const range = `time_from_millis=0&time_to_millis=${Date.now() + 3_600_000}`;
  const { stats } = await home.ask('GET', `/oapi/v1/stats/devices?${range}`);
  return new Map((stats as { device_id: string; value: Counts }[]).map(({ device_id, value }) => [device_id, value]));
}

/** Names with all outcomes: blocked, cached, new, with a blocked CNAME target, rewritten. */
const names = ['ads', 'open', 'nx', 'leads', 'moved'].flatMap((fate) =>
  Array.from({ length: 20 }, (_, number) => `${fate}-${number}.example.com`),
);
const rules = ['||ads-*.example.com^', '||tracker.example.org^', '||moved-*.example.com^$dnsrewrite=198.51.100.5'];
const BLOCKED_OF_FIVE = 2;

const world = (t: TestContext) =>
  startWorld(
    t,
    worldOf(names.filter((name) => name.startsWith('leads')).map((name) => alias(name, 'tracker.example.org'))),
  );

async function start(t: TestContext) {
  const data = await temporaryFolder(t);
  const upstream = await world(t);
  const service = await startDns(t, upstream.address, [], { data });
  const home = await makeHome(service);
  await home.set({ user_rules_settings: { enabled: true, rules } });
  const restart = async (): Promise<Home> => {
    assert.equal(await home.service.stop(), 0);
    return homeOf(await startDns(t, upstream.address, [], { data }), home.authorization);
  };
  return { home, restart, data };
}

/** Sends queries with dnsperf; returns the number of answers, which must be all. */
async function performed(
  t: TestContext,
  home: Home,
  device: string,
  mode: 'udp' | 'tcp',
  queries: number,
): Promise<void> {
  const types = ['A', 'AAAA', 'TXT', 'HTTPS', 'MX'];
  const lines = names.map((name, number) => `${name} ${types[number % types.length]}`);
  const folder = await temporaryFolder(t, { queries: lines.join('\n') });
  const where = ['-s', '127.0.0.1', '-p', `${home.service.ports.dns}`, '-d', join(folder, 'queries')];
  const option = ['-E', `65074:${Buffer.from(device).toString('hex')}`];
  const times = ['-n', `${queries / lines.length}`, '-t', '20', '-q', '50', '-c', '8'];
  const { stdout } = await run('dnsperf', [...where, ...option, ...times, '-m', mode]);
  assert.match(stdout, new RegExp(`Queries completed: +${queries} `), stdout);
}

async function askedAll(ask: Asks, queries: number): Promise<void> {
  for (let done = 0; done < queries; done += names.length) await Promise.all(names.map(ask));
}

test('every answer is recorded once: 8,000 of all fates over all transports', needs, async (t) => {
  const { home } = await start(t);
  const [udp, tcp, dot, doh] = await Promise.all(overs.map(async (over) => (await home.device(over)).id));
  await performed(t, home, udp!, 'udp', 4_000);
  await performed(t, home, tcp!, 'tcp', 2_000);
  await askedAll(await overTls(t, home.service, dot!), 1_000);
  await askedAll(await overHttps(t, home.service, doh!), 1_000);
  const expected = new Map([
    [udp!, 4_000],
    [tcp!, 2_000],
    [dot!, 1_000],
    [doh!, 1_000],
  ]);
  const total = (found: ReadonlyMap<string, Counts>): number =>
    [...found.values()].reduce((sum, { queries }) => sum + queries, 0);
  const found = await until('8,000 records', async () => {
    const now = await counts(home);
    return total(now) >= 8_000 ? now : undefined;
  });
  assert.deepEqual(new Map([...found].map(([id, { queries }]) => [id, queries])), expected);
  t.diagnostic(`P7 query log: ${total(found)} of 8000 answers stored`);
  for (const id of [dot!, doh!]) assert.equal(found.get(id)!.blocked, (1_000 / 5) * BLOCKED_OF_FIVE);
});

test('a stop loses no record', needs, async (t) => {
  const { home, restart } = await start(t);
  const { id } = await home.device('in a hurry');
  await performed(t, home, id, 'udp', 2_000);
  const after = await restart();
  assert.equal((await counts(after)).get(id)!.queries, 2_000);
  t.diagnostic('P7 SIGTERM: 2000 of 2000 answers stored');
});

test('nothing is recorded for an account that has disabled its log', needs, async (t) => {
  const { home } = await start(t);
  const { id } = await home.device('unseen');
  await home.ask('PUT', '/api/v1/account', { log_enabled: false });
  for (const over of overs)
    for (const name of ['ads-1.example.com', 'open-1.example.com', 'leads-1.example.com', 'moved-1.example.com'])
      await home.dug(id, over, name);
  await home.ask('PUT', '/api/v1/account', { log_enabled: true });
  for (const over of overs) await home.dug(id, over, 'seen.example.com');
  const rows = await home.logged('example.com', overs.length);
  assert.deepEqual([...new Set(rows.map(({ domain }) => domain))], ['seen.example.com']);
  assert.deepEqual((await counts(home)).get(id), { queries: overs.length, blocked: 0, companies: 1 });
});

test('a client address is logged only if the server enables it, whole in a private network', needs, async (t) => {
  const { home, data } = await start(t);
  const { id } = await home.device('with an address');
  for (const [isKept, domain] of [
    [false, 'without.example.com'],
    [true, 'with.example.com'],
    [false, 'again-without.example.com'],
  ] as const) {
    await home.set({ ip_log_enabled: isKept });
    for (const over of overs) await home.dug(id, over, '-b', '127.0.0.123', domain);
  }
  assert.equal(await home.service.stop(), 0);
  const store = await openStore({ folder: data });
  t.after(() => store.close());
  const [account] = await store.read.accounts.list({ after: '' });
  const log = await openLog(
    { folder: join(data, 'log') },
    {
      now: Date.now,
      onProblem: (problem) => assert.fail(String(problem)),
    },
  );
  t.after(() => log.close());
  const { items } = await log.page(account!.id, { from: 0, to: Date.now(), limit: 100 });
  const subnets = Map.groupBy(items, ({ domain }) => domain);
  const told = (domain: string) => subnets.get(domain)!.map(({ clientSubnet }) => clientSubnet);
  assert.deepEqual(
    told('without.example.com'),
    overs.map(() => undefined),
  );
  assert.deepEqual(
    told('with.example.com'),
    overs.map(() => '127.0.0.123'),
  );
  assert.deepEqual(
    told('again-without.example.com'),
    overs.map(() => undefined),
  );
});
