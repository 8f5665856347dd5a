import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { compileEvents } from '../compiler/compile.ts';
import {
  type CompiledList,
  type CompileEvent,
  type Configuration,
  ConfigurationError,
  type ReadSource,
  type Report,
  type Source,
  SourceError,
  type UnsupportedRule,
  writeFormat,
} from '../compiler/index.ts';
import { sourceName } from '../compiler/source-name.ts';
import { sourceNames } from '../compiler/sources/cached-read.ts';
import { readGathered } from '../compiler/sources/gather-sources.ts';
import { stripTimestamp } from '../compiler/strip-timestamp.ts';
import { SourceProblem } from '../list-sources/source-error-text.ts';
import type { Compiled, CompileJob, ErrorResponse, Outcome } from './compile-job.ts';
import { type GatheredSources, includeLimits } from './compile-job.ts';
import { countLines, jsonOf } from './response-body.ts';
import { mapEvents, shown, type WireEvent, wireMessage } from './wire-events.ts';

type Environment = {
  /** Reader for a job whose texts were all sent with it. */
  readonly readLocal: ReadSource;
  /** Texts of the sources, for any other job. */
  readonly gathered: GatheredSources | undefined;
  readonly signal: AbortSignal;
  readonly compiledBy: string;
  readonly timestamp: Date;
  readonly now: () => number;
  readonly onEvent: (event: WireEvent) => void;
  /** Called before a step whose duration depends on user-defined patterns, with its time limit. */
  readonly limitStep: (ms: number) => void;
  readonly onProblem: (problem: unknown) => void;
};

const GZIP_LEVEL = 4;
// Smaller lists are converted to JSON fast enough in the main thread.
const LARGE_BYTES = 256 * 1024;
const limits = { reportDropped: 100, includeLimits };
const MAX_LISTED = 10_000;

/** Runs one job. Errors are outcomes. */
export async function runJob(job: CompileJob, environment: Environment): Promise<Outcome> {
  const { now, onEvent, gathered } = environment;
  const mapper = mapEvents(job.configuration, now, gathered);
  try {
    // Lists without downloads cannot change.
    if (job.unchangedIf && !gathered) return { kind: 'unchanged' };
    const list = await compileWithEvents(job, environment, (event) => mapper.map(event));
    return deliver(list, job, environment, (listLines, lines) => mapper.metrics(listLines, lines));
  } catch (error) {
    const errorResponse = errorResponseOf(error, environment, job.configuration);
    for (const event of mapper.failed(errorResponse.error)) onEvent(event);
    return { kind: 'failed', ...errorResponse };
  }
}

type MapEvent = ReturnType<typeof mapEvents>['map'];

async function compileWithEvents(job: CompileJob, environment: Environment, map: MapEvent): Promise<CompiledList> {
  const { onEvent, limitStep, gathered, readLocal } = environment;
  const { configuration, explain } = job;
  const onSourceError = job.onSourceError === 'skip' ? 'skip' : 'fail';
  const read = gathered ? readGathered(gathered.texts) : readLocal;
  for await (const event of compileEvents(configuration, { ...environment, ...limits, read, explain, onSourceError })) {
    const mapped = map(event);
    // These events were sent during the download.
    if (gathered && (event.kind === 'source started' || event.kind === 'source failed')) continue;
    for (const one of mapped) onEvent(one);
    if (event.kind === 'step started') limitStep(patternTimeLimitMs(configuration, event));
    if (event.kind === 'finished') return event.list;
  }
  throw new Error('the compilation ended without a list');
}

function deliver(
  compiled: CompiledList,
  { format, explain, storesResult, configuration, onSourceError }: CompileJob,
  { onEvent, timestamp, gathered }: Environment,
  metricsOf: (listLines: number, lines: number) => Compiled['metrics'],
): Compiled {
  const progress = { phase: 'finalize', current: 1, total: 1, message: 'Finalizing output' };
  onEvent({ name: 'progress', data: progress });
  const { bytes, unsupported } = writeFormat(compiled, format);
  const ruleCount = countLines(bytes);
  const metrics = metricsOf(compiled.lines.count, ruleCount);
  onEvent({
    name: 'compilation:complete',
    data: {
      ruleCount,
      totalDurationMs: metrics.totalDurationMs,
      sourceCount: metrics.sourceCount,
      transformationCount: new Set(configuration.transformations ?? []).size,
    },
  });
  return {
    kind: 'compiled',
    list: storesResult && bytes.length > LARGE_BYTES ? { json: jsonOf(bytes) } : { plain: bytes },
    listBytes: bytes.length,
    // Synchronous, because threads of the thread pool would compete with the answering threads.
    gzipped: storesResult ? gzipSync(bytes, { level: GZIP_LEVEL }) : undefined,
    // Lists that differ only in their timestamp are equal for subscribers.
    contentId: createHash('sha256').update(stripTimestamp(bytes)).digest('hex'),
    compiledAt: timestamp.toISOString(),
    ruleCount,
    metrics,
    dropped: explain ? compiled.dropped.slice(0, MAX_LISTED) : undefined,
    unsupported: format === 'adblock' ? undefined : named(unsupported.slice(0, MAX_LISTED), configuration),
    validators: storesResult ? (gathered ? gathered.validators : []) : undefined,
    // The report needs a pass over all lines.
    missing: onSourceError === 'fail' ? [] : compiled.report.sources.flatMap(missingSource),
  };
}

const missingSource = ({ source, outcome, error }: Report['sources'][number]): string[] => {
  if (outcome === 'skipped') return [`Source left out: ${error}`];
  return outcome === 'stale' ? [`Source could not be downloaded, its earlier copy is used: ${source}`] : [];
};

/** Replaces source indexes by display names, as for dropped rules. */
const named = (rules: readonly UnsupportedRule[], { sources }: Configuration): NonNullable<Compiled['unsupported']> =>
  rules.map((rule) => ({ ...rule, source: sources[rule.source] ? sourceName(sources[rule.source]!) : '' }));

export function errorResponseOf(
  error: unknown,
  { signal, onProblem }: Pick<Environment, 'signal' | 'onProblem'>,
  configuration: Configuration,
): ErrorResponse {
  if (signal.aborted) return { status: 499, error: 'The request was cancelled' };
  if (error instanceof ConfigurationError) return configurationErrorResponse(error);
  if (error instanceof SourceError)
    return {
      status: causesOf(error).some(isOfCaller) ? 400 : 500,
      error: wireMessage(error),
      ...failedSource(error, configuration),
    };
  // V8 reports expressions that are too large only on first use.
  if (error instanceof SyntaxError) return { status: 400, error: error.message };
  onProblem(error);
  return { status: 500, error: 'The compilation failed' };
}

/** Names the failed source. With a single source the published form is complete: an error and nothing else. */
function failedSource(error: SourceError, configuration: Configuration): Pick<ErrorResponse, 'details'> {
  const { source } = error;
  if (sourceNames(configuration).length < 2) return {};
  const message = `"${shown(source)}" could not be read: ${wireMessage(error)}`;
  return { details: [{ path: `configuration.${sourcePath(source, configuration)}`, message }] };
}

function sourcePath(source: string, configuration: Configuration): string {
  const levels: readonly (readonly [string, Partial<Source>])[] = [
    ...configuration.sources.map((one, at) => [`sources[${at}].`, one] as const),
    ['', configuration],
  ];
  for (const [path, level] of levels) {
    if (level.source === source) return `${path}source`;
    for (const member of ['exclusions_sources', 'inclusions_sources'] as const) {
      const at = level[member]?.indexOf(source) ?? -1;
      if (at >= 0) return `${path}${member}[${at}]`;
    }
  }
  return 'sources';
}

const MAX_DETAILS = 100;

export function configurationErrorResponse({ issues }: Pick<ConfigurationError, 'issues'>): ErrorResponse {
  const details = issues.slice(0, MAX_DETAILS).map(({ path, message }) => ({
    path: path === '' ? 'configuration' : `configuration.${path}`,
    message,
  }));
  const left = issues.length - details.length;
  if (left > 0) details.push({ path: 'configuration', message: `has ${left} more errors` });
  return { status: 400, error: 'Failed to validate configuration', about: 'configuration', details };
}

/** Whether the caller can fix it: a forbidden source or an invalid expression. */
const isOfCaller = (cause: Error): boolean =>
  cause instanceof SyntaxError || (cause instanceof SourceProblem && cause.kind === 'not allowed');

function causesOf(error: Error): Error[] {
  return [error, ...(error.cause instanceof Error ? causesOf(error.cause) : [])];
}

type StepStarted = Extract<CompileEvent, { kind: 'step started' }>;

const BASE_MS = 1500;
const MAX_MS = 10_000;
// Reasonable expressions take a tenth of this per line; those with catastrophic backtracking never end.
const MS_PER_TRY = 0.002;
// Assumed number of expressions in a pattern file, whose content is not known yet.
const EXPRESSIONS_OF_A_FILE = 50;

/** Time limit of a step with user-defined expressions; 0 (no limit) for any other step. */
export function patternTimeLimitMs(configuration: Configuration, { step, index, before }: StepStarted): number {
  if (step !== 'exclusions' && step !== 'inclusions') return 0;
  const level = index === undefined ? configuration : configuration.sources[index];
  const expressions = level?.[step]?.filter((pattern) => pattern.length > 2 && pattern.startsWith('/')).length ?? 0;
  const files = level?.[`${step}_sources`]?.length ?? 0;
  if (expressions + files === 0) return 0;
  const tries = before * (expressions + files * EXPRESSIONS_OF_A_FILE);
  return Math.min(MAX_MS, BASE_MS + tries * MS_PER_TRY);
}
