import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** Connections whose request may take longer than the timeout of the server. */
const slow = new WeakSet<object>();

export const isSlow = (socket: object): boolean => slow.has(socket);

/**
 * Runs `read` with the server's timeout for complete requests disabled. The body fails instead if no data arrives for `stalledMs`.
 */
export async function readSlowly<T>(
  body: Readable,
  stalledMs: number,
  read: (parts: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const socket = body instanceof IncomingMessage ? body.socket : undefined;
  if (socket) slow.add(socket);
  try {
    return await read(whileArriving(body, stalledMs));
  } finally {
    if (socket) slow.delete(socket);
  }
}

async function* whileArriving(body: Readable, stalledMs: number): AsyncGenerator<Buffer> {
  const timer = setTimeout(() => body.destroy(new Error(`no data for ${stalledMs} ms`)), stalledMs);
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      timer.refresh();
      yield part;
    }
  } finally {
    clearTimeout(timer);
  }
}
