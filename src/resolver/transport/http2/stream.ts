import type { RequestHead } from './request-head.ts';
import type { ResponseHead } from './response-head.ts';

export type Response = ResponseHead & { readonly body: Uint8Array };

/** undefined: the body is longer than it may be. */
type TakeBody = (body: Uint8Array | undefined) => void;

/** Answers a request, now or later, or says what is to be done with its body. Without a response the stream is cancelled. */
export type AnswerRequest = (
  head: RequestHead,
  respond: (response: Response | undefined) => void,
) => TakeBody | undefined;

/** One request and its answer. It is over as soon as the answer has left, whatever the client might still have to say. */
export type Stream = {
  readonly id: number;
  readonly isHeadOnly: boolean;
  readonly since: number;
  isOver: boolean;
  /** The client has said all that it wants to say. */
  isWhole: boolean;
  /** Set while the body is waited for. */
  takeBody: TakeBody | undefined;
  readonly wantedLength: number | undefined;
  readonly chunks: Uint8Array[];
  length: number;
  /** How much of the answer the client would take now, and what of it waits for more. */
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
