import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { isSlow } from './slow-requests.ts';

type Answer = { readonly status: number; readonly message: string };

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

const answers: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The path and the headers of the request are too long' },
  [TIMEOUT]: { status: 408, message: 'The request did not arrive in time' },
};
const malformed: Answer = { status: 400, message: 'The request is not valid HTTP' };

/**
 * Answers a request that Node could not read. Its path may be unknown, so the body has the members of errors of the management API
 * and of the compile service.
 */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (error.code === TIMEOUT && isSlow(socket)) return;
  const { status, message } = answers[error.code ?? ''] ?? malformed;
  const body = JSON.stringify({ success: false, error: message, error_code: 'BAD_REQUEST', fields: [], message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Content-Type: application/json',
    'Access-Control-Allow-Origin: *',
    'Connection: close',
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroy(error);
}
