import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { readSecrets } from '../dns-server/dns-secrets.ts';
import { collectWhenIdle } from '../platform/idle-gc.ts';
import { localNetworkAddresses } from '../platform/own-addresses.ts';
import { canRaisePriority, lowerV8Threads } from '../platform/thread-priority.ts';
import type { ReadSettings, Settings } from '../settings/settings.ts';
import { accountsAtStart } from './accounts-at-start.ts';
import { clientAddresses } from './client-addresses.ts';
import { directoryOfStore } from './directory-of-store.ts';
import { type DnsService, openDnsService } from './dns-service.ts';
import { readableByOthers } from './doctor/check-machine.ts';
import { dropRoot, forbidNewPrivileges, giveFolder, type Notice, userToRunAs } from './drop-root.ts';
import { listeningPorts } from './listening-ports.ts';
import { createLog } from './log.ts';
import { type LogOutput, openLogOutput } from './log-output.ts';
import { openQueryLog } from './open-query-log.ts';
import { openSettingsStore } from './open-settings.ts';
import { type OperatorSettings, operatorSettings, type ReadWith } from './operator-settings.ts';
import { readCatalogue } from './read-catalogue.ts';
import { settingsReloader } from './reload-settings.ts';
import { safetySources } from './safety-sources.ts';
import { openServiceManager } from './service-manager.ts';
import { sharedListsOf } from './shared-filter-lists.ts';
import { openSharedSecrets } from './shared-secrets.ts';
import { openSharedState } from './shared-state.ts';
import { startError } from './start-error.ts';

/** Documented time limit of the stop, after `drain`. */
const STOP_MS = 10_000;
/** Time for writing the last log lines. */
const EXIT_MS = 500;

type IsDefault = (name: keyof Settings) => boolean;

/** Runs the service until a signal stops it; returns the exit code. */
export async function serve(read: ReadSettings, readWith: ReadWith): Promise<number> {
  const { settings, isDefault, warnings } = read;
  const settingsControl = operatorSettings(read, readWith);
  // Otherwise the answering threads and the log thread have a higher priority than V8's threads, which they sometimes wait for.
  if (!canRaisePriority()) lowerV8Threads();
  const signalled = stopSignal();
  // Ignored during the start, because the settings were just read.
  let reload = (): void => undefined;
  process.on('SIGHUP', () => reload());
  collectWhenIdle();
  const output = openLogOutput();
  const log = createLog(settings, output);
  const stopping = new AbortController();
  void signalled.then(() => stopping.abort());
  const { signal } = stopping;
  const running = await start({ settings, isDefault, log, output, signal, settingsControl }).catch((error: unknown) => {
    console.error(`weir: cannot start: ${startError(error)}`);
    return undefined;
  });
  if (!running) return 1;
  const manager = openServiceManager({
    env: process.env,
    isHealthy: running.isHealthy,
    warn: (details, text) => log.warn(details, text),
  });
  let { drainSeconds } = settings;
  const apply = settingsReloader({
    started: settings,
    readAgain: () => settingsControl.readAgain(),
    parts: {
      ...running.liveParts,
      log: ({ logLevel }) => {
        log.level = logLevel;
      },
      stop: (next) => {
        drainSeconds = next.drainSeconds;
      },
    },
    log,
  });
  const reloadSettings = settingsControl.reloadWith(apply);
  reload = () => {
    manager.reloading();
    void Promise.all([
      reloadSettings().catch((err: unknown) => log.error({ err }, 'settings not reloaded')),
      running.reloadCertificates().catch((err: unknown) => log.error({ err }, 'certificates not reloaded')),
    ]).finally(manager.ready);
  };
  // Must be the first line, because programs that start this one read the addresses from it.
  log.info(running.where, 'listening');
  for (const [details, text] of clientAddresses(running.where, localNetworkAddresses())) log.info(details, text);
  for (const warning of warnings) log.warn(warning);
  for (const [level, details, text] of running.notices) log[level](details, text);
  await running.offerSetUp();
  manager.ready();
  log.info({ signal: await signalled }, 'stopping');
  manager.stopping();
  const isEndedSoon = stopSignal();
  running.withdraw();
  // A second signal ends the wait.
  await Promise.race([isEndedSoon, sleep(drainSeconds * 1000, undefined, { ref: false })]);
  const drained = await Promise.race([running.stop(), sleep(STOP_MS, 'late' as const, { ref: false })]);
  if (drained !== 'late') {
    log.info({ drained }, 'stopped');
    // Threads and connections that still wait must not keep the process alive.
    setTimeout(() => process.exit(0), EXIT_MS).unref();
    return 0;
  }
  log.error({ seconds: STOP_MS / 1000 }, 'shutdown timed out: exiting with threads or connections still open');
  // Threads and connections that still wait would keep the process alive.
  process.exit(1);
}

type Starting = {
  readonly settings: Settings;
  readonly isDefault: IsDefault;
  readonly log: Logger;
  readonly output: LogOutput;
  /** Ends a start that waits for a controller. */
  readonly signal: AbortSignal;
  readonly settingsControl: OperatorSettings;
};

/** Opens store, query log, DNS with its lists, management and HTTP, in this order. `stop` closes them in reverse. */
async function start({ settings, isDefault, log, output, signal, settingsControl }: Starting) {
  await using opened = new AsyncDisposableStack();
  const notices: Parameters<Notice>[] = [];
  const notice: Notice = (...args) => void notices.push(args);
  forbidNewPrivileges(notice);
  const user = userToRunAs(settings, notice);
  await mkdir(settings.data, { recursive: true, mode: 0o700 });
  if (user) giveFolder(settings.data, user);
  const mode = readableByOthers(settings.data);
  if (mode !== undefined)
    notice(
      'warn',
      { folder: settings.data, mode },
      'other users can read the data folder, which has secrets: run chmod 700',
    );
  const ports = listeningPorts();

  const shared = await openSharedState(settings, log);
  opened.defer(async () => shared.close());
  const isAdminDefault = isDefault('admin');
  if (settings.role === 'compile') {
    const { openCompileNode } = await import('./open-compile-node.ts');
    const node = await openCompileNode(opened, { settings, isAdminDefault, shared, ports, log, output });
    if (user) dropRoot(user, settings.data, notice);
    return { ...runningNode(node, opened.move(), undefined), notices };
  }
  const common = { settings, isDefault, ports, log };
  const parts = { settings, isAdminDefault, shared, ports, log, output, settingsControl };
  if (settings.controller !== undefined) {
    const { openEdge } = await import('./open-edge.ts');
    const edge = await openEdge(settings, log, signal);
    opened.defer(edge.stop);
    const queryLog = openQueryLog(settings, log, edge.log);
    opened.defer(queryLog.close);
    const { records } = queryLog;
    const dns = await openDnsService({ ...common, records, ...edge.directory });
    opened.defer(dns.stop);
    await queryLog.ready;
    const { openDnsNode } = await import('./open-dns-node.ts');
    const node = await openDnsNode(opened, { ...parts, records, state: edge.state, store: undefined, dns });
    if (user) dropRoot(user, settings.data, notice);
    node.requestCertificates();
    dns.stapling.start();
    return { ...runningNode(node, opened.move(), dns), notices };
  }
  const catalogue = await readCatalogue(settings);
  const { store, lastKnown, ...storage } = await openSettingsStore(settings, log, shared.changes);
  opened.defer(storage.close);
  const queryLog = openQueryLog(settings, log);
  opened.defer(queryLog.close);
  const { records } = queryLog;

  const isDnsOff = settings.dns === 'off' && settings.dot === 'off' && settings.doh === 'off';
  const safety = safetySources(settings, catalogue.catalogue);
  const directory = directoryOfStore({ store, plans: catalogue.plans, settings });
  const openedDns = async (): Promise<DnsService> => {
    const atStart = await accountsAtStart(settings.data, lastKnown, directory.continued);
    const { cookies } = await readSecrets(settings.data);
    const { secrets, stop } = await openSharedSecrets(store, cookies, log);
    opened.defer(async () => stop());
    return openDnsService({
      ...common,
      records,
      ...directory,
      ...atStart,
      ...secrets,
      catalogue: catalogue.catalogue,
      safety,
      sharedLists: sharedListsOf(store, settings),
    });
  };
  const dns = isDnsOff ? undefined : await openedDns();
  if (dns) opened.defer(dns.stop);
  await queryLog.ready;
  // Loaded while DNS answers already: HTTP is most of the code, and registering its routes takes this thread most of a second.
  const openNode =
    settings.role === 'dns'
      ? (await import('./open-dns-node.ts')).openDnsNode
      : (await import('./open-http.ts')).openHttp;
  const node = await openNode(opened, { ...parts, records, state: store, store, lastKnown, catalogue, dns });
  if (user) dropRoot(user, settings.data, notice);
  node.requestCertificates();
  dns?.stapling.start();
  return { ...runningNode(node, opened.move(), dns, store.limitWaits), notices };
}

/** The listeners of a node beside DNS. */
type OpenedNode = {
  readonly where: { readonly url?: string; readonly adminPort?: number };
  readonly offerSetUp: () => Promise<void>;
  /** Of HTTP; absent on a node without it. */
  readonly useSettings?: (settings: Settings) => void;
  /** Of the lists for edges. */
  readonly useListInterval?: (settings: Settings) => Promise<void>;
  readonly withdraw: () => void;
  readonly stop: () => Promise<boolean>;
};

const runningNode = (
  node: OpenedNode,
  stack: AsyncDisposableStack,
  dns: DnsService | undefined,
  limitWaits = (): void => undefined,
) => ({
  where: { ...node.where, ...dns?.where },
  offerSetUp: node.offerSetUp,
  isHealthy: (): boolean => dns?.isAnswering() ?? true,
  reloadCertificates: async (): Promise<void> => dns?.dns.reloadCertificates(),
  /** A node without DNS has no use for its settings. */
  liveParts: {
    dns: async (settings: Settings): Promise<void> => dns?.useSettings(settings),
    hostsFile: async (settings: Settings): Promise<void> => dns?.useHostsFile(settings),
    lists: async (settings: Settings): Promise<void> => (dns ?? node).useListInterval?.(settings),
    http: (settings: Settings): void => node.useSettings?.(settings),
  },
  /** Reports "not ready", but continues to answer. */
  withdraw: node.withdraw,
  /** Resolves to whether all requests in flight were completed. */
  stop: async (): Promise<boolean> => {
    limitWaits();
    const isDrained = await node.stop();
    await stack.disposeAsync();
    return isDrained;
  },
});

const stopSignal = (): Promise<string> =>
  Promise.race(['SIGTERM', 'SIGINT'].map((signal) => once(process, signal).then(() => signal)));
