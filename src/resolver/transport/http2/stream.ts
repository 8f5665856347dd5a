import type { RequestHead } from './request-head.ts';
import type { ResponseHead } from './response-head.ts';

export type Response = ResponseHead & { readonly body: Uint8Array };

/** undefined: the body is too long. */
type TakeBody = (body: Uint8Array | undefined) => void;

/** Answers a request, now or later, or takes its body. Without a response the stream is cancelled. */
export type AnswerRequest = (
  head: RequestHead,
  respond: (response: Response | undefined) => void,
) => TakeBody | undefined;

/** One request and its response. It is closed as soon as the response is sent, even if the request is incomplete. */
export type Stream = {
  readonly id: number;
  readonly isHeadOnly: boolean;
  readonly since: number;
  isOver: boolean;
  /** The request is complete. */
  isWhole: boolean;
  /** Set while the body is incomplete. */
  takeBody: TakeBody | undefined;
  readonly wantedLength: number | undefined;
  readonly chunks: Uint8Array[];
  length: number;
  /** Send window of the stream, and the part of the response that waits for it. */
  window: number;
  rest: Uint8Array | undefined;
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
  window,
  rest: undefined,
});
