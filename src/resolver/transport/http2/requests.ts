import type { Allowances } from './allowance.ts';
import { createHpackDecoder, MAX_BLOCK_BYTES } from './hpack-decode.ts';
import { type ErrorCode, errorCodes, flags, frameTypes, type TakeFrame } from './http2-frames.ts';
import type { Outbox } from './outbox.ts';
import { isWhole, newRequestHead, type RequestHead } from './request-head.ts';
import type { AnswerRequest, ServeStreamed, Stream } from './stream.ts';
import type { Streams } from './streams.ts';

export const MAX_STREAMS = 100;
const MAX_BLOCK_FRAMES = 32;
const BODY_MS = 5000;
const PRIORITY_BYTES = 5;

export type RequestsDeps = {
  readonly streams: Streams;
  readonly allowances: Allowances;
  readonly outbox: Outbox;
  readonly answer: AnswerRequest;
  readonly streamed: ServeStreamed | undefined;
  readonly maxBody: number;
  readonly now: () => number;
  /** Called when part of a request has arrived. */
  readonly moved: () => void;
};

export type Requests = ReturnType<typeof createRequests>;

/** Assembles requests from HEADERS, CONTINUATION and DATA frames. */
export function createRequests(deps: RequestsDeps) {
  const { streams, allowances, outbox, answer, streamed, maxBody, now, moved } = deps;
  const { mayReset, mayTalk, hasAsked } = allowances;
  const decoder = createHpackDecoder();
  let block: { id: number; isLast: boolean; pieces: Buffer[]; length: number } | undefined;
  let lastId = 0;

  /** A stream error resets only its stream; too many of them close the connection. */
  const resetFor = (stream: Stream, errorCode: ErrorCode): ErrorCode | undefined => {
    streams.reset(stream, errorCode);
    return mayReset() ? undefined : errorCodes.enhanceYourCalm;
  };

  const onBodyEnd = (stream: Stream): ErrorCode | undefined => {
    stream.isWhole = true;
    const { takeBody, chunks, received, wantedLength } = stream;
    if (wantedLength !== undefined && wantedLength !== received) return resetFor(stream, errorCodes.protocol);
    stream.takeBody = undefined;
    stream.streamed?.end();
    takeBody?.(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    return undefined;
  };

  const onRequest = (id: number, head: RequestHead, isLast: boolean): ErrorCode | undefined => {
    lastId = id;
    const stream = streams.begin(id, head, isLast);
    if (streams.open.size >= MAX_STREAMS) {
      streams.reset(stream, errorCodes.refused);
      return mayTalk() ? undefined : errorCodes.enhanceYourCalm;
    }
    if (!head.isTooLong && (head.isMalformed || !isWhole(head))) return resetFor(stream, errorCodes.protocol);
    hasAsked();
    if (streamed && head.others && !head.isTooLong) {
      streams.open.set(id, stream);
      stream.streamed = streamed.serve(head, streams.streamedResponse(stream));
      if (stream.isOver) return undefined;
      if (stream.streamed) return isLast ? onBodyEnd(stream) : undefined;
      streams.open.delete(id);
    }
    stream.takeBody = answer(head, (response) => streams.respond(stream, response));
    if (stream.isOver) return undefined;
    streams.open.set(id, stream);
    return isLast ? onBodyEnd(stream) : undefined;
  };

  /** Header blocks of closed streams must be decoded too, because later blocks may refer to their entries. */
  const onBlock = (id: number, isLast: boolean, bytes: Buffer, at: number, end: number): ErrorCode | undefined => {
    const head = newRequestHead(streamed?.takes);
    if (!decoder.decode(bytes, at, end, head)) return errorCodes.compression;
    if (id > lastId) return onRequest(id, head, isLast);
    const stream = streams.open.get(id);
    // The stream may have been closed before the client received the response.
    if (!stream) return mayTalk() ? undefined : errorCodes.enhanceYourCalm;
    if (stream.isWhole) return resetFor(stream, errorCodes.streamClosed);
    const isTrailer = isLast && !head.isMalformed && head.method === '' && head.path === '' && head.scheme === '';
    return isTrailer ? onBodyEnd(stream) : resetFor(stream, errorCodes.protocol);
  };

  const onHeaders: TakeFrame = (flag, id, bytes, at, end) => {
    if (id % 2 === 0) return errorCodes.protocol;
    const isPadded = (flag & flags.padded) !== 0;
    const from = at + (isPadded ? 1 : 0) + ((flag & flags.priority) !== 0 ? PRIORITY_BYTES : 0);
    const to = isPadded ? end - bytes[at]! : end;
    if (from > to) return errorCodes.protocol;
    const isLast = (flag & flags.endStream) !== 0;
    if ((flag & flags.endHeaders) !== 0) return onBlock(id, isLast, bytes, from, to);
    block = { id, isLast, pieces: [Buffer.from(bytes.subarray(from, to))], length: to - from };
    moved();
    return undefined;
  };

  const onContinuation: TakeFrame = (flag, id, bytes, at, end) => {
    if (block?.id !== id) return errorCodes.protocol;
    block.length += end - at;
    // Unlimited CONTINUATION frames (CVE-2024-27983).
    if (block.length > MAX_BLOCK_BYTES || block.pieces.length >= MAX_BLOCK_FRAMES) return errorCodes.enhanceYourCalm;
    block.pieces.push(Buffer.from(bytes.subarray(at, end)));
    if ((flag & flags.endHeaders) === 0) return undefined;
    const { pieces, isLast, length } = block;
    block = undefined;
    return onBlock(id, isLast, Buffer.concat(pieces), 0, length);
  };

  const onData: TakeFrame = (flag, id, bytes, at, end) => {
    if (!wasOpened(id)) return errorCodes.protocol;
    if (!streams.hasRoomFor(end - at)) return errorCodes.flowControl;
    const isPadded = (flag & flags.padded) !== 0;
    const from = isPadded ? at + 1 : at;
    const to = isPadded ? end - bytes[at]! : end;
    if (from > to) return errorCodes.protocol;
    const isLast = (flag & flags.endStream) !== 0;
    if (from === to && !isLast && !mayTalk()) return errorCodes.enhanceYourCalm;
    const stream = streams.open.get(id);
    const padding = end - at - (to - from);
    streams.giveBack(stream ? padding : end - at);
    if (!stream) return undefined;
    if (padding > 0) outbox.frame(frameTypes.windowUpdate, 0, id, padding);
    return onBody(stream, bytes.subarray(from, to), isLast);
  };

  const onBody = (stream: Stream, bytes: Buffer, isLast: boolean): ErrorCode | undefined => {
    stream.length += bytes.length;
    stream.received += bytes.length;
    if (stream.isWhole) return resetFor(stream, errorCodes.streamClosed);
    moved();
    if (stream.length > maxBody + 1) return resetFor(stream, errorCodes.flowControl);
    if (stream.streamed) {
      stream.since = now();
      if (bytes.length > 0) stream.streamed.data(Buffer.from(bytes));
      return isLast ? onBodyEnd(stream) : undefined;
    }
    if (stream.length > maxBody && stream.takeBody) {
      stream.takeBody(undefined);
      return undefined;
    }
    // Copied, because a slice would keep the whole received chunk in memory.
    if (bytes.length > 0 && stream.takeBody) stream.chunks.push(Buffer.from(bytes));
    return isLast ? onBodyEnd(stream) : undefined;
  };

  /** Streams are opened by the client only, with increasing odd numbers. */
  const wasOpened = (id: number): boolean => id % 2 === 1 && id <= lastId;

  return {
    onHeaders,
    onContinuation,
    onData,
    resetFor,
    wasOpened,
    lastId: () => lastId,
    /** Only CONTINUATION frames may arrive now. */
    isInHead: () => block !== undefined,
    /** Cancels requests whose body takes too long. */
    sweep(): void {
      const late = now() - BODY_MS;
      for (const stream of streams.open.values())
        if (!stream.isWhole && stream.since < late) streams.reset(stream, errorCodes.cancel);
    },
  };
}
