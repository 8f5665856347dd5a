import type { Logger } from 'pino';
import { registerRoutes } from '../http/register-routes.ts';
import type { Settings } from '../settings/settings.ts';
import { openAdminServer } from './admin-server.ts';
import { anonymousCompilingBy, clientBy } from './client-of-request.ts';
import { openCompileService } from './compile-service.ts';
import type { Health } from './health.ts';
import { httpListener } from './http-listener.ts';
import { createHttpServer } from './http-server.ts';
import type { listeningPorts } from './listening-ports.ts';
import type { LogOutput } from './log-output.ts';
import { createMetrics } from './metrics.ts';
import { registerLogMetrics } from './service-metrics.ts';
import { serviceRoutes } from './service-routes.ts';
import type { SharedState } from './shared-state.ts';

type Parts = {
  readonly settings: Settings;
  readonly shared: SharedState;
  readonly isAdminDefault: boolean;
  readonly ports: ReturnType<typeof listeningPorts>;
  readonly log: Logger;
  readonly output: LogOutput;
};

/** Opens a node that serves the compile service only. It has no accounts: `compile-clients` says who may compile. */
export async function openCompileNode(opened: AsyncDisposableStack, parts: Parts) {
  const { settings, shared, ports, log } = parts;
  const metrics = createMetrics();
  registerLogMetrics(metrics, parts.output);
  shared.register(metrics);
  const stopping = new AbortController();
  const health: Health = {
    isStopping: () => stopping.signal.aborted,
    dns: () => 'off',
    areSettingsCurrent: () => true,
    parts: async () => ({}),
  };
  const { server, useSettings } = createHttpServer(settings, log, metrics);
  const http = httpListener(server, settings);
  const { mayCompile, mayUsePage } = anonymousCompilingBy(settings);
  const clientOf = clientBy(settings);
  const compile = await openCompileService({
    settings,
    log,
    metrics,
    clientOf,
    mayCompile,
    mayUsePage,
    shared,
    ownPorts: ports.all,
  });
  opened.defer(compile.stop);
  const admin = await openAdminServer(settings, parts.isAdminDefault, {
    registry: metrics.registry,
    pages: new Map(),
    health,
  });
  if (admin) opened.defer(admin.stop);
  if (admin) ports.add(admin.port);
  registerRoutes(server, serviceRoutes(compile.routes, health));
  const { address, port } = await http.listen();
  ports.add(port);
  const stop = (): Promise<boolean> => http.stop(compile.stop, () => 0);
  opened.defer(async () => void (await stop()));
  return {
    where: { address, port, ...(admin && { adminPort: admin.port }) },
    offerSetUp: async (): Promise<void> => undefined,
    requestCertificates: (): void => undefined,
    useSettings,
    withdraw: (): void => stopping.abort(),
    stop,
  };
}
