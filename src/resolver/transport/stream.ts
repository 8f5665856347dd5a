import { type Answers, withoutThrowing } from './listener.ts';
import { createWriteBuffer, serveStream } from './stream-session.ts';
import { openTcpListener, type TcpListener, type TcpListenerOptions } from './tcp-listener.ts';
import { openTlsListener, type TlsListenerOptions } from './tls-listener.ts';

export function listenTcp(options: TcpListenerOptions, rawAnswers: Answers): Promise<TcpListener> {
  const answers = withoutThrowing(rawAnswers, options.report);
  const buffer = createWriteBuffer('tcp');
  return openTcpListener({ ...options, allowHalfOpen: true }, (connection) =>
    serveStream({ connection, socket: connection.socket, transport: 'tcp', answers, buffer }),
  );
}

/** DNS over TLS (RFC 7858). The server name in the handshake can identify the device. */
export function listenDot(options: TlsListenerOptions, rawAnswers: Answers): Promise<TcpListener> {
  const answers = withoutThrowing(rawAnswers, options.report);
  const buffer = createWriteBuffer('dot');
  return openTlsListener({ ...options, allowHalfOpen: true }, ['dot'], (connection, socket, serverName) =>
    serveStream({ connection, socket, transport: 'dot', serverName, answers, buffer }),
  );
}
