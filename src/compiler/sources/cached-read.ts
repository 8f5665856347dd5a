import { oncePerKey } from '../../kit/single-flight.ts';
import type { Configuration } from '../configuration.ts';
import type { Content, ReadRequest, ReadSource } from './read-source.ts';

/** Reader for one compilation. */
export type Read = (request: ReadRequest) => Promise<Content>;

/**
 * Reads a source that is used several times only once. Other sources are not cached, because that would double the memory of a compilation.
 */
export function cachedRead(read: ReadSource, configuration: Configuration, signal: AbortSignal): Read {
  const repeated = repeatedNames(configuration);
  const reads = oncePerKey<Content>();
  return async (request) => {
    signal.throwIfAborted();
    if (!repeated.has(request.source)) return read(request, signal);
    return reads(`${request.as} ${request.source}`, () => read(request, signal));
  };
}

/** All sources, mirrors and pattern files that a configuration names. */
export function sourceNames(configuration: Configuration): readonly string[] {
  const levels = [configuration, ...configuration.sources];
  return [
    ...configuration.sources.flatMap(({ source, mirrors = [] }) => [source, ...mirrors]),
    ...levels.flatMap(({ exclusions_sources = [], inclusions_sources = [] }) => [
      ...exclusions_sources,
      ...inclusions_sources,
    ]),
  ];
}

function repeatedNames(configuration: Configuration): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(sourceNames(configuration).filter((name) => seen.has(name) || !seen.add(name)));
}
