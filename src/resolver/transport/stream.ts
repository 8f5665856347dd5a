import { type Answers, withoutThrowing } from './listener.ts';
import { converse, createDesk } from './stream-session.ts';
import { type Door, type DoorOptions, openDoor } from './tcp-listener.ts';
import { openTlsDoor, type TlsDoorOptions } from './tls-listener.ts';

export function listenTcp(options: DoorOptions, given: Answers): Promise<Door> {
  const answers = withoutThrowing(given, options.tell);
  const desk = createDesk('tcp');
  return openDoor({ ...options, allowHalfOpen: true }, (visit) =>
    converse({ visit, socket: visit.socket, transport: 'tcp', answers, desk }),
  );
}

/** DNS over TLS (RFC 7858). The server name of the handshake can identify the device. */
export function listenDot(options: TlsDoorOptions, given: Answers): Promise<Door> {
  const answers = withoutThrowing(given, options.tell);
  const desk = createDesk('dot');
  return openTlsDoor({ ...options, allowHalfOpen: true }, ['dot'], (visit, socket, serverName) =>
    converse({ visit, socket, transport: 'dot', serverName, answers, desk }),
  );
}
