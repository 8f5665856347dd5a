import { type Readable, Readable as ReadableStream } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createGunzip, gunzipSync } from 'node:zlib';
import type { Result } from './compilations.ts';

/** Parts of a body: text, or a list to be written as JSON or as text. */
export type Part = string | { readonly json: Result['list'] } | { readonly text: Result['list'] };

// Smaller bodies are sent in one piece; larger ones are streamed.
const SMALL_BYTES = 256 * 1024;

const isSmall = (list: Result['list']): boolean =>
  'plain' in list ? list.plain.length <= SMALL_BYTES : list.gzipped.length <= SMALL_BYTES / 16 && !list.json;

/** The whole body if it is small, otherwise a stream. */
export function makeBody(parts: readonly Part[]): Buffer | Readable {
  const isQuick = parts.every((part) => typeof part === 'string' || isSmall(listOf(part)));
  return isQuick ? Buffer.concat(parts.map(wholePart)) : ReadableStream.from(allPieces(parts), { objectMode: false });
}

const listOf = (part: Exclude<Part, string>): Result['list'] => ('json' in part ? part.json : part.text);

function wholePart(part: Part): Uint8Array {
  if (typeof part === 'string') return Buffer.from(part);
  const list = listOf(part);
  const plain = 'plain' in list ? list.plain : gunzipSync(list.gzipped);
  return 'json' in part ? Buffer.concat([quote, jsonPiece(plain), endQuote]) : plain;
}

const quote = Buffer.from('["');
const endQuote = Buffer.from('"]');

async function* allPieces(parts: readonly Part[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (typeof part === 'string') {
      yield Buffer.from(part);
    } else if ('text' in part) {
      for await (const piece of plainPieces(part.text)) {
        await setImmediate();
        yield piece;
      }
    } else {
      yield quote;
      for await (const piece of jsonPieces(part.json)) {
        // Yields to other requests; otherwise a fast reader would receive everything in one turn.
        await setImmediate();
        yield piece;
      }
      yield endQuote;
    }
  }
}

async function* jsonPieces(list: Result['list']): AsyncGenerator<Uint8Array> {
  if ('json' in list && list.json) yield* pieces(list.json);
  else for await (const piece of plainPieces(list)) yield jsonPiece(piece);
}

async function* plainPieces(list: Result['list']): AsyncGenerator<Uint8Array> {
  if ('plain' in list) yield* pieces(list.plain);
  else yield* ReadableStream.from(pieces(list.gzipped), { objectMode: false }).pipe(createGunzip());
}

/** Members of a response besides the rules. */
export type Remarks = {
  readonly benchmark: boolean;
  readonly warnings: readonly string[];
  readonly previous?: Result | undefined;
  readonly cached?: boolean;
  readonly deduplicated?: boolean;
};

/** The members of a result in the published order: `"rules":[…],"ruleCount":…`. */
export function resultMembers(result: Result, { benchmark, warnings, ...how }: Remarks): Part[] {
  const { previous, cached, deduplicated } = how;
  const { ruleCount, compiledAt, extra } = result;
  return [
    '"rules":',
    { json: result.list },
    `,"ruleCount":${ruleCount}`,
    benchmark ? `,"metrics":${JSON.stringify(extra.metrics)}` : '',
    `,"compiledAt":${JSON.stringify(compiledAt)}`,
    ...previousMember(previous),
    member('dropped', extra.dropped),
    unsupportedMembers(extra.unsupported),
    cached ? ',"cached":true' : '',
    deduplicated ? ',"deduplicated":true' : '',
    warningsMember([...warnings, ...result.missing]),
  ];
}

export function previousMember(previous: Result | undefined): Part[] {
  if (!previous) return [];
  const { list, ruleCount, compiledAt } = previous;
  return [
    ',"previousVersion":{"rules":',
    { json: list },
    `,"ruleCount":${ruleCount},"compiledAt":${JSON.stringify(compiledAt)}}`,
  ];
}

// `unsaid` is the former name of `unsupported`; it is sent for one more version.
export const unsupportedMembers = (rules: readonly unknown[] | undefined): string =>
  member('unsupported', rules) + member('unsaid', rules);

export const warningsMember = (warnings: readonly string[]): string =>
  warnings.length === 0 ? '' : member('warnings', warnings);

export const member = (name: string, values: readonly unknown[] | undefined): string =>
  values === undefined ? '' : `,"${name}":${JSON.stringify(values)}`;

const CHUNK_BYTES = 64 * 1024;
const LF = 0x0a;
const special = /["\\\x00-\x09\x0b-\x1f]/;
const specialEach = /["\\\x00-\x09\x0b-\x1f]/g;

/**
 * Converts a piece of a list to the content of a JSON array of strings, without the outer quotes. Pieces may be cut
 * anywhere and are small, so that a list of millions of lines never becomes one string and does not block the event
 * loop.
 */
export function jsonPiece(piece: Uint8Array): Buffer {
  // Latin-1 maps each byte to one character: non-ASCII bytes pass unchanged.
  const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
  const escaped = special.test(text) ? text.replace(specialEach, escapeCharacter) : text;
  return Buffer.from(escaped.replaceAll('\n', '","'), 'latin1');
}

const escapeCharacter = (character: string): string => JSON.stringify(character).slice(1, -1);

/** Splits a list into pieces of limited size. */
export function* pieces(list: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < list.length; at += CHUNK_BYTES) yield list.subarray(at, at + CHUNK_BYTES);
}

/** Number of lines as `split` counts them: at least one. */
export function countLines(list: Uint8Array): number {
  let lines = 1;
  for (let at = list.indexOf(LF); at !== -1; at = list.indexOf(LF, at + 1)) lines++;
  return lines;
}

/** A whole list converted by `jsonPiece`. */
export const jsonOf = (list: Uint8Array): Uint8Array => {
  const joined = Buffer.concat([...pieces(list)].map(jsonPiece));
  // A copy, because a Buffer may share its memory with others and this one is transferred.
  return new Uint8Array(joined);
};
