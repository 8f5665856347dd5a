import type { ChallengeKind } from './challenge.ts';

export type AdviceContext = {
  readonly challenge: ChallengeKind;
  /** The domain that failed, if the problem is about one. */
  readonly domain: string | undefined;
  /** The host name of this server, for NS records. */
  readonly host: string;
  /** The zone to which CNAME records point; undefined if the challenge names themselves are delegated. */
  readonly zone: string | undefined;
};

/** A remedy: its id (for translations), its text, and the DNS records that it needs. */
export type Advice = { readonly remedy: Remedy; readonly text: string; readonly records: readonly string[] };

type Remedy = keyof typeof texts;

const texts = {
  port80: (domain: string) =>
    `http://${domain}/.well-known/acme-challenge/ must reach this server: forward port 80 of the public address to the listener "acme-http".`,
  port443: (domain: string) =>
    `Port 443 of ${domain} must reach the listener "doh" of this server, without a proxy that terminates TLS.`,
  address: (domain: string) => `Add an A or AAAA record for ${domain} with the public address of this server.`,
  delegate: () =>
    'Add these DNS records. Port 53 of this server must be reachable from the internet, over UDP and TCP.',
  network: () => 'Check the connection of this server to the internet, its clock, and the setting "acme-directory".',
  limit: () =>
    'The authority limits requests, and Weir waits as long as it asks for. For experiments set "acme-directory" to "letsencrypt-staging".',
  caa: (domain: string) => `A CAA record of ${domain} does not allow this authority: add one that does.`,
  account: () => 'Set "acme-eab-key-id" and "acme-eab-key" to the values of your account with the authority.',
  contact: () => 'Check the setting "acme-email".',
  identifier: (domain: string) =>
    `The authority does not issue certificates for ${domain}: only public names are possible.`,
  challenge: () => 'Choose another "acme-challenge"; wildcard domains need dns-01.',
} as const;

const proofFailed = (remedy: Remedy): Readonly<Record<string, Remedy>> => ({
  connection: remedy,
  unauthorized: remedy,
  incorrectResponse: remedy,
  tls: remedy,
});

/** Remedies by problem type; the table of the challenge takes precedence. */
const byChallenge: Readonly<Record<ChallengeKind, Readonly<Record<string, Remedy>>>> = {
  'http-01': { ...proofFailed('port80'), dns: 'address' },
  'tls-alpn-01': { ...proofFailed('port443'), dns: 'address' },
  'dns-01': { ...proofFailed('delegate'), dns: 'delegate' },
};

const always: Readonly<Record<string, Remedy>> = {
  unreachable: 'network',
  rateLimited: 'limit',
  caa: 'caa',
  externalAccountRequired: 'account',
  invalidContact: 'contact',
  unsupportedContact: 'contact',
  rejectedIdentifier: 'identifier',
  'no such challenge': 'challenge',
};

/** The remedy for a problem; undefined if there is only the message of the authority. */
export function adviceFor(type: string, context: AdviceContext): Advice | undefined {
  const remedy = byChallenge[context.challenge][type] ?? always[type];
  if (remedy === undefined) return undefined;
  const { domain = 'the domain' } = context;
  return { remedy, text: texts[remedy](domain), records: remedy === 'delegate' ? recordsFor(domain, context) : [] };
}

const recordsFor = (domain: string, { host, zone }: AdviceContext): readonly string[] =>
  zone === undefined
    ? [`_acme-challenge.${domain}. NS ${host}.`]
    : [`_acme-challenge.${domain}. CNAME ${domain}.${zone}.`, `${zone}. NS ${host}.`];
