import type { Question } from '../../dns/question.ts';
import { addressText } from '../../kit/address-text.ts';
import type { DnsRequest } from '../transport/listener.ts';
import type { Client } from './client.ts';
import { isPrivateClient, macText, trustedMacLength } from './mac-option.ts';

/** Queries of one client in a private network since the last report. */
export type ClientActivity = {
  readonly account: string;
  readonly dnsServer: string;
  readonly device?: string | undefined;
  /** Of the sender: a forwarder sends the queries of all its clients. */
  readonly address: string;
  /** Of the client behind a forwarder that sends it (EDNS options 65001, 65073). */
  readonly mac?: string | undefined;
  readonly queries: number;
  /** Epoch milliseconds. */
  readonly lastSeen: number;
};

type Entry = {
  readonly clientId: number;
  readonly identity: Pick<ClientActivity, 'account' | 'dnsServer' | 'device'>;
  readonly address: Uint8Array;
  readonly mac: Uint8Array;
  queries: number;
  lastSeen: number;
  /** Another client with the same hash. */
  readonly next: Entry | undefined;
};

const MAX_CLIENTS = 50_000;

/** Counts the queries of one thread. A query of a client that was counted before allocates nothing. */
export function createActivityCounter(maxClients = MAX_CLIENTS) {
  const entries = new Map<number, Entry>();

  const add = (hash: number, entry: Entry): void => {
    if (entries.size >= maxClients) entries.delete(entries.keys().next().value!);
    entries.set(hash, entry);
  };

  return {
    count(client: Client, request: DnsRequest, question: Question, nowMs: number): void {
      if (!isPrivateClient(request.client)) return;
      const { macAt } = question;
      const length = trustedMacLength(request, question);
      const hash = hashOf(client.clientId, request, macAt, length);
      const first = entries.get(hash);
      for (let entry = first; entry; entry = entry.next) {
        if (!isSame(entry, client, request, macAt, length)) continue;
        entry.queries += 1;
        entry.lastSeen = nowMs;
        return;
      }
      const [address, mac] = [request.client.slice(), request.bytes.slice(macAt, macAt + length)];
      const [{ clientId }, identity] = [client, identityOf(client)];
      add(hash, { clientId, identity, address, mac, queries: 1, lastSeen: nowMs, next: first });
    },
    /** The counts since the last call. */
    take(): readonly ClientActivity[] {
      const taken: ClientActivity[] = [];
      for (const first of entries.values())
        for (let entry: Entry | undefined = first; entry; entry = entry.next) taken.push(toActivity(entry));
      entries.clear();
      return taken;
    },
  };
}

export type ActivityCounter = ReturnType<typeof createActivityCounter>;

/** Without the client itself: counts must not keep outdated settings in memory. */
const identityOf = ({ identity }: Client): Entry['identity'] => ({
  account: identity.account.id,
  dnsServer: identity.profile.id,
  device: identity.kind === 'device' ? identity.device.id : undefined,
});

const toActivity = ({ identity, address, mac, queries, lastSeen }: Entry): ClientActivity => ({
  ...identity,
  address: addressText(address),
  mac: mac.length === 0 ? undefined : macText(mac, 0, mac.length),
  queries,
  lastSeen,
});

function hashOf(clientId: number, { client, bytes }: DnsRequest, macAt: number, length: number): number {
  let hash = Math.imul(0x811c9dc5 ^ clientId, 0x01000193);
  for (let i = 0; i < client.length; i++) hash = Math.imul(hash ^ client[i]!, 0x01000193);
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ bytes[macAt + i]!, 0x01000193);
  return hash;
}

function isSame(
  entry: Entry,
  { clientId }: Client,
  { client, bytes }: DnsRequest,
  macAt: number,
  length: number,
): boolean {
  const { address, mac } = entry;
  if (entry.clientId !== clientId || address.length !== client.length || mac.length !== length) return false;
  for (let i = 0; i < client.length; i++) if (address[i] !== client[i]) return false;
  for (let i = 0; i < length; i++) if (mac[i] !== bytes[macAt + i]) return false;
  return true;
}
