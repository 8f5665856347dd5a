import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { type AttackEntry, attacks } from './abuse-attacks.ts';
import { type ClientData, type Measure, measures, shareOf, type Window } from './abuse-measures.ts';
import { hasNetwork, runInNamespace, sourceAddress } from './abuse-network.ts';
import { callApi, openStage, privilegesOf, type Stage } from './abuse-stage.ts';
import { type Bar, showBars } from './bars.ts';
import { memoryOf } from './servers.ts';

const LEAST_SHARE = 0.95;
// Time until an attack has an effect, and until a server has recovered.
const SETTLE_MS = 2000;
const PROBE_SECONDS = 4;
const RECOVERY_SECONDS = 60;
const HONEST_NETWORKS = 60;

/**
 * Promise P10. Measures the service of an honest tenant while one attack after the other runs against a server. `--seconds N` (12) is the
 * length of a window; `--only expressions,udp` selects attacks by the beginning of their names.
 */
export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: { seconds: { type: 'string', default: '12' }, only: { type: 'string', default: '' } },
  });
  const status = hasNetwork() ? undefined : runInNamespace();
  if (status !== undefined) {
    process.exitCode = status;
    return;
  }
  if (!hasNetwork()) console.log('no network namespace: all clients are loopback addresses, which limits exempt');
  const seconds = Number(values.seconds);
  const chosen = attacks.filter(({ name }) => values.only.split(',').some((start) => name.startsWith(start)));
  const folder = mkdtempSync(join(tmpdir(), 'weir-bench-abuse-'));
  const rows: Record<string, object> = {};
  const bars: Bar[] = [];
  const note = (name: string, window: Window, stage: Stage): void => {
    rows[name] = rowOf(window, stage);
    console.log(`${name}: ${JSON.stringify(rows[name])}`);
  };
  let servers = 0;
  const openShared = () => openStage({ folder: join(folder, `shared${servers++}`) });
  let shared = await openShared();
  try {
    console.log(`server process: ${privilegesOf(shared.pid)}`);
    let client = await openClient(shared);
    const quiet = await client.measure(seconds);
    note('no attack', quiet, shared);
    bars.push(barOf('no attack', quiet));
    for (const entry of chosen.filter(({ stage }) => !stage)) {
      const { window, complex } = await attackWith(entry, shared, client, seconds);
      note(entry.name, window, shared);
      bars.push(barOf(entry.name, window), ...complex);
      const recovered = await recovery(client);
      bars.push({ what: `${entry.name}: normal again within ${RECOVERY_SECONDS} s`, ...recovered });
      console.log(`${entry.name}: ${recovered.figure}`);
      if (recovered.met) continue;
      // Waits for recovery, so that attacks are measured separately.
      await client.end();
      await shared.stop();
      shared = await openShared();
      client = await openClient(shared);
    }
    await client.end();
  } finally {
    await shared.stop();
  }
  for (const entry of chosen.filter(({ stage }) => stage)) {
    const stage = await entry.stage!(join(folder, entry.name.replaceAll(' ', '-')));
    try {
      const client = await openClient(stage);
      const { window, complex } = await attackWith(entry, stage, client, seconds);
      note(entry.name, window, stage);
      bars.push(barOf(entry.name, window, entry.refused), ...complex);
      await client.end();
    } finally {
      await stage.stop();
    }
  }
  rmSync(folder, { recursive: true, force: true });
  console.table(rows);
  showBars(bars);
}

type Attacked = { readonly window: Window; readonly complex: readonly Bar[] };

async function attackWith(
  { name, start }: AttackEntry,
  stage: Stage,
  client: Client,
  seconds: number,
): Promise<Attacked> {
  const attack = await start(stage);
  try {
    await sleep(SETTLE_MS);
    const window = await client.measure(seconds);
    if (attack.report) console.log(`${name}: ${attack.report()}`);
    const complex = attack.bars?.() ?? [];
    return { window, complex: complex.map((bar) => ({ ...bar, what: `${name}: ${bar.what}` })) };
  } finally {
    await attack.stop();
  }
}

type Client = Awaited<ReturnType<typeof openClient>>;

/** The honest tenant runs in a separate thread, so that the attack does not slow it down in this process. */
async function openClient({ url, httpPort, ports, deviceDomain, honest, origin }: Stage) {
  const ask = (method: string, path: string, json: object) => callApi(url, honest.authorization, method, path, json);
  const { id: list } = await ask('POST', '/api/v1/custom_lists', { name: 'honest', url: `${origin}/1` });
  await ask('PUT', `/api/v1/dns_servers/${honest.server}/custom_lists`, { custom_lists: [{ id: list }] });
  const sources = Array.from({ length: HONEST_NETWORKS }, (_, at) => sourceAddress(at, 7));
  const workerData: ClientData = { ...honest, url, httpPort, ports, deviceDomain, origin, list, sources };
  const worker = new Worker(new URL('./abuse-client.ts', import.meta.url), { workerData });
  const measure = async (seconds: number): Promise<Window> => {
    worker.postMessage(seconds);
    const [window] = await once(worker, 'message');
    return window as Window;
  };
  return { measure, end: () => worker.terminate() };
}

const kinds = Object.keys(measures) as Measure[];

function rowOf({ counts, apiP99Ms }: Window, { pid, exitCode }: Stage): object {
  const shares = kinds.map((kind) => [measures[kind], `${(shareOf(counts[kind]) * 100).toFixed(0)} %`]);
  const memory = exitCode() === null ? `${(memoryOf(pid).nowBytes / 1e6).toFixed(0)} MB` : 'ended';
  return { ...Object.fromEntries(shares), 'API p99': `${apiP99Ms.toFixed(0)} ms`, memory };
}

/** The worst measure is used. */
function barOf(name: string, { counts }: Window, refused: readonly Measure[] = []): Bar {
  const counted = kinds.filter((kind) => !refused.includes(kind));
  const worst = counted.toSorted((one, other) => shareOf(counts[one]) - shareOf(counts[other]))[0]!;
  const { succeeded, tried } = counts[worst];
  return {
    what: `${name}: at least ${LEAST_SHARE * 100} % of everything`,
    figure: `${measures[worst]} ${succeeded} of ${tried}`,
    met: shareOf(counts[worst]) >= LEAST_SHARE,
  };
}

/** Time after an attack until all requests succeed again. */
async function recovery(client: Client): Promise<Omit<Bar, 'what'>> {
  const startedAt = performance.now();
  const seconds = (): number => Math.round((performance.now() - startedAt) / 1000);
  while (seconds() < RECOVERY_SECONDS) {
    const { counts } = await client.measure(PROBE_SECONDS);
    if (kinds.every((kind) => shareOf(counts[kind]) >= LEAST_SHARE))
      return { figure: `normal after ${seconds()} s`, met: true };
  }
  return { figure: `not normal after ${seconds()} s`, met: false };
}
