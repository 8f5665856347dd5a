import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Usage = {
  /** User and system time of the command and its child processes. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** Peak memory of the largest Node process of the command; 0 without a Node process. */
  readonly peakBytes: number;
};

const reporter = fileURLToPath(new URL('report-usage.mjs', import.meta.url));

/** Runs a command. The shell measures the CPU time of all its children. */
export function measure(command: readonly string[], env: NodeJS.ProcessEnv = {}): Usage {
  const folder = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const usage = join(folder, 'usage');
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync('sh', ['-c', '"$@" >/dev/null || exit 1; times', 'sh', ...command], {
    encoding: 'utf8',
    env: { ...process.env, ...env, WEIR_BENCH_USAGE: usage },
  });
  const wallSeconds = (performance.now() - startedAt) / 1000;
  if (status !== 0) throw new Error(`${command.join(' ')} failed: ${stderr}`);
  const peakBytes = readPeak(usage);
  rmSync(folder, { recursive: true });
  return { cpuSeconds: childrenSeconds(stdout), wallSeconds, peakBytes };
}

/** Environment under which a Node process reports its memory. */
export const reportingMemory = { NODE_OPTIONS: `--import=${reporter}` };

/** Best of several runs, because disturbances only add time. */
export function best(runs: number, run: () => Usage): Usage {
  const all = Array.from({ length: runs }, run);
  return all.reduce((one, other) => (other.cpuSeconds < one.cpuSeconds ? other : one));
}

/** The second line of `times` is that of the children: `0m1.234s 0m0.056s`. */
function childrenSeconds(output: string): number {
  const line = output.trim().split('\n').at(-1)!;
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, match) => sum + Number(match[1]) * 60 + Number(match[2]),
    0,
  );
}

function readPeak(file: string): number {
  try {
    return Math.max(...readFileSync(file, 'utf8').trim().split('\n').map(Number));
  } catch {
    return 0;
  }
}
