import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import type { Logger } from 'pino';
import { certificateFile, readCertificate, writeCertificate } from '../acme/acme-files.ts';
import { openAccountTables } from '../dns-server/account-tables.ts';
import {
  type DirectorySource,
  type LastKnown,
  openDirectoryFeed,
  type SentAccounts,
} from '../dns-server/directory-feed.ts';
import { type SnapshotFiles, snapshotPath } from '../dns-server/directory-snapshot.ts';
import { readSecrets } from '../dns-server/dns-secrets.ts';
import { watchHostsFile } from '../dns-server/hosts-file.ts';
import { listenAll } from '../dns-server/listen-all.ts';
import { type Dns, openDns } from '../dns-server/open-dns.ts';
import { openProbe } from '../dns-server/probe.ts';
import { snapshotWriter } from '../dns-server/save-snapshot.ts';
import { numberTables } from '../dns-server/table-ids.ts';
import type { FromDns } from '../dns-server/thread-messages.ts';
import { withoutPort } from '../domain/offered-hosts.ts';
import type { SafetySources } from '../filter-lists/list-request.ts';
import type { Lists } from '../filter-lists/open-lists.ts';
import type { QueryLog } from '../query-log/index.ts';
import { ensureSelfSigned } from '../resolver/transport/self-signed.ts';
import type { TicketSecret } from '../resolver/transport/ticket-keys.ts';
import { isUdpBatchPossible } from '../resolver/transport/udp-mmsg.ts';
import type { Settings } from '../settings/settings.ts';
import { acmeFolder, challengeZonesOf } from './acme-names.ts';
import { udpThreadsFor } from './dns-threads.ts';
import { httpTimeoutMs } from './http-timeout.ts';
import { connectionSettings, liveDnsSettings, upstreamTexts } from './live-dns-settings.ts';
import { openOcspService } from './ocsp-service.ts';
import { type FilterListParts, openFilterLists } from './open-filter-lists.ts';

export type DnsServiceDeps = FilterListParts & {
  readonly isDefault: (name: keyof Settings) => boolean;
  readonly source: DirectorySource;
  /** Changes that the resolver thread requests; false if a change is not allowed. */
  readonly change: (request: FromDns) => Promise<boolean>;
  /** The accounts to start with; undefined: all are read from the source. */
  readonly lastKnown: LastKnown | undefined;
  /** The files of these accounts, if changes may be appended to them. */
  readonly snapshotFiles?: SnapshotFiles | undefined;
  /** The newest change up to which all changes are applied; undefined while changes are being applied. */
  readonly appliedPosition: () => string | undefined;
  /** Secret of the controller or the database; default: the one in the data folder. */
  readonly cookieSecret?: Uint8Array | undefined;
  /** Secret of TLS session tickets, if it is shared with other nodes. */
  readonly ticketSecret?: TicketSecret | undefined;
  readonly records: Pick<QueryLog, 'rings' | 'clientIdPort' | 'onRestart'>;
};

export type DnsService = Awaited<ReturnType<typeof openDnsService>>;

/** The resolver: its threads, the directory of accounts and devices, and the filter lists. */
export async function openDnsService(deps: DnsServiceDeps) {
  const { settings, log, source, safety } = deps;
  await using opened = new AsyncDisposableStack();
  const secrets = await readSecrets(settings.data);
  const reason = isUdpBatchPossible();
  if (reason !== true && settings.dns !== 'off') log.info({ reason }, 'recvmmsg unavailable, using dgram');
  const options = await dnsOptions(deps, secrets);
  const threads = openDns(options);
  opened.defer(() => threads.stop());
  const stapling = openOcspService({
    settings,
    certificates: options.dns.certificates,
    dns: threads,
    ownPorts: deps.ports.all,
    log,
  });
  opened.defer(stapling.stop);
  const dns = {
    ...threads,
    reloadCertificates: async (): Promise<void> => {
      await threads.reloadCertificates();
      // Not awaited, because it may request an OCSP response.
      void stapling.check();
    },
  };
  deps.records.onRestart((clientIdPort) => {
    dns
      .useClientIdPort(clientIdPort)
      .catch((err: unknown) => log.warn({ err }, 'failed to resend client ids to the query-log thread'));
  });

  const onAccounts = new Set<(sent: SentAccounts) => void>();
  const snapshot = snapshotWriter({
    path: snapshotPath(settings.data),
    allAccounts: () => source.allAccounts(),
    position: deps.appliedPosition,
    files: deps.snapshotFiles,
    onProblem: (problem) => log.warn({ err: problem }, 'failed to write the snapshot of the settings'),
  });
  opened.defer(() => snapshot.stop());
  onAccounts.add((sent) => snapshot.changed(sent));
  const ruleTables = openAccountTables(secrets.names, (problem) =>
    log.warn({ err: problem }, 'rules with regular expressions were not compiled in time'),
  );
  opened.defer(ruleTables.close);
  const feed = await openDirectoryFeed({
    ruleTables,
    source,
    lastKnown: deps.lastKnown,
    send: dns.useAccounts,
    sendBlock: dns.useAccountBlock,
    onSent(sent) {
      for (const call of onAccounts) call(sent);
    },
  });
  opened.defer(async () => feed.stop());
  const isContinued = deps.lastKnown && deps.lastKnown.changes !== 'replaced';
  if (isContinued && !deps.snapshotFiles) snapshot.changed({ accounts: 'all', removed: [] });
  const lists = await openFilterLists(deps, feed, secrets.names);
  opened.defer(() => lists.close());
  onAccounts.add(({ haveListsChanged }) => {
    if (haveListsChanged) void lists.review();
  });
  // Lists of accounts that changed while the others were loaded.
  void lists.review();
  await useLists(dns, lists, safety, log);
  const watchHosts = async ({ hostsFile }: Settings) =>
    hostsFile === undefined
      ? undefined
      : watchHostsFile({
          path: hostsFile,
          use: dns.useHostRecords,
          warn: (problem, details) => log.warn(details, problem),
        });
  let hosts = await watchHosts(settings);
  opened.defer(async () => hosts?.stop());
  let { forward } = settings;
  const where = await listenAll(dns, settings, deps.isDefault, log);
  for (const { port } of Object.values(where)) deps.ports.add(port);
  const probe = openProbe({
    plain: settings.proxyProtocol.length === 0 ? where.dns : undefined,
    ping: dns.status,
    onChange: (isAnswering) =>
      isAnswering
        ? log.info('the resolver answers again')
        : log.error('the resolver does not answer a DNS query within two seconds'),
  });
  opened.defer(async () => probe.stop());
  const stack = opened.move();
  return {
    isAnswering: probe.isAnswering,
    dns,
    lists,
    safety,
    where,
    /** OCSP responses; started after the user of the process is final, because it writes files. */
    stapling,
    /** False while the last known accounts are used instead of the store's. */
    isFromStore: feed.isFromStore,
    /** Forwarding rules of the operator. */
    forward: (): Settings['forward'] => forward,
    /** Uses upstreams, limits and exceptions of these settings from now on; rejects if upstreams are invalid. */
    async useSettings(next: Settings): Promise<void> {
      const connections = connectionSettings(next);
      await dns.useSettings({ settings: liveDnsSettings(next), upstreams: upstreamTexts(next), connections });
      forward = next.forward;
    },
    /** An edge asks its controller at an interval of its own. */
    async useListInterval({ listUpdateIntervalSeconds }: Settings): Promise<void> {
      if (!deps.listMirror) await lists.useInterval(listUpdateIntervalSeconds);
    },
    async useHostsFile(next: Settings): Promise<void> {
      hosts?.stop();
      await dns.useHostRecords([]);
      hosts = await watchHosts(next);
    },
    stop: () => stack.disposeAsync(),
  };
}

async function dnsOptions(deps: DnsServiceDeps, secrets: Awaited<ReturnType<typeof readSecrets>>) {
  const { settings, log, records } = deps;
  const deviceDomain = settings.deviceDomain ?? settings.dnsHost;
  return {
    answering: {
      secret: secrets.names,
      cookieSecret: deps.cookieSecret ?? secrets.cookies,
      productName: settings.productName,
      ...liveDnsSettings(settings),
      sendsClientSubnet: settings.clientSubnet === 'forward',
      geoDatabases: settings.geoDatabase,
      challengeZones: challengeZonesOf(settings),
      services: Array.from(deps.catalogue.services.values(), ({ id, domains }) => [id, domains] as const),
      categories: Array.from(deps.catalogue.categories.values(), ({ id, domains }) => [id, domains] as const),
    },
    dns: {
      upstreams: upstreamTexts(settings),
      allowNetworks: settings.allowSourceAddress,
      extraCa: [],
      identify: {
        deviceDomain,
        deviceNetwork: settings.deviceNetwork,
        dedicatedPool: settings.dedicatedAddress,
        unknownClients: settings.unknownClients,
        wrongIdsPerMinute: settings.wrongIdsPerMinute,
      },
      designated: { dohHost: settings.dnsHost, deviceDomain, addresses: settings.plainAddress },
      ticketSecret: deps.ticketSecret,
      certificates: await certificatesOf(settings, deviceDomain, log),
      proxies: settings.proxyProtocol,
      web: {
        from: settings.webOnDoh,
        forwarders: settings.trustedProxy,
        timeoutMs: httpTimeoutMs(settings),
      },
      sharePorts: settings.sharePorts === 'on',
      connections: connectionSettings(settings),
      listening: dnsListeners(settings),
    },
    cacheBytes: settings.dnsCacheBytes,
    udpThreads: udpThreadsFor(settings),
    rings: records.rings,
    clientIdPort: records.clientIdPort,
    change: deps.change,
    report: (problem: string, error: string | undefined) => log.warn({ ...(error && { error }) }, problem),
    onLost: (error: Error) => {
      // DNS is not answered without this thread: exit, so that the supervisor restarts the service.
      log.fatal({ err: error }, 'a resolver thread has ended');
      process.exitCode = 1;
      process.kill(process.pid, 'SIGTERM');
    },
  };
}

/** The operator's certificates, the one of ACME, or a self-signed one for testing. */
async function certificatesOf(
  { certificate, certificateKey, acmeDomains, data, dnsHost }: Settings,
  deviceDomain: string,
  log: Logger,
) {
  if (certificate.length > 0) return certificate.map((certFile, nth) => ({ certFile, keyFile: certificateKey[nth]! }));
  const names = [
    ...new Set([withoutPort(dnsHost), withoutPort(deviceDomain), `*.${withoutPort(deviceDomain)}`, 'localhost']),
  ];
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .map(({ address }) => address);
  const { made, ...files } = await ensureSelfSigned({
    folder: data,
    names,
    addresses: [...new Set(addresses)],
    now: Date.now(),
  });
  if (made && acmeDomains.length === 0)
    log.info(
      { file: files.certFile },
      'created a self-signed certificate for testing: clients must be configured to trust it',
    );
  if (acmeDomains.length === 0) return [files];
  // Used until the first certificate of the authority replaces it.
  const folder = acmeFolder({ data });
  if (!(await readCertificate(folder)))
    await writeCertificate(folder, await readFile(files.certFile, 'utf8'), await readFile(files.keyFile, 'utf8'));
  return [{ certFile: certificateFile(folder), keyFile: certificateFile(folder) }];
}

/** The DNS listeners, with the properties that are known before they are opened. */
function dnsListeners({ dns, dot, doh }: Settings) {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? []);
  return [dns, dot, doh].flatMap((listener) => {
    if (listener === 'off' || listener.port === 0) return [];
    const addresses = listener.host === '::' || listener.host === '0.0.0.0' ? all : [listener.host];
    return addresses.map((address) => ({ address, port: listener.port }));
  });
}

/** Passes the current tables to the threads, and again whenever one is replaced. */
async function useLists(dns: Dns, lists: Lists, safety: SafetySources, log: Logger): Promise<void> {
  const numbered = numberTables(safety);
  // Subscribes before the first await, so that no replacement is missed.
  lists.onSwap(({ id, table }) => {
    numbered.set(id, table);
    dns.useTables(numbered.all()).catch((error: unknown) => log.warn({ err: error }, 'failed to replace filter lists'));
  });
  for (const { id } of lists.status()) numbered.set(id, lists.tableOf(id));
  await dns.useTables(numbered.all());
}
