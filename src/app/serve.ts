import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import type { Logger } from 'pino';
import { isAuthenticated } from '../api/is-authenticated.ts';
import { registerManagement } from '../api/register-management.ts';
import { registerRoutes } from '../http/register-routes.ts';
import { collectWhenIdle } from '../platform/idle-gc.ts';
import { lowerV8Threads } from '../platform/thread-priority.ts';
import { version } from '../platform/version.ts';
import type { Settings } from '../settings/settings.ts';
import { openAdminServer } from './admin-server.ts';
import { clientBy, isCompileClientBy } from './client-of-request.ts';
import { openCompileService } from './compile-service.ts';
import { registerDnsMetrics } from './dns-metrics.ts';
import { openDnsService } from './dns-service.ts';
import { dropRoot, forbidNewPrivileges, giveFolder, type Notice, userToRunAs } from './drop-root.ts';
import { httpListener } from './http-listener.ts';
import { createHttpServer } from './http-server.ts';
import { listeningPorts } from './listening-ports.ts';
import { createLog } from './log.ts';
import { type LogOutput, openLogOutput } from './log-output.ts';
import { openManagement } from './management.ts';
import { createMetrics } from './metrics.ts';
import { openNetworkClientService, withoutNetworkClients } from './network-clients.ts';
import { openQueryLog } from './open-query-log.ts';
import { openSettingsStore } from './open-settings.ts';
import { readCatalogue } from './read-catalogue.ts';
import { registerWeb } from './register-web.ts';
import { dnsPages, resolverStatus, withoutResolver } from './resolver-status.ts';
import { registerLogMetrics, registerStoreMetrics } from './service-metrics.ts';
import { type DnsState, serviceRoutes } from './service-routes.ts';
import { serveOnlySetUp } from './set-up-gate.ts';
import { startError } from './start-error.ts';

type IsDefault = (name: keyof Settings) => boolean;

/** Runs the service until a signal stops it; returns the exit code. */
export async function serve(settings: Settings, isDefault: IsDefault, warnings: readonly string[]): Promise<number> {
  lowerV8Threads();
  const signalled = stopSignal();
  // Collects only when nearly idle: a page that is requested now and then must not wait for a collection.
  collectWhenIdle({ idleShare: 0.01 });
  const output = openLogOutput();
  const log = createLog(settings, output);
  const running = await start(settings, isDefault, log, output).catch((error: unknown) => {
    console.error(`weir: cannot start: ${startError(error)}`);
    return undefined;
  });
  if (!running) return 1;
  // The first line, because programs that start this one read the addresses from it.
  log.info(running.where, 'listening');
  for (const warning of warnings) log.warn(warning);
  for (const [level, details, text] of running.notices) log[level](details, text);
  await running.offerSetUp();
  log.info({ signal: await signalled }, 'stopping');
  log.info({ drained: await running.stop() }, 'stopped');
  return 0;
}

/** Opens store, query log, DNS with its lists, management and HTTP, in this order. `stop` closes them in reverse. */
async function start(settings: Settings, isDefault: IsDefault, log: Logger, output: LogOutput) {
  await using opened = new AsyncDisposableStack();
  const metrics = createMetrics();
  registerLogMetrics(metrics, output);
  const notices: Parameters<Notice>[] = [];
  const notice: Notice = (...given) => void notices.push(given);
  forbidNewPrivileges(notice);
  const user = userToRunAs(settings, notice);
  await mkdir(settings.data, { recursive: true, mode: 0o700 });
  if (user) giveFolder(settings.data, user);
  const ports = listeningPorts();

  const catalogue = await readCatalogue(settings);
  const { store, lastKnown, ...storage } = await openSettingsStore(settings, log);
  opened.defer(storage.close);
  const queryLog = openQueryLog(settings, log);
  opened.defer(queryLog.close);

  // Listens before the routes are registered: registration takes this thread most of a second.
  const isDnsOff = settings.dns === 'off' && settings.dot === 'off' && settings.doh === 'off';
  const dns = isDnsOff
    ? undefined
    : await openDnsService({
        ...catalogue,
        settings,
        isDefault,
        store,
        lastKnown,
        records: queryLog.records,
        ports,
        log,
      });
  if (dns) opened.defer(dns.stop);
  const networkClients = dns && openNetworkClientService({ settings, store, dns: dns.dns, log });
  if (networkClients) opened.defer(networkClients.stop);
  await queryLog.ready;
  const areSettingsCurrent = (): boolean =>
    store.isInPlace() && !store.areListenersBehind() && (dns?.isFromStore() ?? true);
  registerStoreMetrics(metrics, { areSettingsCurrent, listenerFailures: store.listenerFailures });
  const sources = dns && { ...dns, records: queryLog.records };
  if (sources) registerDnsMetrics(metrics.registry, sources);

  const server = createHttpServer(settings, log, metrics);
  const http = httpListener(server, settings);
  const clientOf = clientBy(settings);
  const management = await openManagement(settings, {
    ...catalogue,
    store,
    lastKnown,
    records: queryLog.records,
    resolver: dns ? resolverStatus(dns, areSettingsCurrent) : withoutResolver,
    clientOf,
    publicUrl: () => settings.publicUrl ?? http.url(),
    networkClients: networkClients?.api ?? withoutNetworkClients,
    http: http.listeners,
    log,
  });
  opened.defer(management.stop);
  const isCompileClient = isCompileClientBy(settings);
  const compile = await openCompileService({
    settings,
    log,
    metrics,
    clientOf,
    mayCompile: (request) => isCompileClient(request) || isAuthenticated(management.deps, request),
    ownPorts: ports.all,
  });
  opened.defer(compile.stop);
  const admin = await openAdminServer(settings, isDefault('admin'), {
    registry: metrics.registry,
    pages: new Map(sources ? dnsPages(sources) : []),
  });
  if (admin) opened.defer(admin.stop);
  if (admin) ports.add(admin.port);

  serveOnlySetUp(server, async () => (await store.read.accounts.count()) > 0);
  const stopping = new AbortController();
  await registerManagement(server, management.deps, {
    version,
    onFault: (fault, path) => log.error({ err: fault, path }, 'request failed'),
  });
  const health = {
    isStopping: () => stopping.signal.aborted,
    dns: (): DnsState => (!dns ? 'off' : dns.isAnswering() ? 'listening' : 'not answering'),
    areSettingsCurrent,
  };
  registerRoutes(server, serviceRoutes(compile.routes, health));
  registerWeb(server, () => settings.publicUrl ?? http.url());
  const { address, port } = await http.listen();
  ports.add(port);
  const stopHttp = (): Promise<boolean> => http.stop(compile.stop);
  opened.defer(async () => void (await stopHttp()));
  if (user) dropRoot(user, settings.data, notice);
  const stack = opened.move();
  return {
    where: { address, port, url: http.url(), ...(admin && { adminPort: admin.port }), ...dns?.where },
    notices,
    offerSetUp: management.offerSetUp,
    /** Resolves to whether all requests in flight were completed. */
    stop: async (): Promise<boolean> => {
      // Not ready from now on: a load balancer must stop sending before connections are closed.
      stopping.abort();
      const isDrained = await stopHttp();
      await stack.disposeAsync();
      return isDrained;
    },
  };
}

const stopSignal = (): Promise<string> =>
  Promise.race(['SIGTERM', 'SIGINT'].map((signal) => once(process, signal).then(() => signal)));
