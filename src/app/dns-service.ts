import { randomBytes } from 'node:crypto';
import { availableParallelism, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import type { Logger } from 'pino';
import { openAccountTables } from '../dns-server/account-tables.ts';
import { everybodyIn, openDirectoryFeed } from '../dns-server/directory-feed.ts';
import { type DirectorySnapshot, snapshotPath, writeSnapshot } from '../dns-server/directory-snapshot.ts';
import { readSecrets } from '../dns-server/dns-secrets.ts';
import { linkProven } from '../dns-server/link-proven.ts';
import { listenAll } from '../dns-server/listen-all.ts';
import { makeDevice } from '../dns-server/make-device.ts';
import { type Dns, openDns } from '../dns-server/open-dns.ts';
import { openProbe } from '../dns-server/probe.ts';
import { keepSnapshot } from '../dns-server/save-snapshot.ts';
import { numberTables } from '../dns-server/table-ids.ts';
import type { FromDns } from '../dns-server/thread-messages.ts';
import type { Plans } from '../domain/account-limits.ts';
import type { Catalogue } from '../domain/catalogue/catalogue.ts';
import { customListsInUse, isDeletedCustomList } from '../filter-lists/custom-lists.ts';
import { isSafetyList, listsInUse, wantedLists } from '../filter-lists/list-request.ts';
import { type Lists, openLists } from '../filter-lists/open-lists.ts';
import { ensureSelfSigned } from '../resolver/transport/self-signed.ts';
import { isUdpBatchPossible } from '../resolver/transport/udp-mmsg.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';

export type DnsServiceDeps = {
  readonly settings: Settings;
  readonly isDefault: (name: keyof Settings) => boolean;
  readonly store: Store;
  /** Where the store cannot be read. */
  readonly lastKnown: DirectorySnapshot | undefined;
  readonly catalogue: Catalogue;
  readonly plans: Plans;
  readonly records: { readonly rings: readonly SharedArrayBuffer[]; readonly naming: MessagePort };
  readonly ownPorts: () => readonly number[];
  readonly log: Logger;
};

export type DnsService = Awaited<ReturnType<typeof openDnsService>>;

const MOST_UDP_THREADS = 4;

/** How many rings of records the threads of these settings fill. */
export const ringsFor = (settings: Settings): number => udpThreads(settings) + 1;

const udpThreads = ({ udpThreads, dns }: Settings): number =>
  dns === 'off' || isUdpBatchPossible() !== true ? 0 : udpThreads || Math.min(MOST_UDP_THREADS, availableParallelism());

/** The resolver: threads that answer, the directory that they answer by, and the lists that they filter with. */
export async function openDnsService(deps: DnsServiceDeps) {
  const { settings, log, store } = deps;
  await using opened = new AsyncDisposableStack();
  const secrets = await readSecrets(settings.data);
  const reason = isUdpBatchPossible();
  if (reason !== true && settings.dns !== 'off') log.info({ reason }, 'plain DNS goes packet by packet here');
  const dns = openDns(await dnsOptions(deps, secrets));
  opened.defer(() => dns.stop());

  let lists: Lists | undefined;
  const snapshot = keepSnapshot(
    () => writeSnapshot(snapshotPath(settings.data), Date.now(), everybodyIn(store, deps.plans)),
    (problem) => log.warn({ err: problem }, 'the snapshot of the settings could not be written'),
  );
  opened.defer(() => snapshot.stop());
  const ruleTables = openAccountTables(secrets.names, (problem) =>
    log.warn({ err: problem }, 'rules with regular expressions could not be made into a table in time'),
  );
  opened.defer(ruleTables.close);
  const feed = await openDirectoryFeed({
    ruleTables,
    store,
    plans: deps.plans,
    lastKnown: deps.lastKnown?.accounts,
    tell: dns.useAccounts,
    onTold() {
      snapshot.soon();
      void lists?.review();
    },
  });
  opened.defer(async () => feed.stop());
  lists = await openLists({
    folder: join(settings.data, 'lists'),
    secret: secrets.names,
    wanted: () =>
      wantedLists(listsInUse(feed.profiles()), {
        catalogue: deps.catalogue.lists,
        safety: safetySources(settings),
        custom: customListsInUse(feed.lists()),
      }),
    isDeleted: (id) =>
      feed.isFromStore() && isDeletedCustomList(id, deps.catalogue.lists.has(id) || isSafetyList(id), feed.lists()),
    everySeconds: settings.listUpdateIntervalSeconds,
    downloading: {
      sourcePorts: settings.sourcePort,
      allowNetworks: settings.allowSourceAddress,
      allowHosts: settings.allowSourceHost,
      maxSourceBytes: settings.maxSourceSizeBytes,
      maxCompilationBytes: settings.maxCompilationSizeBytes,
      maxAccountRules: settings.maxCustomListRules,
    },
    ownPorts: deps.ownPorts,
    log,
  });
  opened.defer(() => lists?.close());
  await useLists(dns, lists, settings, log);
  const where = await listenAll(dns, settings, deps.isDefault, log);
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
    where,
    areSettingsCurrent: () => feed.isFromStore() && !store.areListenersBehind(),
    stop: () => stack.disposeAsync(),
  };
}

async function dnsOptions(deps: DnsServiceDeps, secrets: Awaited<ReturnType<typeof readSecrets>>) {
  const { settings, log, records } = deps;
  const deviceDomain = settings.deviceDomain ?? settings.dnsHost;
  return {
    answering: {
      secret: secrets.names,
      cookieSecret: secrets.cookies,
      productName: settings.productName,
      queriesPerTenSeconds: settings.queriesPerTenSeconds,
      unlimitedClients: settings.unlimitedClients,
      privateAnswers: settings.privateAnswers,
      privateDomains: settings.privateDomain,
      sendsClientSubnet: settings.clientSubnet === 'forward',
      geoDatabases: settings.geoDatabase,
      services: Array.from(deps.catalogue.services.values(), ({ id, domains }) => [id, domains] as const),
    },
    dns: {
      upstreams: {
        upstreams: settings.upstream,
        fallback: settings.upstreamFallback,
        bootstrap: settings.bootstrap,
        strategy: settings.upstreamStrategy,
        forward: settings.forward.map(({ domain, upstream }) => ({ domains: [domain], upstreams: [upstream] })),
        timeoutMs: settings.upstreamTimeoutSeconds * 1000,
      },
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
      certificate: await certificateOf(settings, deviceDomain, log),
      proxies: settings.proxyProtocol,
      listening: ownPlaces(settings),
    },
    cacheBytes: settings.dnsCacheBytes,
    udpThreads: udpThreads(settings),
    rings: records.rings,
    naming: records.naming,
    change: changesFor(deps),
    tell: (problem: string, error: string | undefined) => log.warn({ ...(error && { error }) }, problem),
    onLost: (error: Error) => {
      // Answers are what this program is for: whoever supervises it starts it again.
      log.fatal({ err: error }, 'a thread of the resolver is lost');
      process.exitCode = 1;
      process.kill(process.pid, 'SIGTERM');
    },
  };
}

/** The changes that the dns thread asks for. */
function changesFor({ store, plans, settings }: DnsServiceDeps): (wanted: FromDns) => Promise<boolean> {
  const random = (bytes: number): Uint8Array => randomBytes(bytes);
  const { linkPrivateAddress } = settings;
  return (wanted) =>
    wanted.kind === 'make device'
      ? makeDevice({ store, plans, now: Date.now, random }, wanted.account, wanted.humanId)
      : linkProven({ store, linkPrivateAddress, now: Date.now, random }, wanted);
}

/** The operator's, or one made for trying out. */
async function certificateOf(
  { certificate, certificateKey, data, dnsHost }: Settings,
  deviceDomain: string,
  log: Logger,
) {
  if (certificate !== undefined && certificateKey !== undefined)
    return { certFile: certificate, keyFile: certificateKey };
  const bare = (host: string): string => host.replace(/:\d+$/, '');
  const names = [...new Set([bare(dnsHost), bare(deviceDomain), `*.${bare(deviceDomain)}`, 'localhost'])];
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .map(({ address }) => address);
  const { made, ...files } = await ensureSelfSigned({
    folder: data,
    names,
    addresses: [...new Set(addresses)],
    now: Date.now(),
  });
  if (made)
    log.info({ file: files.certFile }, 'a certificate for trying out was made: clients must be told to trust it');
  return files;
}

/** Where queries are taken, as far as it is known before anything listens. */
function ownPlaces({ dns, dot, doh }: Settings) {
  const all = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []);
  return [dns, dot, doh].flatMap((place) => {
    if (place === 'off' || place.port === 0) return [];
    const addresses = place.host === '::' || place.host === '0.0.0.0' ? all : [place.host];
    return addresses.map((address) => ({ address, port: place.port }));
  });
}

const safetySources = ({ dangerousList, adultList, newDomainsList }: Settings) => ({
  'dangerous domains': dangerousList,
  adult: adultList,
  'newly registered': newDomainsList,
});

/** The tables that there are, now and whenever one is exchanged. */
async function useLists(dns: Dns, lists: Lists, settings: Settings, log: Logger): Promise<void> {
  const numbered = numberTables(safetySources(settings));
  // Before anything is awaited: no exchange may be missed.
  lists.onSwap(({ id, table }) => {
    numbered.set(id, table);
    dns.useTables(numbered.all()).catch((error: unknown) => log.warn({ err: error }, 'lists could not be exchanged'));
  });
  for (const { id } of lists.status()) numbered.set(id, lists.tableOf(id));
  await dns.useTables(numbered.all());
}
