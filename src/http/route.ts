import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';

/** What may come back: in words, and as what kinds of content. */
export type Answer = { readonly description: string; readonly content?: Readonly<Record<string, TSchema>> };

/** One operation as data: what it is called, takes and answers, and the one function that does it. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `:name` for what a caller fills in. */
  readonly path: string;
  /** Other paths that lead to the same. */
  readonly aliases?: readonly string[];
  /** What programs made from the document call it; from method and path unless said. */
  readonly operationId?: string;
  readonly summary: string;
  readonly description?: string;
  readonly group: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** What kinds of content the body may be; JSON unless said. */
  readonly bodyTypes?: readonly string[];
  /** Without the body it is the same as with an empty one. */
  readonly bodyIsOptional?: boolean;
  /** The names of the security schemes of which any one is enough; none at all where the list is empty. */
  readonly security?: readonly string[];
  readonly answers: Readonly<Record<number, Answer>>;
  /** Decides before the body is read whether it will be: answers and says true if not. */
  readonly guard?: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> | boolean;
  readonly run: (request: FastifyRequest, reply: FastifyReply) => unknown;
};
