import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Deps } from '../api/deps.ts';
import type { Dns } from '../dns-server/open-dns.ts';
import { parseUpstream } from '../domain/upstream-address.ts';
import { parseIp } from '../kit/ip-address.ts';
import { hostSources } from '../network-clients/host-sources.ts';
import type { ForwardRule } from '../network-clients/lookup-names.ts';
import { openNetworkClients } from '../network-clients/open-network-clients.ts';
import { openVendors } from '../network-clients/vendors.ts';
import { rulesForClient, updateNetworkClients } from '../operations/network-clients.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';

type Parts = {
  readonly settings: Settings;
  readonly store: Store;
  readonly dns: Dns;
  /** Forwarding rules of the operator. */
  readonly forward: () => Settings['forward'];
  readonly log: Logger;
};

/** Discovery of network clients, for the resolver and the management API. */
export function openNetworkClientService({ settings, store, dns, forward, log }: Parts) {
  const { operator, linkPrivateAddress, discoverClients } = settings;
  const clients = openNetworkClients({
    discovery: discoverClients,
    activity: dns.clientActivity,
    setHosts: dns.setHosts,
    sources: hostSources({
      leaseFiles: settings.dhcpLeases,
      now: Date.now,
      onProblem: (problem, err) => log.warn({ err }, problem),
    }),
    rulesFor: async (client) => [
      reverseRules(await rulesForClient(store.read, { operator, linkPrivateAddress }, client)),
      reverseRules(forward().map(({ domain, upstream }) => ({ domain, upstreams: [upstream] }))),
    ],
    update: (account, decide) => updateNetworkClients({ store, operator, linkPrivateAddress }, account, decide),
    now: Date.now,
    newId: () => randomBytes(8).toString('hex'),
    onProblem: (problem, err) => log.warn({ err }, problem),
  });
  const api: Deps['networkClients'] = {
    discovery: discoverClients,
    refresh: clients.refresh,
    vendorOf: openVendors(),
  };
  return { api, stop: clients.stop };
}

/** A process that does not answer DNS discovers no clients. */
export const withoutNetworkClients: Deps['networkClients'] = {
  discovery: 'unavailable',
  refresh: async () => {},
  vendorOf: openVendors(),
};

type ReverseRule = { readonly domain: string; readonly upstreams: readonly string[] };

/** Rules for reverse zones with their first plain DNS server; encrypted servers would need a connection per name. */
const reverseRules = (rules: readonly ReverseRule[]): readonly ForwardRule[] =>
  rules
    .filter(({ domain }) => /(?:^|\.)(?:in-addr|ip6)\.arpa$/.test(domain))
    .flatMap(({ domain, upstreams }) => {
      const [server] = upstreams.flatMap((upstream) => {
        const parsed = parseUpstream(upstream);
        const isUsable = parsed.ok && parsed.value.kind === 'udp' && parseIp(parsed.value.host) !== undefined;
        return isUsable ? [{ address: parsed.value.host, port: parsed.value.port }] : [];
      });
      return server ? [{ domain, server }] : [];
    });
