import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bar, showBars } from './bars.ts';
import { answers, asQueries, type Figures, freePort, type Programs, startPrograms } from './dns-asking.ts';
import { measureCores } from './dns-cores.ts';
import { measureHttps } from './dns-https.ts';
import { measureMemory } from './dns-memory.ts';
import { measureMisses } from './dns-misses.ts';
import { measureMixed } from './dns-mixed.ts';
import { measurePlain } from './dns-plain.ts';
import { measureStreams } from './dns-streams.ts';
import { measureTail } from './dns-tail.ts';

const BLOCKED = 200_000;
const CACHED = 10_000;
const QUERIES = 100_000;

/**
 * Shared by all measurements: half of the queries are for blocked names, half for names that every server has cached.
 */
export type Bench = {
  readonly programs: Programs;
  /** A new folder. */
  readonly home: (name: string) => string;
  readonly upstreamPort: number;
  readonly blocked: readonly string[];
  readonly knownName: string;
  readonly files: { readonly warm: string; readonly mixed: string };
  readonly runs: number;
  readonly peers: string;
  /** Adds a row to the table that is printed at the end. */
  readonly note: (who: string, figures: Figures) => void;
};

// The measurements that are most sensitive to disturbances come first.
const parts: Readonly<Record<string, (bench: Bench) => Promise<readonly Bar[]>>> = {
  plain: measurePlain,
  misses: measureMisses,
  mixed: measureMixed,
  tail: measureTail,
  cores: measureCores,
  streams: measureStreams,
  https: measureHttps,
  memory: measureMemory,
};

/**
 * Promise P19. CPU cost of an answer, compared with other DNS servers. The server has one CPU, the load generator the other. `--runs N` (5),
 * `--only plain,https`, `--peers none` or some of their names.
 */
export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      runs: { type: 'string', default: '5' },
      only: { type: 'string', default: Object.keys(parts).join() },
      peers: { type: 'string', default: 'all' },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'weir-bench-dns-'));
  const programs = startPrograms();
  const rows: Record<string, object> = {};
  try {
    const blocked = Array.from({ length: BLOCKED }, (_, i) => `ad${i.toString(36)}.tracker${i % 977}.example`);
    const cached = Array.from({ length: CACHED }, (_, i) => `host${i}.cached-names.net`);
    const mixed = Array.from({ length: QUERIES }, (_, i) =>
      i % 2 ? blocked[(i * 7919) % BLOCKED]! : cached[(i * 31) % CACHED]!,
    );
    const home = (name: string): string => {
      const made = join(folder, name.replaceAll(' ', '-'));
      mkdirSync(made);
      return made;
    };
    const bench: Bench = {
      programs,
      home,
      upstreamPort: await startUpstream(programs, home('upstream'), cached[0]!),
      blocked,
      knownName: cached[0]!,
      files: { warm: asQueries(join(folder, 'warm'), cached), mixed: asQueries(join(folder, 'mixed'), mixed) },
      runs: Number(values.runs),
      peers: values.peers,
      note: (who, { microseconds, perSecond, lostShare }) => {
        rows[who] = {
          microseconds: fixed(microseconds, 2),
          'per second': fixed(perSecond, 0),
          lost: fixed(lostShare, 4),
        };
        console.log(`${who}: ${JSON.stringify(rows[who])}`);
      },
    };
    const bars: Bar[] = [];
    for (const part of values.only.split(',')) bars.push(...(await parts[part]!(bench)));
    console.table(rows);
    showBars(bars);
  } finally {
    await programs.endAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

const fixed = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Answers every name below cached-names.net with a TTL of one day. */
async function startUpstream(programs: Programs, folder: string, knownName: string): Promise<number> {
  const port = await freePort();
  const conf = join(folder, 'upstream.conf');
  writeFileSync(
    conf,
    `server:
  interface: 127.0.0.1@${port}
  do-daemonize: no
  username: ""
  chroot: ""
  directory: "${folder}"
  pidfile: ""
  use-syslog: no
  access-control: 127.0.0.0/8 allow
  local-zone: "cached-names.net." redirect
  local-data: "cached-names.net. 86400 A 192.0.2.77"
remote-control:
  control-enable: no
`,
  );
  programs.start(['unbound', '-d', '-c', conf], '0,1');
  if (!(await answers(port, knownName, '192.0.2.77'))) throw new Error('unbound, the upstream, does not answer');
  return port;
}
