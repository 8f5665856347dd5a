import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';

/** A response: description and content by media type. */
export type Answer = {
  readonly description: string;
  readonly content?: Readonly<Record<string, TSchema>>;
  /** Descriptions of response headers with text values. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** An HTTP operation as data: description and schemas. */
export type DescribedRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with `:name` parameters. */
  readonly path: string;
  /** Alternative paths. */
  readonly aliases?: readonly string[];
  /** operationId in the OpenAPI document; derived from method and path by default. */
  readonly operationId?: string;
  readonly summary: string;
  readonly description?: string;
  readonly group: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  /** Request headers that the operation reads, in addition to the common ones. */
  readonly headers?: TSchema;
  readonly body?: TSchema;
  /** Media types of the body. Default: JSON. */
  readonly bodyTypes?: readonly string[];
  /** An absent body is treated as an empty one. */
  readonly bodyIsOptional?: boolean;
  /** Security schemes; any one is sufficient. Empty: no authentication. */
  readonly security?: readonly string[];
  readonly answers: Readonly<Record<number, Answer>>;
};

export type Route = DescribedRoute & {
  /** Runs before the body is read; returns true if it has sent the response. */
  readonly guard?: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> | boolean;
  /** Sends the reply: a value that is not a promise is not sent. */
  readonly run: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<unknown>;
};
