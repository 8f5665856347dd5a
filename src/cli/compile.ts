import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  type CompiledList,
  type CompileEvent,
  compileEvents,
  diffLists,
  type ListDiff,
  type ReadSource,
  writeFormat,
} from '../compiler/index.ts';
import { lenientConfiguration } from '../compiler/lenient-configuration.ts';
import { stripTimestamp } from '../compiler/strip-timestamp.ts';
import { isObject } from '../kit/is-object.ts';
import { type OwnReading, readAsOwner } from '../list-sources/compiler-defaults.ts';
import type { CompileOptions } from './compile-command.ts';
import { measureDurations } from './durations.ts';
import { explainText } from './explain-text.ts';
import { messageOf } from './message-of.ts';
import { guardsOf, rulesIn, rulesInFile, wholeNumber, whyNotWritten } from './output-guards.ts';
import { createProgress, noProgress } from './progress.ts';
import { readConfiguration } from './read-configuration.ts';
import { summaryJson, summaryText } from './summary.ts';
import { watchFiles } from './watch-files.ts';
import { writeOutput } from './write-output.ts';

/** Compiles and returns the exit code. Files are written only after success. */
export async function compileToFile(options: CompileOptions): Promise<number> {
  const interruption = handleInterruption();
  const { signal } = interruption;
  const files = options.watch ? watchFiles() : undefined;
  try {
    for (;;) {
      const code = await compileOnce(options, interruption, files);
      if (!files) return code;
      if (!options.quiet) console.error('waiting for changes');
      await files.changed(signal);
    }
  } catch (error) {
    console.error(`weir: ${messageOf(error)}`);
    return signal.aborted ? 130 : 1;
  } finally {
    files?.close();
    interruption.end();
  }
}

/** With --watch an error is printed, and the next change may fix it. */
async function compileOnce(
  options: CompileOptions,
  interruption: Interruption,
  files: ReturnType<typeof watchFiles> | undefined,
): Promise<number> {
  try {
    await compileAndWrite(options, interruption, files?.add);
    return 0;
  } catch (error) {
    if (!files || interruption.signal.aborted) throw error;
    console.error(`weir: ${messageOf(error)}`);
    return 1;
  }
}

type Interruption = ReturnType<typeof handleInterruption>;

/**
 * SIGINT and SIGTERM abort downloads. During CPU-bound steps no handler could run, so the signals keep their default action and end the
 * process.
 */
function handleInterruption() {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort(new Error('interrupted'));
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const listen = (): void => {
    for (const name of signals) process.once(name, interrupt);
  };
  const end = (): void => {
    for (const name of signals) process.off(name, interrupt);
  };
  listen();
  return {
    signal: stop.signal,
    end,
    async note({ kind }: CompileEvent): Promise<void> {
      if (kind === 'step started') {
        // A signal that arrived before the handler was removed would be lost.
        await setImmediate();
        end();
      }
      if (kind === 'step finished' && !stop.signal.aborted) listen();
    },
  };
}

async function compileAndWrite(
  options: CompileOptions,
  interruption: Interruption,
  onFile?: (path: string) => void,
): Promise<void> {
  const { output } = options;
  const { signal } = interruption;
  if (output === undefined) throw new Error('missing output: add -o FILE, or -o - for standard output');
  if (options.stale && options.cache === undefined) throw new Error('--stale needs --cache FOLDER');
  if (options.watch && options.config === '-') throw new Error('--watch needs a configuration file');
  const guards = guardsOf(options);
  const timestamp = timestampOf(options);
  const configuration = await configurationOf(options, signal, onFile);
  const before = options.diff === undefined ? undefined : await readFile(options.diff);

  const startedAt = performance.now();
  const durations = options.benchmark ? measureDurations() : undefined;
  const list = await compileWithProgress(configuration, options, {
    timestamp,
    signal,
    read: readAsOwner({ ...readingOf(options), ...(onFile && { onFile }) }),
    onEvent: async (event) => {
      await interruption.note(event);
      durations?.note(event);
    },
  });
  const { bytes, unsupported } = writeFormat(list, options.format);
  const rules = rulesIn(bytes);
  const refusal = whyNotWritten(rules, await rulesInFile(output), guards);
  if (refusal !== undefined) throw new Error(`${output} is not written: ${refusal}`);
  if (rules === 0) console.error('weir: warning: the list has no rules');
  const unchanged = options.ifChanged && (await isUnchanged(output, bytes));
  // The list is written last: if anything fails, the old one stays.
  if (options.explain !== undefined)
    await writeOutput(options.explain, explainText(list, unsupported, options.explain));
  if (!unchanged) await writeOutput(output, bytes);

  const diff: ListDiff | undefined = before && diffLists(before, bytes);
  const summary = {
    list,
    output,
    bytes: bytes.length,
    unchanged,
    unsupported,
    diff,
    seconds: (performance.now() - startedAt) / 1000,
  };
  if (options.json) print(output, summaryJson(summary));
  else if (diff) print(output, diffText(diff));
  if (!options.quiet) console.error(summaryText(summary, options.verbose));
  if (durations) console.error(durations.text());
}

function readingOf({ cache, stale, timeout, retries }: CompileOptions): OwnReading {
  return {
    copiesFolder: cache,
    useStaleCopies: stale,
    timeoutMs: timeout === undefined ? undefined : wholeNumber('--timeout', timeout) * 1000,
    maxRetries: retries === undefined ? undefined : wholeNumber('--retries', retries),
  };
}

/** A closed standard error (`weir … 2>&1 | head`) must not abort the compilation. */
function standardError(): NodeJS.WriteStream {
  return process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Prints to standard error if the list goes to standard output. */
const print = (output: string, text: string): void => (output === '-' ? console.error(text) : console.log(text));

type Compiling = {
  readonly timestamp: Date;
  readonly signal: AbortSignal;
  readonly read: ReadSource;
  readonly onEvent: (event: CompileEvent) => Promise<void>;
};

async function compileWithProgress(
  configuration: unknown,
  options: CompileOptions,
  { onEvent, ...settings }: Compiling,
): Promise<CompiledList> {
  // Opening the stream costs milliseconds; skip it with --quiet.
  const progress = options.quiet ? noProgress : createProgress(standardError(), options);
  try {
    const events = compileEvents(configuration, {
      ...settings,
      explain: options.explain !== undefined,
      onSourceError: options.skipFailed ? 'skip' : 'fail',
    });
    for await (const event of events) {
      progress.show(event);
      await onEvent(event);
      if (event.kind === 'finished') return event.list;
    }
  } finally {
    progress.end();
  }
  throw new Error('the compilation ended without a list');
}

const usualTransformations = [
  'RemoveComments',
  'Deduplicate',
  'Compress',
  'Validate',
  'TrimLines',
  'InsertFinalNewLine',
];

async function configurationOf(
  options: CompileOptions,
  signal: AbortSignal,
  onFile?: (path: string) => void,
): Promise<unknown> {
  const { config, lenient } = options;
  if (config !== undefined && !options.inputs) onFile?.(resolve(config));
  const original = await givenConfiguration(options, signal);
  const { configuration, warnings } = lenient
    ? lenientConfiguration(original)
    : { configuration: original, warnings: [] };
  for (const warning of warnings) console.error(`weir: warning: ${warning}`);
  return withFlags(configuration, options);
}

async function givenConfiguration(
  { config, inputs, inputType }: CompileOptions,
  signal: AbortSignal,
): Promise<unknown> {
  if (inputs) {
    const sources = inputs.map((source) => ({ source, type: inputType }));
    return { name: 'Blocklist', sources, transformations: usualTransformations };
  }
  if (config === undefined)
    throw new Error('missing input: add -c CONFIGURATION or -i SOURCE (see weir compile --help)');
  return readConfiguration(config, signal);
}

/** Adds the patterns of the flags to a configuration and replaces its transformations. */
function withFlags(configuration: unknown, { exclude, include, transformations }: CompileOptions): unknown {
  if (!isObject(configuration)) return configuration;
  const { exclusions = [], inclusions = [] } = configuration;
  return {
    ...configuration,
    ...(exclude.length > 0 && Array.isArray(exclusions) && { exclusions: [...exclusions, ...exclude] }),
    ...(include.length > 0 && Array.isArray(inclusions) && { inclusions: [...inclusions, ...include] }),
    ...(transformations && { transformations }),
  };
}

function timestampOf({ timestamp }: CompileOptions): Date {
  const epoch = process.env['SOURCE_DATE_EPOCH'];
  if (timestamp !== undefined) return validDate(timestamp, new Date(timestamp), '--timestamp');
  return epoch ? validDate(epoch, new Date(Number(epoch) * 1000), 'SOURCE_DATE_EPOCH') : new Date();
}

function validDate(text: string, date: Date, name: string): Date {
  if (Number.isNaN(date.getTime()))
    throw new Error(`${name}: "${text}" is not a time; write it as 2026-11-15T08:00:00Z`);
  return date;
}

async function isUnchanged(path: string, bytes: Uint8Array): Promise<boolean> {
  const old = path === '-' ? undefined : await readFile(path).catch(() => undefined);
  return old !== undefined && Buffer.compare(stripTimestamp(old), stripTimestamp(bytes)) === 0;
}

const diffText = ({ added, removed, unchanged }: ListDiff): string =>
  [
    `${added.length} ${added.length === 1 ? 'rule' : 'rules'} added, ${removed.length} removed, ${unchanged} unchanged`,
    ...removed.map((rule) => `- ${rule}`),
    ...added.map((rule) => `+ ${rule}`),
  ].join('\n');
