import type { Server } from 'node:http';
import { isAuthenticated } from '../api/is-authenticated.ts';
import { registerManagement } from '../api/register-management.ts';
import type { Dns } from '../dns-server/open-dns.ts';
import { registerRoutes } from '../http/register-routes.ts';
import { version } from '../platform/version.ts';
import type { Settings } from '../settings/settings.ts';
import { anonymousCompilingBy, clientBy } from './client-of-request.ts';
import { openCompileService } from './compile-service.ts';
import { serveEdges } from './controller.ts';
import { httpListener } from './http-listener.ts';
import { createHttpServer } from './http-server.ts';
import { acceptHttps } from './https-connections.ts';
import { redirectToHttps } from './https-redirect.ts';
import { listsForEdges } from './lists-for-edges.ts';
import { openManagement } from './management.ts';
import { withoutNetworkClients } from './network-clients.ts';
import { type FullNodeParts, openNode } from './open-node.ts';
import { registerWeb } from './register-web.ts';
import { resolverStatus, withoutResolver } from './resolver-status.ts';
import { serviceRoutes } from './service-routes.ts';
import { serveOnlySetUp } from './set-up-gate.ts';

/** Requests at the listener for DNS over HTTPS. */
async function openHttps({ openWebPort }: Pick<Dns, 'openWebPort'>, server: Server) {
  const port = await openWebPort();
  return { ...acceptHttps(port, server), stop: async () => port.close() };
}

/** Opens discovery, management, compile service and HTTP. `opened` closes them in reverse. */
export async function openHttp(opened: AsyncDisposableStack, parts: FullNodeParts) {
  const { settings, catalogue, store, lastKnown, records, shared, dns, ports, log } = parts;
  const node = openNode(opened, parts);
  const { metrics, networkClients, areSettingsCurrent, health } = node;

  const { server, useSettings } = createHttpServer(settings, log, metrics);
  const http = httpListener(server, settings);
  redirectToHttps(server, settings, () => dns?.where.doh?.port);
  const acme = dns && settings.acmeDomains.length > 0 && (await import('./certificate-service.ts'));
  const certificates = acme ? await acme.openCertificateService({ settings, dns: dns.dns, server, log }) : undefined;
  const clientOf = clientBy(settings);
  const edgeLists = dns ? undefined : listsForEdges(parts);
  if (edgeLists) {
    opened.defer(edgeLists.stop);
    // Opened before edges request lists. If the store cannot be read, no edges are known yet.
    const nodes = await store.read.nodes.list().catch(() => []);
    if (nodes.length > 0) void edgeLists.opened();
  }
  const management = await openManagement(settings, {
    ...catalogue,
    store,
    lastKnown,
    records,
    watchLog: node.watchLog,
    shared,
    resolver: dns ? resolverStatus(dns, areSettingsCurrent) : withoutResolver(edgeLists?.current),
    clientOf,
    publicUrl: () => settings.publicUrl ?? http.url(),
    networkClients: networkClients?.api ?? withoutNetworkClients,
    http: http.listeners,
    acme: () => certificates?.state(),
    settingsControl: parts.settingsControl,
    log,
    output: parts.output,
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
    shared,
    ownPorts: ports.all,
  });
  opened.defer(compile.stop);
  const admin = await node.openAdmin();

  serveOnlySetUp(server, async () => (await store.read.accounts.count()) > 0);
  await registerManagement(server, management.deps, {
    version,
    onFault: (fault, about) => log.error({ err: fault, ...about }, 'request failed'),
  });
  await serveEdges(server, { ...parts, lists: async () => dns?.lists ?? edgeLists?.opened() });
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
    where: { address, port, url: http.url(), ...admin },
    offerSetUp: management.offerSetUp,
    /** Call this after root was dropped, because the files that it creates must be readable later. */
    requestCertificates: (): void => certificates?.start(),
    useSettings,
    useListInterval: async (next: Settings): Promise<void> => edgeLists?.useInterval(next),
    withdraw: node.withdraw,
    /** Resolves to whether all requests in flight were completed. */
    stop,
  };
}
