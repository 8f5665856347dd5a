import type { Question } from '../../dns/question.ts';
import type { HumanId } from '../../domain/human-id.ts';
import type { AccountId } from '../../domain/ids.ts';
import type { ProfileSettings } from '../../domain/profile.ts';
import { singleFlight } from '../../kit/single-flight.ts';
import type { LocalNameRegistry } from '../local-names/local-name-registry.ts';
import type { DnsRequest } from '../transport/listener.ts';
import type { AccountBlock, IndexedLine } from './account-block.ts';
import { addressProof } from './address-proof.ts';
import {
  CLIENT_NEEDS_LOOKUP,
  type Client,
  type ClientResult,
  DROPPED_CLIENT,
  THROTTLED_CLIENT,
  UNKNOWN_CLIENT,
} from './client.ts';
import {
  type ClientFacts,
  type ClientId,
  GLOBAL,
  type ProfileTables,
  type VersionedClient,
  versionSlot,
} from './client-updates.ts';
import { createDirectory, type DirectoryAccount, type KnownDevice, type KnownProfile } from './directory.ts';
import { explainClient, type IdentifiedClient, identifiedBy } from './explain-client.ts';
import type { HostFacts, KnownHost } from './host-table.ts';
import { byIdentifier, type DescribedClient, type IdentifySettings, identify } from './identify.ts';
import { type IdentityThrottle, NO_CLAIM, THROTTLED } from './identity-throttle.ts';

type KnownIdentity = KnownDevice | KnownProfile;

export type ClientRegistryDeps = {
  readonly identify: IdentifySettings;
  readonly throttle: IdentityThrottle;
  readonly configVersions: Int32Array;
  readonly ruleTablesOf: (settings: ProfileSettings) => ProfileTables;
  readonly useRuleTables: (settings: ProfileSettings, tables: ProfileTables) => void;
  readonly toClient: (facts: ClientFacts) => Client;
  readonly localNames: LocalNameRegistry;
  /** Creates a self-registering device; returns false if that is not allowed. */
  readonly makeDevice: (account: AccountId, humanId: HumanId) => Promise<boolean>;
  /** Called once for each id, before the first query record with it. */
  readonly onNewClientId: (id: ClientId) => void;
};

/** All clients of all accounts, in the resolver thread. */
export function createClientRegistry(deps: ClientRegistryDeps) {
  const directory = createDirectory();
  const clients = new WeakMap<object, Client>();
  const clientIds = new Map<string, number>();
  const profileVersions = new WeakMap<object, number>();
  const registrations = singleFlight<boolean>();
  let lastProfileVersion = 0;

  const clientIdOf = (identity: KnownIdentity): number => {
    const { profile, account } = identity;
    const device = identity.kind === 'device' ? identity.device.id : undefined;
    const { ipLogEnabled } = profile.settings;
    const key = `${account.id} ${profile.id} ${device ?? ''} ${ipLogEnabled}`;
    const existing = clientIds.get(key);
    if (existing !== undefined) return existing;
    const clientId = clientIds.size;
    clientIds.set(key, clientId);
    deps.onNewClientId({ clientId, account: account.id, dnsServer: profile.id, device, ipLog: ipLogEnabled });
    return clientId;
  };

  const clientOf = (identity: KnownIdentity): Client => {
    const key = identity.kind === 'device' ? identity.device : identity.profile;
    const existing = clients.get(key);
    if (existing?.identity.profile === identity.profile && existing.identity.account === identity.account)
      return existing;
    const accountSlot = versionSlot(identity.account.id);
    const localNames = deps.localNames.of(identity)?.filter.memory;
    const client = deps.toClient({ clientId: clientIdOf(identity), accountSlot, identity, localNames });
    clients.set(key, client);
    return client;
  };

  const profileVersionOf = (profile: object): number => {
    const version = profileVersions.get(profile) ?? ++lastProfileVersion;
    profileVersions.set(profile, version);
    return version;
  };

  /** Concurrent queries of the same device share one attempt. */
  const makeOnce = (account: AccountId, humanId: HumanId): Promise<boolean> => {
    const key = `${humanId.profile} ${humanId.humanId}`;
    return registrations.run(() => deps.makeDevice(account, humanId), key);
  };

  /** Last client that was identified by addresses only: consecutive queries usually come from the same client. */
  let last: { readonly client: Client; readonly address: Uint8Array; readonly local: Uint8Array } | undefined;

  const identifyClient = (request: DnsRequest, question: Question): ClientResult => {
    const claim = deps.throttle.begin(request, question);
    if (claim === THROTTLED) return THROTTLED_CLIENT;
    const isByAddress = claim === NO_CLAIM && question.macLength === 0;
    if (isByAddress && last && isEqual(last.address, request.client) && isEqual(last.local, request.local))
      return last.client;
    const client = identifyAgain(request, question, claim);
    if (isByAddress && client.kind === 'known')
      last = { client, address: request.client.slice(), local: request.local.slice() };
    return client;
  };

  const identifyAgain = (request: DnsRequest, question: Question, claim: number): ClientResult => {
    const identity = identify(request, question, directory, deps.identify);
    if (claim !== NO_CLAIM)
      deps.throttle.end(claim, request, identity.kind === 'device' || identity.kind === 'unknown human id');
    if (identity.kind === 'device' || identity.kind === 'guest') return clientOf(identity);
    if (identity.kind === 'unknown human id') return CLIENT_NEEDS_LOOKUP;
    return identity.kind === 'drop' ? DROPPED_CLIENT : UNKNOWN_CLIENT;
  };

  return {
    identify: identifyClient,
    /** For a client that needs a lookup: creates its device, then identifies it again. */
    registerDevice: async (request: DnsRequest, question: Question): Promise<ClientResult> => {
      const identity = identify(request, question, directory, deps.identify);
      const isKnown = identity.kind !== 'unknown human id' || (await makeOnce(identity.account.id, identity.humanId));
      const client = isKnown ? identifyClient(request, question) : UNKNOWN_CLIENT;
      return client.kind === 'needs lookup' ? UNKNOWN_CLIENT : client;
    },
    /**
     * Replaces and removes accounts. The clients of these accounts that UDP threads have cached become outdated, and all clients if
     * the change may identify one of them differently.
     */
    replace(
      accounts: readonly DirectoryAccount[],
      removed: readonly string[],
      ruleTables: ReadonlyMap<string, ProfileTables>,
    ): void {
      let identifiesOthers = removed.length > 0;
      last = undefined;
      for (const account of accounts) {
        if (directory.replace(account)) identifiesOthers = true;
        deps.localNames.replace(account);
      }
      for (const [id, tables] of ruleTables) {
        const knownProfile = directory.profile(id);
        if (knownProfile) deps.useRuleTables(knownProfile.profile.settings, tables);
      }
      for (const id of removed) {
        directory.remove(id as DirectoryAccount['id']);
        deps.localNames.remove(id);
      }
      for (const id of [...accounts.map((account) => account.id), ...removed])
        Atomics.add(deps.configVersions, versionSlot(id), 1);
      if (identifiesOthers) Atomics.add(deps.configVersions, GLOBAL, 1);
    },
    /** Replaces many accounts, most of which are not read until a client asks; `parse` reads a line. */
    replaceMany(block: AccountBlock, lines: readonly IndexedLine[], parse: (line: string) => DirectoryAccount): void {
      last = undefined;
      for (const account of directory.replaceMany(block, lines, parse)) deps.localNames.replace(account);
      for (const { id } of lines) Atomics.add(deps.configVersions, versionSlot(id), 1);
      Atomics.add(deps.configVersions, GLOBAL, 1);
    },
    /**
     * Replaces what is known about the hosts of the local network. Clients that UDP threads have cached become outdated only if the
     * change identifies a host as another device.
     */
    setHosts(hosts: readonly KnownHost[]): void {
      last = undefined;
      const before = directory.hosts();
      directory.setHosts(hosts);
      const after = directory.hosts();
      const deviceOf = (facts: HostFacts): KnownDevice | undefined => byIdentifier([facts], directory)?.identity;
      const isMoved =
        [...before.addresses(), ...after.addresses()].some(
          (address) => deviceOf(before.ofAddress(address)) !== deviceOf(after.ofAddress(address)),
        ) ||
        [...before.macs(), ...after.macs()].some((mac) => deviceOf(before.ofMac(mac)) !== deviceOf(after.ofMac(mac)));
      if (isMoved) Atomics.add(deps.configVersions, GLOBAL, 1);
    },
    /** A client in the form that is sent to UDP threads; undefined if they cannot answer it. */
    toUpdate(client: ClientResult): VersionedClient | undefined {
      if (client.kind === 'needs lookup' || client === THROTTLED_CLIENT) return undefined;
      if (client.kind !== 'known') return { result: { kind: client.kind }, slot: GLOBAL };
      const { clientId, accountSlot, identity } = client;
      const localNames = client.localNames?.memory;
      const profileVersion = profileVersionOf(identity.profile);
      const ruleTables = deps.ruleTablesOf(identity.profile.settings);
      return {
        result: { kind: 'known', clientId, accountSlot, identity, profileVersion, ruleTables, localNames },
        slot: versionSlot(identity.account.id),
      };
    },
    /** The device of this account that a client without an id is recognised as, and the reason. */
    explainClient: (client: DescribedClient, account: AccountId): IdentifiedClient =>
      explainClient(client, account, directory, deps.identify),
    /** The property that identified the client of a query. */
    identifiedBy: (request: DnsRequest, question: Question): string =>
      identifiedBy(request, question, directory, deps.identify),
    /** Result of a query for a proof name. */
    addressProof: (request: DnsRequest, question: Question) => addressProof(request, question, directory),
    /** The client for a device of this profile, or for an unknown client that uses this profile. */
    find(profile: string, device: string | undefined): Client | undefined {
      const identity = device === undefined ? directory.profile(profile) : directory.byId(device);
      return identity?.profile.id === profile ? clientOf(identity) : undefined;
    },
    size: directory.size,
  };
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

export type ClientRegistry = ReturnType<typeof createClientRegistry>;
