import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isAuthenticated } from '../api/is-authenticated.ts';
import { registerManagement } from '../api/register-management.ts';
import type { Dns } from '../dns-server/open-dns.ts';
import { registerRoutes } from '../http/register-routes.ts';
import { version } from '../platform/version.ts';
import type { QueryLog } from '../query-log/index.ts';
import type { Settings } from '../settings/settings.ts';
import { openAdminServer } from './admin-server.ts';
import { anonymousCompilingBy, clientBy } from './client-of-request.ts';
import { openCompileService } from './compile-service.ts';
import { registerDnsMetrics } from './dns-metrics.ts';
import type { openDnsService } from './dns-service.ts';
import { isStale, readHealthParts } from './health-parts.ts';
import { httpListener } from './http-listener.ts';
import { createHttpServer } from './http-server.ts';
import { acceptHttps } from './https-connections.ts';
import { redirectToHttps } from './https-redirect.ts';
import type { listeningPorts } from './listening-ports.ts';
import type { LogOutput } from './log-output.ts';
import { openManagement } from './management.ts';
import { createMetrics } from './metrics.ts';
import { openNetworkClientService, withoutNetworkClients } from './network-clients.ts';
import type { openSettingsStore } from './open-settings.ts';
import type { readCatalogue } from './read-catalogue.ts';
import { registerWeb } from './register-web.ts';
import { dnsPages, resolverStatus, withoutResolver } from './resolver-status.ts';
import { registerLogMetrics, registerStoreMetrics } from './service-metrics.ts';
import { type DnsState, serviceRoutes } from './service-routes.ts';
import { serveOnlySetUp } from './set-up-gate.ts';

type Opened = Awaited<ReturnType<typeof openSettingsStore>>;

type HttpParts = Pick<Opened, 'store' | 'lastKnown'> & {
  readonly settings: Settings;
  readonly isAdminDefault: boolean;
  readonly catalogue: Awaited<ReturnType<typeof readCatalogue>>;
  readonly records: QueryLog;
  /** Undefined if DNS is off. */
  readonly dns: Awaited<ReturnType<typeof openDnsService>> | undefined;
  readonly ports: ReturnType<typeof listeningPorts>;
  readonly log: Logger;
  readonly output: LogOutput;
};

/** Requests at the listener for DNS over HTTPS. */
async function openHttps({ openWebPort }: Pick<Dns, 'openWebPort'>, server: Server) {
  const port = await openWebPort();
  return { ...acceptHttps(port, server), stop: async () => port.close() };
}

/** Opens discovery, management, compile service and HTTP. `opened` closes them in reverse. */
export async function openHttp(opened: AsyncDisposableStack, parts: HttpParts) {
  const { settings, catalogue, store, lastKnown, records, dns, ports, log } = parts;
  const metrics = createMetrics();
  registerLogMetrics(metrics, parts.output);
  const networkClients = dns && openNetworkClientService({ settings, store, dns: dns.dns, log });
  // The last sightings are not worth a wait for a database that does not answer.
  if (networkClients) opened.defer(() => Promise.race([networkClients.stop(), sleep(1000, undefined, { ref: false })]));
  const areSettingsCurrent = (): boolean =>
    store.isInPlace() && !store.areListenersBehind() && !isStale(store.changes()) && (dns?.isFromStore() ?? true);
  registerStoreMetrics(metrics, {
    areSettingsCurrent,
    listenerFailures: store.listenerFailures,
    connections: store.connections,
    changes: store.changes,
  });
  const sources = dns && { ...dns, records };
  if (sources) registerDnsMetrics(metrics.registry, sources);

  const server = createHttpServer(settings, log, metrics);
  const http = httpListener(server, settings);
  redirectToHttps(server, settings, () => dns?.where.doh?.port);
  const acme = dns && settings.acmeDomains.length > 0 && (await import('./certificate-service.ts'));
  const certificates = acme ? await acme.openCertificateService({ settings, dns: dns.dns, server, log }) : undefined;
  const clientOf = clientBy(settings);
  const management = await openManagement(settings, {
    ...catalogue,
    store,
    lastKnown,
    records,
    resolver: dns ? resolverStatus(dns, areSettingsCurrent) : withoutResolver,
    clientOf,
    publicUrl: () => settings.publicUrl ?? http.url(),
    networkClients: networkClients?.api ?? withoutNetworkClients,
    http: http.listeners,
    acme: () => certificates?.state(),
    log,
  });
  opened.defer(management.stop);
  const anonymous = anonymousCompilingBy(settings);
  const compile = await openCompileService({
    settings,
    log,
    metrics,
    clientOf,
    mayCompile: (request) => anonymous.mayCompile(request) || isAuthenticated(management.deps, request),
    mayUsePage: anonymous.mayUsePage,
    ownPorts: ports.all,
  });
  opened.defer(compile.stop);
  const admin = await openAdminServer(settings, parts.isAdminDefault, {
    registry: metrics.registry,
    pages: new Map(sources ? dnsPages(sources) : []),
  });
  if (admin) opened.defer(admin.stop);
  if (admin) ports.add(admin.port);

  serveOnlySetUp(server, async () => (await store.read.accounts.count()) > 0);
  const stopping = new AbortController();
  await registerManagement(server, management.deps, {
    version,
    onFault: (fault, about) => log.error({ err: fault, ...about }, 'request failed'),
  });
  const health = {
    isStopping: () => stopping.signal.aborted,
    dns: (): DnsState => (!dns ? 'off' : dns.isAnswering() ? 'listening' : 'not answering'),
    areSettingsCurrent,
    parts: () => readHealthParts({ areSettingsCurrent, changes: store.changes, dns: dns?.dns, records }),
  };
  registerRoutes(server, serviceRoutes(compile.routes, health));
  registerWeb(server, () => settings.publicUrl ?? http.url());
  const { address, port } = await http.listen();
  ports.add(port);
  const https = dns && settings.webOnDoh !== 'off' ? await openHttps(dns.dns, server.server) : undefined;
  if (certificates) opened.defer(certificates.stop);
  const stop = (): Promise<boolean> => http.stop(compile.stop, https?.open ?? (() => 0));
  if (https) opened.defer(https.stop);
  opened.defer(async () => void (await stop()));
  return {
    where: { address, port, url: http.url(), ...(admin && { adminPort: admin.port }) },
    offerSetUp: management.offerSetUp,
    /** To be called without root: the files that it creates must be readable later. */
    requestCertificates: (): void => certificates?.start(),
    /** Not ready from now on: a load balancer must stop sending before connections are closed. */
    withdraw: (): void => stopping.abort(),
    /** Resolves to whether all requests in flight were completed. */
    stop,
  };
}
