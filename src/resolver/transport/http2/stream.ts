import type { RequestHead } from './request-head.ts';
import type { ResponseHead } from './response-head.ts';

export type Response = ResponseHead & { readonly body: Uint8Array };

/** undefined: the body is too long. */
type TakeBody = (body: Uint8Array | undefined) => void;

/** Answers a request, synchronously or later, or takes its body. If no response is given, the stream is cancelled. */
export type AnswerRequest = (
  head: RequestHead,
  respond: (response: Response | undefined) => void,
) => TakeBody | undefined;

/** The rest of a request whose body and response are streamed: one that is not a DNS query. */
export type StreamedRequest = {
  readonly data: (bytes: Buffer) => void;
  /** Called when the body is complete. */
  readonly end: () => void;
  /** Called when more of the response can be written. */
  readonly drained: () => void;
  /** Called when the response was sent, or the client has cancelled the request. */
  readonly closed: () => void;
};

export type StreamedResponse = {
  readonly head: (status: number, fields: readonly string[]) => void;
  /** Returns false if the caller must wait for `drained` before it writes more. */
  readonly write: (bytes: Uint8Array) => boolean;
  readonly end: () => void;
  readonly cancel: () => void;
  /** Reports that this many bytes of the body were consumed. */
  readonly consumed: (bytes: number) => void;
};

export type ServeStreamed = {
  /** Whether requests with this path may be streamed. */
  readonly takes: (path: string) => boolean;
  /** Undefined if this request is not streamed. */
  readonly serve: (head: RequestHead, response: StreamedResponse) => StreamedRequest | undefined;
};

/** One request and its response. It is closed as soon as the response is sent, even if the request is incomplete. */
export type Stream = {
  readonly id: number;
  readonly isHeadOnly: boolean;
  /** Time when it was opened; for a streamed request, when a part of its body last arrived. */
  since: number;
  isOver: boolean;
  /** The request is complete. */
  isWhole: boolean;
  /** Set while the body is incomplete. */
  takeBody: TakeBody | undefined;
  readonly wantedLength: number | undefined;
  readonly chunks: Uint8Array[];
  /** Bytes of the body in memory. */
  length: number;
  received: number;
  /** Send window of the stream, and the part of the response that waits for it. */
  window: number;
  rest: Uint8Array | undefined;
  /** The response ends with `rest`. */
  isRestLast: boolean;
  streamed: StreamedRequest | undefined;
};

export const newStream = (id: number, head: RequestHead, isWhole: boolean, window: number, since: number): Stream => ({
  id,
  isHeadOnly: head.method === 'HEAD',
  since,
  isOver: false,
  isWhole,
  takeBody: undefined,
  wantedLength: head.contentLength === undefined ? undefined : Number(head.contentLength),
  chunks: [],
  length: 0,
  received: 0,
  window,
  rest: undefined,
  isRestLast: true,
  streamed: undefined,
});
