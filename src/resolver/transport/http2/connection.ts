import { createAllowances } from './allowance.ts';
import { createControl } from './control.ts';
import { createFrameReader } from './frame-reader.ts';
import {
  DEFAULT_WINDOW,
  type ErrorCode,
  errorCodes,
  frameTypes,
  settings,
  settingsFrame,
  type TakeFrame,
} from './http2-frames.ts';
import { createOutbox } from './outbox.ts';
import { MAX_HEAD_BYTES } from './request-head.ts';
import { createRequests, MAX_STREAMS } from './requests.ts';
import type { AnswerRequest, ServeStreamed, StreamedResponse } from './stream.ts';
import { CONNECTION_WINDOW, createStreams } from './streams.ts';

export type ConnectionDeps = {
  readonly answer: AnswerRequest;
  /** Serves requests other than DNS queries; without it, `answer` gets all requests. */
  readonly streamed?: ServeStreamed | undefined;
  /** Whether sent bytes are waiting in the socket. */
  readonly isCongested?: () => boolean;
  /** In bytes; `answer` gets undefined for a longer body. */
  readonly maxBody: number;
  readonly send: (bytes: Buffer) => void;
  /** Called after the last frame was sent. */
  readonly end: () => void;
  /** Called with the new state when the connection has made progress. */
  readonly moved: (state: 'message' | 'busy' | 'web' | 'idle') => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
};

export type Connection = {
  readonly read: (chunk: Buffer) => void;
  /** Cancels requests that have timed out. Call it regularly. */
  readonly sweep: () => void;
  /** Call this when the socket has sent its buffer. */
  readonly drained: () => void;
  /** Call this when the client has disconnected. */
  readonly lost: () => void;
};

/**
 * Server side of HTTP/2 (RFC 9113), limited to DNS queries: no push, no priorities. Independent of the socket. All responses that are ready
 * after one chunk are sent in one write.
 */
export function createConnection(deps: ConnectionDeps): Connection {
  const { answer, streamed, maxBody, send, end, moved, now, isCongested = () => false } = deps;
  let isReading = false;
  let hasSettings = false;
  let hasMoved = false;
  let isOver = false;
  const noteMove = (): void => {
    hasMoved = true;
  };
  const outbox = createOutbox(send);
  const allowances = createAllowances(now);
  const streams = createStreams({ outbox, now, moved: noteMove, sentData: allowances.hasSentData, isCongested });
  const requests = createRequests({
    streams,
    allowances,
    outbox,
    answer: (head, respond) =>
      answer(head, (response) => {
        respond(response);
        turnOver();
      }),
    streamed: streamed && { ...streamed, serve: (head, response) => streamed.serve(head, flushed(response)) },
    maxBody,
    now,
    moved: noteMove,
  });
  const control = createControl({ streams, requests, allowances, outbox });

  const state = (): 'message' | 'busy' | 'web' | 'idle' => {
    if (requests.isInHead()) return 'message';
    if (streams.open.size === 0) return 'idle';
    return streamed && streams.open.values().every((stream) => stream.streamed !== undefined) ? 'web' : 'busy';
  };

  const turnOver = (): void => {
    if (isReading || isOver) return;
    outbox.flush();
    if (hasMoved) moved(state());
    hasMoved = false;
  };

  const turningOver =
    <Args extends readonly unknown[], T>(call: (...args: Args) => T) =>
    (...args: Args): T => {
      const result = call(...args);
      turnOver();
      return result;
    };

  /** Streamed responses are written at any time. */
  const flushed = ({ head, write, end, cancel, consumed }: StreamedResponse): StreamedResponse => ({
    head: turningOver(head),
    write: turningOver(write),
    end: turningOver(end),
    cancel: turningOver(cancel),
    consumed: turningOver(consumed),
  });

  const lost = (): void => {
    isOver = true;
    streams.lost();
  };

  const goAway = (errorCode: ErrorCode): void => {
    outbox.frame(frameTypes.goAway, 0, 0, requests.lastId(), errorCode);
    outbox.flush();
    lost();
    end();
  };

  // Indexed by frame type.
  const handlers: readonly TakeFrame[] = [
    requests.onData,
    requests.onHeaders,
    control.onPriority,
    control.onReset,
    control.onSettings,
    // A client must not send PUSH_PROMISE.
    () => errorCodes.protocol,
    control.onPing,
    control.onGoAway,
    control.onWindowUpdate,
    requests.onContinuation,
  ];
  const reader = createFrameReader(({ type, flag, stream }, bytes, at, stop) => {
    if (!hasSettings && type !== frameTypes.settings) return errorCodes.protocol;
    hasSettings = true;
    if (requests.isInHead() && type !== frameTypes.continuation) return errorCodes.protocol;
    return (handlers[type] ?? control.onUnknown)(flag, stream, bytes, at, stop);
  });

  send(greeting(maxBody));
  outbox.frame(frameTypes.windowUpdate, 0, 0, CONNECTION_WINDOW - DEFAULT_WINDOW);
  outbox.flush();
  return {
    read(chunk) {
      if (isOver) return;
      isReading = true;
      const errorCode = reader.read(chunk);
      isReading = false;
      if (errorCode === undefined) turnOver();
      else goAway(errorCode);
    },
    sweep() {
      requests.sweep();
      turnOver();
    },
    drained() {
      streams.drained();
      turnOver();
    },
    lost,
  };
}

const greeting = (maxBody: number): Buffer =>
  settingsFrame([
    [settings.maxConcurrentStreams, MAX_STREAMS],
    // One byte more than a body may have, so that a body that is too long can be detected.
    [settings.initialWindow, maxBody + 1],
    [settings.maxHeaderList, MAX_HEAD_BYTES],
  ]);
