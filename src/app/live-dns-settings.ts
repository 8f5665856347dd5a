import type { ConnectionSettings, LiveSettings } from '../dns-server/thread-messages.ts';
import type { UpstreamTexts } from '../resolver/upstream/upstream-settings.ts';
import type { Settings } from '../settings/settings.ts';

/** Settings that the answering threads can replace while they run. */
export const liveDnsSettings = (settings: Settings): LiveSettings => ({
  queriesPerTenSeconds: {
    address: settings.queriesPerTenSeconds,
    network: settings.networkQueriesPerTenSeconds,
  },
  unlimitedClients: settings.unlimitedClients,
  privateAnswers: settings.privateAnswers,
  privateDomains: settings.privateDomain,
  forwardedDomains: settings.forward.map(({ domain }) => domain),
});

export const connectionSettings = (settings: Settings): ConnectionSettings => ({
  total: settings.dnsConnections,
  perClient: settings.connectionsPerClient,
});

/** The operator's upstreams, which can also be replaced. */
export const upstreamTexts = (settings: Settings): UpstreamTexts => ({
  upstreams: settings.upstream,
  fallback: settings.upstreamFallback,
  bootstrap: settings.bootstrap,
  strategy: settings.upstreamStrategy,
  forward: forwardsByDomain(settings.forward),
  timeoutMs: settings.upstreamTimeoutSeconds * 1000,
  trustDnssec: settings.dnssec === 'pass',
  mixCase: settings.caseRandomization === 'on',
});

/** If a domain occurs several times, its upstreams are combined. */
const forwardsByDomain = (forwards: Settings['forward']) =>
  Object.entries(Object.groupBy(forwards, ({ domain }) => domain)).map(([domain, all]) => ({
    domains: [domain],
    upstreams: all!.map(({ upstream }) => upstream),
  }));
