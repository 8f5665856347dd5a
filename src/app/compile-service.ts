import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { createCompilations } from '../compile-api/compilations.ts';
import type { ErrorResponse, GatheredSources, Outcome } from '../compile-api/compile-job.ts';
import { compileRoutes, listRoute } from '../compile-api/compile-routes.ts';
import { infoRoutes } from '../compile-api/info-routes.ts';
import type { MayCompile } from '../compile-api/request-guards.ts';
import { requestStats } from '../compile-api/request-stats.ts';
import { openResultCache } from '../compile-api/result-cache.ts';
import { type ToolDeps, toolRoutes } from '../compile-api/tool-routes.ts';
import type { ToolOutcome } from '../compile-api/tools.ts';
import { openSourceDownloads } from '../compile-api/worker/source-downloads.ts';
import type {
  WorkerEnvironment,
  WorkerJob,
  WorkerMessage,
  WorkerOutcome,
} from '../compile-api/worker/worker-messages.ts';
import type { Route } from '../http/route.ts';
import { textTransfer } from '../list-sources/text-transfer.ts';
import { JobLost, type Lost } from '../platform/job-thread.ts';
import { threadFile } from '../platform/thread-file.ts';
import { version } from '../platform/version.ts';
import { createWorkerPool } from '../platform/worker-pool.ts';
import type { Settings } from '../settings/settings.ts';
import type { Metrics } from './metrics.ts';
import type { SharedState } from './shared-state.ts';

const MIB = 2 ** 20;
const MAX_ENTRY_BYTES = 16 * MIB;
const MAX_WAITING = 200;
const TOOL_REQUESTS_PER_MINUTE = 60;

export type CompileService = {
  readonly routes: readonly Route[];
  readonly stop: () => Promise<void>;
};

type CompileServiceDeps = {
  readonly settings: Settings;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clientOf: (request: FastifyRequest) => string;
  readonly mayCompile: MayCompile;
  /** Whether the client may use the compiler page without signing in. */
  readonly mayUsePage: (request: FastifyRequest) => boolean;
  readonly shared: SharedState;
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
  mayUsePage,
  shared,
  ownPorts,
}: CompileServiceDeps): Promise<CompileService> {
  const now = (): number => performance.now();
  const pool = createWorkerPool<WorkerJob, WorkerMessage, WorkerOutcome>({
    file: threadFile('compile-api/worker/compile-worker'),
    workerData: environmentOf(settings),
    size: settings.compileWorkers,
    maxPerClient: 1,
    memoryBytes: settings.compileMemoryBytes,
    timeLimitMs: settings.compileTimeSeconds * 1000,
    maxWaiting: MAX_WAITING,
  });
  const downloads = openSourceDownloads({
    environment: environmentOf(settings),
    timeLimitMs: settings.compileTimeSeconds * 1000,
    requestsPerMinute: settings.requestsPerMinute,
    ownPorts,
    expectJob: pool.expectJob,
  });
  const freshMs = settings.cacheTimeSeconds * 1000;
  const ownResults = await openResultCache({
    folder: join(settings.data, 'compiled'),
    maxBytes: settings.cacheSizeBytes,
    maxEntryBytes: MAX_ENTRY_BYTES,
    freshMs,
    now,
    wallNow: Date.now,
    onProblem: (problem) => log.warn({ err: problem }, 'failed to read or write a cached result'),
  });
  const cache = shared.results(ownResults, { freshMs, maxEntryBytes: MAX_ENTRY_BYTES });
  const work = shared.perMinute('compile-work', settings.cpuSecondsPerMinute * 1000);

  type Options = Parameters<typeof pool.run>[1];
  const run = async (job: WorkerJob, options: Options): Promise<WorkerOutcome> => {
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

  /** Counts the outcome; if the job was lost, returns an error response. */
  const counted = async <T extends Outcome | ToolOutcome | ErrorResponse>(
    { client }: { client: string },
    work: () => Promise<T>,
  ): Promise<T | ErrorResponse> => {
    try {
      const done = await work();
      metrics.compilations.inc({ outcome: 'kind' in done ? done.kind : 'status' in done ? 'failed' : 'tool' });
      return done;
    } catch (error) {
      if (!(error instanceof JobLost)) throw error;
      metrics.compilations.inc({ outcome: error.why });
      if (error.why !== 'stopped') log.warn({ client, err: error.cause }, `compilation failed: ${error.why}`);
      return lostJobResponses[error.why];
    }
  };

  function account(client: string, cpuMs: number): void {
    void work.add(client, cpuMs);
    metrics.compileCpuSeconds.inc(cpuMs / 1000);
  }

  const whyNoWork = async (client: string): Promise<ErrorResponse | undefined> =>
    (await work.peek(client)).allowed
      ? undefined
      : {
          status: 429,
          error: `Work limit exceeded. Maximum ${settings.cpuSecondsPerMinute} seconds of compiling per minute.`,
        };

  const compilations = createCompilations({
    cache,
    compilerVersion: version,
    whyNoWork,
    runOnce: shared.runOnce,
    run: async (job, { client, signal, onEvent }) => {
      const onMessage = (message: WorkerMessage): void => {
        if (message.kind === 'event') onEvent(message.event);
        else log.warn({ client }, message.problem);
      };
      const options = { client, signal, onMessage };
      const compile = async (gathered: GatheredSources | undefined): Promise<Outcome> => {
        const transfer = gathered ? textTransfer(gathered.texts) : [];
        const done = await run({ kind: 'compile', job, gathered }, { ...options, transfer });
        if (done.kind !== 'compile') throw new Error('unexpected worker response kind');
        return done.outcome;
      };
      const done = await counted(options, () => downloads.withSources(job, options, compile));
      return 'kind' in done ? done : { kind: 'failed', ...done };
    },
  });

  const runTool: ToolDeps['runTool'] = async (tool, options) => {
    const errorResponse = await whyNoWork(options.client);
    if (errorResponse) return errorResponse;
    return counted(options, async () => {
      const done = await run({ kind: 'tool', tool }, { ...options, onMessage: () => {} });
      if (done.kind !== 'tool') throw new Error('unexpected worker response kind');
      return done.outcome;
    });
  };

  metrics.gauge('weir_compilations_running', 'Running compilations.', () => pool.stats().running);
  metrics.gauge('weir_compilations_waiting', 'Compilations waiting for a worker thread.', () => pool.stats().waiting);
  metrics.gauge(
    'weir_compilations_downloading',
    'Compilations downloading their sources.',
    () => downloads.stats().downloading,
  );
  const { awaited } = compilations;
  metrics.gauge('weir_compilations_awaited', 'Requests waiting for a compilation.', awaited);
  const stats = requestStats(now);
  const compileLimiter = shared.perMinute('compile', settings.requestsPerMinute);
  const toolLimiter = shared.perMinute('tools', Math.max(TOOL_REQUESTS_PER_MINUTE, settings.requestsPerMinute));
  return {
    routes: [
      ...compileRoutes({ compilations, compileLimiter, clientOf, mayCompile, limits: settings, stats, now }),
      listRoute({ compilations, clientOf }),
      ...toolRoutes({ toolLimiter, runTool, clientOf, mayCompile }),
      ...infoRoutes({ version, stats, mayUsePage }),
    ],
    stop: async () => void (await Promise.all([downloads.close(), pool.close()])),
  };
}

const lostJobResponses: Readonly<Record<Lost, ErrorResponse>> = {
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

const environmentOf = (settings: Settings): WorkerEnvironment => ({
  sourcePorts: settings.sourcePort,
  allowNetworks: settings.allowSourceAddress,
  allowHosts: settings.allowSourceHost,
  sourceRoot: settings.sourceRoot,
  maxSourceBytes: settings.maxSourceSizeBytes,
  maxCompilationBytes: settings.maxCompilationSizeBytes,
  copiesFolder: join(settings.data, 'downloads'),
  maxCopiesBytes: settings.cacheSizeBytes,
});
