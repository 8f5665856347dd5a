import { libc } from './libc.ts';

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2_000_000;
const MSG_NOSIGNAL = 0x4000;

/**
 * Sends a message to the datagram socket of a service manager (sd_notify), which Node does not support. Returns the reason if it failed.
 */
export function sendToNotifySocket(path: string, message: string): string | undefined {
  const functions = libc();
  if (typeof functions === 'string') return functions;
  const fd = functions.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return functions.lastError();
  const address = unixAddress(path);
  const bytes = Buffer.from(message);
  const isSent =
    functions.connect(fd, address, address.length) === 0 &&
    functions.send(fd, functions.addressOf(bytes), bytes.length, MSG_NOSIGNAL) === bytes.length;
  const reason = isSent ? undefined : functions.lastError();
  functions.close(fd);
  return reason;
}

/** struct sockaddr_un. A name that starts with @ is in the abstract namespace, where the first byte is zero. */
export function unixAddress(path: string): Uint8Array {
  const name = Buffer.from(path.startsWith('@') ? `\0${path.slice(1)}` : `${path}\0`);
  return Buffer.concat([Uint8Array.of(AF_UNIX, 0), name]);
}
