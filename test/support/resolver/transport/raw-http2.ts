import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { frameTypes } from '../../../../src/resolver/transport/http2/http2-frames.ts';

// HTTP/2 frame by frame (RFC 9113), for what no well-behaved client sends.
export const END_STREAM = 1;
export const END_HEADERS = 4;

export function frame(
  type: keyof typeof frameTypes,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = frameTypes[type];
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** GET over https, of a path of fewer than 127 characters; nothing is compressed. */
export function requestHeaders(path: string): Buffer {
  const text = (value: string): Buffer => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  return Buffer.concat([Buffer.from([0x82, 0x87, 0x04]), text(path), Buffer.from([0x01]), text('dns.example')]);
}

export type RawHttp2 = {
  readonly socket: TLSSocket;
  readonly sawGoAway: () => boolean;
  readonly closed: Promise<void>;
};

export async function rawHttp2(t: TestContext, port: number): Promise<RawHttp2> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] });
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => void socket.on('close', () => resolve()));
  let seen: Buffer = Buffer.alloc(0);
  let sawGoAway = false;
  socket.on('data', (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk]);
    while (seen.length >= 9 && seen.length >= 9 + seen.readUIntBE(0, 3)) {
      if (seen[3] === frameTypes.goAway) sawGoAway = true;
      seen = seen.subarray(9 + seen.readUIntBE(0, 3));
    }
  });
  await once(socket, 'secureConnect');
  socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame('settings', 0, 0)]));
  return { socket, sawGoAway: () => sawGoAway, closed };
}
