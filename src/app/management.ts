import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Deps, DnsState, SystemState } from '../api/deps.ts';
import { createLiveLog } from '../api/live-log.ts';
import { hashOf, issue } from '../api/new-secrets.ts';
import { recordOperator } from '../api/operator.ts';
import { checkUpstreams } from '../dns-server/account-upstreams.ts';
import { createExpressionSteps } from '../dns-server/regex-steps.ts';
import { openCompanies } from '../domain/catalogue/company-data.ts';
import { listConfigurations } from '../filter-lists/list-configurations.ts';
import { backupsIn } from '../operations/backups.ts';
import { createPasswords } from '../operations/passwords.ts';
import { readDataFile } from '../platform/read-data-file.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';
import { ddnsLookup, followNamesRegularly } from './ddns.ts';
import { addressBy } from './http-server.ts';
import type { OpenedData } from './open-data.ts';
import { keepRecordsRegularly } from './retention.ts';
import { parseSigner, signProfile } from './sign-profile.ts';
import { systemOf } from './system.ts';

const SET_UP_MS = 30 * 60_000;

/** What the resolver tells of itself, once there is one. */
export type FromResolver = Pick<Deps, 'fetchedList' | 'listHealth' | 'refreshList' | 'explain' | 'skippedRules'> & {
  readonly dnsState: () => Promise<(DnsState & Pick<SystemState, 'listeners'>) | undefined>;
};

type ManagementParts = {
  readonly log: Logger;
  readonly clientOf: (request: FastifyRequest) => string;
  readonly publicUrl: () => string;
  readonly resolver: FromResolver;
  readonly http: () => readonly { readonly name: string; readonly host: string; readonly port: number }[];
};

/** Everything that the management interface needs, opened; `stop` closes it. */
export async function openManagement(
  settings: Settings,
  data: OpenedData,
  { log, clientOf, publicUrl, resolver, http }: ManagementParts,
) {
  await using opened = new AsyncDisposableStack();
  const { store, lastKnown, records } = data;
  const passwords = createPasswords();
  const hashing = passwords.hash(randomBytes(16).toString('hex'), 'start');
  const queryLog = records.log;
  const keeping = keepRecordsRegularly(store, queryLog, settings.sessionIdleMinutes, (problem) =>
    log.warn({ err: problem }, 'expired records and those of deleted accounts could not be deleted'),
  );
  opened.defer(keeping.stop);
  const random = (bytes: number): Uint8Array => randomBytes(bytes);
  const { linkPrivateAddress } = settings;
  const addressBehind = ddnsLookup({ allowNetworks: settings.allowSourceAddress });
  const following = followNamesRegularly(
    { store, addressBehind, linkPrivateAddress, now: Date.now, random },
    (problem) => log.warn({ err: problem }, 'names of linked addresses could not be looked up'),
  );
  opened.defer(following.stop);
  const signer = await readSigner(settings);
  const backups = backupsIn(settings.data, store);
  const deps: Deps = {
    store,
    log: { ...queryLog, pageText: records.pageJson },
    liveLog: createLiveLog(records.subscribe, store, Date.now),
    catalogue: data.catalogue,
    companies: await readDataFile(settings.companies, (content) => openCompanies((content ?? {}) as object)),
    fetchedList: (id) => resolver.fetchedList(id),
    listHealth: () => resolver.listHealth(),
    refreshList: (id) => resolver.refreshList(id),
    maxCustomLists: settings.maxCustomLists,
    operator: settings.operator,
    system: systemOf({ settings, records, backups, http, resolver }),
    backUp: () => backups.make(Date.now()),
    checkConfiguration: listConfigurations(settings),
    explain: (asked) => resolver.explain(asked),
    expressionSteps: createExpressionSteps(),
    skippedRules: (dnsServer) => resolver.skippedRules(dnsServer),
    checkUpstreams: (upstreams) => checkUpstreams(upstreams, settings.allowSourceAddress),
    plans: data.plans,
    dns: dnsOf(settings),
    passwords: {
      hash: passwords.hash,
      hasRoom: passwords.hasRoom,
      noteSignedIn: passwords.noteSignedIn,
      verify: async (password, hash, from) => {
        if (!(await passwords.verify(password, hash, from))) return 'wrong';
        return passwords.isOld(hash) ? 'right, but weakly hashed' : 'right';
      },
      hashOfNobody: await hashing,
    },
    oauth: { clients: oauthClients(settings), signInPage: '/authorize' },
    productName: settings.productName,
    sessionIdleMinutes: settings.sessionIdleMinutes,
    now: Date.now,
    random,
    sha256: (text) => createHash('sha256').update(text).digest(),
    hmacSha1: (key, message) => createHmac('sha1', key).update(message).digest(),
    clientOf,
    addressOf: addressBy(settings),
    publicUrl,
    addressBehind,
    linkPrivateAddress,
    ...(signer && { signProfile: async (xml: string) => signProfile(xml, signer, new Date()) }),
  };
  if (!lastKnown) await nameOperator(store, deps, log);
  const stack = opened.move();
  return {
    deps,
    offerSetUp: async () => {
      // Whether there are accounts nobody knows then; but there were.
      if (!lastKnown) await offerSetUp(store, deps, log, publicUrl);
    },
    stop: () => stack.disposeAsync(),
  };
}

/** Records the user with the configured address; logs when the address cannot name the operator. */
async function nameOperator(store: Store, deps: Deps, log: Logger): Promise<void> {
  const { operator } = deps;
  const recorded = await store.inTransaction((tx) => recordOperator(tx, deps));
  if (recorded !== undefined || operator === 'nobody' || operator === 'first') return;
  if (await store.read.users.byEmail(operator))
    log.warn(
      { operator },
      'the user with the operator address is not an owner or chose the address itself: run "weir account operator --email" to confirm it',
    );
}

const dnsOf = (settings: Settings): Deps['dns'] => ({
  hosts: {
    dohHost: settings.dnsHost,
    deviceDomain: settings.deviceDomain ?? settings.dnsHost,
    serverName: settings.productName,
    plainIpv4: settings.plainAddress.filter((address) => !address.includes(':')),
    plainIpv6: settings.plainAddress.filter((address) => address.includes(':')),
  },
  deviceNetwork: settings.deviceNetwork,
  dedicatedPool: settings.dedicatedAddress,
});

const oauthClients = ({ oauthClient }: Settings): Deps['oauth']['clients'] =>
  [...Map.groupBy(oauthClient, ({ id }) => id)].map(([id, redirects]) => ({
    id,
    redirectUris: redirects.map(({ redirectUri }) => redirectUri),
  }));

async function readSigner({ profileCertificate, profileKey }: Settings) {
  if (profileCertificate === undefined || profileKey === undefined) return undefined;
  return parseSigner(await readFile(profileCertificate, 'utf8'), await readFile(profileKey, 'utf8'));
}

/** Where nobody has an account yet, whoever reads the log may make the first one, once and soon. */
async function offerSetUp(store: Store, deps: Deps, log: Logger, publicUrl: () => string): Promise<void> {
  if ((await store.read.accounts.count()) > 0) return;
  const { secret } = issue(deps, 'set-up');
  await store.inTransaction(({ tickets }) => tickets.setUp.put(hashOf(deps, secret), Date.now() + SET_UP_MS));
  log.info(
    { setUpUrl: `${publicUrl()}/set-up#${secret}` },
    'no account exists yet: create the first one within 30 minutes',
  );
}
