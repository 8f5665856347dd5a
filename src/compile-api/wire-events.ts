import type { CompileEvent, Configuration, DroppedRule, Source, TransformationName } from '../compiler/index.ts';
import { transformationNames } from '../compiler/index.ts';

/** One server-sent event: its published name and data. */
export type WireEvent = { readonly name: string; readonly data: object };

type Stage = {
  readonly name: string;
  readonly durationMs: number;
  readonly itemCount: number;
  readonly itemsPerSecond: number;
};
export type Metrics = {
  readonly totalDurationMs: number;
  readonly stages: readonly Stage[];
  readonly sourceCount: number;
  readonly ruleCount: number;
  readonly outputRuleCount: number;
  readonly sources: readonly { readonly source: string; readonly format: string; readonly lines: number }[];
};

export type EventMapper = {
  /** Returns the events to send for a compiler event. */
  map(event: CompileEvent): readonly WireEvent[];
  /** Events to send before the error event of a failed compilation. */
  failed(error: string): readonly WireEvent[];
  /** Durations of the stages; call after the compilation. */
  metrics(listLines: number, outputRuleCount: number): Metrics;
};

type Started = { readonly source: Source; readonly at: number; format: string; lines: number };
type StepEvent = Extract<CompileEvent, { kind: 'step started' | 'step finished' }>;

const isTransformation = (step: string): step is TransformationName =>
  (transformationNames as readonly string[]).includes(step);

const log = (level: 'debug' | 'info' | 'warn' | 'error', message: string): WireEvent => ({
  name: 'log',
  data: { level, message },
});

/** Start times of downloads that are already complete. */
export type Begun = { readonly startedAt: number; readonly sourcesStartedAt: readonly number[] };

/** Maps the compiler's events of one compilation to the published events. */
export function mapEvents(
  { sources, transformations = [] }: Configuration,
  now: () => number,
  begun?: Begun,
): EventMapper {
  const startedAt = begun?.startedAt ?? now();
  const started: Started[] = [];
  const ownSteps = sources.map((source) => new Set(source.transformations ?? []).size);
  const stepsOfList = new Set(transformations).size;
  const done = new Map<number | undefined, number>();
  let stepAt = startedAt;
  let sourcesRead = 0;
  let sourcesDoneAt = startedAt;
  let linesOfSources = 0;
  let linesOfList: number | undefined;
  let isFailureReported = false;

  const aboutSource = (index: number) => ({
    source: started[index]!.source,
    sourceIndex: index,
    totalSources: sources.length,
  });

  const stepStarted = ({ step, index, before }: StepEvent): WireEvent[] => {
    stepAt = now();
    if (index === undefined) linesOfList ??= before;
    if (!isTransformation(step)) return [];
    const total = index === undefined ? stepsOfList : ownSteps[index]!;
    const current = (done.get(index) ?? 0) + 1;
    done.set(index, current);
    return [
      ...(index === undefined && current === 1 ? [progress(0, total, `Applying ${total} transformations`)] : []),
      { name: 'transformation:start', data: { name: step, inputCount: before } },
      progress(current, total, `Applying transformation: ${step}`),
    ];
  };

  const stepFinished = (event: Extract<StepEvent, { kind: 'step finished' }>): WireEvent[] => {
    const { step, before, after, dropped } = event;
    const mapped = [...dropped.flatMap((rule) => dropWords(rule)), log('info', stepWords(step, before, after))];
    if (!isTransformation(step)) return mapped;
    return [
      ...mapped,
      {
        name: 'transformation:complete',
        data: { name: step, inputCount: before, outputCount: after, durationMs: Math.round(now() - stepAt) },
      },
    ];
  };

  const sourceCompiled = (index: number, lines: number): WireEvent => {
    sourcesDoneAt = now();
    linesOfSources += lines;
    const { at, format } = started[index]!;
    return {
      name: 'source:complete',
      data: { ...aboutSource(index), ruleCount: lines, durationMs: Math.round(now() - at), format },
    };
  };

  const map = (event: CompileEvent): readonly WireEvent[] => {
    switch (event.kind) {
      case 'source started':
        started[event.index] = {
          source: event.source,
          at: begun?.sourcesStartedAt[event.index] ?? now(),
          format: 'empty',
          lines: 0,
        };
        return [
          ...(sourcesRead++ === 0 ? [log('info', 'Starting the compiler')] : []),
          { name: 'source:start', data: aboutSource(event.index) },
          log('debug', `Downloading: ${shown(event.source.source)}`),
        ];
      case 'source progress':
        return [
          {
            name: 'progress',
            data: {
              phase: 'sources',
              current: event.receivedBytes,
              total: event.totalBytes ?? event.receivedBytes,
              message: `Downloading: ${shown(started[event.index]!.source.source)}`,
              sourceIndex: event.index,
            },
          },
        ];
      case 'source retried':
        return [log('warn', `Source ${event.index + 1}: ${event.reason}; retrying in ${event.waitMs} ms`)];
      case 'source finished':
        Object.assign(started[event.index]!, { format: event.format, lines: event.lines });
        return [];
      case 'source compiled':
        return [sourceCompiled(event.index, event.lines)];
      case 'source failed':
        return sourceFailed(event.index, wireMessage(event.error), event.skipped);
      case 'step started':
        return stepStarted(event);
      case 'step finished':
        return stepFinished(event);
      case 'warning':
        return [log('warn', event.message)];
      case 'finished':
        return [];
    }
  };

  const sourceFailed = (index: number, error: string, skipped: boolean): WireEvent[] => {
    isFailureReported ||= !skipped;
    return [
      log(skipped ? 'warn' : 'error', `Failed to download ${shown(started[index]!.source.source)}: ${error}`),
      { name: 'source:error', data: { ...aboutSource(index), error } },
    ];
  };

  const metrics = (listLines: number, outputRuleCount: number): Metrics => {
    const endedAt = now();
    return wholeDurations({
      totalDurationMs: endedAt - startedAt,
      stages: [
        stage('Fetch & compile sources', sourcesDoneAt - startedAt, linesOfSources),
        stage('Apply transformations', endedAt - sourcesDoneAt, listLines),
      ],
      sourceCount: sources.length,
      ruleCount: linesOfList ?? listLines,
      outputRuleCount,
      sources: started.map(({ source, format, lines }) => ({ source: shown(source.source), format, lines })),
    });
  };

  return { map, failed: (error) => (isFailureReported ? [] : [log('error', error)]), metrics };
}

/** Clients in typed languages read durations as integers. */
export const wholeDurations = (metrics: Metrics): Metrics => ({
  ...metrics,
  totalDurationMs: Math.round(metrics.totalDurationMs),
  stages: metrics.stages.map((each) => ({ ...each, durationMs: Math.round(each.durationMs) })),
});

const progress = (current: number, total: number, message: string): WireEvent => ({
  name: 'progress',
  data: { phase: 'transformations', current, total, message },
});

const stage = (name: string, durationMs: number, itemCount: number): Stage => ({
  name,
  durationMs,
  itemCount,
  itemsPerSecond: durationMs > 0 ? Math.round((itemCount / durationMs) * 1000) : 0,
});

const MAX_SHOWN = 200;
export const shown = (source: string): string => {
  const line = source.split(/[\r\n]/, 1)[0]!;
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
};

/** Source errors start with the name of the source; events already contain it. */
export const wireMessage = (error: Error): string =>
  error.cause instanceof Error ? error.cause.message : error.message;

/** Comments dropped with their rule are not reported. */
function dropWords({ step, rule, reason }: DroppedRule): WireEvent[] {
  if (step !== 'Deduplicate') return [log('debug', `${step}: removing ${rule}: ${reason}`)];
  return isAnnotation(rule) ? [] : [log('debug', `Removing duplicate: ${rule}`)];
}

const isAnnotation = (line: string): boolean => /^(!|#( |$|###))|^\s*$/.test(line);

// Published texts of the original service; other steps report a plain count.
const stepWordings: Readonly<Record<string, (before: number, after: number) => string>> = {
  Compress: (before, after) => `The list was compressed from ${before} to ${after}`,
  Deduplicate: (before, after) => `Deduplication removed ${before - after} rules`,
  RemoveEmptyLines: (before, after) => `Removed ${before - after} empty lines`,
};

const stepWords = (step: string, before: number, after: number): string =>
  stepWordings[step]?.(before, after) ?? `${step}: ${before} -> ${after}`;
