import { createExchange, type ExchangeOptions } from './doh-exchange.ts';
import { createHttp1 } from './doh-http1.ts';
import { serveHttp2 } from './doh-http2.ts';
import { type Answers, withoutThrowing } from './listener.ts';
import { type Door, type DoorOptions, openDoor } from './tcp-listener.ts';
import { openTlsDoor, type TlsDoorOptions } from './tls-listener.ts';

export type DohOptions = DoorOptions &
  Omit<TlsDoorOptions, 'tls'> &
  Omit<ExchangeOptions, 'answers'> & {
    /** `none`: plain HTTP/1.1, for a reverse proxy that terminates TLS. */
    readonly tls: TlsDoorOptions['tls'] | 'none';
  };

/** DNS over HTTPS (RFC 8484), and its JSON format. */
export function listenDoh(options: DohOptions, given: Answers): Promise<Door> {
  const { tls, maxAge, forwarders } = options;
  const exchange = createExchange({ answers: withoutThrowing(given, options.tell), maxAge, forwarders });
  const serveHttp1 = createHttp1(exchange);
  if (tls === 'none') return openDoor(options, (visit) => serveHttp1(visit, visit.socket, undefined));
  return openTlsDoor({ ...options, tls }, ['h2', 'http/1.1'], (visit, socket, serverName) => {
    if (socket.alpnProtocol === 'h2') serveHttp2(visit, socket, serverName, exchange);
    else serveHttp1(visit, socket, serverName);
  });
}
