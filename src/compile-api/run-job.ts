import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { compileEvents } from '../compiler/compile.ts';
import {
  type CompiledList,
  type Configuration,
  ConfigurationError,
  type ReadSource,
  SourceError,
  type UnsupportedRule,
  writeFormat,
} from '../compiler/index.ts';
import { sourceName } from '../compiler/source-name.ts';
import { readGathered } from '../compiler/sources/gather-sources.ts';
import { stripTimestamp } from '../compiler/strip-timestamp.ts';
import { SourceProblem } from '../list-sources/source-error-text.ts';
import type { Compiled, Order, Outcome, Refusal } from './compile-job.ts';
import { type GatheredOrder, includeLimits } from './gathered-job.ts';
import { countLines, jsonOf } from './json-lines.ts';
import { patternAllowanceMs } from './pattern-allowance.ts';
import { tellOnWire, type WireEvent, wireMessage } from './wire-events.ts';

type Surroundings = {
  /** For an order whose texts all came with it. */
  readonly readLocal: ReadSource;
  /** For any other order: the texts of its sources. */
  readonly gathered: GatheredOrder | undefined;
  readonly signal: AbortSignal;
  readonly compiledBy: string;
  readonly timestamp: Date;
  readonly now: () => number;
  readonly onEvent: (event: WireEvent) => void;
  /** Told before a step that takes as long as users' patterns please: how long it may take. */
  readonly onAllowance: (ms: number) => void;
  readonly onProblem: (problem: unknown) => void;
};

const GZIP_LEVEL = 4;
// To write less as JSON takes no time that anybody would notice.
const LARGE_BYTES = 256 * 1024;
const limits = { reportDropped: 100, includeLimits };
const MAX_LISTED = 10_000;

/** Carries out one order from beginning to end. Whatever goes wrong is an outcome, too. */
export async function runOrder(order: Order, surroundings: Surroundings): Promise<Outcome> {
  const { now, onEvent, gathered } = surroundings;
  const telling = tellOnWire(order.configuration, now, gathered);
  try {
    // Without downloads a list cannot change.
    if (order.unchangedIf && !gathered) return { kind: 'unchanged' };
    const list = await compileTelling(order, surroundings, (event) => telling.tell(event));
    return deliver(list, order, surroundings, (listLines, lines) => telling.metrics(listLines, lines));
  } catch (error) {
    const refusal = refusalOf(error, surroundings);
    for (const event of telling.failed(refusal.error)) onEvent(event);
    return { kind: 'failed', ...refusal };
  }
}

type Tell = ReturnType<typeof tellOnWire>['tell'];

async function compileTelling(order: Order, surroundings: Surroundings, tell: Tell): Promise<CompiledList> {
  const { onEvent, onAllowance, gathered, readLocal } = surroundings;
  const { configuration, explain } = order;
  const read = gathered ? readGathered(gathered.texts) : readLocal;
  for await (const event of compileEvents(configuration, { ...surroundings, ...limits, read, explain })) {
    const told = tell(event);
    // Clients were told when the download started.
    if (gathered && event.kind === 'source started') continue;
    for (const one of told) onEvent(one);
    if (event.kind === 'step started') onAllowance(patternAllowanceMs(configuration, event));
    if (event.kind === 'finished') return event.list;
  }
  throw new Error('the compilation ended without a list');
}

function deliver(
  compiled: CompiledList,
  { format, explain, keep, configuration }: Order,
  { onEvent, timestamp, gathered }: Surroundings,
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
    list: keep && bytes.length > LARGE_BYTES ? { json: jsonOf(bytes) } : { plain: bytes },
    listBytes: bytes.length,
    // Here and now: other threads than this one would do it at the cost of those who answer.
    gzipped: keep ? gzipSync(bytes, { level: GZIP_LEVEL }) : undefined,
    // Two lists that differ in nothing but their date are the same to whoever subscribes to them.
    contentId: createHash('sha256').update(stripTimestamp(bytes)).digest('hex'),
    compiledAt: timestamp.toISOString(),
    ruleCount,
    metrics,
    dropped: explain ? compiled.dropped.slice(0, MAX_LISTED) : undefined,
    unsupported: format === 'adblock' ? undefined : named(unsupported.slice(0, MAX_LISTED), configuration),
    validators: keep ? (gathered ? gathered.validators : []) : undefined,
  };
}

/** By the names that dropped rules are told by, too. */
const named = (rules: readonly UnsupportedRule[], { sources }: Configuration): NonNullable<Compiled['unsupported']> =>
  rules.map((rule) => ({ ...rule, source: sources[rule.source] ? sourceName(sources[rule.source]!) : '' }));

export function refusalOf(error: unknown, { signal, onProblem }: Pick<Surroundings, 'signal' | 'onProblem'>): Refusal {
  if (signal.aborted) return { status: 499, error: 'The request was cancelled' };
  if (error instanceof ConfigurationError) return configurationRefusal(error);
  if (error instanceof SourceError)
    return { status: causesOf(error).some(isOfCaller) ? 400 : 500, error: wireMessage(error) };
  // What an expression is too large for shows only when it is first used.
  if (error instanceof SyntaxError) return { status: 400, error: error.message };
  onProblem(error);
  return { status: 500, error: 'The compilation failed' };
}

const MAX_DETAILS = 100;

export function configurationRefusal({ faults }: Pick<ConfigurationError, 'faults'>): Refusal {
  const details = faults.slice(0, MAX_DETAILS).map(({ path, message }) => ({
    path: path === '' ? 'configuration' : `configuration.${path}`,
    message,
  }));
  const left = faults.length - details.length;
  if (left > 0) details.push({ path: 'configuration', message: `has ${left} more errors` });
  return { status: 400, error: 'Failed to validate configuration', details };
}

/** Whether whoever asked can mend it: a source that may not be read, an expression that is none. */
const isOfCaller = (cause: Error): boolean =>
  cause instanceof SyntaxError || (cause instanceof SourceProblem && cause.kind === 'not allowed');

function causesOf(error: Error): Error[] {
  return [error, ...(error.cause instanceof Error ? causesOf(error.cause) : [])];
}
