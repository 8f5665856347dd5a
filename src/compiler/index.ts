import { type CompileSettings, compileEvents as compileWith } from './compile.ts';
import { type CompiledList, listStrings } from './compiled-list.ts';
import type { Configuration } from './configuration.ts';
import type { CompileEvent } from './events.ts';
import { addString, compact, createLines, toStrings } from './lines/lines.ts';
import { createWorkspace } from './lines/workspace.ts';
import { inOrder, runTransformation, type TransformationName } from './pipeline.ts';

export { ConfigurationError, type ConfigurationIssue, checkConfiguration } from './check-configuration.ts';
export { type CompiledList, listStrings, type Report } from './compiled-list.ts';
export type { Configuration, Source } from './configuration.ts';
export { diffLists, type ListDiff } from './diff.ts';
export type { DroppedRule } from './drop-log.ts';
export type { CompileEvent } from './events.ts';
export { type FormatName, formatNames } from './formats/format-names.ts';
export { type UnsaidRule, type UnsupportedRule, writeFormat } from './formats/write-format.ts';
export type { IConfiguration, ISource, SourceType } from './original-types.ts';
export { type TransformationName, type TransformationName as Transformation, transformationNames } from './pipeline.ts';
export { type Content, type ReadRequest, type ReadSource, readAnywhere, readRemote } from './sources/read-source.ts';
export { SourceError } from './sources/source-error.ts';
export { type RuleVerdict, type ValidatorName, validateRules } from './validate-rules.ts';

export type CompileOptions = Partial<Omit<CompileSettings, 'onSourceError'>> & {
  /** Skip a failed source, or use its copy from an earlier run in `copiesFolder`. */
  readonly onSourceError?: 'fail' | 'skip' | 'stale';
  /** Folder for downloads; the next run revalidates them. */
  readonly copiesFolder?: string;
};

/** Compiles a configuration into the lines of one list. */
export async function compile(configuration: Configuration, options: CompileOptions = {}): Promise<string[]> {
  return listStrings(await compileList(configuration, options));
}

export default compile;

/** Compiles a configuration into one list with a report. */
export async function compileList(configuration: unknown, options: CompileOptions = {}): Promise<CompiledList> {
  for await (const event of compileEvents(configuration, options)) if (event.kind === 'finished') return event.list;
  throw new Error('the compilation ended without a list');
}

/** Yields progress events; the last one carries the list. Ending the iteration stops the compilation. */
export async function* compileEvents(
  configuration: unknown,
  { copiesFolder, onSourceError, ...options }: CompileOptions = {},
): AsyncGenerator<CompileEvent, void> {
  // File and network access are loaded only here, in the entry point of the library, and only if the caller passes no reader.
  const node = await import('../list-sources/compiler-defaults.ts');
  yield* compileWith(configuration, {
    timestamp: new Date(),
    compiledBy: node.compiledBy,
    ...options,
    read: options.read ?? node.readAsOwner({ copiesFolder, useStaleCopies: onSourceError === 'stale' }),
    onSourceError: onSourceError === 'skip' ? 'skip' : 'fail',
  });
}

/** Runs transformations over lines; they always run in their fixed order. */
export function transform(lines: readonly string[], wanted: readonly TransformationName[]): string[] {
  const list = createLines(createWorkspace(), Math.max(lines.length, 16));
  for (const [at, line] of lines.entries()) addString(list, line, 0, at + 1);
  const drop = (at: number): void => {
    list.dropped[at] = 1;
  };
  for (const name of inOrder(wanted)) {
    runTransformation(name, list, drop);
    compact(list);
  }
  return toStrings(list);
}
