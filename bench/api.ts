import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { askLog, fillLog } from './api-log.ts';
import { type Bar, showBars } from './bars.ts';
import { DEVICES, fillStore, type Household } from './households.ts';
import { type Answered, load, memoryOf, type Server, type Servers, startServers } from './servers.ts';

const MIN_SHARE_OF_CONSTANT = 0.5;
const MAX_START_SECONDS = 5;
const MAX_TIMES_SLOWER = 1.5;
const ROUNDS = 3;
// Rotates over many accounts, so that responses are not cached for the last account.
const ASKED_ACCOUNTS = 100;

/** Management API: cost of a request, with one account and with many, and reads of a large query log. */
export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seconds: { type: 'string', default: '5' },
      accounts: { type: 'string', default: '10000' },
      // 0 omits the log.
      rows: { type: 'string', default: '2000000' },
      runs: { type: 'string', default: '100' },
      // Generating a log takes minutes, so an existing one is reused, and kept for the next run.
      data: { type: 'string' },
    },
  });
  const rows = Number(values.rows);
  const seconds = Number(values.seconds);
  const folder = values.data ?? mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const servers = startServers();
  try {
    const [few, many] = [join(folder, 'few'), join(folder, 'many')];
    const { one, all, bars } = await furnished(folder, { few, many, accounts: Number(values.accounts), rows });
    const small = await servers.service(few);
    const large = await servers.service(many);
    bars.push(startOf(small, large, all.length));
    bars.push(...(await oneDevice(servers, small, one, seconds)));
    bars.push(...(await atSize({ small, large, one, all, seconds })));
    if (rows > 0) bars.push(...(await askLog(small, one, Number(values.runs))));
    showBars(bars);
  } finally {
    await servers.stop();
    if (values.data === undefined) rmSync(folder, { recursive: true });
  }
}

type Furnished = { readonly one: Household; readonly all: readonly Household[]; readonly bars: Bar[] };
type Wanted = { readonly few: string; readonly many: string; readonly accounts: number; readonly rows: number };

async function furnished(folder: string, { few, many, accounts, rows }: Wanted): Promise<Furnished> {
  const householdsFile = join(folder, 'households.json');
  if (existsSync(householdsFile))
    return { ...(JSON.parse(readFileSync(householdsFile, 'utf8')) as Omit<Furnished, 'bars'>), bars: [] };
  const one = (await fillStore(few, 1))[0]!;
  const all = await fillStore(many, accounts);
  const bars = rows > 0 ? [await fillLog(join(few, 'log'), one, rows)] : [];
  writeFileSync(householdsFile, JSON.stringify({ one, all }));
  return { one, all, bars };
}

const startOf = (small: Server, large: Server, accounts: number): Bar => ({
  what: `start with ${accounts} accounts of ${DEVICES} devices (at most ${MAX_START_SECONDS} s)`,
  figure: `${large.startSeconds.toFixed(1)} s; with one account ${small.startSeconds.toFixed(1)} s`,
  met: large.startSeconds <= MAX_START_SECONDS,
});

const deviceOf = ({ devices }: Household): string => `/oapi/v1/devices/${devices[0]!.id}`;

async function oneDevice(servers: Servers, small: Server, one: Household, seconds: number): Promise<Bar[]> {
  const path = deviceOf(one);
  const answer = await fetch(small.url + path, { headers: { authorization: one.key } });
  const constant = await servers.constant(path, await answer.text());
  const best = await inTurns({
    constant: () => load(constant, [{ path }], seconds),
    bearer: () => load(small, [{ path, authorization: one.bearer }], seconds),
    key: () => load(small, [{ path, authorization: one.key }], seconds),
  });
  showAnswered('GET /devices/{id}', best);
  return (['bearer', 'key'] as const).map((by) => {
    const share = best[by].perSecond / best.constant.perSecond;
    const cpuShare = best.constant.cpuMicroseconds / best[by].cpuMicroseconds;
    return {
      what: `GET /devices/{id} with ${by}, share of a constant (at least ${MIN_SHARE_OF_CONSTANT})`,
      figure: `${share.toFixed(2)} of requests/s, ${cpuShare.toFixed(2)} by CPU`,
      met: share >= MIN_SHARE_OF_CONSTANT,
    };
  });
}

type Sizes = {
  readonly small: Server;
  readonly large: Server;
  readonly one: Household;
  readonly all: readonly Household[];
  readonly seconds: number;
};

async function atSize({ small, large, one, all, seconds }: Sizes): Promise<Bar[]> {
  const sampled = all.filter((_, at) => at % Math.ceil(all.length / ASKED_ACCOUNTS) === 0);
  const bars: Bar[] = [];
  for (const [name, pathOf] of [
    ['GET /devices', () => '/oapi/v1/devices'],
    ['GET /devices/{id}', deviceOf],
  ] as const) {
    const asking = (households: readonly Household[]) =>
      households.map((household) => ({ path: pathOf(household), authorization: household.key }));
    const best = await inTurns({
      'one account': () => load(small, asking([one]), seconds),
      [MANY]: () => load(large, asking(sampled), seconds),
    });
    showAnswered(name, best);
    const slower = best[MANY].p99Ms / best['one account'].p99Ms;
    bars.push({
      what: `${name} with ${all.length} accounts, p99 as a multiple of that with one (at most ${MAX_TIMES_SLOWER})`,
      figure: slower.toFixed(2),
      met: slower <= MAX_TIMES_SLOWER,
    });
  }
  for (const [name, { pid }] of [
    ['one account', small],
    [MANY, large],
  ] as const) {
    const { nowBytes, peakBytes } = memoryOf(pid);
    console.log(`memory, ${name}: ${(nowBytes / 1e6).toFixed(0)} MB, at most ${(peakBytes / 1e6).toFixed(0)} MB`);
  }
  return bars;
}

const MANY = 'many accounts';

/** Alternates between the servers, so that disturbances affect all of them; uses the best round, because disturbances only add time. */
async function inTurns<Name extends string>(
  ways: Readonly<Record<Name, () => Promise<Answered>>>,
): Promise<Readonly<Record<Name, Answered>>> {
  const names = Object.keys(ways) as Name[];
  const best: Partial<Record<Name, Answered>> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) best[name] = better(await ways[name](), best[name]);
  }
  return best as Record<Name, Answered>;
}

const better = (one: Answered, other: Answered = one): Answered => ({
  perSecond: Math.max(one.perSecond, other.perSecond),
  p50Ms: Math.min(one.p50Ms, other.p50Ms),
  p99Ms: Math.min(one.p99Ms, other.p99Ms),
  cpuMicroseconds: Math.min(one.cpuMicroseconds, other.cpuMicroseconds),
});

function showAnswered(what: string, by: Readonly<Record<string, Answered>>): void {
  for (const [name, { perSecond, p50Ms, p99Ms, cpuMicroseconds }] of Object.entries(by)) {
    const latency = `p50 ${p50Ms} ms, p99 ${p99Ms} ms`;
    console.log(
      `${what}, ${name}: ${perSecond.toFixed(0)} requests/s, ${latency}, CPU ${cpuMicroseconds.toFixed(0)} µs`,
    );
  }
}
