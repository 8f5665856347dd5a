import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isAuthenticated } from '../api/is-authenticated.ts';
import { registerManagement } from '../api/register-management.ts';
import { strangeHostBy } from '../http/host-check.ts';
import { registerRoutes } from '../http/register-routes.ts';
import { tidyWhenIdle } from '../platform/idle-gc.ts';
import { version } from '../platform/version.ts';
import type { Settings } from '../settings/settings.ts';
import { startAdminServer } from './admin-server.ts';
import { openCompileService } from './compile-service.ts';
import { registerDnsMetrics } from './dns-metrics.ts';
import { type DnsService, openDnsService } from './dns-service.ts';
import { dropRoot, forbidNewPrivileges, giveFolder, type Notice, userToRunAs } from './drop-root.ts';
import { clientBy, createHttpServer, isCompileClientBy } from './http-server.ts';
import { createLog } from './log.ts';
import { type LogOutput, openLogOutput } from './log-output.ts';
import { type FromResolver, openManagement } from './management.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { openData } from './open-data.ts';
import { registerWeb } from './register-web.ts';
import { dnsPages, fromResolver, withoutResolver } from './resolver-status.ts';
import { type DnsState, serviceRoutes } from './service-routes.ts';

// Ten seconds are promised; what is left is for the process to end.
const DRAIN_MS = 7_000;

type IsDefault = (name: keyof Settings) => boolean;

/** Runs the service until it is told to stop; gives the exit code. */
export async function serve(settings: Settings, isDefault: IsDefault, warnings: readonly string[]): Promise<number> {
  const told = toldToStop();
  // Whoever asks for a page now and then is not to wait for it.
  tidyWhenIdle({ idleShare: 0.01 });
  const output = openLogOutput();
  const log = createLog(settings, output);
  const running = await start(settings, isDefault, log, output).catch((error: unknown) => {
    console.error(`weir: cannot start: ${whyNot(error)}`);
    return undefined;
  });
  if (!running) return 1;
  // First: programs that start this one read where it listens from its first line.
  log.info(running.where, 'listening');
  for (const warning of warnings) log.warn(warning);
  for (const [level, details, text] of running.notices) log[level](details, text);
  await running.offerSetUp();
  log.info({ signal: await told }, 'stopping');
  log.info({ drained: await running.stop() }, 'stopped');
  return 0;
}

/** Starts all there is; what it gives back stops it again, the last started first. */
async function start(settings: Settings, isDefault: IsDefault, log: Logger, output: LogOutput) {
  await using started = new AsyncDisposableStack();
  const metrics = createMetrics();
  registerLogMetrics(metrics, output);
  const notices: Parameters<Notice>[] = [];
  const notice: Notice = (...given) => void notices.push(given);
  forbidNewPrivileges(notice);
  const user = userToRunAs(settings, notice);
  await mkdir(settings.data, { recursive: true, mode: 0o700 });
  if (user) giveFolder(settings.data, user);

  const ownPorts: number[] = [];
  let isReady = false;
  let dnsState = (): DnsState => 'starting';
  let drained = true;
  const clientOf = clientBy(settings);
  let isSignedIn: (request: FastifyRequest) => Promise<boolean> = async () => false;
  const isCompileClient = isCompileClientBy(settings);
  const service = await openCompileService({
    settings,
    log,
    metrics,
    clientOf,
    mayCompile: (request) => isCompileClient(request) || isSignedIn(request),
    ownPorts: () => ownPorts,
  });
  started.defer(service.stop);
  const server = createHttpServer(settings, log, metrics);
  let url = '';
  const resolver: { -readonly [Part in keyof FromResolver]: FromResolver[Part] } = { ...withoutResolver };
  const adminPages = new Map<string, () => unknown>();
  const http: { name: string; host: string; port: number }[] = [];
  const publicUrl = (): string => settings.publicUrl ?? url;
  const data = await openData(settings, log);
  started.defer(data.stop);
  // Its threads load while this one opens the API.
  const isOff = settings.dns === 'off' && settings.dot === 'off' && settings.doh === 'off';
  const startingDns = isOff
    ? undefined
    : openDnsService({ ...data, settings, isDefault, ownPorts: () => ownPorts, log });
  const dnsAtLast = startingDns?.catch(() => undefined);
  let dns: DnsService | undefined;
  const areSettingsCurrent = (): boolean => (dns?.areSettingsCurrent() ?? true) && data.store.isInPlace();
  started.defer(async () => {
    if (!dns) await (await dnsAtLast)?.stop();
  });
  const management = await openManagement(settings, data, { log, clientOf, publicUrl, resolver, http: () => http });
  started.defer(management.stop);
  // DNS answers before the routes are registered: that takes this thread most of a second.
  await dnsAtLast;
  isSignedIn = (request) => isAuthenticated(management.deps, request);
  await registerManagement(server, management.deps, {
    version,
    onFault: (fault, path) => log.error({ err: fault, path }, 'a request failed'),
  });
  const routes = serviceRoutes(service.routes, {
    isReady: () => isReady && dnsState() !== 'not answering',
    dns: () => dnsState(),
    areSettingsCurrent,
  });
  registerRoutes(server, routes);
  registerWeb(server, () => settings.publicUrl ?? url);
  const { address, port } = await listenHttp(server, settings.http);
  started.defer(async () => {
    isReady = false;
    drained = await drain(server, service.stop);
  });
  const admin =
    settings.admin === 'off'
      ? undefined
      : await startAdminServer(settings.admin, isDefault('admin'), {
          metrics,
          pages: adminPages,
          // Without trusted proxies: this listener is not behind a proxy, and trusting loopback would admit every local browser.
          isUnknownHost: strangeHostBy({ ...settings, trustedProxy: [] }),
        });
  if (admin) started.defer(admin.stop);

  await data.recordsReady;
  dns = await startingDns;
  if (dns) {
    const { dns: threads, stop } = dns;
    started.defer(stop);
    data.records.onRestart((naming) => {
      threads.useNaming(naming).catch((err: unknown) => log.warn({ err }, 'the query log does not learn who is who'));
    });
    Object.assign(resolver, fromResolver(dns));
    const sources = { ...dns, records: data.records };
    registerDnsMetrics(metrics.registry, sources);
    metrics.gauge(
      'weir_dns_settings_are_current',
      'Whether answers follow the settings as they are; 0 while the last known ones do in place of a store that is away.',
      () => Number(areSettingsCurrent()),
    );
    for (const [path, page] of dnsPages(sources)) adminPages.set(path, page);
    ownPorts.push(...Object.values(dns.where).map((place) => place.port));
  }

  if (user) dropRoot(user, settings.data, notice);
  http.push({ name: 'http', host: address, port });
  ownPorts.push(port, ...(admin ? [admin.port] : []));
  dnsState = () => (!dns ? 'off' : dns.isAnswering() ? 'listening' : 'not answering');
  isReady = true;
  url = `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
  const stack = started.move();
  return {
    where: { address, port, url, ...(admin && { adminPort: admin.port }), ...dns?.where },
    notices,
    offerSetUp: management.offerSetUp,
    /** Says whether everything that was begun was finished. */
    stop: async () => {
      // Before DNS drains: a load balancer must stop sending now.
      isReady = false;
      await stack.disposeAsync();
      return drained;
    },
  };
}

/** Takes no more requests and finishes those it has; what is not done in time is told so, and let go. */
async function drain(server: FastifyInstance, stopWork: () => Promise<void>): Promise<boolean> {
  const drained = server.close().then(() => 'drained' as const);
  const first = await Promise.race([drained, setTimeout(DRAIN_MS, 'late' as const, { ref: false })]);
  if (first === 'drained') return true;
  await stopWork();
  await Promise.race([drained, setTimeout(DRAIN_MS / 16, undefined, { ref: false })]);
  server.server.closeAllConnections();
  await drained;
  return false;
}

function registerLogMetrics({ counter }: Metrics, { counts }: LogOutput): void {
  counter(
    'weir_log_write_errors_total',
    'Attempts to write the log that failed; each is retried.',
    () => counts().errors,
  );
  counter('weir_log_lines_lost_total', 'Log lines dropped because too many could not be written.', () => counts().lost);
}

async function toldToStop(): Promise<string> {
  return Promise.race(['SIGTERM', 'SIGINT'].map((signal) => once(process, signal).then(() => signal)));
}

async function listenHttp(server: FastifyInstance, { host, port }: Settings['http']): Promise<AddressInfo> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    // A machine without IPv6 still has all of its other addresses.
    if (host !== '::' || (error as NodeJS.ErrnoException).code !== 'EAFNOSUPPORT') throw error;
    await server.listen({ host: '0.0.0.0', port });
  }
  return server.server.address() as AddressInfo;
}

const startFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken by another program',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'that is not permitted to this user',
};

function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  const where = address === undefined ? '' : `${address}:${port ?? ''}: `;
  return `${where}${startFaults[code] ?? error.message}`;
}
