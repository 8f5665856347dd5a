import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Deps, DnsState, SystemState } from '../api/deps.ts';
import { createLiveLog } from '../api/live-log.ts';
import type { WatchLog } from '../api/log-deps.ts';
import { listConfigurations } from '../compile-api/list-configurations.ts';
import { checkForwardUpstreams, checkUpstreams } from '../dns-server/account-upstreams.ts';
import type { DirectorySnapshot } from '../dns-server/directory-snapshot.ts';
import { createExpressionSteps } from '../dns-server/regex-steps.ts';
import { openCompanies } from '../domain/catalogue/company-data.ts';
import { type EncryptedListeners, offeredHosts } from '../domain/offered-hosts.ts';
import { followNamesRegularly } from '../operations/follow-names.ts';
import { recordOperator } from '../operations/operator.ts';
import { createPasswords } from '../operations/passwords.ts';
import { applyRetentionRegularly } from '../operations/retention.ts';
import { readDataFile } from '../platform/read-data-file.ts';
import { version } from '../platform/version.ts';
import type { QueryLog } from '../query-log/index.ts';
import { ruleStatus } from '../rules/rule-status.ts';
import type { Settings } from '../settings/settings.ts';
import { backupFolder } from '../store/backup-folder.ts';
import type { Store } from '../store/store.ts';
import { addressBy } from './client-of-request.ts';
import { ddnsLookup } from './ddns-lookup.ts';
import type { LogOutput } from './log-output.ts';
import { maintenanceOf } from './maintenance.ts';
import type { OperatorSettings } from './operator-settings.ts';
import { passkeyChecks } from './passkey-checks.ts';
import { removeLeftoverUploads, restoreUpload } from './restore-upload.ts';
import { printSetUpLink } from './set-up-notice.ts';
import type { SharedState } from './shared-state.ts';
import { parseSigner, signProfile } from './sign-profile.ts';
import { systemOf } from './system.ts';
import { checkForUpdates } from './update-check.ts';

/** Functions of the resolver that the management API uses. */
export type ResolverStatus = Pick<
  Deps,
  | 'fetchedList'
  | 'listHealth'
  | 'changedRules'
  | 'listOverlap'
  | 'safetyLists'
  | 'refreshList'
  | 'acceptList'
  | 'explain'
  | 'skippedRules'
  | 'loadedFilters'
  | 'dnsAddresses'
> & {
  /** The addresses of all DNS listeners. */
  readonly listening: () => readonly { readonly address: string; readonly port: number }[];
  readonly encrypted: EncryptedListeners;
  readonly dnsState: () => Promise<(DnsState & Pick<SystemState, 'listeners'>) | undefined>;
  /** False if the cache is in use and was not cleared. */
  readonly clearCache: () => boolean;
  readonly reloadCertificates: () => Promise<void>;
};

type ManagementParts = Pick<Deps, 'catalogue' | 'plans' | 'clientOf' | 'publicUrl' | 'networkClients'> & {
  readonly store: Store;
  /** Set while the store cannot be read. */
  readonly lastKnown: DirectorySnapshot | undefined;
  readonly records: QueryLog;
  /** New queries of all nodes. */
  readonly watchLog: WatchLog;
  readonly shared: SharedState;
  readonly resolver: ResolverStatus;
  readonly http: () => SystemState['listeners'];
  readonly acme: () => SystemState['acme'];
  readonly settingsControl: OperatorSettings;
  readonly log: Logger;
  readonly output: LogOutput;
};

/** Opens everything that the management API needs. */
export async function openManagement(settings: Settings, parts: ManagementParts) {
  await using opened = new AsyncDisposableStack();
  const { store, lastKnown, records, resolver, log } = parts;
  const passwords = createPasswords();
  const hashing = passwords.hash(randomBytes(16).toString('hex'), 'start');
  const queryLog = records.log;
  const retention = applyRetentionRegularly(store, queryLog, settings, (problem) =>
    log.warn({ err: problem }, 'retention job failed'),
  );
  opened.defer(retention.stop);
  const random = (bytes: number): Uint8Array => randomBytes(bytes);
  const { linkPrivateAddress } = settings;
  const addressBehind = ddnsLookup({ allowNetworks: settings.allowSourceAddress });
  const following = followNamesRegularly(
    { store, addressBehind, linkPrivateAddress, now: Date.now, random },
    (problem) => log.warn({ err: problem }, 'lookup of dynamic DNS names failed'),
  );
  opened.defer(following.stop);
  const updates = checkForUpdates(settings.updateUrl, version);
  opened.defer(updates.stop);
  const signer = await readSigner(settings);
  await removeLeftoverUploads(settings.data).catch((problem: unknown) =>
    log.warn({ err: problem }, 'failed to delete unfinished uploads of backups'),
  );
  const backups = backupFolder(settings.data, store.backup);
  const deps: Deps = {
    store,
    log: { ...queryLog, pageJson: records.pageJson },
    liveLog: createLiveLog(parts.watchLog, store, Date.now),
    catalogue: parts.catalogue,
    companies: await readDataFile(settings.companies, (content) => openCompanies((content ?? {}) as object)),
    fetchedList: resolver.fetchedList,
    listHealth: resolver.listHealth,
    changedRules: resolver.changedRules,
    listOverlap: resolver.listOverlap,
    safetyLists: resolver.safetyLists,
    refreshList: resolver.refreshList,
    acceptList: resolver.acceptList,
    maxCustomLists: settings.maxCustomLists,
    operator: settings.operator,
    system: systemOf({ settings, records, backups, http: parts.http, acme: parts.acme, resolver, updates }),
    backUp: () => backups.make(Date.now()),
    openBackup: backups.openLast,
    restoreUpload: restoreUpload(settings.data, store, () => backups.make(Date.now())),
    onRestored: (createdAt) =>
      log.warn(
        { backupOf: new Date(createdAt).toISOString() },
        'all accounts were replaced with those of a backup; the audit log has the user',
      ),
    settings: parts.settingsControl.api,
    maintenance: maintenanceOf(resolver, parts.settingsControl.current),
    checkConfiguration: listConfigurations(settings),
    explain: resolver.explain,
    expressionSteps: createExpressionSteps(),
    ruleStatus,
    skippedRules: resolver.skippedRules,
    loadedFilters: resolver.loadedFilters,
    checkUpstreams: (upstreams) => checkUpstreams(upstreams, settings.allowSourceAddress),
    checkForwardUpstreams: (upstreams, mayBePrivate) =>
      checkForwardUpstreams(upstreams, {
        allowNetworks: settings.allowSourceAddress,
        mayBePrivate,
        listening: resolver.listening(),
      }),
    plans: parts.plans,
    dns: dnsOf(settings, resolver.encrypted, parts.acme),
    passwords: {
      hash: passwords.hash,
      hasRoom: passwords.hasRoom,
      noteSignedIn: passwords.noteSignedIn,
      verify: async (password, hash, from) => {
        if (!(await passwords.verify(password, hash, from))) return 'wrong';
        return passwords.isOld(hash) ? 'right, but weakly hashed' : 'right';
      },
      dummyHash: await hashing,
    },
    oauth: { clients: oauthClients(settings), signInPage: '/authorize' },
    passkeys: passkeyChecks,
    productName: settings.productName,
    sessionIdleMinutes: settings.sessionIdleMinutes,
    sessionKeepDays: settings.sessionKeepDays,
    ...(settings.apiRequestsPerMinute > 0 && {
      requestRate: parts.shared.perMinute('api', settings.apiRequestsPerMinute),
    }),
    ...(parts.shared.attempts && { sharedAttempts: parts.shared.attempts }),
    now: Date.now,
    random,
    sha256: (text) => createHash('sha256').update(text).digest(),
    hmacSha1: (key, message) => createHmac('sha1', key).update(message).digest(),
    clientOf: parts.clientOf,
    addressOf: addressBy(settings),
    publicUrl: parts.publicUrl,
    addressBehind,
    linkPrivateAddress,
    dnsAddresses: resolver.dnsAddresses,
    networkClients: parts.networkClients,
    ...(signer && { signProfile: (xml: string) => signProfile(xml, signer, new Date()) }),
  };
  if (!lastKnown) await nameOperator(store, deps, log);
  const stack = opened.move();
  return {
    deps,
    offerSetUp: async () => {
      // A snapshot proves that accounts exist, even if the store cannot be read now.
      if (!lastKnown) await printSetUpLink(deps, { settings, log, output: parts.output });
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

function dnsOf(settings: Settings, listeners: EncryptedListeners, acme: ManagementParts['acme']): Deps['dns'] {
  const hostsWith = (isSelfSigned: boolean): Deps['dns']['hosts'] => ({
    ...offeredHosts(settings, listeners, isSelfSigned),
    deviceDomain: settings.deviceDomain ?? settings.dnsHost,
    serverName: settings.productName,
    plainIpv4: settings.plainAddress.filter((address) => !address.includes(':')),
    plainIpv6: settings.plainAddress.filter((address) => address.includes(':')),
  });
  const [trusted, selfSigned] = [hostsWith(false), hostsWith(true)];
  return {
    // Evaluated per request, because an ACME certificate may be obtained after the start.
    get hosts() {
      return settings.certificate.length > 0 || acme()?.certificate === 'valid' ? trusted : selfSigned;
    },
    deviceNetwork: settings.deviceNetwork,
    dedicatedPool: settings.dedicatedAddress,
  };
}

const oauthClients = ({ oauthClient }: Settings): Deps['oauth']['clients'] =>
  [...Map.groupBy(oauthClient, ({ id }) => id)].map(([id, redirects]) => ({
    id,
    redirectUris: redirects.map(({ redirectUri }) => redirectUri),
  }));

async function readSigner({ profileCertificate, profileKey }: Settings) {
  if (profileCertificate === undefined || profileKey === undefined) return undefined;
  return parseSigner(await readFile(profileCertificate, 'utf8'), await readFile(profileKey, 'utf8'));
}
