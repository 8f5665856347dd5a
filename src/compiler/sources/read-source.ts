import { isHostsLine } from '../../rules/hosts-line.ts';
import { isAsciiText } from '../lines/is-ascii-text.ts';

/** Kind of a source, which decides how includes are resolved; `named` = text supplied under this name. */
export type Content = {
  readonly kind: 'url' | 'file' | 'inline' | 'named';
  /** UTF-8. */
  readonly bytes: Uint8Array;
  readonly freshness?: 'fresh' | 'not modified' | 'stale';
};

export type ReadRequest = {
  readonly source: string;
  /** Only sources of the configuration may be inline rules; includes and pattern files may not. */
  readonly as: 'source' | 'include' | 'patterns';
  readonly onProgress?: (progress: { readonly receivedBytes: number; readonly totalBytes?: number }) => void;
  readonly onRetry?: (retry: { readonly reason: string; readonly waitMs: number; readonly attempt: number }) => void;
};

/** The only I/O of a compilation; the caller decides what may be read. */
export type ReadSource = (request: ReadRequest, signal: AbortSignal) => Promise<Content>;

export type Download = (
  url: string,
  options: Pick<ReadRequest, 'onProgress' | 'onRetry'> & { readonly signal: AbortSignal },
) => Promise<{
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  readonly freshness: 'fresh' | 'not modified' | 'stale';
}>;
type Files = {
  /** Returns undefined if it does not exist. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  /** The error for a missing file. */
  readonly missing: (path: string) => Error;
};

/** For the command line and the library, whose user owns the files. */
export const readAnywhere =
  (download: Download, files: Files): ReadSource =>
  async (request, signal) => {
    const { source } = request;
    if (isUrl(source)) return checkedText(await readUrl(download, request, signal), source);
    const path = source.startsWith('file://') ? decodeURIComponent(new URL(source).pathname) : source;
    const bytes = await files.read(path);
    if (bytes) return checkedText({ kind: 'file', bytes: toUtf8(bytes) }, source);
    if (request.as === 'source' && isInlineRules(source)) return inline(source);
    throw files.missing(path);
  };

/** For services, where requests must never read local files. */
export const readRemote =
  (download: Download): ReadSource =>
  async (request, signal) => {
    if (isUrl(request.source)) return readUrl(download, request, signal);
    if (request.as === 'source' && isInlineRules(request.source)) return inline(request.source);
    throw new Error(`not an http(s) URL and not rules: ${request.source}`);
  };

export const isUrl = (source: string): boolean => /^https?:\/\//i.test(source);

/**
 * Text that is not a path: it has a line break, or it is a rule by a character that paths do not have. A bare domain may be a file
 * name; with a line break it is a rule.
 */
export const isInlineRules = (source: string): boolean =>
  /[\r\n]/.test(source) || ruleForms.some((form) => form.test(source)) || isHostsLine(source);

const ruleForms: readonly RegExp[] = [
  /^(\||@@)/,
  // The separator of adblock rules, at the end or before modifiers: *.example.com^, example.com^$important
  /^[^\s/]+\^(\||\$.*)?$/,
  // Cosmetic rules.
  /#[@$?%]*#/,
  // A regular expression; requires a special character other than ".", so that a missing folder is not one.
  /^\/.*[[\](){}|\\^$*+?].*\/(\$.*)?$/,
];

const inline = (text: string): Content => ({ kind: 'inline', bytes: new TextEncoder().encode(text) });

async function readUrl(
  download: Download,
  { source, onProgress, onRetry }: ReadRequest,
  signal: AbortSignal,
): Promise<Content> {
  const { bytes, contentType, freshness } = await download(source, {
    signal,
    ...(onProgress && { onProgress }),
    ...(onRetry && { onRetry }),
  });
  const { mediaType, charset } = parseContentType(contentType);
  if (!isListType(mediaType)) throw new Error(notAList(source, mediaType));
  const text = toUtf8(bytes, charset);
  if (isHtmlPage(text))
    throw new Error(`${source} answered an HTML page, not a list: it may be an error or login page`);
  return { kind: 'url', bytes: text, freshness };
}

const isListType = (mediaType: string): boolean =>
  mediaType === '' ||
  mediaType.startsWith('text/') ||
  mediaType === 'application/octet-stream' ||
  mediaType === 'application/json';

const notAList = (source: string, mediaType: string): string =>
  `Response content type should be one of: text/*, application/octet-stream, application/json; ${source} is ${mediaType}`;

function parseContentType(contentType = ''): { mediaType: string; charset: string | undefined } {
  const [mediaType = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length);
  return { mediaType: mediaType.toLowerCase(), charset: charset?.replaceAll('"', '') };
}

/** Refuses content that is not a list; its lines would become rules. */
function checkedText(content: Content, source: string): Content {
  if (isHtmlPage(content.bytes)) throw new Error(`${source} is an HTML page, not a list`);
  if (isBinary(content.bytes)) throw new Error(`${source} is binary, not text (UTF-16 needs a byte order mark)`);
  return content;
}

const SAMPLE_BYTES = 8192;
const MAX_CONTROL_SHARE = 0.02;

/** Detected by a NUL, or by many other control characters. */
function isBinary(text: Uint8Array): boolean {
  if (text.includes(0)) return true;
  const sample = text.subarray(0, SAMPLE_BYTES);
  const isControl = (byte: number): boolean => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d);
  return sample.reduce((count, byte) => count + (isControl(byte) ? 1 : 0), 0) > 2 + sample.length * MAX_CONTROL_SHARE;
}

function isHtmlPage(text: Uint8Array): boolean {
  const beginning = new TextDecoder().decode(text.subarray(0, 1024)).trimStart().toLowerCase();
  return beginning.startsWith('<!doctype html') || beginning.startsWith('<html');
}

/** Converts to UTF-8: UTF-16 by byte order mark, other encodings by the response's charset. */
export function toUtf8(bytes: Uint8Array, charset?: string): Uint8Array {
  const encoding = markedEncoding(bytes) ?? knownEncoding(charset);
  if (encoding === 'utf-8' && isUtf8(bytes)) return bytes;
  return new TextEncoder().encode(new TextDecoder(encoding, { ignoreBOM: encoding === 'utf-8' }).decode(bytes));
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

function knownEncoding(charset: string | undefined): string {
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    // An unknown charset is treated as UTF-8.
    return 'utf-8';
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  // Fast path: nearly every list is ASCII.
  if (isAsciiText(bytes)) return true;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
