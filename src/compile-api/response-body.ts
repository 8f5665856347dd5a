import { type Readable, Readable as ReadableStream } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createGunzip, gunzipSync } from 'node:zlib';
import type { Result } from './compilations.ts';
import { jsonPiece, pieces } from './json-lines.ts';

/** Bytes one behind the other: text of ours, or a list yet to be written as JSON. */
export type Part = string | { readonly json: Result['list'] } | { readonly text: Result['list'] };

// Below this a body is made at once; above, piece by piece while the client reads.
const SMALL_BYTES = 256 * 1024;

const isSmall = (list: Result['list']): boolean =>
  'plain' in list ? list.plain.length <= SMALL_BYTES : list.gzipped.length <= SMALL_BYTES / 16 && !list.json;

/** The body whole if it is small, else as a stream of pieces. */
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
        // A client that takes all at once would otherwise be given all at once, while everybody else waits.
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

/** What is said of a result beside its rules. */
export type Remarks = {
  readonly benchmark: boolean;
  readonly previous?: Result | undefined;
  readonly cached?: boolean;
  readonly deduplicated?: boolean;
};

/** The members of a result as clients know them, in their order: `"rules":[…],"ruleCount":…`. */
export function resultMembers(result: Result, { benchmark, previous, cached, deduplicated }: Remarks): Part[] {
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

export const member = (name: string, values: readonly unknown[] | undefined): string =>
  values === undefined ? '' : `,"${name}":${JSON.stringify(values)}`;
