import assert from 'node:assert/strict';
import { argon2Sync, createHash, createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import Fastify from 'fastify';
import type { Deps } from '../../src/api/deps.ts';
import { registerManagement } from '../../src/api/register-management.ts';
import { logPageText } from '../../src/api/wire/log-page.ts';
import { passkeyChecks } from '../../src/app/passkey-checks.ts';
import { listConfigurations } from '../../src/compile-api/list-configurations.ts';
import { newAccount as ordinaryAccount } from '../../src/domain/account-rules.ts';
import { openCatalogue } from '../../src/domain/catalogue/catalogue.ts';
import { companiesOf, knownDomains } from '../../src/domain/catalogue/company.ts';
import { type AccountId, parseProfileId, shortId } from '../../src/domain/ids.ts';
import { firstProfile } from '../../src/domain/profile-rules.ts';
import { ok } from '../../src/kit/result.ts';
import { newUser } from '../../src/operations/create-account.ts';
import { hashOf } from '../../src/operations/new-secrets.ts';
import { type LogStore, openLog } from '../../src/query-log/index.ts';
import { ruleStatus } from '../../src/rules/rule-status.ts';
import { openStore, type Store, type StoreOptions } from '../../src/store/store.ts';
import { temporaryFolder } from './app/temporary-folder.ts';
import { assertConforms, type Document } from './conforms.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly type: string | null;
  /** Any JSON, because tests check its content. */
  readonly json: ReturnType<JSON['parse']>;
};

type Wish = {
  /** The value of the Authorization header. */
  readonly as?: string;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Management = {
  readonly url: string;
  readonly document: Document;
  readonly store: Store;
  readonly log: LogStore;
  readonly deps: Deps;
  readonly clock: { now: number };
  readonly faults: unknown[];
  readonly ask: (method: string, path: string, wish?: Wish) => Promise<Answer>;
  /** Creates an account; returns the `Authorization` of its owner. */
  readonly account: (email: string) => Promise<string>;
};

/** A test, or `{ after }` of node:test for a whole file. */
type Ending = { after(end: () => unknown): void };

export const PASSWORD = 'correct horse battery staple';
export const NOW = Date.UTC(2026, 10, 15, 12);

/**
 * The management API on a socket, with stores in a temporary folder. Every response is validated against the served OpenAPI document.
 */
export async function startManagement(
  t: Ending,
  given: Partial<Deps> = {},
  storeOptions?: StoreOptions,
): Promise<Management> {
  const folder = await temporaryFolder(t);
  const clock = { now: NOW };
  const now = (): number => clock.now;
  const faults: unknown[] = [];
  const store = await openStore(storeOptions ?? { folder: join(folder, 'settings') });
  const log = await openLog({ folder: join(folder, 'log') }, { now, onProblem: (problem) => faults.push(problem) });
  const pageJson: Deps['log']['pageJson'] = async (...asked) => logPageText(await log.page(...asked));
  const deps: Deps = { ...managementDeps(now), store, log: { ...log, pageJson }, ...given };
  const server = Fastify({ logger: false, bodyLimit: 1024 * 1024 });
  await registerManagement(server, deps, { version: '1.11', onFault: (fault) => faults.push(fault) });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  t.after(async () => {
    await server.close();
    await log.close();
    await store.close();
    assert.deepEqual(faults, []);
  });
  const document = (await asked(url, 'GET', '/swagger/openapi.json', {})).json as Document;
  const ask = async (method: string, path: string, wish: Wish = {}): Promise<Answer> => {
    const answer = await asked(url, method, path, wish);
    assertConforms(document, method, path, answer);
    return answer;
  };
  return {
    url,
    document,
    store,
    log,
    deps,
    clock,
    faults,
    ask,
    account: (email) => newAccount({ deps, store, ask }, email),
  };
}

async function asked(url: string, method: string, path: string, { as, json, form, headers }: Wish): Promise<Answer> {
  const body = form ? new URLSearchParams(form).toString() : json === undefined ? undefined : JSON.stringify(json);
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(as !== undefined && { authorization: as }),
      ...(body !== undefined && { 'content-type': type }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const contentType = response.headers.get('content-type');
  const isJson = contentType === 'application/json' && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    type: contentType,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

/** The first account is created by the set-up; others are written to the store. */
async function newAccount(
  { deps, store, ask }: Pick<Management, 'deps' | 'store' | 'ask'>,
  email: string,
): Promise<string> {
  if ((await store.read.accounts.count()) > 0) return furtherAccount({ deps, store, ask }, email);
  const token = 'ABCDEFGHIJKL';
  await store.inTransaction(({ oneTimeTokens }) => oneTimeTokens.setUp.put(hashOf(deps, token), deps.now() + 60_000));
  const { status, json } = await ask('POST', '/api/v1/set_up', { json: { token, email, password: PASSWORD } });
  assert.equal(status, 200, JSON.stringify(json));
  return `Bearer ${json.access_token}`;
}

async function furtherAccount({ deps, store, ask }: Pick<Management, 'deps' | 'store' | 'ask'>, email: string) {
  const id = `account of ${email}` as AccountId;
  const passwordHash = await deps.passwords.hash(PASSWORD, '127.0.0.1');
  await store.inTransaction(({ accounts }) =>
    accounts.create({
      account: ordinaryAccount(id, 'default', 'UTC', deps.now()),
      owner: newUser(deps, { account: id, email, role: 'owner', passwordHash }),
      profile: firstProfile({ id: parseProfileId(shortId(randomBytes(4)))!, account: id, now: deps.now() }),
    }),
  );
  const { json } = await ask('POST', '/api/v1/session', { json: { email, password: PASSWORD } });
  return `Bearer ${json.access_token}`;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** All dependencies of the API except store and log. */
export function managementDeps(now: () => number): Omit<Deps, 'store' | 'log'> {
  const catalogue = openCatalogue();
  assert.ok(catalogue.ok);
  // Real password hashes with minimal parameters, because tests sign in often.
  const hash = (password: string): string =>
    argon2Sync('argon2id', {
      message: password,
      nonce: Buffer.alloc(16, 1),
      parallelism: 1,
      tagLength: 16,
      memory: 8,
      passes: 1,
    }).toString('base64');
  return {
    catalogue: catalogue.value,
    companies: companiesOf(knownDomains()),
    fetchedList: (id) => (id === 'adguard_dns_filter' ? { rules: 1234, updatedAt: NOW } : undefined),
    listHealth: () => [],
    changedRules: async () => undefined,
    listOverlap: async () => [],
    safetyLists: () => [],
    expressionSteps: () => 0,
    ruleStatus,
    skippedRules: () => undefined,
    dnsAddresses: () => [{ address: '192.168.1.2', port: 53 }],
    networkClients: { discovery: 'on', refresh: async () => {}, vendorOf: () => undefined },
    operator: 'first',
    system: async () => ({
      version: '0',
      nodeVersion: '24',
      database: 'sqlite',
      startedAt: NOW,
      memoryBytes: 1,
      listeners: [],
      dns: undefined,
      records: { written: 0, stored: 0, waiting: 0, lagMs: 0, dropped: {} },
      update: undefined,
      lastBackup: undefined,
      acme: undefined,
    }),
    openBackup: async () => ({ name: 'x.backup', bytes: 1, content: Readable.from([Buffer.from('x')]) }),
    onRestored: () => {},
    restoreUpload: async () => ({ ok: false, error: { kind: 'not restorable', why: 'is not a backup' } }),
    settings: { list: () => [], find: () => undefined, set: async () => ({ ok: false, error: 'is fixed' }) },
    maintenance: {
      askUpstream: async () => ({ kind: 'answer', ms: 1 }),
      examine: async () => [],
      clearCache: () => true,
      reloadCertificates: async () => {},
    },
    backUp: async () => ({ file: '/data/backups/x', bytes: 17, at: 0 }),
    refreshList: async () => {},
    acceptList: async () => {},
    loadedFilters: async () => new Map(),
    maxCustomLists: 3,
    checkConfiguration: listConfigurations({ maxSources: 10, maxPatterns: 100 }),
    checkUpstreams: (upstreams) => ok(upstreams),
    checkForwardUpstreams: (upstreams) => ok(upstreams),
    explain: async () =>
      ok({
        filtering: 'off',
        localNames: [],
        dns64: undefined,
        client: undefined,
        verdict: { kind: 'pass' },
        target: undefined,
        answer: {
          filtered: false,
          why: 'no rules filter the answer',
          lists: [],
          locationRules: [],
          verdict: { kind: 'pass' },
          parts: [],
        },
        rules: [],
        skipped: 0,
        missing: [],
      }),
    plans: {
      default: { devices: 5, dnsServers: 3, userRules: 10, accessRules: 5, dedicatedIpv4: 2, requests: 2 ** 31 - 1 },
    },
    dns: {
      hosts: {
        dohHost: 'd.dns.example',
        dotDomain: 'd.dns.example',
        deviceDomain: 'd.dns.example',
        serverName: 'My DNS',
        plainIpv4: ['192.0.2.53'],
        plainIpv6: [],
      },
      deviceNetwork: '2001:db8::/96',
      dedicatedPool: ['192.0.2.10', '192.0.2.11', '192.0.2.12'],
    },
    passwords: {
      hash: async (password) => hash(password),
      verify: async (password, kept) => (hash(password) === kept ? 'right' : 'wrong'),
      hasRoom: () => true,
      noteSignedIn: () => {},
      dummyHash: 'nobody',
    },
    oauth: {
      clients: [{ id: 'router', redirectUris: ['https://router.example/back'] }],
      signInPage: '/sign-in',
    },
    passkeys: passkeyChecks,
    productName: 'Weir',
    sessionIdleMinutes: 30,
    sessionKeepDays: 30,
    now,
    random: (bytes) => randomBytes(bytes),
    sha256,
    hmacSha1: (key, message) => createHmac('sha1', key).update(message).digest(),
    clientOf: (request) => request.ip,
    addressOf: (request) => request.ip,
    publicUrl: () => 'https://weir.example',
    addressBehind: async () => undefined,
    linkPrivateAddress: 'auto',
  };
}
