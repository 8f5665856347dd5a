import { forEachLimit } from '../../kit/concurrency.ts';
import { messageOf } from '../../kit/message-of.ts';
import type { Configuration, Source } from '../configuration.ts';
import type { CompileEvent } from '../events.ts';
import { readLines } from '../lines/read-lines.ts';
import { createWorkspace } from '../lines/workspace.ts';
import { cachedRead, type Read } from './cached-read.ts';
import { type Found, type IncludeLimits, preprocess } from './includes.ts';
import { asSourceError, readWithMirrors } from './load-sources.ts';
import type { Content, ReadRequest, ReadSource } from './read-source.ts';

type Text =
  | { readonly content: Content; readonly reads: number }
  /** The source could not be read; a mirror is used, or it is skipped. */
  | { readonly content: undefined; readonly error: string };

/** Texts by `readKey`, with the number of reads. */
export type Gathered = ReadonlyMap<string, Text>;

export type GatherEvent = Extract<
  CompileEvent,
  { kind: 'source started' | 'source progress' | 'source retried' | 'source failed' }
>;

export type GatherSettings = {
  readonly read: ReadSource;
  readonly signal: AbortSignal;
  readonly includeLimits: IncludeLimits;
  readonly onSourceError?: 'fail' | 'skip';
  readonly onEvent?: ((event: GatherEvent) => void) | undefined;
};

// The same number as in a compilation.
const CONCURRENCY = 6;
const INCLUDE = '!#include';

/**
 * Reads all texts that a compilation of this configuration will read: pattern files, sources or their mirrors, and includes. This way, one
 * thread downloads for many compilations, and a compilation only needs a thread while it uses the CPU. Fails with the same error as the
 * compilation would.
 */
export async function gatherSources(configuration: Configuration, settings: GatherSettings): Promise<Gathered> {
  const { includeLimits, onEvent = () => {} } = settings;
  const stop = new AbortController();
  const signal = AbortSignal.any([settings.signal, stop.signal]);
  const { gathered, read } = recording(settings.read);
  const readText = cachedRead(read, configuration, signal);
  const readIncludes = (bytes: Uint8Array, found: Found): Promise<void> =>
    gatherIncludes(bytes, found, readText, includeLimits);
  const readPatterns = (level: Patterns): Promise<unknown> => gatherPatterns(level, readText, readIncludes);

  const gatherSource = async (source: Source, index: number): Promise<void> => {
    await readPatterns(source);
    const [content, origin] = await readWithMirrors(source, {
      read: readText,
      onProgress: (progress) => onEvent({ kind: 'source progress', index, ...progress }),
      onRetry: ({ reason, waitMs }) => onEvent({ kind: 'source retried', index, reason, waitMs }),
    });
    await readIncludes(content.bytes, { source: origin, kind: content.kind });
  };

  try {
    await readPatterns(configuration);
    const total = configuration.sources.length;
    await forEachLimit(CONCURRENCY, configuration.sources.entries(), async ([index, source]) => {
      signal.throwIfAborted();
      onEvent({ kind: 'source started', index, source, total });
      await gatherSource(source, index).catch((cause: unknown) => {
        // Sources that were aborted because another one failed are not reported.
        signal.throwIfAborted();
        const error = asSourceError(source.source, cause);
        const skipped = settings.onSourceError === 'skip';
        onEvent({ kind: 'source failed', index, error, skipped });
        // The compilation will also fail to read it, and skip it.
        if (skipped) return;
        stop.abort(error);
        throw error;
      });
    });
    return gathered;
  } finally {
    stop.abort();
  }
}

const readKey = ({ as, source }: Pick<ReadRequest, 'as' | 'source'>): string => `${as} ${source}`;

/** Reads the gathered texts. Each text is released after its last read, because all of them would double the memory. */
export function readGathered(gathered: Gathered): ReadSource {
  const left = new Map(gathered);
  return async (request) => {
    const key = readKey(request);
    const found = left.get(key);
    if (!found?.content) throw new Error(found?.error ?? 'it could not be read');
    if (found.reads > 1) left.set(key, { ...found, reads: found.reads - 1 });
    else left.delete(key);
    return found.content;
  };
}

function recording(read: ReadSource): { gathered: Gathered; read: ReadSource } {
  const gathered = new Map<string, Text>();
  return {
    gathered,
    read: async (request, signal) => {
      const content = await read(request, signal).catch((error: unknown) => {
        gathered.set(readKey(request), { content: undefined, error: messageOf(error) });
        throw error;
      });
      const before = gathered.get(readKey(request));
      gathered.set(readKey(request), { content, reads: (before?.content ? before.reads : 0) + 1 });
      return content;
    },
  };
}

type Patterns = Pick<Source, 'exclusions_sources' | 'inclusions_sources'>;

const gatherPatterns = (
  { exclusions_sources = [], inclusions_sources = [] }: Patterns,
  read: Read,
  readIncludes: (bytes: Uint8Array, found: Found) => Promise<void>,
): Promise<unknown> =>
  Promise.all(
    [...exclusions_sources, ...inclusions_sources].map(async (source) => {
      try {
        const { bytes, kind } = await read({ source, as: 'patterns' });
        await readIncludes(bytes, { source, kind });
      } catch (error) {
        throw asSourceError(source, error);
      }
    }),
  );

/** Only lists with includes, which are rare, are split into lines, because conditions decide which includes apply. */
async function gatherIncludes(bytes: Uint8Array, found: Found, read: Read, limits: IncludeLimits): Promise<void> {
  if (!hasInclude(bytes)) return;
  const lines = readLines(createWorkspace(), bytes, 0);
  await preprocess(lines, found, (source) => read({ source, as: 'include' }), limits);
}

const hasInclude = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(INCLUDE);
