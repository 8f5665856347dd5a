import type { UpstreamAddress } from '../../domain/upstream-address.ts';
import { lookupByServers } from './bootstrap.ts';
import {
  fixedAddress,
  type HostAddresses,
  knownAddress,
  type LookupHost,
  lookedUpAddresses,
  lookupBySystem,
} from './host-addresses.ts';
import { createMember, type Member, type UpstreamEvent } from './member.ts';
import type { Random } from './random.ts';
import { selfAddresses } from './self-addresses.ts';
import type { SentNames } from './sent-names.ts';
import { trustedContext } from './trusted-context.ts';
import { createUpstream, type Upstream, type UpstreamDeps } from './upstream.ts';
import type { UpstreamSettings } from './upstream-settings.ts';

export type MembersDeps = {
  readonly now: () => number;
  readonly random: Random;
  readonly sent: SentNames;
  readonly log: (event: UpstreamEvent) => void;
  /** Certificate authorities in addition to those of the system. */
  readonly ca?: readonly (string | Buffer)[];
  readonly idleMs?: number;
  /** Replaces the system's name lookup. */
  readonly lookup?: LookupHost;
};

function isOff({ listening, isForbidden = () => false }: UpstreamSettings): UpstreamDeps['isOwn'] {
  const isOwn = selfAddresses(listening);
  return (address, port) => isOwn(address, port) || isForbidden(address, port);
}

const WARM_UP_MS = 10_000;

/** Opens no connections: an upstream is connected on its first query. Duplicates are merged. */
export function createMembers(settings: UpstreamSettings, deps: MembersDeps) {
  const { now, random } = deps;
  const common = {
    ...deps,
    isOwn: isOff(settings),
    context: trustedContext(deps.ca),
    mixesCase: settings.mixCase,
    trusted: settings.trustDnssec,
  };
  const knownAt = ({ host, address }: UpstreamAddress): string | undefined => address ?? knownAddress(host);
  const create = (address: UpstreamAddress, addresses: HostAddresses): Upstream =>
    createUpstream(address, { ...common, addresses });

  const bootstrap = settings.bootstrap.map((server) => create(server, fixedAddress(knownAt(server)!)));
  const find = bootstrap.length > 0 ? lookupByServers(bootstrap) : (deps.lookup ?? lookupBySystem());

  // Loaded shortly after the start, so that neither the first answer nor the first encrypted query waits for it.
  const allMembers = [
    settings.upstreams,
    settings.fallback,
    settings.bootstrap,
    ...settings.forward.map((one) => one.upstreams),
  ];
  if (allMembers.flat().some(({ kind }) => kind === 'tls' || kind === 'https'))
    setTimeout(common.context, WARM_UP_MS).unref();

  const byText = new Map<string, Member>();
  const memberOf = (address: UpstreamAddress): Member => {
    const at = knownAt(address);
    const make = (): Member => {
      const addresses = at === undefined ? lookedUpAddresses(address.host, find, now) : fixedAddress(at);
      return createMember(byText.size, create(address, addresses), { now, random, log: deps.log });
    };
    const member = byText.get(address.text) ?? make();
    byText.set(address.text, member);
    return member;
  };

  return {
    of: (addresses: readonly UpstreamAddress[]): readonly Member[] => [...new Set(addresses.map(memberOf))],
    all: (): readonly Member[] => [...byText.values()],
    stop() {
      for (const upstream of bootstrap) upstream.stop();
      for (const { upstream } of byText.values()) upstream.stop();
    },
  };
}
