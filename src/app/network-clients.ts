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
import { updateNetworkClients } from '../operations/network-clients.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';

type Parts = { readonly settings: Settings; readonly store: Store; readonly dns: Dns; readonly log: Logger };

/** Discovery of network clients, for the resolver and the management API. */
export function openNetworkClientService({ settings, store, dns, log }: Parts) {
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
    forward: reverseRules(settings),
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

/** Without DNS in this process there are no clients to discover. */
export const withoutNetworkClients: Deps['networkClients'] = {
  discovery: 'unavailable',
  refresh: async () => {},
  vendorOf: openVendors(),
};

/** Forward rules for reverse zones with a plain DNS server: other servers would need a connection for each name. */
const reverseRules = ({ forward }: Settings): readonly ForwardRule[] =>
  forward.flatMap(({ domain, upstream }) => {
    const server = parseUpstream(upstream);
    const isUsable = server.ok && server.value.kind === 'udp' && parseIp(server.value.host) !== undefined;
    return isUsable && /(?:^|\.)(?:in-addr|ip6)\.arpa$/.test(domain)
      ? [{ domain, server: { address: server.value.host, port: server.value.port } }]
      : [];
  });
