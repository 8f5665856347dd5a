import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { QueryLog } from '../query-log/index.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';
import { openAdminServer } from './admin-server.ts';
import { registerDnsMetrics } from './dns-metrics.ts';
import type { openDnsService } from './dns-service.ts';
import type { Health } from './health.ts';
import { isStale, readHealthParts } from './health-parts.ts';
import type { listeningPorts } from './listening-ports.ts';
import type { LogOutput } from './log-output.ts';
import { createMetrics } from './metrics.ts';
import { openNetworkClientService } from './network-clients.ts';
import type { openSettingsStore } from './open-settings.ts';
import type { OperatorSettings } from './operator-settings.ts';
import type { readCatalogue } from './read-catalogue.ts';
import { dnsPages } from './resolver-status.ts';
import { registerLogMetrics, registerStoreMetrics } from './service-metrics.ts';
import type { SharedState } from './shared-state.ts';

/** State of the settings, from the store or a controller. */
type SettingsState = Pick<Store, 'isInPlace' | 'areListenersBehind' | 'changes' | 'listenerFailures' | 'connections'>;

export type NodeParts = {
  readonly settings: Settings;
  readonly isAdminDefault: boolean;
  readonly state: SettingsState;
  /** Undefined on a node that follows a controller. */
  readonly store: Store | undefined;
  readonly records: QueryLog;
  readonly shared: SharedState;
  /** Undefined if DNS is off. */
  readonly dns: Awaited<ReturnType<typeof openDnsService>> | undefined;
  readonly ports: ReturnType<typeof listeningPorts>;
  readonly log: Logger;
  readonly output: LogOutput;
  readonly settingsControl: OperatorSettings;
};

type Opened = Awaited<ReturnType<typeof openSettingsStore>>;

/** The parts of a node with a store. */
export type FullNodeParts = NodeParts &
  Pick<Opened, 'store' | 'lastKnown'> & { readonly catalogue: Awaited<ReturnType<typeof readCatalogue>> };

/** Opens the parts of every node with accounts: metrics, health checks and discovery. `opened` closes them in reverse. */
export function openNode(opened: AsyncDisposableStack, parts: NodeParts) {
  const { settings, state, store, records, shared, dns, log } = parts;
  const metrics = createMetrics();
  registerLogMetrics(metrics, parts.output);
  shared.register(metrics);
  const liveLog = shared.liveLog(records.subscribe);
  opened.defer(async () => liveLog.stop());
  const networkClients =
    dns && store && openNetworkClientService({ settings, store, dns: dns.dns, forward: dns.forward, log });
  // Not awaited: the last sightings may be lost if the database does not answer.
  if (networkClients) opened.defer(() => Promise.race([networkClients.stop(), sleep(1000, undefined, { ref: false })]));
  const areSettingsCurrent = (): boolean =>
    state.isInPlace() && !state.areListenersBehind() && !isStale(state.changes()) && (dns?.isFromStore() ?? true);
  registerStoreMetrics(metrics, {
    areSettingsCurrent,
    listenerFailures: state.listenerFailures,
    connections: state.connections,
    changes: state.changes,
  });
  const sources = dns && { ...dns, records };
  if (sources) registerDnsMetrics(metrics.registry, sources);
  const stopping = new AbortController();
  const health: Health = {
    isStopping: () => stopping.signal.aborted,
    dns: () => (!dns ? 'off' : dns.isAnswering() ? 'listening' : 'not answering'),
    areSettingsCurrent,
    parts: () => readHealthParts({ areSettingsCurrent, changes: state.changes, dns: dns?.dns, records }),
  };
  return {
    metrics,
    networkClients,
    watchLog: liveLog.watch,
    areSettingsCurrent,
    health,
    /** Reports "not ready" first, so that load balancers stop sending before connections are closed. */
    withdraw: (): void => stopping.abort(),
    openAdmin: async (): Promise<{ readonly adminPort?: number }> => {
      const pages = new Map(sources ? dnsPages(sources) : []);
      const admin = await openAdminServer(settings, parts.isAdminDefault, {
        registry: metrics.registry,
        pages,
        health,
      });
      if (!admin) return {};
      opened.defer(admin.stop);
      parts.ports.add(admin.port);
      return { adminPort: admin.port };
    },
  };
}
