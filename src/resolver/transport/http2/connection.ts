import { createAllowances } from './allowance.ts';
import { createControl } from './control.ts';
import { createFrameReader } from './frame-reader.ts';
import {
  DEFAULT_WINDOW,
  type Fault,
  faults,
  frameTypes,
  settings,
  settingsFrame,
  type TakeFrame,
} from './http2-frames.ts';
import { createOutbox } from './outbox.ts';
import { MAX_HEAD_BYTES } from './request-head.ts';
import { createRequests, MAX_STREAMS } from './requests.ts';
import type { AnswerRequest } from './stream.ts';
import { CONNECTION_WINDOW, createStreams } from './streams.ts';

export type ConnectionDeps = {
  readonly answer: AnswerRequest;
  /** In bytes; one that is longer is told to `answer` as none. */
  readonly maxBody: number;
  readonly send: (bytes: Buffer) => void;
  /** The last word is said. */
  readonly end: () => void;
  /** Something has moved on, and this is what the connection does now. */
  readonly moved: (doing: 'message' | 'busy' | 'idle') => void;
  /** In milliseconds; never goes back. */
  readonly now: () => number;
};

export type Connection = {
  readonly read: (chunk: Buffer) => void;
  /** To be called now and then: gives up what takes too long. */
  readonly sweep: () => void;
  /** There is nobody any more to answer. */
  readonly lost: () => void;
};

/**
 * The server's side of HTTP/2 (RFC 9113), as much of it as questions and answers need: nothing is pushed and nothing has priority. Knows no
 * socket. All that one chunk asks for and that can be answered at once is sent in one piece, which is what makes it cheap.
 */
export function createConnection({ answer, maxBody, send, end, moved, now }: ConnectionDeps): Connection {
  let isReading = false;
  let hasSettings = false;
  let hasMoved = false;
  let isOver = false;
  const noteMove = (): void => {
    hasMoved = true;
  };
  const outbox = createOutbox(send);
  const allowances = createAllowances(now);
  const streams = createStreams({ outbox, now, moved: noteMove, sentData: allowances.hasSentData });
  const requests = createRequests({
    streams,
    allowances,
    outbox,
    answer: (head, respond) =>
      answer(head, (response) => {
        respond(response);
        turnOver();
      }),
    maxBody,
    now,
    moved: noteMove,
  });
  const control = createControl({ streams, requests, allowances, outbox });

  const turnOver = (): void => {
    if (isReading || isOver) return;
    outbox.flush();
    if (hasMoved) moved(requests.isInHead() ? 'message' : streams.open.size > 0 ? 'busy' : 'idle');
    hasMoved = false;
  };

  const lost = (): void => {
    isOver = true;
    streams.lost();
  };

  const goAway = (fault: Fault): void => {
    outbox.frame(frameTypes.goAway, 0, 0, requests.lastId(), fault);
    outbox.flush();
    lost();
    end();
  };

  // In the order of their numbers.
  const handlers: readonly TakeFrame[] = [
    requests.onData,
    requests.onHeaders,
    control.onPriority,
    control.onReset,
    control.onSettings,
    // Clients push nothing.
    () => faults.protocol,
    control.onPing,
    control.onGoAway,
    control.onWindowUpdate,
    requests.onContinuation,
  ];
  const reader = createFrameReader(({ type, flag, stream }, bytes, at, stop) => {
    if (!hasSettings && type !== frameTypes.settings) return faults.protocol;
    hasSettings = true;
    if (requests.isInHead() && type !== frameTypes.continuation) return faults.protocol;
    return (handlers[type] ?? control.onUnknown)(flag, stream, bytes, at, stop);
  });

  send(greeting(maxBody));
  outbox.frame(frameTypes.windowUpdate, 0, 0, CONNECTION_WINDOW - DEFAULT_WINDOW);
  outbox.flush();
  return {
    read(chunk) {
      if (isOver) return;
      isReading = true;
      const fault = reader.read(chunk);
      isReading = false;
      if (fault === undefined) turnOver();
      else goAway(fault);
    },
    sweep() {
      requests.sweep();
      turnOver();
    },
    lost,
  };
}

const greeting = (maxBody: number): Buffer =>
  settingsFrame([
    [settings.maxConcurrentStreams, MAX_STREAMS],
    // A byte more than a body may have: so one that is too long can be told so.
    [settings.initialWindow, maxBody + 1],
    [settings.maxHeaderList, MAX_HEAD_BYTES],
  ]);
