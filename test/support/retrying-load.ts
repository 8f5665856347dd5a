import { queryFor } from '../../src/dns/message.ts';
import { classes, types } from '../../src/dns/numbers.ts';
import { readMessage } from '../../src/dns/read-message.ts';
import { writeMessage } from '../../src/dns/write-message.ts';
import type { Over } from './dig.ts';
import { deviceOption } from './dns/packets.ts';
import type { DnsService } from './dns.ts';
import { name } from './resolver/upstream/messages.ts';
import { type AskBytes, askersOf } from './resolver.ts';

const AT_ONCE = 8;
const TRIES = 5;
const PATIENCE_MS = 2000;

export const overs: readonly Over[] = ['udp', 'tcp', 'dot', 'doh'];

/** Limits that the load of one client would reach. */
export const unlimited = ['--connections-per-client', '1000', '--wrong-ids-per-minute', '1000000'];

export const queryOf = (device: string, domain: string): Uint8Array => {
  const edns = { udpSize: 1232, version: 0, dnssecOk: false, options: [deviceOption(device)] };
  return writeMessage(queryFor({ name: name(domain), type: types.A, class: classes.IN }, 7, edns));
};

export type Load = { readonly sent: number; readonly lost: number; readonly repeated: number };

/**
 * Sends queries to the nodes in turn, each again to the next node if it is not answered, as a client with these resolvers does; until
 * it is stopped and has sent enough.
 */
export function startLoad(nodes: readonly AskBytes[], message: Uint8Array, atLeast: number): () => Promise<Load> {
  let isOver = false;
  let [sent, lost, repeated] = [0, 0, 0];
  const askOnce = async (node: number): Promise<boolean> => {
    const heard = await nodes[node % nodes.length]!(message, PATIENCE_MS);
    const read = heard.kind === 'answer' ? readMessage(Uint8Array.from(heard.bytes)) : undefined;
    return read?.ok === true && read.value.rcode === 0 && read.value.answer.length === 1;
  };
  const askOne = async (): Promise<void> => {
    const first = sent;
    sent += 1;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      if (await askOnce(first + attempt)) return;
      repeated += 1;
    }
    lost += 1;
  };
  const worker = async (): Promise<void> => {
    while (!isOver || sent < atLeast) await askOne();
  };
  const done = Promise.all(Array.from({ length: AT_ONCE }, worker));
  return async () => {
    isOver = true;
    await done;
    return { sent, lost, repeated };
  };
}

/** The load of one device over every transport; resolves to the results by transport. */
export function startLoads(
  nodes: readonly Pick<DnsService, 'ports' | 'deviceDomain'>[],
  device: string,
  queries: number,
): () => Promise<ReadonlyMap<Over, Load>> {
  const message = queryOf(device, 'kept.example.com');
  const asks = nodes.map((node) => askersOf(node, device));
  const loads = overs.map((over) =>
    startLoad(
      asks.map((each) => each[over]),
      message,
      queries / overs.length,
    ),
  );
  return async () => new Map(await Promise.all(loads.map(async (stop, at) => [overs[at]!, await stop()] as const)));
}
