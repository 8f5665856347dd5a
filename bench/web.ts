import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { seed } from '../src/app/seed.ts';
import { startBrowser } from '../test/support/web.ts';
import { type Bar, showBars } from './bars.ts';
import { addDevices } from './households.ts';
import { startServers } from './servers.ts';
import { DEVICES, measureDevices } from './web-devices.ts';
import { measurePages } from './web-pages.ts';
import { measureSlow } from './web-slow.ts';
import { email, middleOf, password, SLOWER, type Visitor, visitorOf, whenSet } from './web-visitor.ts';

const MAX_FIRST_LOAD_BYTES = 300_000;
const MAX_INTERACTIVE_MS = 1500;
const MIN_FRAMES = 57;
const MAX_FRAME_MS = 1000 / 60;
/** Speed of a fast mouse wheel: 100 pixels a frame are 6,000 a second. */
const FAST_PX = 100;
const FASTEST_PX = 1500;
const FAST_FRAMES = 600;
const MAX_DASHBOARD_MS = 1000;
const SCROLLED_ROWS = 100_000;
const DAYS = 30;
/** A larger log, which takes minutes to generate, is used for the dashboard only. */
const MANY_ROWS = 10_000_000;
const FEW_ROWS = 200_000;
const SOME_ROWS = 20_000;

const weir = fileURLToPath(new URL('../bin/weir', import.meta.url));

type Bench = {
  readonly visitor: Visitor;
  /** Of an account with many devices. */
  readonly ofManyDevices: () => Promise<Visitor>;
  readonly runs: number;
  readonly rows: number;
};

const parts: Readonly<Record<string, (bench: Bench) => Promise<readonly Bar[]>>> = {
  load: async ({ visitor }) => [await firstLoad(visitor)],
  interactive: async ({ visitor, runs }) => [await interactive(visitor, runs)],
  dashboard: async ({ visitor, runs, rows }) => [await dashboard(visitor, runs, rows)],
  scrolling: ({ visitor }) => scrolling(visitor),
  pages: ({ visitor }) => measurePages(visitor),
  slow: ({ visitor, runs }) => measureSlow(visitor, runs),
  devices: async ({ ofManyDevices, runs }) => measureDevices(await ofManyDevices(), runs),
};

/**
 * Loading times for users: bytes, the first page on a slow machine, scrolling the log, a full dashboard, every page, a slow
 * connection, ten thousand devices. `--rows N` (10,000,000 for the dashboard, otherwise 200,000), `--runs N` (5), `--only pages,slow`.
 */
export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      rows: { type: 'string' },
      runs: { type: 'string', default: '5' },
      only: { type: 'string', default: Object.keys(parts).join() },
      // Generating a log takes minutes, so an existing one is reused, and kept for the next run.
      data: { type: 'string' },
    },
  });
  const chosen = values.only.split(',');
  const rows = Number(values.rows ?? (chosen.includes('dashboard') ? MANY_ROWS : FEW_ROWS));
  const folder = values.data ?? mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const servers = startServers();
  const ends: (() => unknown)[] = [];
  try {
    if (!existsSync(join(folder, 'settings.sqlite'))) await furnish(folder, rows);
    const browser = await startBrowser({ after: (end) => void ends.push(end) });
    const visitorOn = async (data: string): Promise<Visitor> => visitorOf(browser, (await servers.service(data)).url);
    const ofManyDevices = async (): Promise<Visitor> => {
      const data = join(folder, 'devices');
      if (!existsSync(join(data, 'settings.sqlite'))) await furnish(data, SOME_ROWS);
      await addDevices(data, email, DEVICES);
      return visitorOn(data);
    };
    const bench = { visitor: await visitorOn(folder), ofManyDevices, runs: Number(values.runs), rows };
    const bars: Bar[] = [];
    for (const part of chosen) bars.push(...(await parts[part]!(bench)));
    showBars(bars);
  } finally {
    for (const end of ends.reverse()) await end();
    await servers.stop();
    if (values.data === undefined) rmSync(folder, { recursive: true });
  }
}

/** An account with this many rows in its log; the newest are of this minute. */
async function furnish(data: string, rows: number): Promise<void> {
  const create = ['account', 'create', '--data', data, '--email', email, '--password-stdin'];
  const { status, stderr } = spawnSync(weir, create, { input: password, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const onProgress = (): void => {};
  await seed(
    { data, database: undefined },
    { email, days: DAYS, queries: rows, now: Date.now(), random: dice(), onProgress },
  );
}

/** The same on every run. */
function dice(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const firstLoad = (visitor: Visitor): Promise<Bar> =>
  visitor(async (page) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    const ofCode = new Set<string>();
    let bytes = 0;
    session.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Script' || type === 'Stylesheet' || type === 'Document') ofCode.add(requestId);
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (ofCode.has(requestId)) bytes += encodedDataLength;
    });
    await page.goto('/', { waitUntil: 'networkidle' });
    return {
      what: `first load of document, scripts and styles as sent (at most ${MAX_FIRST_LOAD_BYTES})`,
      figure: `${bytes} bytes`,
      met: bytes > 0 && bytes <= MAX_FIRST_LOAD_BYTES,
    };
  });

// Interactive: the heading is shown, and the main thread has finished its last long task.
const watchTasks = `
  globalThis.lastTaskEnded = 0;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) globalThis.lastTaskEnded = startTime + duration;
  }).observe({ type: 'longtask', buffered: true });
  globalThis.headingAt = 0;
  new MutationObserver(() => {
    if (globalThis.headingAt === 0 && document.querySelector('h1')) globalThis.headingAt = performance.now();
  }).observe(document, { childList: true, subtree: true });
`;

/** A page that does not read the log, to measure only the web interface. */
async function interactive(visitor: Visitor, runs: number): Promise<Bar> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++)
    times.push(
      await visitor(async (page) => {
        await page.addInitScript(watchTasks);
        const session = await page.context().newCDPSession(page);
        await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
        await page.goto('/devices', { waitUntil: 'commit' });
        await whenSet(page, 'headingAt');
        await page.waitForLoadState('networkidle');
        return Number(await page.evaluate('Math.max(headingAt, lastTaskEnded)'));
      }),
    );
  const middle = middleOf(times);
  return {
    what: `interactive with a processor ${SLOWER} times slower (at most ${MAX_INTERACTIVE_MS} ms)`,
    figure: `${middle.toFixed(0)} ms; ${times.map((ms) => ms.toFixed(0)).join(', ')}`,
    met: middle <= MAX_INTERACTIVE_MS,
  };
}

// Complete: figures, lists and chart (a canvas) are shown. Checked in the page on every frame.
const watchDrawing = `
  globalThis.drawnAt = 0;
  const look = () => {
    const isDrawn =
      document.querySelector('main h1') !== null &&
      document.querySelector('main .mantine-Skeleton-root') === null &&
      document.querySelector('main canvas') !== null;
    if (isDrawn) globalThis.drawnAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;
async function dashboard(visitor: Visitor, runs: number, rows: number): Promise<Bar> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++)
    times.push(
      await visitor(async (page) => {
        await page.addInitScript(watchDrawing);
        await page.goto(`/?period=${DAYS * 24 * 60}m`, { waitUntil: 'commit' });
        return whenSet(page, 'drawnAt');
      }),
    );
  const middle = middleOf(times);
  return {
    what: `dashboard over ${rows} rows, drawn (at most ${MAX_DASHBOARD_MS} ms)`,
    figure: `${middle.toFixed(0)} ms; ${times.map((ms) => ms.toFixed(0)).join(', ')}`,
    met: middle <= MAX_DASHBOARD_MS,
  };
}

// Scrolls by this many pixels per frame, until the given number of rows or frames has passed.
const scroll = `(async ({ rows, px, frames }) => {
  const all = [document.scrollingElement, ...document.querySelectorAll('main *')];
  const room = (element) => element.scrollHeight - element.clientHeight;
  const scrollable = all.filter((element) => element === document.scrollingElement || /auto|scroll/.test(getComputedStyle(element).overflowY));
  const frame = scrollable.reduce((most, element) => (room(element) > room(most) ? element : most));
  const row = frame.querySelector('[data-index]')?.getBoundingClientRect().height || 40;
  const took = [];
  let last = await new Promise(requestAnimationFrame);
  const startedAt = last;
  let waiting = 0;
  while (frame.scrollTop < rows * row && took.length < frames && waiting < 120 && last - startedAt < 60_000) {
    const before = frame.scrollTop;
    frame.scrollTop += px;
    waiting = frame.scrollTop === before ? waiting + 1 : 0;
    const now = await new Promise(requestAnimationFrame);
    took.push(now - last);
    last = now;
  }
  return { rows: Math.round(frame.scrollTop / row), took };
})`;

type Scrolled = { readonly rows: number; readonly took: readonly number[]; readonly workMs: number };

/** Scrolls the log of a new page, and returns the main-thread time per frame. */
const scrolled = (visitor: Visitor, way: { rows: number; px: number; frames: number }): Promise<Scrolled> =>
  visitor(async (page) => {
    await page.goto('/log', { waitUntil: 'networkidle' });
    const session = await page.context().newCDPSession(page);
    // CPU time, which leaves out other processes and painting without a GPU.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const worked = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
    };
    const before = await worked();
    const { rows, took } = (await page.evaluate(`${scroll}(${JSON.stringify(way)})`)) as Omit<Scrolled, 'workMs'>;
    return { rows, took, workMs: ((await worked()) - before) / took.length };
  });

async function scrolling(visitor: Visitor): Promise<Bar[]> {
  const fast = await scrolled(visitor, { rows: SCROLLED_ROWS, px: FAST_PX, frames: FAST_FRAMES });
  const all = await scrolled(visitor, { rows: SCROLLED_ROWS, px: FASTEST_PX, frames: Number.MAX_SAFE_INTEGER });
  return [
    framesBar(`frames a second while the log goes by at ${FAST_PX} pixels each`, fast, true),
    framesBar(`frames a second while ${SCROLLED_ROWS} rows of the log go by`, all, all.rows >= SCROLLED_ROWS),
    {
      what: `work of the page for a frame, in both cases (at most ${MAX_FRAME_MS.toFixed(1)} ms)`,
      figure: `${fast.workMs.toFixed(1)} ms, ${all.workMs.toFixed(1)} ms`,
      met: fast.workMs <= MAX_FRAME_MS && all.workMs <= MAX_FRAME_MS,
    },
  ];
}

function framesBar(what: string, { rows, took }: Scrolled, isWhole: boolean): Bar {
  const perSecond = 1000 / (took.reduce((sum, ms) => sum + ms, 0) / took.length);
  const p99 = took.toSorted((a, b) => a - b)[Math.ceil(took.length * 0.99) - 1]!;
  return {
    what: `${what} (at least ${MIN_FRAMES})`,
    figure: `${perSecond.toFixed(1)}, p99 ${p99.toFixed(0)} ms, ${rows} rows in ${took.length} frames`,
    met: perSecond >= MIN_FRAMES && isWhole,
  };
}
