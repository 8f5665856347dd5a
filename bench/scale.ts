import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { snapshotPath } from '../src/dns-server/directory-snapshot.ts';
import { changesPath } from '../src/dns-server/snapshot-changes.ts';
import { indexPath } from '../src/dns-server/snapshot-index.ts';
import { type Bar, showBars } from './bars.ts';
import { DEVICES, fillStore, type Household } from './households.ts';
import { cpuSecondsOf, memoryOf, type Server, startServers } from './servers.ts';

const MAX_START_CPU_SECONDS = 10;
const MAX_CHANGE_CPU_MS = 2;
const MAX_STOP_SECONDS = 10;
const CHANGES = 200;
const WARM_UP_ROUNDS = 5;
/** Enough changes that a collection of the heap, of which there is one in some hundreds, does not decide the figure. */
const ROUNDS = 5;
const LOOK_AGAIN_MS = 200;
const IDLE_SECONDS = 5;

/**
 * The cost of a start that reads all accounts, of a change, of a stop and of a restart with many accounts. `--data FOLDER` keeps the
 * accounts for the next run.
 */
export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: { accounts: { type: 'string', default: '100000' }, data: { type: 'string' } },
  });
  const folder = values.data ?? mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const data = join(folder, 'data');
  const servers = startServers();
  try {
    const households = await filled(folder, data, Number(values.accounts));
    const size = `${values.accounts} accounts of ${DEVICES} devices`;
    const snapshot = snapshotPath(data);
    for (const path of [snapshot, changesPath(snapshot), indexPath(snapshot)]) rmSync(path, { force: true });
    const service = await servers.service(data);
    const startCpu = cpuSecondsOf(service.pid);
    await snapshotWritten(data);
    const change = await changeCost(service, households);
    console.log(`resident memory with ${size}: ${(memoryOf(service.pid).nowBytes / 2 ** 20).toFixed(0)} MiB`);
    const stopped = performance.now();
    await servers.stop();
    const stopSeconds = (performance.now() - stopped) / 1000;
    const again = await servers.service(data);
    const restartCpu = cpuSecondsOf(again.pid);
    console.log(`after a restart: ${(memoryOf(again.pid).nowBytes / 2 ** 20).toFixed(0)} MiB`);
    const bars: Bar[] = [
      {
        what: `first start with ${size} (at most ${MAX_START_CPU_SECONDS} s of CPU)`,
        figure: `${startCpu.toFixed(1)} s of CPU, ${service.startSeconds.toFixed(1)} s`,
        met: startCpu <= MAX_START_CPU_SECONDS,
      },
      {
        what: `restart, from the snapshot (at most ${MAX_START_CPU_SECONDS} s of CPU)`,
        figure: `${restartCpu.toFixed(1)} s of CPU, ${again.startSeconds.toFixed(1)} s`,
        met: restartCpu <= MAX_START_CPU_SECONDS,
      },
      {
        what: `change of one account, request included (at most ${MAX_CHANGE_CPU_MS} ms of CPU)`,
        figure: `${change.cpuMs.toFixed(2)} ms of CPU, ${change.wallMs.toFixed(1)} ms at the median`,
        met: change.cpuMs <= MAX_CHANGE_CPU_MS,
      },
      {
        what: `stop just after a change (at most ${MAX_STOP_SECONDS} s)`,
        figure: `${stopSeconds.toFixed(1)} s`,
        met: stopSeconds <= MAX_STOP_SECONDS,
      },
    ];
    showBars(bars);
  } finally {
    await servers.stop();
    if (values.data === undefined) rmSync(folder, { recursive: true });
  }
}

async function filled(folder: string, data: string, accounts: number): Promise<readonly Household[]> {
  const householdsFile = join(folder, 'households.json');
  if (existsSync(householdsFile)) return JSON.parse(readFileSync(householdsFile, 'utf8')) as Household[];
  const households = (await fillStore(data, accounts)).slice(0, CHANGES);
  writeFileSync(householdsFile, JSON.stringify(households));
  return households;
}

/** All accounts are written in the background after a start, and the file of later changes last. */
async function snapshotWritten(data: string): Promise<void> {
  while (!existsSync(changesPath(snapshotPath(data)))) await sleep(LOOK_AGAIN_MS);
}

/** One change in each of many accounts, one after the other. The CPU time that the service takes without requests is subtracted. */
async function changeCost({ url, pid }: Server, households: readonly Household[]) {
  const changeAll = async (): Promise<readonly number[]> => {
    const times: number[] = [];
    for (const { devices, key } of households) {
      const begun = performance.now();
      const response = await fetch(`${url}/oapi/v1/devices/${devices[0]!.id}`, {
        method: 'PUT',
        headers: { authorization: key, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Renamed ${begun}` }),
      });
      if (!response.ok) throw new Error(`PUT answered ${response.status}: ${await response.text()}`);
      times.push(performance.now() - begun);
    }
    return times;
  };
  // Compilation by V8 is not a part of a change.
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await changeAll();
  await sleep(IDLE_SECONDS * 1000);
  const idle = await cpuDuring(pid, () => sleep(IDLE_SECONDS * 1000));
  const times: number[] = [];
  const busy = await cpuDuring(pid, async () => {
    for (let round = 0; round < ROUNDS; round += 1) times.push(...(await changeAll()));
    // Changed accounts are appended to the snapshot a second later.
    await sleep(IDLE_SECONDS * 1000);
  });
  const cpu = busy.cpuSeconds - (idle.cpuSeconds / idle.seconds) * busy.seconds;
  return { cpuMs: (cpu / times.length) * 1000, wallMs: times.toSorted((a, b) => a - b)[times.length >> 1]! };
}

async function cpuDuring(pid: number, work: () => Promise<unknown>) {
  const [begun, before] = [performance.now(), cpuSecondsOf(pid)];
  await work();
  return { cpuSeconds: cpuSecondsOf(pid) - before, seconds: (performance.now() - begun) / 1000 };
}
