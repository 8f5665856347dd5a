import { createSocket } from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryFor } from '../../src/dns/message.ts';
import { classes, optionCodes, types } from '../../src/dns/numbers.ts';
import { readMessage } from '../../src/dns/read-message.ts';
import { writeMessage } from '../../src/dns/write-message.ts';
import { name } from './resolver/upstream/messages.ts';

type Target = { readonly port: number; readonly device: string; readonly domain: string };

/** The bytes of a query for A as the device of this id. */
function deviceQuery(device: string, domain: string, id: number): Uint8Array {
  const options = [{ code: optionCodes.device, data: Buffer.from(device) }];
  const edns = { udpSize: 1232, version: 0, dnssecOk: false, options };
  return writeMessage(queryFor({ name: name(domain), type: types.A, class: classes.IN }, id, edns));
}

/** Asks for one name over UDP every `everyMs`, at most `most` times; counts the queries and the answers with NOERROR. */
export function startSteadyClient({ port, device, domain }: Target, everyMs = 20, most = 60_000) {
  const socket = createSocket('udp4');
  const answered = new Set<number>();
  let sent = 0;
  socket.on('error', () => {});
  socket.on('message', (bytes) => {
    const read = readMessage(new Uint8Array(bytes));
    if (read.ok && read.value.rcode === 0) answered.add(read.value.id);
  });
  const timer = setInterval(() => {
    if (sent === most) return;
    sent += 1;
    socket.send(deviceQuery(device, domain, sent & 0xffff), port, '127.0.0.1');
  }, everyMs).unref();
  socket.unref();
  return {
    sent: (): number => sent,
    /** Waits for the last answers. */
    async stop(): Promise<{ readonly sent: number; readonly answered: number }> {
      clearInterval(timer);
      for (let waited = 0; waited < 5000 && answered.size < sent; waited += 50) await sleep(50);
      socket.close();
      return { sent, answered: answered.size };
    },
  };
}
