import { randomFillSync } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import type { AccountId } from '../domain/ids.ts';
import { withoutPort } from '../domain/offered-hosts.ts';
import { createNameKeys, hashKey, readNameKeys } from '../engine/name-keys.ts';
import { collectWhenIdle, trimMalloc } from '../platform/idle-gc.ts';
import { watchThreadLoad } from '../platform/thread-load.ts';
import { createRpc } from '../platform/worker-rpc.ts';
import { openPrefetch } from '../resolver/cache/prefetch.ts';
import { openCacheWriter } from '../resolver/cache/write-cache.ts';
import { openClaims, RESOLVER_THREAD } from '../resolver/forwarder/claims.ts';
import { HAS_NO_LOG, readIndex } from '../resolver/identity/account-block.ts';
import { createClientRegistry } from '../resolver/identity/client-registry.ts';
import type { DirectoryAccount } from '../resolver/identity/directory.ts';
import { identifySettings } from '../resolver/identity/identify.ts';
import { createIdentityThrottle } from '../resolver/identity/identity-throttle.ts';
import { createHostNames } from '../resolver/local-names/host-names.ts';
import { createLocalNameRegistry } from '../resolver/local-names/local-name-registry.ts';
import { createChallengeAnswers } from '../resolver/pipeline/certificate-challenges.ts';
import { designatedResolvers } from '../resolver/pipeline/designated-resolvers.ts';
import { createLocalLookup } from '../resolver/pipeline/local-lookup.ts';
import { createLookups } from '../resolver/pipeline/lookups.ts';
import { createPipeline } from '../resolver/pipeline/pipeline.ts';
import { createResolve } from '../resolver/pipeline/resolve.ts';
import { createFollowAliases, createRewrite } from '../resolver/pipeline/rewrite.ts';
import { clientSubnetOf } from '../resolver/pipeline/subnet.ts';
import { openProfileUpstreams } from '../resolver/upstream/profile-upstreams.ts';
import { sentNames } from '../resolver/upstream/sent-names.ts';
import { upstreamEventText } from '../resolver/upstream/upstream-event-text.ts';
import { readUpstreamSettings, type UpstreamSettings } from '../resolver/upstream/upstream-settings.ts';
import { threadAutomata } from '../rules/regex/regex-runner.ts';
import { parseDirectoryAccount } from './account-blocks.ts';
import { accountUpstreams } from './account-upstreams.ts';
import { createClientIdRegistry } from './client-ids.ts';
import { createDebug } from './debug.ts';
import { readDescriptors } from './descriptor-limits.ts';
import type { DnsSetup } from './dns-setup.ts';
import { explainQuery } from './explain-query.ts';
import { answerForwarded } from './forwarded-queries.ts';
import { countInFlight } from './in-flight.ts';
import { openListeners } from './listeners.ts';
import { loadedFilters } from './loaded-filters.ts';
import { createProve } from './prove-address.ts';
import { publishTargets, type UdpThread } from './publish-targets.ts';
import { countQueries } from './query-counts.ts';
import { wakeUdpThreads } from './relay-queries.ts';
import { setUpAnswering } from './set-up-answering.ts';
import type { FromDns, NumberedTable, ProblemMessage, SkippedMessage, ToDns } from './thread-messages.ts';

/*
 * The resolver thread: it has all clients and waits for upstreams. It serves TCP, TLS and HTTPS, and the queries that UDP threads
 * forward. It alone writes the clock; UDP threads write the cache, too (forwarder.ts).
 */
const setup = workerData as DnsSetup;
const main = parentPort!;
const { memory } = setup.answering;
const report = (problem: string, error?: unknown): void => {
  const text = error instanceof Error ? (error.stack ?? error.message) : typeof error === 'string' ? error : undefined;
  main.postMessage({ kind: 'problem', problem, error: text } satisfies ProblemMessage);
};

// The same time as connections have for their last responses.
const STOP_MS = 1_000;
const EVICT_RULES_MS = 1_000;

const ticks = (): number => Number(process.hrtime.bigint() / 1_000_000n);
const clock = new Int32Array(memory.clock);
const tick = (): void => void Atomics.store(clock, 0, Math.floor(ticks() / 1000));
tick();
setInterval(tick, 200);
const load = watchThreadLoad();
collectWhenIdle({ afterwards: trimMalloc });

const thread = setUpAnswering(setup.answering, (skipped) =>
  main.postMessage({ kind: 'skipped', skipped } satisfies SkippedMessage),
);
setInterval(() => {
  thread.evictRules();
  thread.releaseRing();
}, EVICT_RULES_MS);
const clientIds = createClientIdRegistry(setup.clientIdPort, Date.now);
const identity = identifySettings(setup.identify);
const throttle = createIdentityThrottle({
  settings: identity,
  perMinute: setup.identify.wrongIdsPerMinute,
  secret: setup.answering.secret,
  isExempt: thread.isUnlimited,
});
const localNames = createLocalNameRegistry(thread.secret);
const hostNames = createHostNames();
const namesFor = hostNames.addTo(localNames.of);
const clients = createClientRegistry({
  identify: identity,
  throttle,
  configVersions: new Int32Array(memory.configVersions),
  toClient: thread.toClient,
  localNames,
  ruleTablesOf: thread.ruleTablesOf,
  useRuleTables: thread.useRuleTables,
  makeDevice: (account, humanId) => rpc.call<boolean>({ kind: 'make device', account, humanId }),
  onNewClientId: clientIds.addClient,
});

const upstreamSettings = (texts: DnsSetup['upstreams']): UpstreamSettings => {
  const read = readUpstreamSettings(texts, { listening: setup.listening });
  if (!read.ok) throw new Error(read.error.join('; '));
  return read.value;
};
const firstUpstreams = upstreamSettings(setup.upstreams);
let upstreamTexts = setup.upstreams;
let settingsFor = accountUpstreams(setup);
const upstreams = openProfileUpstreams(firstUpstreams, {
  settingsFor: (group) => settingsFor(group),
  now: ticks,
  randomFill: (bytes) => void randomFillSync(bytes),
  log(event) {
    report(upstreamEventText(event));
    setImmediate(targets.publish);
  },
  ca: setup.extraCa,
  sent: sentNames(memory.sentNames),
});

const nameKeys = createNameKeys();
const key = hashKey(thread.secret);
const writer = openCacheWriter(memory.cache);
const resolve = createResolve({
  reader: thread.cache,
  writer,
  upstreams,
  fingerprint(name) {
    readNameKeys(key, name, 0, nameKeys);
    return { high: nameKeys.high[nameKeys.count]!, low: nameKeys.low[nameKeys.count]! };
  },
  seconds: thread.clock.seconds,
  claims: openClaims(memory.claims, RESOLVER_THREAD, () => wakeUdpThreads(memory.wakeFds)),
});
const prefetch = openPrefetch(memory.cache, { seconds: thread.clock.seconds, refresh: resolve.refresh });

const listeners = openListeners({ ...setup, isUnlimited: thread.isUnlimited }, report);
const followAliases = createFollowAliases(thread.decider, namesFor);
const challenges = createChallengeAnswers(thread.challengeZones, withoutPort(setup.designated.dohHost));
const lookups = createLookups({
  challengeAnswer: challenges.answer,
  registerDevice: clients.registerDevice,
  resolve: resolve.resolve,
  rewrite: createRewrite(followAliases),
  localNames: createLocalLookup({ namesFor, followAliases }),
  debug: createDebug(thread, clients.identifiedBy),
  prove: createProve(clients.addressProof, (link) => rpc.call<boolean>({ kind: 'prove address', ...link })),
  designated: ({ identity }) =>
    designatedResolvers({ ...setup.designated, ...listeners.ports() })(
      identity.kind === 'device' ? identity.device.id : undefined,
    ),
  subnetOf: clientSubnetOf(setup.answering.sendsClientSubnet),
});
const pipeline = createPipeline({ ...thread, identify: clients.identify }, lookups, report);
const inFlight = countInFlight(pipeline.answerAsync);
const { answerAsync } = inFlight;
const { answers, counts: queries } = countQueries({ answerSync: pipeline.answerSync, answerAsync });
const udpThreads: UdpThread[] = [];
const targets = publishTargets(upstreams, firstUpstreams, () => udpThreads, readDescriptors());
let tables: readonly NumberedTable[] = [];

const replaced = (
  accounts: readonly Pick<DirectoryAccount, 'id' | 'logEnabled'>[],
  removed: readonly string[],
): void => {
  const changed = [...accounts.map(({ id }) => id), ...removed];
  thread.releaseRules(changed);
  for (const { send } of udpThreads) send({ kind: 'release rules', accounts: changed });
  clientIds.setAccounts(accounts);
};

const handlers: { readonly [Kind in ToDns['kind']]: (message: Extract<ToDns, { kind: Kind }>) => unknown } = {
  tables(message) {
    tables = message.tables;
    thread.useTables(tables);
    const { secret } = thread;
    const lists = tables.map(({ number, id, buffer, lines }) => ({ number, id, buffer, lines, secret }));
    clientIds.setLists({ kind: 'lists', lists });
    for (const { send } of udpThreads) send({ kind: 'tables', tables });
  },
  accounts({ accounts: lines, removed, ruleTables }) {
    const accounts = lines.map((line) => JSON.parse(line) as DirectoryAccount);
    clients.replace(accounts, removed, ruleTables);
    replaced(accounts, removed);
  },
  'account block'({ block, skipped }) {
    const lines = readIndex(block).filter(({ id }) => !skipped.has(id));
    clients.replaceMany(block, lines, parseDirectoryAccount);
    replaced(
      lines.map(({ id, flags }) => ({ id: id as AccountId, logEnabled: (flags & HAS_NO_LOG) === 0 })),
      [],
    );
  },
  'host records'({ records }) {
    const memory = hostNames.use(records);
    thread.useHostNames(memory);
    for (const { send } of udpThreads) send({ kind: 'host names', memory });
  },
  settings({ settings, upstreams: texts, connections }) {
    // Invalid upstreams are an error before anything is changed.
    const replaced = isDeepStrictEqual(texts, upstreamTexts) ? undefined : upstreamSettings(texts);
    thread.useSettings(settings);
    listeners.useConnections(connections);
    for (const { send } of udpThreads) send({ kind: 'settings', settings });
    if (!replaced) return;
    upstreamTexts = texts;
    settingsFor = accountUpstreams({ ...setup, upstreams: texts });
    upstreams.replace(replaced);
    targets.useForward(replaced.forward);
    // The previous upstreams may have other answers, for example for names of the local network.
    writer.clear();
  },
  'network hosts': ({ hosts }) => clients.setHosts(hosts),
  'client activity'({ round }) {
    for (const { send } of udpThreads) send({ kind: 'report activity', round });
    return thread.activity.take();
  },
  'client id port': ({ clientIdPort }) => clientIds.resendAll(clientIdPort),
  listen: ({ on, host, port }) => listeners.listen(on, { host, port }, answers),
  unlisten: ({ on }) => listeners.unlisten(on),
  'web port': ({ webPort }) => listeners.serveWeb(webPort),
  'udp thread'({ link }) {
    const configVersions = new Int32Array(memory.configVersions);
    const forwarded = answerForwarded({
      link,
      answers: { answerSync: pipeline.answerSync, answerAsync },
      clients,
      configVersions,
      upstreams,
      report,
    });
    const udpThread = { ...forwarded, forwardCounters: new Float64Array(link.forwardCounters) };
    udpThreads.push(udpThread);
    targets.start(udpThread);
    forwarded.send({ kind: 'tables', tables });
    forwarded.send({ kind: 'host names', memory: thread.hostNames.filter?.memory });
  },
  'reload certificates': () => listeners.reloadCertificates(),
  'certificate challenges'({ records, certificates }) {
    challenges.use(records);
    listeners.setChallenges(certificates);
  },
  staples: ({ staples }) => listeners.useStaples(staples),
  status: () => ({
    load: load.takeLoad(),
    upstreams: upstreams.status(),
    cache: writer.size(),
    directory: clients.size(),
    listeners: listeners.status(),
    prefetched: prefetch.count(),
    queries: queries(),
    identities: throttle.counts(),
    automatonBytes: threadAutomata.bytes(),
  }),
  explain({ account, dnsServer, device, client: described, query }) {
    const identified = described && clients.explainClient(described, account);
    const isOfServer = identified?.dnsServer === dnsServer;
    const client = clients.find(dnsServer, device ?? (isOfServer ? identified.device : undefined));
    return client && { ...explainQuery(thread, client, query, namesFor), client: identified };
  },
  'loaded filters'({ dnsServers }) {
    const status = upstreams.status();
    const clientsOfServers = dnsServers.flatMap((id) => clients.find(id, undefined) ?? []);
    return new Map(
      clientsOfServers.map((client) => [client.identity.profile.id, loadedFilters(client, status, Date.now())]),
    );
  },
  async stop() {
    prefetch.stop();
    targets.stop();
    for (const { send } of udpThreads) send({ kind: 'stop' });
    await Promise.all([listeners.stop(), inFlight.settled(STOP_MS)]);
    await upstreams.stop();
  },
};

const rpc = createRpc<FromDns, ToDns>(main, (message) => handlers[message.kind](message as never));
