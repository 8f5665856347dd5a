import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { MayCompile } from '../compile-api/access-guard.ts';
import { createCompilations } from '../compile-api/compilations.ts';
import type { Outcome, Refusal } from '../compile-api/compile-job.ts';
import { compileRoutes } from '../compile-api/compile-routes.ts';
import type { GatheredOrder } from '../compile-api/gathered-job.ts';
import { infoRoutes } from '../compile-api/info-routes.ts';
import { listRoute } from '../compile-api/list-route.ts';
import { memoryBefore } from '../compile-api/memory-cache.ts';
import { requestFigures } from '../compile-api/request-stats.ts';
import { openResultFiles } from '../compile-api/result-files.ts';
import { type ToolDeps, toolRoutes } from '../compile-api/tool-routes.ts';
import type { ToolOutcome } from '../compile-api/tools.ts';
import type {
  CompileJob,
  CompileMessage,
  CompileOutcome,
  CompileSurroundings,
} from '../compile-api/worker/compile-jobs.ts';
import { openGathering } from '../compile-api/worker/gathering.ts';
import type { Route } from '../http/route.ts';
import { MINUTE_MS } from '../kit/durations.ts';
import { fixedWindow } from '../kit/fixed-window.ts';
import { textTransfer } from '../list-sources/text-transfer.ts';
import { threadFile } from '../platform/thread-file.ts';
import { version } from '../platform/version.ts';
import { createWorkerPool, JobLost, type Lost } from '../platform/worker-pool.ts';
import type { Settings } from '../settings/settings.ts';
import type { Metrics } from './metrics.ts';

const MIB = 2 ** 20;
const HOT_BYTES = 64 * MIB;
const MAX_ENTRY_BYTES = 16 * MIB;
const MAX_WAITING = 200;
const MAX_CLIENTS = 100_000;
const TOOL_REQUESTS_PER_MINUTE = 60;

export type CompileService = {
  readonly routes: readonly Route[];
  readonly stop: () => Promise<void>;
};

type Given = {
  readonly settings: Settings;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clientOf: (request: FastifyRequest) => string;
  readonly mayCompile: MayCompile;
  /** Ports of this service: sources must not connect to them. */
  readonly ownPorts: () => readonly number[];
};

/** The compile service with its threads, cache and limits. */
export async function openCompileService({
  settings,
  log,
  metrics,
  clientOf,
  mayCompile,
  ownPorts,
}: Given): Promise<CompileService> {
  const now = (): number => performance.now();
  const pool = createWorkerPool<CompileJob, CompileMessage, CompileOutcome>({
    file: threadFile('compile-api/worker/compile-worker'),
    workerData: surroundingsOf(settings),
    size: settings.compileWorkers,
    maxPerClient: 1,
    memoryBytes: settings.compileMemoryBytes,
    timeLimitMs: settings.compileTimeSeconds * 1000,
    maxWaiting: MAX_WAITING,
  });
  const gathering = openGathering({
    surroundings: surroundingsOf(settings),
    timeLimitMs: settings.compileTimeSeconds * 1000,
    requestsPerMinute: settings.requestsPerMinute,
    ownPorts,
  });
  const cache = await openResultFiles({
    folder: join(settings.data, 'compiled'),
    maxBytes: settings.cacheSizeBytes,
    maxEntryBytes: MAX_ENTRY_BYTES,
    freshMs: settings.cacheTimeSeconds * 1000,
    now,
    wallNow: Date.now,
    onProblem: (problem) => log.warn({ err: problem }, 'failed to read or write a cached result'),
  });
  const work = fixedWindow({
    limit: settings.cpuSecondsPerMinute * 1000,
    windowMs: MINUTE_MS,
    now,
    maxKeys: MAX_CLIENTS,
  });

  type Options = Parameters<typeof pool.run>[1];
  const run = async (job: CompileJob, options: Options): Promise<CompileOutcome> => {
    const startedAt = now();
    try {
      const { outcome, cpuMs } = await pool.run(job, options);
      account(options.client, cpuMs);
      return outcome;
    } catch (error) {
      // The CPU time of a terminated thread is unknown: its run time is the upper bound.
      if (error instanceof JobLost && error.why !== 'too many waiting') account(options.client, now() - startedAt);
      throw error;
    }
  };

  /** Counts the outcome; a lost job is an error response. */
  const counted = async <T extends Outcome | ToolOutcome | Refusal>(
    { client }: { client: string },
    work: () => Promise<T>,
  ): Promise<T | Refusal> => {
    try {
      const done = await work();
      metrics.compilations.inc({ outcome: 'kind' in done ? done.kind : 'status' in done ? 'failed' : 'tool' });
      return done;
    } catch (error) {
      if (!(error instanceof JobLost)) throw error;
      metrics.compilations.inc({ outcome: error.why });
      if (error.why !== 'stopped') log.warn({ client, err: error.cause }, `compilation failed: ${error.why}`);
      return lostRefusals[error.why];
    }
  };

  function account(client: string, cpuMs: number): void {
    work.add(client, cpuMs);
    metrics.compileCpuSeconds.inc(cpuMs / 1000);
  }

  const whyNoWork = (client: string): Refusal | undefined =>
    work.peek(client).allowed
      ? undefined
      : {
          status: 429,
          error: `Work limit exceeded. Maximum ${settings.cpuSecondsPerMinute} seconds of compiling per minute.`,
        };

  const compilations = createCompilations({
    cache: memoryBefore(cache, HOT_BYTES),
    compilerVersion: version,
    whyNoWork,
    run: async (order, { client, signal, onEvent }) => {
      const onMessage = (message: CompileMessage): void => {
        if (message.kind === 'event') onEvent(message.event);
        else log.warn({ client }, message.problem);
      };
      const options = { client, signal, onMessage };
      const compile = async (gathered: GatheredOrder | undefined): Promise<Outcome> => {
        const transfer = gathered ? textTransfer(gathered.texts) : [];
        const done = await run({ kind: 'order', order, gathered }, { ...options, transfer });
        if (done.kind !== 'order') throw new Error('unexpected worker response kind');
        return done.outcome;
      };
      const done = await counted(options, () => gathering.compileWith(order, options, compile));
      return 'kind' in done ? done : { kind: 'failed', ...done };
    },
  });

  const runTool: ToolDeps['runTool'] = async (tool, options) => {
    const refusal = whyNoWork(options.client);
    if (refusal) return refusal;
    return counted(options, async () => {
      const done = await run({ kind: 'tool', tool }, { ...options, onMessage: () => {} });
      if (done.kind !== 'tool') throw new Error('unexpected worker response kind');
      return done.outcome;
    });
  };

  const perMinute = (limit: number) => fixedWindow({ limit, windowMs: MINUTE_MS, now, maxKeys: MAX_CLIENTS });
  metrics.gauge('weir_compilations_running', 'Running compilations.', () => pool.stats().running);
  metrics.gauge('weir_compilations_waiting', 'Compilations waiting for a worker thread.', () => pool.stats().waiting);
  metrics.gauge(
    'weir_compilations_downloading',
    'Compilations downloading their sources.',
    () => gathering.figures().downloading,
  );
  const { awaited } = compilations;
  metrics.gauge('weir_compilations_awaited', 'Requests waiting for a compilation.', awaited);
  const figures = requestFigures(now);
  const compileLimiter = perMinute(settings.requestsPerMinute);
  const toolLimiter = perMinute(Math.max(TOOL_REQUESTS_PER_MINUTE, settings.requestsPerMinute));
  return {
    routes: [
      ...compileRoutes({ compilations, compileLimiter, clientOf, mayCompile, limits: settings, figures, now }),
      listRoute({ compilations, clientOf }),
      ...toolRoutes({ toolLimiter, runTool, clientOf, mayCompile }),
      ...infoRoutes({ version, figures }),
    ],
    stop: async () => void (await Promise.all([gathering.close(), pool.close()])),
  };
}

const lostRefusals: Readonly<Record<Lost, Refusal>> = {
  'too many waiting': { status: 503, error: 'Too many compilations are waiting; try again later' },
  'out of memory': { status: 500, error: 'The compilation exceeded the memory limit' },
  'out of time': { status: 500, error: 'The compilation exceeded the time limit' },
  'patterns out of time': {
    status: 400,
    error: 'The regular expressions of exclusions or inclusions take too long: simplify them',
  },
  stopped: { status: 503, error: 'The compilation was stopped' },
  crashed: { status: 500, error: 'The compilation failed' },
};

const surroundingsOf = (settings: Settings): CompileSurroundings => ({
  sourcePorts: settings.sourcePort,
  allowNetworks: settings.allowSourceAddress,
  allowHosts: settings.allowSourceHost,
  sourceRoot: settings.sourceRoot,
  maxSourceBytes: settings.maxSourceSizeBytes,
  maxCompilationBytes: settings.maxCompilationSizeBytes,
  copiesFolder: join(settings.data, 'downloads'),
  maxCopiesBytes: settings.cacheSizeBytes,
});
