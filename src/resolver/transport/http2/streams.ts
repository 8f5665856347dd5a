import {
  DEFAULT_WINDOW,
  type ErrorCode,
  errorCodes,
  FRAME_HEAD,
  flags,
  frameTypes,
  MAX_FRAME,
  MAX_WINDOW,
  writeFrameHead,
} from './http2-frames.ts';
import type { Outbox } from './outbox.ts';
import type { RequestHead } from './request-head.ts';
import { writeFields, writeResponseHead } from './response-head.ts';
import { newStream, type Response, type Stream, type StreamedResponse } from './stream.ts';

/** Maximum number of buffered body bytes per connection. */
export const CONNECTION_WINDOW = 262_144;

export type StreamsDeps = {
  readonly outbox: Outbox;
  readonly now: () => number;
  /** Called when a stream was opened or closed. */
  readonly moved: () => void;
  /** Called when a DATA frame was sent. */
  readonly sentData: () => void;
  /** Whether sent bytes are waiting in the socket; streamed responses then pause. */
  readonly isCongested: () => boolean;
};

export type Streams = ReturnType<typeof createStreams>;

/** The open streams of a connection and their flow control. */
export function createStreams({ outbox, now, moved, sentData, isCongested }: StreamsDeps) {
  const open = new Map<number, Stream>();
  let hasAnswered = false;
  // Send and receive window of the connection.
  let window = DEFAULT_WINDOW;
  let streamWindow = DEFAULT_WINDOW;
  let theirWindow = CONNECTION_WINDOW;
  let unreturned = 0;

  /** Returns buffered body bytes to the receive window. */
  const giveBack = (bytes: number): void => {
    unreturned += bytes;
    if (unreturned < CONNECTION_WINDOW / 2) return;
    outbox.frame(frameTypes.windowUpdate, 0, 0, unreturned);
    theirWindow += unreturned;
    unreturned = 0;
  };

  const forget = (stream: Stream): void => {
    stream.isOver = true;
    stream.rest = undefined;
    stream.takeBody = undefined;
    stream.chunks.length = 0;
    open.delete(stream.id);
    giveBack(stream.length);
    moved();
    const { streamed } = stream;
    stream.streamed = undefined;
    streamed?.closed();
  };

  const reset = (stream: Stream, errorCode: ErrorCode): void => {
    forget(stream);
    outbox.frame(frameTypes.reset, 0, stream.id, errorCode);
  };

  const finish = (stream: Stream): void => {
    forget(stream);
    // Stops reading the rest of the request (RFC 9113, 8.1).
    if (!stream.isWhole) outbox.frame(frameTypes.reset, 0, stream.id, errorCodes.none);
  };

  /** Sends as much of a response as the windows allow; the rest waits. */
  const sendRest = (stream: Stream): void => {
    const rest = stream.rest!;
    let at = 0;
    while (at < rest.length) {
      const length = Math.min(rest.length - at, window, stream.window, MAX_FRAME);
      if (length <= 0) {
        stream.rest = rest.subarray(at);
        return;
      }
      const flag = at + length === rest.length && stream.isRestLast ? flags.endStream : 0;
      outbox.reserve(FRAME_HEAD + length);
      writeFrameHead(outbox, length, frameTypes.data, flag, stream.id);
      outbox.bytes.set(length === rest.length ? rest : rest.subarray(at, at + length), outbox.at + FRAME_HEAD);
      outbox.at += FRAME_HEAD + length;
      sentData();
      window -= length;
      stream.window -= length;
      at += length;
    }
    if (stream.isRestLast) finish(stream);
    else {
      stream.rest = undefined;
      moved();
    }
  };

  /** Sends the rest of a response; a streamed one continues when all of it is sent. */
  const sendMore = (stream: Stream): void => {
    if (!stream.rest) return;
    sendRest(stream);
    if (!stream.rest && !isCongested()) stream.streamed?.drained();
  };

  return {
    open,
    giveBack,
    forget,
    reset,
    begin: (id: number, head: RequestHead, isWhole: boolean): Stream => {
      moved();
      return newStream(id, head, isWhole, streamWindow, now());
    },
    /** False if the client has exceeded the receive window. */
    hasRoomFor: (bytes: number): boolean => {
      theirWindow -= bytes;
      return theirWindow >= 0;
    },
    respond(stream: Stream, response: Response | undefined): void {
      if (stream.isOver) return;
      if (!response) {
        reset(stream, errorCodes.cancel);
        return;
      }
      const { length } = response.body;
      const isAll = stream.isHeadOnly || length === 0;
      writeResponseHead(outbox, stream.id, response, { length, isFirst: !hasAnswered, isAll });
      hasAnswered = true;
      stream.rest = response.body;
      if (isAll) finish(stream);
      else sendRest(stream);
    },
    /** The functions with which a streamed request is answered. */
    streamedResponse: (stream: Stream): StreamedResponse => ({
      head(status, fields) {
        if (stream.isOver) return;
        stream.isRestLast = false;
        moved();
        if (writeFields(outbox, stream.id, status, fields, !hasAnswered)) hasAnswered = true;
        else reset(stream, errorCodes.internal);
      },
      write(bytes) {
        if (stream.isOver || bytes.length === 0) return !stream.isOver;
        stream.rest = stream.rest ? Buffer.concat([stream.rest, bytes]) : bytes;
        sendRest(stream);
        return !stream.rest && !isCongested();
      },
      end() {
        if (stream.isOver) return;
        stream.isRestLast = true;
        if (stream.rest) return;
        outbox.frame(frameTypes.data, flags.endStream, stream.id);
        finish(stream);
      },
      cancel() {
        if (!stream.isOver) reset(stream, errorCodes.internal);
      },
      consumed(bytes) {
        if (stream.isOver) return;
        stream.length -= bytes;
        stream.since = now();
        giveBack(bytes);
        if (!stream.isWhole) outbox.frame(frameTypes.windowUpdate, 0, stream.id, bytes);
      },
    }),
    /** Iterates in the order of stream ids. */
    sendWaiting(): void {
      for (const stream of open.values()) sendMore(stream);
    },
    /** Call this when the socket has sent its buffer. */
    drained(): void {
      for (const stream of open.values()) if (!stream.rest) stream.streamed?.drained();
    },
    widen(more: number): ErrorCode | undefined {
      window += more;
      return window > MAX_WINDOW ? errorCodes.flowControl : undefined;
    },
    widenStream(stream: Stream, more: number): ErrorCode | undefined {
      stream.window += more;
      if (stream.window > MAX_WINDOW) return errorCodes.flowControl;
      sendMore(stream);
      return undefined;
    },
    /** Also changes open streams, whose windows may become negative (RFC 9113, 6.9.2). */
    setStreamWindow(bytes: number): ErrorCode | undefined {
      if (bytes > MAX_WINDOW) return errorCodes.flowControl;
      for (const stream of open.values()) {
        stream.window += bytes - streamWindow;
        if (stream.window > MAX_WINDOW) return errorCodes.flowControl;
      }
      streamWindow = bytes;
      return undefined;
    },
    lost(): void {
      const all = [...open.values()];
      open.clear();
      for (const stream of all) {
        stream.isOver = true;
        stream.streamed?.closed();
      }
    },
  };
}
