import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { openTable } from '../src/engine/list-table.ts';
import { createDecider } from '../src/engine/match/decide.ts';
import { composeProfile, type EngineProfile } from '../src/engine/match/profile.ts';
import { onTheWire, secret } from './engine-subjects.ts';

export type ReplaceInput = { readonly file: string; readonly names: string; readonly seconds: number };
export type Replaced = {
  readonly perSecond: number;
  readonly normalP99Ns: number;
  readonly replacingP99Ns: number;
  readonly replacements: number;
  readonly tableBytes: number;
  /** Resident memory above the level before: peak, and at the end. */
  readonly peakBytes: number;
  readonly settledBytes: number;
};

const RATE = 50_000;
// A histogram of fixed size, so that the measurement does not allocate.
const BIN_NS = 20;
const BINS = 100_000;
const A = 1;

/** Decides continuously, like a resolver thread, while another thread rebuilds the same list. */
export async function replaceUnderLoad({ file, names, seconds }: ReplaceInput): Promise<Replaced> {
  const builder = new Worker(new URL('engine-builder.ts', import.meta.url));
  const ask = async (message: unknown): Promise<unknown> => {
    builder.postMessage(message);
    return (await once(builder, 'message'))[0];
  };
  const build = async (): Promise<SharedArrayBuffer> => (await ask({ file, secret })) as SharedArrayBuffer;
  const profileOf = (buffer: SharedArrayBuffer): EngineProfile =>
    composeProfile([{ source: 'filter lists', tables: [openTable(file, buffer)] }]);

  let profile = profileOf(await build());
  const tableBytes = profile.tables[0]!.table.buffer.byteLength;
  const decideSome = deciding(readFileSync(names, 'latin1').trimEnd().split('\n'));
  // Twice more, so that memory that threads keep is part of the baseline.
  for (let times = 0; times < 2; times++) profile = profileOf(await build());
  globalThis.gc!();

  let level = 0;
  const during = async (until: () => boolean) => {
    const times = new Uint32Array(BINS);
    let peak = 0;
    const startedAt = performance.now();
    for (let decided = 0; !until(); await wait(1)) {
      const due = Math.floor(((performance.now() - startedAt) * RATE) / 1000);
      decideSome(profile, due - decided, times);
      decided = due;
      peak = Math.max(peak, process.memoryUsage.rss() - level);
    }
    const decisions = times.reduce((sum, count) => sum + count, 0);
    return {
      p99: percentile(times, 0.99 * decisions),
      peak,
      perSecond: (decisions * 1000) / (performance.now() - startedAt),
    };
  };

  await during(inSeconds(1));
  const before = process.memoryUsage.rss();
  level = before;
  const normal = await during(inSeconds(seconds));
  let replacements = 0;
  let isOver = false;
  const replacing = (async () => {
    const enough = inSeconds(seconds);
    while (!enough()) {
      // Lists are replaced hours apart, with garbage collections in between.
      globalThis.gc!();
      await ask('collect');
      level = process.memoryUsage.rss();
      profile = profileOf(await build());
      replacements += 1;
    }
    isOver = true;
  })();
  const busy = await during(() => isOver);
  await replacing;
  await builder.terminate();
  globalThis.gc!();
  await during(inSeconds(1));
  const after = process.memoryUsage.rss();
  return {
    perSecond: busy.perSecond,
    normalP99Ns: normal.p99,
    replacingP99Ns: busy.p99,
    replacements,
    tableBytes,
    peakBytes: busy.peak,
    settledBytes: after - before,
  };
}

function inSeconds(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() >= end;
}

function deciding(names: readonly string[]) {
  const { bytes, starts } = onTheWire(names);
  const { decide } = createDecider(secret);
  const query = { name: bytes, at: 0, type: A };
  let nth = 0;
  return (profile: EngineProfile, count: number, times: Uint32Array): void => {
    for (let done = 0; done < count; done++) {
      query.at = starts[nth]!;
      nth = (nth + 1) % names.length;
      const before = performance.now();
      decide(query, profile);
      times[Math.min(BINS - 1, Math.floor(((performance.now() - before) * 1e6) / BIN_NS))]! += 1;
    }
  };
}

/** A percentile of the histogram. */
function percentile(times: Uint32Array, decisions: number): number {
  let bin = 0;
  for (let seen = times[0]!; seen < decisions; seen += times[bin]!) bin += 1;
  return BIN_NS * (bin + 1);
}
