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
  /** Address of the sender, which may be a forwarder with many clients. */
  readonly address: string;
  /** MAC address of the client behind a forwarder (EDNS options 65001, 65073). */
  readonly mac?: string | undefined;
  readonly queries: number;
  /** Epoch milliseconds. */
  readonly lastSeen: number;
};

export type ActivityEntry = {
  readonly clientId: number;
  readonly identity: Pick<ClientActivity, 'account' | 'dnsServer' | 'device'>;
  readonly address: Uint8Array;
  readonly mac: Uint8Array;
  queries: number;
  lastSeen: number;
  /** Next client with the same hash. */
  readonly next: ActivityEntry | undefined;
  /** False once it was reported or dropped. */
  isOpen: boolean;
};

const MAX_CLIENTS = 50_000;
// A fraction makes V8 store the field as a double from the start, so that updates allocate nothing.
const NEVER = 0.5;

/** Counts the queries of one thread. Only the first query of a client after a report allocates. */
export function createActivityCounter(maxClients = MAX_CLIENTS) {
  const entries = new Map<number, ActivityEntry>();

  const close = (first: ActivityEntry | undefined): void => {
    for (let entry = first; entry; entry = entry.next) entry.isOpen = false;
  };

  const add = (hash: number, entry: ActivityEntry): void => {
    if (entries.size >= maxClients) {
      const oldest = entries.keys().next().value!;
      close(entries.get(oldest));
      entries.delete(oldest);
    }
    entries.set(hash, entry);
  };

  const entryFor = (client: Client, request: DnsRequest, macAt: number, length: number): ActivityEntry => {
    const hash = hashOf(client.clientId, request, macAt, length);
    const first = entries.get(hash);
    for (let entry = first; entry; entry = entry.next) if (isSame(entry, client, request, macAt, length)) return entry;
    const { clientId } = client;
    const [address, mac] = [request.client.slice(), request.bytes.slice(macAt, macAt + length)];
    const next = first;
    const entry = {
      clientId,
      identity: identityOf(client),
      address,
      mac,
      queries: 0,
      lastSeen: NEVER,
      next,
      isOpen: true,
    };
    add(hash, entry);
    return entry;
  };

  return {
    count(client: Client, request: DnsRequest, question: Question, nowMs: number): void {
      const { macAt } = question;
      const length = trustedMacLength(request, question);
      let entry = client.activity;
      if (!entry?.isOpen || !isSame(entry, client, request, macAt, length)) {
        if (!isPrivateClient(request.client)) return;
        entry = entryFor(client, request, macAt, length);
        client.activity = entry;
      }
      entry.queries += 1;
      entry.lastSeen = nowMs;
    },
    /** The counts since the last call. */
    take(): readonly ClientActivity[] {
      const taken: ClientActivity[] = [];
      for (const first of entries.values()) {
        close(first);
        for (let entry: ActivityEntry | undefined = first; entry; entry = entry.next) taken.push(toActivity(entry));
      }
      entries.clear();
      return taken;
    },
  };
}

export type ActivityCounter = ReturnType<typeof createActivityCounter>;

/** Copies the fields instead of referring to the client, which would keep outdated settings in memory. */
const identityOf = ({ identity }: Client): ActivityEntry['identity'] => ({
  account: identity.account.id,
  dnsServer: identity.profile.id,
  device: identity.kind === 'device' ? identity.device.id : undefined,
});

const toActivity = ({ identity, address, mac, queries, lastSeen }: ActivityEntry): ClientActivity => ({
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
  entry: ActivityEntry,
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
