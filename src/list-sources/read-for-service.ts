import { countLines, dropLongLines, isBlankText } from '../compiler/sources/content-limits.ts';
import {
  type Content,
  isInlineRules,
  isUrl,
  type ReadRequest,
  type ReadSource,
  readRemote,
  toUtf8,
} from '../compiler/sources/read-source.ts';
import { oncePerKey } from '../kit/single-flight.ts';
import type { Download, DownloadOptions } from '../net/download.ts';
import { DownloadError } from '../net/download-error.ts';
import { asSourceProblem, inPublicWords, notFetched } from './download-error-text.ts';
import { SourceProblem } from './source-error-text.ts';
import { readFromFolder } from './source-folder.ts';

export type ServiceReading = {
  readonly download: Download;
  /** Texts sent with the request, by source. */
  readonly preFetchedContent?: Readonly<Record<string, string>> | undefined;
  /** The only folder whose files may be read; without it no file is read. */
  readonly sourceRoot?: string | undefined;
  readonly maxSourceBytes: number;
  readonly maxCompilationBytes: number;
  /** Called with the number of lines that were dropped because of their length. */
  readonly onDroppedLines?: ((source: string, count: number) => void) | undefined;
};

const MAX_LINE_BYTES = 64 * 1024;
const MAX_LINES = 5_000_000;

/**
 * Reader for one compilation of an untrusted client: texts of the request, downloads within its policy, nothing else.
 */
export function readForService(reading: ServiceReading): ReadSource {
  const readUrl = urlReader(reading);
  const count = compilationLimits(reading.maxCompilationBytes);
  return async (request, signal) => {
    const elsewhere = () => (isUrlInSpirit(request.source) ? readUrl(request, signal) : readLocal(reading, request));
    const content = prefetched(reading, request) ?? (await elsewhere());
    // Repeated reads are counted again, because the text is in the list again.
    count(content.bytes);
    return content;
  };
}

/** URL parsing removes tabs and line breaks: a URL with a break in its scheme must not pass as rules. */
const isUrlInSpirit = (source: string): boolean => isUrl(source.slice(0, 100).replace(/[\t\r\n]/g, ''));

function prefetched(reading: ServiceReading, { source }: ReadRequest): Content | undefined {
  const { preFetchedContent = {} } = reading;
  if (!Object.hasOwn(preFetchedContent, source)) return undefined;
  return limited({ kind: 'named', bytes: Buffer.from(preFetchedContent[source]!) }, source, reading);
}

async function readLocal(reading: ServiceReading, { source, as }: ReadRequest): Promise<Content> {
  const found = await readFile(reading, source);
  if (found) return limited({ kind: 'file', bytes: toUtf8(found) }, source, reading);
  if (as === 'source' && isInlineRules(source)) {
    return limited({ kind: 'inline', bytes: Buffer.from(source) }, source, reading);
  }
  throw new SourceProblem('not allowed', `No fetcher available for source: ${beginning(source)}`);
}

const beginning = (source: string): string => source.split(/[\r\n]/, 1)[0]!.slice(0, 200);

async function readFile(
  { sourceRoot: folder, maxSourceBytes: maxBytes }: ServiceReading,
  source: string,
): Promise<Uint8Array | undefined> {
  if (folder === undefined) return undefined;
  const found = await readFromFolder(source, { folder, maxBytes }).catch((cause: unknown) => {
    throw failed('its file cannot be read', cause);
  });
  if (found.kind === 'too large') throw failed('it is larger than the limit');
  return found.kind === 'file' ? found.bytes : undefined;
}

/** Downloads each URL once, regardless of its spelling. */
function urlReader(reading: ServiceReading): ReadSource {
  const reads = oncePerKey<Content>();
  return async (request, signal) => {
    const url = URL.parse(request.source);
    if (!url) throw notFetched();
    url.hash = '';
    return reads(url.href, () => downloadOnce(reading, { ...request, source: url.href }, signal));
  };
}

async function downloadOnce(reading: ServiceReading, request: ReadRequest, signal: AbortSignal): Promise<Content> {
  try {
    const content = await readRemote(discreet(reading.download))(request, signal);
    const usable = limited(content, request.source, reading);
    if (isBlankText(content.bytes)) throw new SourceProblem('failed', 'Empty response received');
    return usable;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SourceProblem) throw error;
    if (error instanceof DownloadError) throw asSourceProblem(error);
    throw failed('the answer is not a list: it is an HTML page, or no text at all', error);
  }
}

/** Retry reasons are converted, too, because they are shown to clients. */
const discreet =
  (download: Download): Download =>
  (url, { onRetry, ...options } = {}) => {
    const reportRetry: DownloadOptions['onRetry'] = (retry) =>
      onRetry?.({ ...retry, reason: inPublicWords(retry.failure) });
    return download(url, { ...options, onRetry: reportRetry });
  };

/** Applies the limits to a content. */
function limited(content: Content, source: string, reading: ServiceReading): Content {
  if (content.bytes.length > reading.maxSourceBytes) throw failed('it is larger than the limit');
  if (content.bytes.includes(0)) throw isBrought(content) ? broughtBinary() : failed('it is binary, not text');
  const { bytes, dropped } = dropLongLines(content.bytes, MAX_LINE_BYTES);
  if (dropped > 0) reading.onDroppedLines?.(source, dropped);
  return { ...content, bytes };
}

/** Texts sent with the request. The client must correct their errors. */
const isBrought = ({ kind }: Content): boolean => kind === 'named' || kind === 'inline';
const broughtBinary = (): SourceProblem => new SourceProblem('not allowed', 'Source failed: it is binary, not text');

/** Counts the bytes of a compilation and fails above the limit. */
function compilationLimits(maxBytes: number): (content: Uint8Array) => void {
  let bytes = 0;
  let lines = 0;
  return (content) => {
    bytes += content.length;
    if (bytes > maxBytes) throw failed('all sources together are larger than the limit');
    lines += countLines(content);
    if (lines > MAX_LINES) throw failed(`all sources together have more than ${MAX_LINES.toLocaleString('en')} lines`);
  };
}

const failed = (reason: string, cause?: unknown): SourceProblem =>
  new SourceProblem('failed', `Source failed: ${reason}`, cause === undefined ? undefined : { cause });
