import type { ChallengeKind } from './challenge.ts';

export type AdviceContext = {
  readonly challenge: ChallengeKind;
  /** The domain that failed; undefined if the problem is about none. */
  readonly domain: string | undefined;
  /** The host name of this server, for NS records. */
  readonly host: string;
  /** The zone to which CNAME records point; undefined if the challenge names themselves are delegated. */
  readonly zone: string | undefined;
};

type Write = (context: AdviceContext, domain: string) => string;

const delegate: Write = ({ host, zone }, domain) => {
  const record =
    zone === undefined
      ? `_acme-challenge.${domain} NS ${host}`
      : `_acme-challenge.${domain} CNAME ${domain}.${zone}" and "${zone} NS ${host}`;
  return `Add the DNS record "${record}". Port 53 of ${host} must be reachable from the internet, over UDP and TCP.`;
};

const port80: Write = (_context, domain) =>
  `http://${domain}/.well-known/acme-challenge/ must reach this server: forward port 80 of the public address to the listener "acme-http".`;
const port443: Write = (_context, domain) =>
  `Port 443 of ${domain} must reach the listener "doh" of this server, without a proxy that terminates TLS.`;
const address: Write = (_context, domain) =>
  `Add an A or AAAA record for ${domain} with the public address of this server.`;

/** By the type of the problem; the first table is that of the challenge. */
const byChallenge: Readonly<Record<ChallengeKind, Readonly<Record<string, Write>>>> = {
  'http-01': { connection: port80, unauthorized: port80, incorrectResponse: port80, tls: port80, dns: address },
  'tls-alpn-01': { connection: port443, unauthorized: port443, incorrectResponse: port443, tls: port443, dns: address },
  'dns-01': { connection: delegate, unauthorized: delegate, incorrectResponse: delegate, dns: delegate },
};

const always: Readonly<Record<string, Write>> = {
  unreachable: () =>
    'Check the connection of this server to the internet, its clock, and the setting "acme-directory".',
  rateLimited: () =>
    'The authority limits requests, and Weir waits as long as it asks for. For experiments set "acme-directory" to "letsencrypt-staging".',
  caa: (_context, domain) => `A CAA record of ${domain} does not allow this authority: add one that does.`,
  externalAccountRequired: () =>
    'Set "acme-eab-key-id" and "acme-eab-key" to the values of your account with the authority.',
  invalidContact: () => 'Check the setting "acme-email".',
  unsupportedContact: () => 'Check the setting "acme-email".',
  rejectedIdentifier: (_context, domain) =>
    `The authority does not issue certificates for ${domain}: only public names are possible.`,
  'no such challenge': () => 'Choose another "acme-challenge"; wildcard domains need dns-01.',
};

/** The remedy for a problem; undefined if only the message of the authority helps. */
export const adviceFor = (type: string, context: AdviceContext): string | undefined =>
  (byChallenge[context.challenge][type] ?? always[type])?.(context, context.domain ?? 'the domain');
