import type { Question } from '../../dns/question.ts';
import type { DnsRequest } from '../transport/listener.ts';
import { CLIENT_NEEDS_LOOKUP, type Client, type ClientResult, DROPPED_CLIENT, UNKNOWN_CLIENT } from './client.ts';
import { type ClientUpdate, GLOBAL, type KnownClientUpdate } from './client-updates.ts';
import { trustedMacLength } from './mac-option.ts';

type Entry = { readonly update: ClientUpdate; readonly result: ClientResult };

const MAX_CLIENTS = 50_000;
const MAX_PROFILES = 20_000;

/** Clients that a UDP thread can identify itself: those the resolver thread has sent, until their config versions change. */
export function knownClients(configVersions: Int32Array, toClient: (update: KnownClientUpdate) => Client) {
  const entries = new Map<number, Entry>();
  const profiles = new Map<number, KnownClientUpdate['identity']['profile']>();

  /** One settings object per profile version, so that its policy is compiled once; the account data may still differ. */
  const withSharedProfile = (update: KnownClientUpdate): KnownClientUpdate => {
    const profile = profiles.get(update.profileVersion);
    if (profile) return { ...update, identity: { ...update.identity, profile } };
    if (profiles.size >= MAX_PROFILES) profiles.clear();
    profiles.set(update.profileVersion, update.identity.profile);
    return update;
  };

  const resultOf = ({ result }: ClientUpdate): ClientResult => {
    if (result.kind === 'known') return toClient(withSharedProfile(result));
    return result.kind === 'drop' ? DROPPED_CLIENT : UNKNOWN_CLIENT;
  };

  const isCurrent = ({ slot, version, globalVersion }: ClientUpdate): boolean =>
    Atomics.load(configVersions, GLOBAL) === globalVersion && Atomics.load(configVersions, slot) === version;

  return {
    applyUpdate(update: ClientUpdate): void {
      if (entries.size >= MAX_CLIENTS) entries.clear();
      const { client, local, device, mac } = update;
      const hash = withBytes(hashOf(client, local, device, 0, device.length), mac, 0, mac.length);
      entries.set(hash, { update, result: resultOf(update) });
    },
    identify: (request: DnsRequest, question: Question): ClientResult => {
      const { client, local, bytes } = request;
      const { deviceAt, deviceLength, macAt } = question;
      const macLength = trustedMacLength(request, question);
      const hash = hashOf(client, local, bytes, deviceAt, deviceLength);
      const entry = entries.get(macLength === 0 ? hash : withBytes(hash, bytes, macAt, macLength));
      if (!entry || !isCurrent(entry.update)) return CLIENT_NEEDS_LOOKUP;
      const { update } = entry;
      const isSame =
        isEqual(update.client, client, 0, client.length) &&
        isEqual(update.local, local, 0, local.length) &&
        isEqual(update.device, bytes, deviceAt, deviceLength) &&
        isEqual(update.mac, bytes, macAt, macLength);
      return isSame ? entry.result : CLIENT_NEEDS_LOOKUP;
    },
  };
}

function isEqual(expected: Uint8Array, bytes: Uint8Array, at: number, length: number): boolean {
  if (expected.length !== length) return false;
  for (let i = 0; i < length; i++) if (expected[i] !== bytes[at + i]) return false;
  return true;
}

function hashOf(client: Uint8Array, local: Uint8Array, bytes: Uint8Array, at: number, length: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < client.length; i++) hash = Math.imul(hash ^ client[i]!, 0x01000193);
  for (let i = 0; i < local.length; i++) hash = Math.imul(hash ^ local[i]!, 0x01000193);
  return withBytes(hash, bytes, at, length);
}

function withBytes(start: number, bytes: Uint8Array, at: number, length: number): number {
  let hash = start;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ bytes[at + i]!, 0x01000193);
  return hash;
}
