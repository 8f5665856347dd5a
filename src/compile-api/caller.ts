import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Asking } from './compilations.ts';

/** A request as somebody who waits: `gone` once the connection has ended before the answer has. */
export function askingOf(request: FastifyRequest, reply: FastifyReply, client: string): Asking {
  const gone = new AbortController();
  const { raw } = reply;
  const onClose = (): void => {
    if (!raw.writableFinished) gone.abort();
  };
  raw.once('close', onClose);
  if (request.raw.destroyed && !request.raw.complete) gone.abort();
  return { client, gone: gone.signal };
}
