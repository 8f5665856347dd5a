import type { MessagePort } from 'node:worker_threads';
import { accept } from '../dns/accept.ts';
import { newQuestion } from '../dns/question.ts';
import { addressKey } from '../resolver/identity/address-key.ts';
import type { ClientRegistry } from '../resolver/identity/client-registry.ts';
import { GLOBAL } from '../resolver/identity/client-updates.ts';
import { trustedMacLength } from '../resolver/identity/mac-option.ts';
import type { Answers, DnsRequest, Report } from '../resolver/transport/listener.ts';
import { readForwarded, sendOn } from '../resolver/transport/udp-forwarded.ts';
import type { Upstreams } from '../resolver/upstream/open-upstreams.ts';
import { relayQueries } from './relay-queries.ts';
import type { ToUdp, UdpLink } from './thread-messages.ts';
import type { ForwardedMessage, RelayMessage } from './udp-messages.ts';

const MAX_RESPONSE = 1232;
const LATE_MS = 1_900;
const MAX_PUBLISHED = 50_000;
const MAX_PENDING = 10_000;
const MAX_PENDING_PER_CLIENT = 1_000;
const BUSY = 100;

export type ForwardedDeps = {
  readonly link: UdpLink;
  readonly answers: Answers;
  readonly clients: Pick<ClientRegistry, 'identify' | 'toUpdate'>;
  readonly configVersions: Int32Array;
  readonly upstreams: Pick<Upstreams, 'relay'>;
  readonly report: Report;
};

/** Answers the queries that a UDP thread forwards, on its socket, and publishes their clients to it. */
export function answerForwarded({ link, answers, clients, configVersions, upstreams, report }: ForwardedDeps) {
  const send = controlChannel(link.controlPort, link.messageCount);
  const question = newQuestion();
  const output = new Uint8Array(MAX_RESPONSE);
  const pending = pendingLimit();

  const published = new Map<string, string>();
  /** Updates are large: each is sent once per version. */
  const isPublished = (key: string, versions: string): boolean => {
    if (published.get(key) === versions) return true;
    if (published.size >= MAX_PUBLISHED) published.clear();
    published.set(key, versions);
    return false;
  };

  const publishClient = (request: DnsRequest): void => {
    if (accept(request.bytes, request.at, request.length, question) !== 'ok') return;
    // Read before the client is identified: a change in between must make the update outdated.
    const globalVersion = Atomics.load(configVersions, GLOBAL);
    const update = clients.toUpdate(clients.identify(request, question));
    if (!update) return;
    const { deviceAt, deviceLength, macAt } = question;
    const [client, local] = [request.client.slice(), request.local.slice()];
    const device = request.bytes.slice(deviceAt, deviceAt + deviceLength);
    const mac = request.bytes.slice(macAt, macAt + trustedMacLength(request, question));
    const version = Atomics.load(configVersions, update.slot);
    const key = [client, local, device, mac].map((bytes) => Buffer.from(bytes).toString('latin1')).join('|');
    if (isPublished(key, `${version} ${globalVersion}`)) return;
    send({ kind: 'client update', client, local, device, mac, ...update, version, globalVersion });
  };

  const answer = (fd: number, request: DnsRequest, peer: Uint8Array): void => {
    const length = answers.answerSync(request, output, 0, MAX_RESPONSE);
    if (length > 0) sendOn(fd, output.subarray(0, length), peer);
    if (length >= 0) return;
    const slot = pending.enter(request.client);
    if (!slot) return;
    const since = performance.now();
    answers.answerAsync(request, (bytes) => {
      slot.leave();
      // Late answers of a client with many pending queries are dropped: released together they are an attack (DNSBomb).
      const isLate = performance.now() - since > LATE_MS && slot.isBusy();
      if (bytes && !isLate) sendOn(fd, bytes, peer);
    });
  };

  const relay = relayQueries(upstreams, send);
  link.forwardPort.on('message', (message: ForwardedMessage | RelayMessage) => {
    if (message.kind === 'relay') {
      relay(message);
      return;
    }
    const { fd, packed } = message;
    readForwarded(packed, (request, peer) => {
      try {
        answer(fd, request, peer);
        publishClient(request);
      } catch (error) {
        report('answering a query failed', error);
      }
    });
  });
  return { send };
}

/** A UDP thread reads its control messages between batches, when the count in shared memory has changed. */
function controlChannel(port: MessagePort, messageCount: SharedArrayBuffer): (message: ToUdp) => void {
  const count = new Int32Array(messageCount);
  return (message) => {
    port.postMessage(message);
    // After the message: a thread that sees the new count finds the message.
    Atomics.add(count, 0, 1);
  };
}

/** Limits the forwarded queries that wait for an upstream. Beyond the limit queries are dropped: more would only delay all of them. */
function pendingLimit() {
  const byClient = new Map<string, number>();
  let total = 0;
  return {
    /** Undefined if a limit is reached. */
    enter(client: Uint8Array) {
      const key = addressKey(client);
      const count = byClient.get(key) ?? 0;
      if (total >= MAX_PENDING || count >= MAX_PENDING_PER_CLIENT) return undefined;
      byClient.set(key, count + 1);
      total += 1;
      return {
        leave(): void {
          total -= 1;
          const left = (byClient.get(key) ?? 1) - 1;
          if (left > 0) byClient.set(key, left);
          else byClient.delete(key);
        },
        isBusy: (): boolean => (byClient.get(key) ?? 0) > BUSY,
      };
    },
  };
}
