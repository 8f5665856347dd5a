import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { createCompilations } from '../compile-api/compilations.ts';
import { compileRoutes } from '../compile-api/compile-routes.ts';
import { infoRoutes } from '../compile-api/info-routes.ts';
import { listRoute } from '../compile-api/list-route.ts';
import { memoryBefore } from '../compile-api/memory-before.ts';
import type { Refusal, RunOrder } from '../compile-api/order.ts';
import { requestFigures } from '../compile-api/request-figures.ts';
import { openResultFiles } from '../compile-api/result-files.ts';
import { type ToolDeps, toolRoutes } from '../compile-api/tool-routes.ts';
import type { Route } from '../http/route.ts';
import { fixedWindow } from '../kit/fixed-window.ts';
import type { CompileJob, CompileMessage, CompileOutcome, CompileSurroundings } from './compile-jobs.ts';
import type { Metrics } from './metrics.ts';
import type { Settings } from './settings.ts';
import { version } from './version.ts';
import { createWorkerPool, JobLost, type Lost } from './worker-pool.ts';

const MIB = 2 ** 20;
const MINUTE_MS = 60_000;
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
  /** Where this program listens itself: no source may lead there. */
  readonly ownPorts: () => readonly number[];
};

/** The compile service, wired: threads, cache, limits. */
export async function openCompileService({
  settings,
  log,
  metrics,
  clientOf,
  ownPorts,
}: Given): Promise<CompileService> {
  const now = (): number => performance.now();
  const pool = createWorkerPool<CompileJob, CompileMessage, CompileOutcome>({
    file: new URL(`../app/compile-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
    workerData: surroundingsOf(settings),
    size: settings.compileWorkers,
    memoryBytes: settings.compileMemoryBytes,
    timeLimitMs: settings.compileTimeSeconds * 1000,
    maxWaiting: MAX_WAITING,
  });
  const cache = await openResultFiles({
    folder: join(settings.data, 'compiled'),
    maxBytes: settings.cacheSizeBytes,
    maxEntryBytes: MAX_ENTRY_BYTES,
    freshMs: settings.cacheTimeSeconds * 1000,
    now,
    wallNow: Date.now,
    onProblem: (problem) => log.warn({ err: problem }, 'a compiled list could not be kept or read'),
  });
  const work = fixedWindow({
    limit: settings.workSecondsPerMinute * 1000,
    windowMs: MINUTE_MS,
    now,
    maxKeys: MAX_CLIENTS,
  });

  const run = async (job: CompileJob, options: Parameters<RunOrder>[1]): Promise<CompileOutcome | Refusal> => {
    const startedAt = now();
    const onMessage = (message: CompileMessage): void => {
      if (message.kind === 'event') options.onEvent(message.event);
      else log.warn({ client: options.client }, message.problem);
    };
    try {
      const { outcome, cpuMs } = await pool.run(job, { ...options, onMessage });
      account(options.client, cpuMs);
      metrics.compilations.inc({ outcome: outcome.kind === 'order' ? outcome.outcome.kind : outcome.kind });
      return outcome;
    } catch (error) {
      if (!(error instanceof JobLost)) throw error;
      metrics.compilations.inc({ outcome: error.why });
      // How much a lost thread has worked is not known; for as long as it was there, it may have.
      if (error.why !== 'too many waiting') account(options.client, now() - startedAt);
      if (error.why !== 'stopped')
        log.warn({ client: options.client, err: error.cause }, `a compilation was lost: ${error.why}`);
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
          error: `Work limit exceeded. Maximum ${settings.workSecondsPerMinute} seconds of compiling per minute.`,
        };

  const compilations = createCompilations({
    cache: memoryBefore(cache, HOT_BYTES),
    compilerVersion: version,
    whyNoWork,
    run: async (order, options) => {
      const done = await run({ kind: 'order', order, ownPorts: ownPorts() }, options);
      if ('status' in done) return { kind: 'failed', ...done };
      if (done.kind !== 'order') throw new Error('a thread answered another question');
      return done.outcome;
    },
  });

  const runTool: ToolDeps['runTool'] = async (tool, options) => {
    const refusal = whyNoWork(options.client);
    if (refusal) return refusal;
    const done = await run({ kind: 'tool', tool }, { ...options, onEvent: () => {} });
    if ('status' in done) return done;
    if (done.kind !== 'tool') throw new Error('a thread answered another question');
    return done.outcome;
  };

  const perMinute = (limit: number) => fixedWindow({ limit, windowMs: MINUTE_MS, now, maxKeys: MAX_CLIENTS });
  metrics.gauge('weir_compilations_running', 'Compilations that run now.', () => pool.figures().running);
  metrics.gauge('weir_compilations_waiting', 'Compilations that wait for a thread.', () => pool.figures().waiting);
  const { awaited } = compilations;
  metrics.gauge(
    'weir_compilations_awaited',
    'Requests that wait for a compilation, begun for them or others.',
    awaited,
  );
  const figures = requestFigures(now);
  const compileLimiter = perMinute(settings.requestsPerMinute);
  const toolLimiter = perMinute(Math.max(TOOL_REQUESTS_PER_MINUTE, settings.requestsPerMinute));
  return {
    routes: [
      ...compileRoutes({ compilations, compileLimiter, clientOf, limits: settings, figures, now }),
      listRoute({ compilations, clientOf }),
      ...toolRoutes({ toolLimiter, runTool, clientOf }),
      ...infoRoutes({ version, figures }),
    ],
    stop: pool.close,
  };
}

const lostRefusals: Readonly<Record<Lost, Refusal>> = {
  'too many waiting': { status: 503, error: 'Too many compilations are waiting; try again later' },
  'out of memory': { status: 500, error: 'The compilation needs more memory than one may use' },
  'out of time': { status: 500, error: 'The compilation took longer than one may take' },
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
