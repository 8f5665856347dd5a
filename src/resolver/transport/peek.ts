import type { Socket } from 'node:net';

/** Result of reading the first bytes of a connection; bytes beyond `used` go back into the socket. */
export type Peeked<T> =
  | { readonly kind: 'more' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'read'; readonly used: number; readonly value: T };

/** Reads as many bytes as `read` needs before the protocol handler starts. Malformed input closes the connection. */
export function peek<T>(socket: Socket, read: (bytes: Uint8Array) => Peeked<T>, found: (value: T) => void): void {
  let bytes: Uint8Array = new Uint8Array();
  const onReadable = (): void => {
    const chunk = socket.read() as Buffer | null;
    if (!chunk) return;
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    const peeked = read(bytes);
    if (peeked.kind === 'more') return;
    socket.off('readable', onReadable);
    socket.off('end', onEnd);
    if (peeked.kind === 'malformed') {
      socket.destroy();
      return;
    }
    if (peeked.used < bytes.length) socket.unshift(bytes.subarray(peeked.used));
    found(peeked.value);
  };
  const onEnd = (): void => void socket.destroy();
  socket.on('readable', onReadable);
  socket.on('end', onEnd);
}
