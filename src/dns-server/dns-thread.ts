import { randomFillSync } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { createNameKeys, hashKey, readNameKeys } from '../engine/name-keys.ts';
import { giveBackFreed, tidyWhenIdle } from '../platform/idle-gc.ts';
import { calls } from '../platform/worker-rpc.ts';
import { openPrefetch } from '../resolver/cache/prefetch.ts';
import { openCacheWriter } from '../resolver/cache/write-cache.ts';
import { createStandings } from '../resolver/identity/client-registry.ts';
import { identifySettings } from '../resolver/identity/identify.ts';
import { createIdentityThrottle } from '../resolver/identity/identity-throttle.ts';
import { networkSet } from '../resolver/identity/networks.ts';
import { designatedResolvers } from '../resolver/pipeline/designated-resolvers.ts';
import { createAnswerAtOnce } from '../resolver/pipeline/fast-path.ts';
import { createResolve } from '../resolver/pipeline/resolve.ts';
import { createRewrite } from '../resolver/pipeline/rewrite.ts';
import { createAnswerLater } from '../resolver/pipeline/slow-path.ts';
import { subnetTeller } from '../resolver/pipeline/subnet.ts';
import { openProfileUpstreams } from '../resolver/upstream/profile-upstreams.ts';
import { readUpstreamSettings } from '../resolver/upstream/upstream-settings.ts';
import { accountUpstreams } from './account-upstreams.ts';
import { setUpAnswering } from './answering-thread.ts';
import { createNamings } from './client-ids.ts';
import { createDebug } from './debug.ts';
import type { DnsSetup } from './dns-setup.ts';
import { explainQuery } from './explain-query.ts';
import { answerMisses } from './forwarded-queries.ts';
import { countUnderWay } from './in-flight.ts';
import { openListeners } from './listeners.ts';
import { createProve } from './prove-address.ts';
import { countQueries } from './query-counts.ts';
import type { FromDns, Naming, NumberedTable, SkippedMessage, ToDns, Told } from './thread-messages.ts';

/*
 * The thread that knows everybody and waits for upstreams: TCP, TLS and HTTPS come here, and whatever udp threads cannot answer. It
 * alone writes the cache and keeps the clock.
 */
const setup = workerData as DnsSetup;
const main = parentPort!;
const { memory } = setup.answering;
const tell = (problem: string, error?: unknown): void => {
  const text = error instanceof Error ? (error.stack ?? error.message) : typeof error === 'string' ? error : undefined;
  main.postMessage({ kind: 'told', problem, error: text } satisfies Told);
};

// As long as connections have for their last answers.
const STOP_MS = 1_000;
const TIDY_MS = 1_000;

const ticks = (): number => Number(process.hrtime.bigint() / 1_000_000n);
const clock = new Int32Array(memory.clock);
const tick = (): void => void Atomics.store(clock, 0, Math.floor(ticks() / 1000));
tick();
setInterval(tick, 200);
tidyWhenIdle({ afterwards: giveBackFreed });

const thread = setUpAnswering(setup.answering, (skipped) =>
  main.postMessage({ kind: 'skipped', skipped } satisfies SkippedMessage),
);
setInterval(thread.tidyRules, TIDY_MS);
const namings = createNamings(setup.naming, Date.now);
const identity = identifySettings(setup.identify);
const throttle = createIdentityThrottle({
  settings: identity,
  perMinute: setup.identify.wrongIdsPerMinute,
  secret: setup.answering.secret,
  isExempt: networkSet(setup.answering.unlimitedClients),
});
const standings = createStandings({
  identify: identity,
  throttle,
  epochs: new Int32Array(memory.epochs),
  standing: thread.standing,
  ruleTablesOf: thread.ruleTablesOf,
  useRuleTables: thread.useRuleTables,
  makeDevice: (account, humanId) => asking.ask<boolean>({ kind: 'make device', account, humanId }),
  name: (naming) => namings.who(naming as Extract<Naming, { kind: 'who' }>),
});

const read = readUpstreamSettings(setup.upstreams, { listening: setup.listening });
if (!read.ok) throw new Error(read.error.join('; '));
const upstreams = openProfileUpstreams(read.value, {
  settingsFor: accountUpstreams(setup),
  now: ticks,
  randomFill: (bytes) => void randomFillSync(bytes),
  log: (event) => tell(`upstream: ${JSON.stringify(event)}`),
  ca: setup.extraCa,
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
});
const prefetch = openPrefetch(memory.cache, { seconds: thread.clock.seconds, refresh: resolve.refresh });

const listeners = openListeners({ ...setup, unlimitedClients: setup.answering.unlimitedClients }, tell);
const atOnce = createAnswerAtOnce({ ...thread, standingOf: standings.standsNow });
const underWay = countUnderWay(
  createAnswerLater({
    ...thread,
    standingOf: standings.standsLater,
    resolve: resolve.resolve,
    rewrite: createRewrite(thread.decider),
    debug: createDebug(thread),
    prove: createProve(standings.addressProof, (link) => asking.ask<boolean>({ kind: 'prove address', ...link })),
    designated: (standing) =>
      designatedResolvers({ ...setup.designated, ...listeners.ports() })(
        standing.known.kind === 'device' ? standing.known.device.id : undefined,
      ),
    subnetOf: subnetTeller(setup.answering.tellsSubnet),
    wallMs: thread.clock.wallMs,
    tell,
  }),
);
const { later } = underWay;
const { answers, counts: queries } = countQueries({ atOnce, later });
// What udp threads hand over, they have counted already: counted twice, clients would have half of what they may.
const counted = createAnswerAtOnce({ ...thread, limit: { take: () => 'pass' }, standingOf: standings.standsNow });
const udp: ReturnType<typeof answerMisses>[] = [];
let tables: readonly NumberedTable[] = [];

const handlers: { readonly [Kind in ToDns['kind']]: (message: Extract<ToDns, { kind: Kind }>) => unknown } = {
  tables(message) {
    tables = message.tables;
    thread.useTables(tables);
    const { secret } = thread;
    const lists = tables.map(({ number, id, buffer, lines }) => ({ number, id, buffer, lines, secret }));
    namings.lists({ kind: 'lists', lists });
    for (const { post } of udp) post({ kind: 'tables', tables });
  },
  accounts({ accounts, removed, ruleTables }) {
    standings.replace(accounts, removed, ruleTables);
    namings.accounts(accounts);
  },
  naming: ({ naming }) => namings.tellAnew(naming),
  listen: ({ on, host, port }) => listeners.listen(on, { host, port }, answers),
  unlisten: ({ on }) => listeners.unlisten(on),
  'udp thread'({ link }) {
    const thread = answerMisses(link, { atOnce: counted, later }, standings, new Int32Array(memory.epochs), tell);
    udp.push(thread);
    thread.post({ kind: 'tables', tables });
  },
  status: () => ({
    upstreams: upstreams.status(),
    cache: writer.size(),
    directory: standings.size(),
    listeners: listeners.status(),
    prefetched: prefetch.count(),
    queries: queries(),
    identities: throttle.counts(),
  }),
  explain({ dnsServer, device, ...question }) {
    const standing = standings.standingIn(dnsServer, device);
    return standing && explainQuery(thread, standing, question);
  },
  async stop() {
    prefetch.stop();
    for (const { post } of udp) post({ kind: 'stop' });
    await Promise.all([listeners.stop(), underWay.given(STOP_MS)]);
    await upstreams.stop();
  },
};

const asking = calls<FromDns, ToDns>(main, (message) => handlers[message.kind](message as never));
