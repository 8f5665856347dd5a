import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { makeChallengeCertificate } from '../acme/certificate-request.ts';
import { type Challenge, recordText } from '../acme/challenge.ts';
import type { ExternalAccount } from '../acme/jws.ts';
import { type AcmeClock, type AcmeState, openAcme } from '../acme/open-acme.ts';
import type { Dns } from '../dns-server/open-dns.ts';
import { withoutPort } from '../domain/offered-hosts.ts';
import { messageOf } from '../kit/message-of.ts';
import { version } from '../platform/version.ts';
import type { Settings } from '../settings/settings.ts';
import { acmeFolder, CHALLENGE_PATH, challengeName } from './acme-names.ts';

// `import` of node:http evaluates all its exports, including undici, which costs 60 ms of CPU time per thread.
const { createServer } = process.getBuiltinModule('node:http');

type Parts = {
  readonly settings: Settings;
  readonly dns: Pick<Dns, 'setChallenges' | 'reloadCertificates'>;
  /** Undefined on a node without HTTP. */
  readonly server: FastifyInstance | undefined;
  readonly log: Logger;
};

/** Requests and renews the certificate with ACME. Open it before the HTTP server listens, and start it afterwards. */
export async function openCertificateService({ settings, dns, server, log }: Parts) {
  const { acmeChallenge, acmeHttp, acmeDnsZone, http } = settings;
  const tokens = new Map<string, string>();
  const present = async (challenges: readonly Challenge[]): Promise<void> => {
    tokens.clear();
    for (const { kind, token, keyAuthorization } of challenges)
      if (kind === 'http-01') tokens.set(CHALLENGE_PATH + token, keyAuthorization);
    const certificates = challenges.filter(({ kind }) => kind === 'tls-alpn-01').map(challengeCertificate);
    const records = challenges
      .filter(({ kind }) => kind === 'dns-01')
      .flatMap((challenge) => recordsOf(challenge, acmeDnsZone));
    await dns.setChallenges({ records, certificates: await Promise.all(certificates) });
  };

  const acme = await openAcme({
    folder: acmeFolder(settings),
    directory: settings.acmeDirectory,
    domains: settings.acmeDomains,
    email: settings.acmeEmail,
    externalAccount: await readExternalAccount(settings),
    challenge: acmeChallenge,
    host: withoutPort(settings.dnsHost),
    zone: acmeDnsZone,
    present,
    onCertificate: dns.reloadCertificates,
    report: (level, text, details) => log[level](details, text),
    userAgent: `weir/${version}`,
    clock,
    random: Math.random,
  });
  const shared = http.port === acmeHttp.port && http.port !== 0 ? server : undefined;
  if (acmeChallenge === 'http-01' && shared) registerChallenges(shared, tokens);
  const listener =
    acmeChallenge === 'http-01' && !shared ? await openChallengeListener(acmeHttp, tokens, log) : undefined;

  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  return {
    start: (): void => {
      running = acme.run(stopping.signal);
    },
    state: (): AcmeState => acme.state(),
    stop: async (): Promise<void> => {
      stopping.abort();
      await running;
      listener?.closeAllConnections();
      listener?.close();
    },
  };
}

const clock: AcmeClock = {
  now: Date.now,
  // Aborted when the service stops.
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal, ref: false }).catch(() => undefined),
};

const challengeCertificate = async ({ domain, keyAuthorization }: Challenge) => ({
  domain,
  ...(await makeChallengeCertificate(domain, keyAuthorization, Date.now())),
});

/** The record of the challenge name, and the one to which its CNAME record points. */
function recordsOf(challenge: Challenge, zone: string | undefined) {
  const text = recordText(challenge);
  const names = [challengeName(challenge.domain), ...(zone === undefined ? [] : [`${challenge.domain}.${zone}`])];
  return names.map((name) => ({ name, text }));
}

async function readExternalAccount({ acmeEabKeyId, acmeEabKey }: Settings): Promise<ExternalAccount | undefined> {
  if (acmeEabKeyId === undefined || acmeEabKey === undefined) return undefined;
  return { keyId: acmeEabKeyId, key: Buffer.from((await readFile(acmeEabKey, 'utf8')).trim(), 'base64url') };
}

/** Served by the HTTP server, if it listens on the port of the challenges. */
function registerChallenges(server: FastifyInstance, tokens: ReadonlyMap<string, string>): void {
  server.get(`${CHALLENGE_PATH}:token`, (request, reply) => {
    const answer = tokens.get(request.url);
    return reply
      .code(answer === undefined ? 404 : 200)
      .header('content-type', 'text/plain')
      .send(answer ?? 'Not Found');
  });
}

/** A listener for challenges only. DNS must start even if its port is in use. */
async function openChallengeListener(
  { host, port }: Settings['acmeHttp'],
  tokens: ReadonlyMap<string, string>,
  log: Logger,
) {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000, keepAliveTimeout: 1000 });
  server.maxConnections = 100;
  server.on('request', (request, response) => {
    const answer = tokens.get(request.url ?? '');
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'text/plain' }).end(answer ?? 'Not Found\n');
  });
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return server;
  } catch (error) {
    log.warn(
      { host, port, reason: messageOf(error) },
      'cannot listen for the challenges of the certificate authority (acme-http)',
    );
    return undefined;
  }
}
