import { ConfigurationError, checkConfiguration } from './check-configuration.ts';
import { type CompiledList, toFile } from './compiled-list.ts';
import type { Configuration } from './configuration.ts';
import { createDropLog } from './drop-log.ts';
import type { CompileEvent } from './events.ts';
import { listHeader, sourceHeader } from './header.ts';
import { addLines, addString, createLines, type Lines } from './lines/lines.ts';
import { createWorkspace, type Workspace } from './lines/workspace.ts';
import { createReporter, type Reporter } from './reporter.ts';
import { runSteps } from './run-steps.ts';
import { sourceName } from './source-name.ts';
import { cachedRead } from './sources/cached-read.ts';
import type { IncludeLimits } from './sources/includes.ts';
import { loadFilters, loadSources } from './sources/load-sources.ts';
import type { ReadSource } from './sources/read-source.ts';

export type CompileSettings = {
  readonly read: ReadSource;
  readonly timestamp: Date;
  readonly compiledBy: string;
  readonly signal?: AbortSignal | undefined;
  /** Whether to record each dropped rule and its reason. */
  readonly explain?: boolean | undefined;
  /** Number of dropped rules included in each step's event; default 0. */
  readonly reportDropped?: number | undefined;
  readonly onSourceError?: 'fail' | 'skip' | undefined;
  /** Limits for `!#include`. */
  readonly includeLimits?: IncludeLimits | undefined;
  /** Sources read concurrently. */
  readonly concurrency?: number | undefined;
};

const CONCURRENCY = 6;

/** Compiles a configuration and yields progress events. The last event carries the list. */
export async function* compileEvents(value: unknown, settings: CompileSettings): AsyncGenerator<CompileEvent, void> {
  const checked = checkConfiguration(value);
  if (!checked.ok) throw new ConfigurationError(checked.error);
  const reporter = createReporter(checked.value);
  const stop = new AbortController();
  const signal = settings.signal ? AbortSignal.any([settings.signal, stop.signal]) : stop.signal;
  try {
    for await (const event of compileChecked(checked.value, settings, reporter, signal)) {
      signal.throwIfAborted();
      reporter.note(event);
      yield event;
    }
  } catch (error) {
    // An abort reports the abort reason, not the error it caused.
    settings.signal?.throwIfAborted();
    throw error;
  } finally {
    // Aborts running downloads on errors and when the consumer stops iterating.
    stop.abort();
  }
}

async function* compileChecked(
  configuration: Configuration,
  settings: CompileSettings,
  reporter: Reporter,
  signal: AbortSignal,
): AsyncGenerator<CompileEvent, void> {
  const { sources, transformations = [] } = configuration;
  const text = createWorkspace();
  const { includeLimits } = settings;
  const reading = { read: cachedRead(settings.read, configuration, signal), includeLimits };
  const dropLog = createDropLog(sources.map(sourceName), settings);
  const parts: Part[] = [];

  const concurrency = settings.concurrency ?? CONCURRENCY;
  if (!(concurrency >= 1)) throw new RangeError('at least one source must be read at a time');

  const filters = await loadFilters(configuration, reading);
  for await (const event of loadSources(configuration, text, reading, concurrency)) {
    if (event.kind === 'source not loaded') {
      const skipped = settings.onSourceError === 'skip' && !signal.aborted;
      yield { kind: 'source failed', index: event.index, error: event.error, skipped };
      if (!skipped) throw event.error;
    } else if (event.kind === 'source loaded') {
      yield reporter.loaded(event);
      const source = sources[event.index]!;
      yield* runSteps(event.lines, event.index, event.filters, source.transformations ?? [], dropLog);
      reporter.filtersDone(`sources[${event.index}]`, event.filters);
      parts[event.index] = { header: sourceHeader(source, event.inline), lines: event.lines };
      yield { kind: 'source compiled', index: event.index, lines: event.lines.count };
    } else {
      yield event;
    }
  }

  const lines = join(parts, text);
  yield* runSteps(lines, undefined, filters, transformations, dropLog);
  reporter.filtersDone('', filters);
  const header = listHeader(configuration, { ...settings, annotations: reporter.annotations() });
  const bytes = toFile(header, lines);
  for (const message of reporter.warnings(lines)) yield { kind: 'warning', message };
  let report: CompiledList['report'] | undefined;
  const list: CompiledList = {
    header,
    lines,
    bytes,
    // Computed lazily, because some counts need a pass over all lines.
    get report() {
      report ??= reporter.report(lines, dropLog);
      return report;
    },
    dropped: dropLog.dropped(),
  };
  yield { kind: 'finished', list };
}

type Part = { readonly header: readonly string[]; readonly lines: Lines };

/** The sources concatenated in configuration order, without skipped ones. */
function join(parts: readonly Part[], text: Workspace): Lines {
  const all = createLines(
    text,
    parts.reduce((count, { header, lines }) => count + header.length + lines.count, 1),
  );
  parts.forEach(({ header, lines }, index) => {
    for (const line of header) addString(all, line, index);
    addLines(all, lines);
  });
  return all;
}
