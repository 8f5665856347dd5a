import { createExchange, type ExchangeOptions } from './doh-exchange.ts';
import { createHttp1 } from './doh-http1.ts';
import { serveHttp2 } from './doh-http2.ts';
import { type Answers, withoutThrowing } from './listener.ts';
import { openTcpListener, type TcpListener, type TcpListenerOptions } from './tcp-listener.ts';
import { openTlsListener, type TlsListenerOptions } from './tls-listener.ts';
import type { Web } from './web-requests.ts';

export type DohOptions = TcpListenerOptions &
  Omit<TlsListenerOptions, 'tls'> &
  Omit<ExchangeOptions, 'answers'> & {
    /** `none`: plain HTTP/1.1, for a reverse proxy that terminates TLS. */
    readonly tls: TlsListenerOptions['tls'] | 'none';
    /** Serves all paths other than those of DNS over HTTPS. */
    readonly web?: Web | undefined;
  };

/** DNS over HTTPS (RFC 8484), its JSON format, and the web interface. */
export function listenDoh(options: DohOptions, rawAnswers: Answers): Promise<TcpListener> {
  const { tls, maxAge, forwarders, web } = options;
  const exchange = createExchange({ answers: withoutThrowing(rawAnswers, options.report), maxAge, forwarders });
  const serveHttp1 = createHttp1(exchange, web);
  if (tls === 'none')
    return openTcpListener(options, (connection) => serveHttp1(connection, connection.socket, undefined));
  return openTlsListener({ ...options, tls }, ['h2', 'http/1.1'], (connection, socket, serverName) => {
    if (socket.alpnProtocol === 'h2') serveHttp2(connection, socket, serverName, exchange, web);
    else serveHttp1(connection, socket, serverName);
  });
}
