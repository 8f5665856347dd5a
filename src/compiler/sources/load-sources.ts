import { type AsyncQueue, asyncQueue } from '../../kit/async-queue.ts';
import { forEachLimit } from '../../kit/concurrency.ts';
import { messageOf } from '../../kit/message-of.ts';
import type { Configuration, Source } from '../configuration.ts';
import type { CompileEvent } from '../events.ts';
import { createLineFilter, type LineFilter } from '../filters/line-filter.ts';
import { parsePattern } from '../filters/pattern.ts';
import { isBlank, isComment } from '../lines/line-kind.ts';
import { type Lines, lineText } from '../lines/lines.ts';
import { readLines } from '../lines/read-lines.ts';
import { createWorkspace, type Workspace } from '../lines/workspace.ts';
import { firstLine } from '../source-name.ts';
import type { Read } from './cached-read.ts';
import { type Found, type IncludeLimits, preprocess } from './includes.ts';
import type { Content, ReadRequest } from './read-source.ts';
import { SourceError } from './source-error.ts';

/** Reader and include limits of a compilation. */
export type Reading = { readonly read: Read; readonly includeLimits?: IncludeLimits | undefined };

export type Filters = { readonly exclude: LineFilter | undefined; readonly include: LineFilter | undefined };

export type Loaded = {
  readonly kind: 'source loaded';
  readonly index: number;
  readonly lines: Lines;
  readonly filters: Filters;
  readonly bytes: number;
  readonly inline: boolean;
  readonly stale: boolean;
};
type NotLoaded = { readonly kind: 'source not loaded'; readonly index: number; readonly error: SourceError };
type Loading =
  | Loaded
  | NotLoaded
  | Extract<CompileEvent, { kind: 'source started' | 'source progress' | 'source retried' }>;

/** Reads all sources concurrently and yields progress. Ending the iteration aborts the reads. */
export async function* loadSources(
  { sources }: Configuration,
  text: Workspace,
  reading: Reading,
  concurrency: number,
): AsyncGenerator<Loading> {
  const events = asyncQueue<Loading>();
  const indexes = sources.map((_, index) => index);
  const load = async (index: number): Promise<void> => {
    const source = sources[index]!;
    events.push({ kind: 'source started', index, source, total: sources.length });
    events.push(await loadSource(source, index, text, reading, events));
  };
  const loading = forEachLimit(concurrency, indexes, load).then(
    () => events.close(),
    (error: unknown) => events.close(error),
  );
  yield* events;
  await loading;
}

async function loadSource(
  source: Source,
  index: number,
  text: Workspace,
  reading: Reading,
  events: AsyncQueue<Loading>,
): Promise<Loaded | NotLoaded> {
  const { read } = reading;
  try {
    const filters = await loadFilters(source, reading);
    const [content, origin] = await readWithMirrors(source, {
      read,
      onProgress: (progress) => events.push({ kind: 'source progress', index, ...progress }),
      onRetry: ({ reason, waitMs }) => events.push({ kind: 'source retried', index, reason, waitMs }),
    });
    const found = readLines(text, content.bytes, index);
    const lines = await withIncludes(found, { source: origin, kind: content.kind }, reading);
    const stale = content.freshness === 'stale';
    return {
      kind: 'source loaded',
      index,
      lines,
      filters,
      bytes: content.bytes.length,
      inline: content.kind === 'inline',
      stale,
    };
  } catch (error) {
    return { kind: 'source not loaded', index, error: asSourceError(source.source, error) };
  }
}

const withIncludes = (lines: Lines, found: Found, { read, includeLimits }: Reading): Promise<Lines> =>
  preprocess(lines, found, (path) => read({ source: path, as: 'include' }), includeLimits);

type Attempt = Pick<ReadRequest, 'onProgress' | 'onRetry'> & { readonly read: Read };

/** Content and location. If all mirrors fail too, the error of the source itself is thrown. */
export async function readWithMirrors(
  { source, mirrors = [] }: Source,
  { read, ...listeners }: Attempt,
): Promise<readonly [Content, string]> {
  const readFrom = async (from: string): Promise<readonly [Content, string]> => [
    await read({ source: from, as: 'source', ...listeners }),
    from,
  ];
  return mirrors.reduce(
    (attempt, mirror) => attempt.catch((error: unknown) => readFrom(mirror).catch(() => Promise.reject(error))),
    readFrom(source),
  );
}

type PatternLists = Pick<Source, 'exclusions' | 'exclusions_sources' | 'inclusions' | 'inclusions_sources'>;
/** A source, or the whole list. */
type Level = PatternLists & Partial<Pick<Source, 'name' | 'source'>>;

export async function loadFilters(level: Level, reading: Reading): Promise<Filters> {
  const [exclusions, inclusions] = await Promise.all([
    loadPatterns(level, 'exclusions', reading),
    loadPatterns(level, 'inclusions', reading),
  ]);
  return { exclude: createLineFilter(exclusions), include: createLineFilter(inclusions) };
}

async function loadPatterns(level: Level, kind: 'exclusions' | 'inclusions', reading: Reading): Promise<string[]> {
  const owner = level.source === undefined ? 'the list' : firstLine(level.name ?? level.source);
  const load = async (file: string): Promise<string[]> => {
    try {
      return await loadPatternFile(file, reading);
    } catch (error) {
      if (error instanceof SourceError) throw error;
      throw new SourceError(file, `${kind} of ${owner}: ${firstLine(file)}: ${messageOf(error)}`, { cause: error });
    }
  };
  const loaded = await Promise.all((level[`${kind}_sources`] ?? []).map(load));
  return [...(level[kind] ?? []), ...loaded.flat()];
}

async function loadPatternFile(file: string, reading: Reading): Promise<string[]> {
  const content = await reading.read({ source: file, as: 'patterns' });
  const found = readLines(createWorkspace(), content.bytes, 0);
  const patterns = patternsOf(await withIncludes(found, { source: file, kind: content.kind }, reading));
  for (const text of patterns) {
    const pattern = parsePattern(text);
    if (!pattern.ok) throw new SyntaxError(pattern.error);
  }
  return patterns;
}

function patternsOf(lines: Lines): string[] {
  const patterns: string[] = [];
  const { bytes } = lines.text;
  for (let at = 0; at < lines.count; at++) {
    const start = lines.start[at]!;
    const end = lines.end[at]!;
    if (!isComment(bytes, start, end) && !isBlank(bytes, start, end)) patterns.push(lineText(lines, at));
  }
  return patterns;
}

export function asSourceError(source: string, error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  return new SourceError(source, `${firstLine(source)}: ${messageOf(error)}`, { cause: error });
}
