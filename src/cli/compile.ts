import { readFile } from 'node:fs/promises';
import { type CompiledList, compileEvents, diffLists, type ListDiff, writeFormat } from '../compiler/index.ts';
import { stripTimestamp } from '../compiler/strip-timestamp.ts';
import type { CompileOptions } from './compile-command.ts';
import { explainText } from './explain-text.ts';
import { messageOf } from './message-of.ts';
import { createProgress, noProgress } from './progress.ts';
import { readConfiguration } from './read-configuration.ts';
import { summaryJson, summaryText } from './summary.ts';
import { writeOutput } from './write-output.ts';

/** Compiles and returns the exit code. Files are written only after success. */
export async function compileToFile(options: CompileOptions): Promise<number> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort(new Error('interrupted'));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    await compileAndWrite(options, stop.signal);
    return 0;
  } catch (error) {
    console.error(`weir: ${messageOf(error)}`);
    return stop.signal.aborted ? 130 : 1;
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}

async function compileAndWrite(options: CompileOptions, signal: AbortSignal): Promise<void> {
  const { output } = options;
  if (output === undefined) throw new Error('missing output: add -o FILE, or -o - for standard output');
  if (options.stale && options.cache === undefined) throw new Error('--stale needs --cache FOLDER');
  const timestamp = timestampOf(options);
  const configuration = await configurationOf(options, signal);
  const before = options.diff === undefined ? undefined : await readFile(options.diff);

  const startedAt = performance.now();
  const list = await compileWithProgress(configuration, options, timestamp, signal);
  const { bytes, unsupported } = writeFormat(list, options.format);
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
}

/** A closed standard error (`weir … 2>&1 | head`) must not abort the compilation. */
function standardError(): NodeJS.WriteStream {
  return process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Prints to standard error if the list goes to standard output. */
const print = (output: string, text: string): void => (output === '-' ? console.error(text) : console.log(text));

async function compileWithProgress(
  configuration: unknown,
  options: CompileOptions,
  timestamp: Date,
  signal: AbortSignal,
): Promise<CompiledList> {
  // Opening the stream costs milliseconds; skip it with --quiet.
  const progress = options.quiet ? noProgress : createProgress(standardError(), options);
  try {
    const events = compileEvents(configuration, {
      signal,
      timestamp,
      explain: options.explain !== undefined,
      onSourceError: options.stale ? 'stale' : options.skipFailed ? 'skip' : 'fail',
      ...(options.cache !== undefined && { copiesFolder: options.cache }),
    });
    for await (const event of events) {
      progress.show(event);
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

async function configurationOf(options: CompileOptions, signal: AbortSignal): Promise<unknown> {
  const { config, inputs, inputType } = options;
  if (inputs) {
    const sources = inputs.map((source) => ({ source, type: inputType }));
    return { name: 'Blocklist', sources, transformations: usualTransformations };
  }
  if (config === undefined)
    throw new Error('missing input: add -c CONFIGURATION or -i SOURCE (see weir compile --help)');
  return readConfiguration(config, signal);
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
    `${added.length} rules added, ${removed.length} removed, ${unchanged} unchanged`,
    ...removed.map((rule) => `- ${rule}`),
    ...added.map((rule) => `+ ${rule}`),
  ].join('\n');
