import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { registerRoutes } from '../http/register-routes.ts';
import { startAdminServer } from './admin-server.ts';
import { openCompileService } from './compile-service.ts';
import { clientBy, createHttpServer } from './http-server.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { serviceRoutes } from './service-routes.ts';
import type { Settings } from './settings.ts';

// Ten seconds are promised; what is left is for the process to end.
const DRAIN_MS = 8_000;

/** Runs the service until it is told to stop; gives the exit code. */
export async function serve(settings: Settings, isDefault: (name: keyof Settings) => boolean): Promise<number> {
  const log = createLog(settings);
  const metrics = createMetrics();
  await mkdir(settings.data, { recursive: true, mode: 0o700 });

  const ownPorts: number[] = [];
  let isReady = false;
  const server = createHttpServer(settings, log, metrics);
  const service = await openCompileService({
    settings,
    log,
    metrics,
    clientOf: clientBy(settings),
    ownPorts: () => ownPorts,
  });
  registerRoutes(
    server,
    serviceRoutes(service.routes, () => isReady),
  );
  const { address, port } = await listenHttp(server, settings.http);
  const admin =
    settings.admin === 'off' ? undefined : await startAdminServer(settings.admin, isDefault('admin'), metrics);
  ownPorts.push(port, ...(admin ? [admin.port] : []));
  isReady = true;
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
  log.info({ address, port, url, ...(admin && { adminPort: admin.port }) }, 'listening');

  const signal = await toldToStop();
  log.info({ signal }, 'stopping');
  isReady = false;
  const drained = server.close().then(() => 'drained' as const);
  const first = await Promise.race([drained, setTimeout(DRAIN_MS, 'late' as const, { ref: false })]);
  await service.stop();
  if (first === 'late') server.server.closeAllConnections();
  await Promise.all([drained, admin?.stop()]);
  log.info({ drained: first === 'drained' }, 'stopped');
  return 0;
}

async function toldToStop(): Promise<string> {
  const [signal] = (await Promise.race([
    once(process, 'SIGTERM').then(() => ['SIGTERM']),
    once(process, 'SIGINT').then(() => ['SIGINT']),
  ])) as [string];
  return signal;
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
