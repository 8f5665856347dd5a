import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryFor } from '../../../src/dns/message.ts';
import { classes, types } from '../../../src/dns/numbers.ts';
import { writeMessage } from '../../../src/dns/write-message.ts';
import { deviceOption } from '../dns/packets.ts';
import { name } from '../resolver/upstream/messages.ts';

export type FloodTarget = {
  readonly port: number;
  /** The device of the flooding tenant. */
  readonly device: string;
  readonly source?: string;
  readonly perSecond?: number;
  /** The labels before `example.com`; a number by default. */
  readonly prefixOf?: (number: number) => string;
};

const BURST_MS = 10;

/** Floods the server with queries of one tenant for uncached names. */
export async function startUdpFlood(target: FloodTarget) {
  const { port, device, source = '127.66.8.6', perSecond = 20_000, prefixOf = (number) => `flood${number}` } = target;
  const socket = createSocket('udp4');
  socket.bind(0, source);
  await once(socket, 'listening');
  socket.on('error', () => {});
  const edns = { udpSize: 1232, version: 0, dnssecOk: false, options: [deviceOption(device)] };
  const queryOf = (number: number): Uint8Array =>
    writeMessage(
      queryFor(
        { name: name(`${prefixOf(number)}.example.com`), type: types.A, class: classes.IN },
        number & 0xffff,
        edns,
      ),
    );
  let sent = 0;
  let skipped = 0;
  const startedAt = performance.now();
  let isStopped = false;
  const flooding = (async () => {
    while (!isStopped) {
      let due = ((performance.now() - startedAt) * perSecond) / 1000 - skipped;
      // At most one second's worth at once, if this process was stopped for longer.
      const surplus = Math.max(0, due - sent - perSecond);
      skipped += surplus;
      due -= surplus;
      while (sent < due) socket.send(queryOf(sent++), port, '127.0.0.1');
      await sleep(BURST_MS);
    }
  })();
  return {
    sent: (): number => sent,
    stop: async (): Promise<void> => {
      isStopped = true;
      await flooding;
      socket.close();
    },
  };
}
