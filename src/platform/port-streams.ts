import { Duplex } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';

/** Maximum bytes in flight per direction of a stream, which limits the memory that a slow reader can use. */
const WINDOW = 65_536;

type StreamMessage<Peer> =
  | { readonly kind: 'open'; readonly id: number; readonly peer: Peer }
  | { readonly kind: 'data'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'read'; readonly id: number; readonly bytes: number }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'close'; readonly id: number };

type Done = (error?: Error | null) => void;

/** One end of a byte stream between two threads. */
class PortStream extends Duplex {
  readonly #id: number;
  readonly #post: (message: StreamMessage<never>) => void;
  readonly #onClose: () => void;
  #window = WINDOW;
  #unread = 0;
  #waiting: { readonly bytes: Uint8Array; readonly done: Done } | undefined;
  #hasEnd = false;
  #isPeerClosed = false;

  constructor(id: number, post: (message: StreamMessage<never>) => void, onClose: () => void) {
    super({ allowHalfOpen: true });
    this.#id = id;
    this.#post = post;
    this.#onClose = onClose;
  }

  override _write(bytes: Uint8Array, _encoding: BufferEncoding, done: Done): void {
    if (this.#isPeerClosed) {
      done(new Error('the other side has closed the stream'));
      return;
    }
    const sent = bytes.subarray(0, this.#window);
    // Copied first, because postMessage would copy the whole pool of a pooled Buffer.
    if (sent.length > 0) this.#post({ kind: 'data', id: this.#id, bytes: new Uint8Array(sent) });
    this.#window -= sent.length;
    if (sent.length === bytes.length) done();
    else this.#waiting = { bytes: bytes.subarray(sent.length), done };
  }

  override _final(done: Done): void {
    this.#post({ kind: 'end', id: this.#id });
    done();
  }

  override _read(): void {
    if (this.#unread > 0) this.#post({ kind: 'read', id: this.#id, bytes: this.#unread });
    this.#unread = 0;
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#post({ kind: 'close', id: this.#id });
    this.#onClose();
    done(error);
  }

  receive(message: StreamMessage<unknown>): void {
    if (message.kind === 'data') {
      this.#unread += message.bytes.length;
      this.push(Buffer.from(message.bytes.buffer));
    } else if (message.kind === 'end') {
      this.#hasEnd = true;
      this.push(null);
    } else if (message.kind === 'close') {
      this.#isPeerClosed = true;
      // After the end, the buffered bytes are complete.
      if (this.#hasEnd) this.#continue();
      else this.destroy();
    } else if (message.kind === 'read') {
      this.#window += message.bytes;
      this.#continue();
    }
  }

  #continue(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) this._write(waiting.bytes, 'binary', waiting.done);
  }
}

/**
 * Byte streams over one port, with flow control. `connect` opens one and describes its peer; `accept` receives those that the other side
 * opens. Closing the port closes all streams.
 */
export function createPortStreams<Peer>(port: MessagePort, accept: (stream: Duplex, peer: Peer) => void = () => {}) {
  const streams = new Map<number, PortStream>();
  let lastId = 0;
  const post = (message: StreamMessage<Peer>): void => port.postMessage(message);
  const add = (id: number): PortStream => {
    const stream = new PortStream(id, post, () => streams.delete(id));
    streams.set(id, stream);
    return stream;
  };
  port.on('message', (message: StreamMessage<Peer>) => {
    if (message.kind === 'open') accept(add(message.id), message.peer);
    // Ignores messages to a stream that this side has closed.
    else streams.get(message.id)?.receive(message);
  });
  port.on('close', () => {
    for (const stream of streams.values()) stream.destroy();
  });
  return {
    connect: (peer: Peer): Duplex => {
      lastId += 1;
      post({ kind: 'open', id: lastId, peer });
      return add(lastId);
    },
    open: () => streams.size,
  };
}
