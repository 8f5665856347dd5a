import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import type { Message, ResourceRecord } from '../../src/dns/message.ts';
import { rcodes, types } from '../../src/dns/numbers.ts';
import { serviceBindingData, textData, zoneAuthorityData } from '../../src/dns/record-data.ts';
import { serviceKeys } from '../../src/dns/service-binding.ts';
import { nameText } from '../../src/kit/wire-name.ts';
import { addressBytes } from '../../src/resolver/identity/address-key.ts';
import { framed, frameReader } from '../../src/resolver/upstream/length-prefixed.ts';
import { listenAtOnePort } from './kit/ports.ts';
import { answerTo, name, type Query, readQuery, record } from './resolver/upstream/messages.ts';

type Ending = { after(end: () => unknown): void };

/** The answer to a question; undefined for no answer. */
export type World = (asked: { readonly name: string; readonly type: number }) => Partial<Message> | undefined;
type SlowWorld = (...asked: Parameters<World>) => ReturnType<World> | Promise<ReturnType<World>>;

export const address = (owner: string, ip: string, ttl = 300): ResourceRecord =>
  record(owner, ip.includes(':') ? types.AAAA : types.A, addressBytes(ip)!, ttl);
export const alias = (owner: string, target: string, ttl = 300): ResourceRecord =>
  record(owner, types.CNAME, name(target), ttl);
export const text = (owner: string, words: string, ttl = 300): ResourceRecord =>
  record(owner, types.TXT, textData(words), ttl);
/** An HTTPS record with an address hint. */
export const hinting = (owner: string, ip: string): ResourceRecord =>
  record(owner, types.HTTPS, serviceBindingData(1, '.', [{ key: serviceKeys.ipv4hint, value: addressBytes(ip)! }])!);

const zoneOf = (owner: string): ResourceRecord =>
  record(
    owner.split('.').slice(-2).join('.'),
    types.SOA,
    zoneAuthorityData({
      primary: 'ns.invalid',
      mailbox: 'nobody.invalid',
      serial: 1,
      refresh: 60,
      retry: 60,
      expire: 60,
      minimum: 60,
    })!,
  );

export const HERE = '198.51.100.7';
export const HERE_V6 = '2001:db8::7';

/** Knows the given records, and an address of every other name but those that begin with `nx`. */
export const worldOf = (records: readonly ResourceRecord[] = []): World => {
  const byOwner = Map.groupBy(records, ({ name }) => String(name));
  const world: World = (asked) => {
    const known = byOwner.get(String(name(asked.name)));
    if (known) {
      const answer = known.filter(({ type }) => type === asked.type || type === types.CNAME);
      const [first] = answer;
      if (first?.type !== types.CNAME) return answer.length > 0 ? { answer } : { authority: [zoneOf(asked.name)] };
      const further = world({ name: nameText(first.data, 0), type: asked.type });
      return { ...further, answer: [...answer, ...(further?.answer ?? [])] };
    }
    if (asked.name.startsWith('nx')) return { rcode: rcodes.NXDOMAIN, authority: [zoneOf(asked.name)] };
    if (asked.type === types.A) return { answer: [address(asked.name, HERE)] };
    if (asked.type === types.AAAA) return { answer: [address(asked.name, HERE_V6)] };
    return { authority: [zoneOf(asked.name)] };
  };
  return world;
};

/** An upstream server over UDP and TCP at one port of 127.0.0.1. Its answers may change while it runs. */
export async function startWorld(t: Ending, world: SlowWorld = worldOf(), wanted = 0) {
  const asked: { readonly name: string; readonly type: number; readonly over: 'udp' | 'tcp' }[] = [];
  const sockets = new Set<Socket>();
  const current = { world };
  let isOpen = true;
  const reply = async (query: Query, over: 'udp' | 'tcp'): Promise<Uint8Array | undefined> => {
    const question = { name: query.name, type: query.message.questions[0]!.type };
    asked.push({ ...question, over });
    const said = await current.world(question);
    return isOpen && said ? answerTo(query, { answer: [], ...said }) : undefined;
  };
  const streams = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    const read = frameReader((bytes) => {
      void reply(readQuery(bytes), 'tcp').then((answer) => answer && socket.write(framed(answer)));
    });
    socket.on('data', (chunk: Buffer) => void read(chunk));
  });
  const datagrams = createSocket('udp4');
  datagrams.on('message', (bytes, from) => {
    const query = readQuery(bytes);
    // Truncates, as servers do with answers that are too long for a datagram.
    void reply(query, 'udp').then(
      (answer) => answer && datagrams.send(answer.length > 1232 ? cut(query) : answer, from.port, from.address),
    );
  });
  const port = await listenAtOnePort(streams, datagrams, wanted);
  const stop = (): void => {
    if (!isOpen) return;
    isOpen = false;
    datagrams.close();
    streams.close();
    for (const socket of sockets) socket.destroy();
  };
  t.after(stop);
  return {
    port,
    address: `127.0.0.1:${port}`,
    /** All received queries. */
    asked,
    timesAsked: (wanted: string): number => asked.filter(({ name }) => name === wanted).length,
    /** Replaces the answers from now on. */
    change(next: SlowWorld): void {
      current.world = next;
    },
    /** Closes the sockets: the port is then unreachable. */
    stop,
  };
}

const cut = (query: Query): Uint8Array => answerTo(query, { answer: [], truncated: true });
