import { getServers } from 'node:dns';
import { parseUpstream, type UpstreamAddress } from '../../domain/upstream-address.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { wireName } from '../../kit/wire-name.ts';
import { knownAddress } from './host-addresses.ts';
import { type Listener, ownAddresses } from './self-addresses.ts';
import { type Strategy, strategies } from './strategy.ts';
import { foldedName } from './upstream-query.ts';

/** As an operator writes it. */
export type UpstreamTexts = {
  readonly upstreams: readonly string[];
  /** Asked when none of the others answers. */
  readonly fallback?: readonly string[];
  /** Servers, by address, that are asked where the other servers are; the system is, if there are none. */
  readonly bootstrap?: readonly string[];
  readonly strategy?: string;
  /** Who answers for the names under certain domains; nobody of their own: the ordinary upstreams do. */
  readonly forward?: readonly { readonly domains: readonly string[]; readonly upstreams: readonly string[] }[];
  readonly timeoutMs?: number;
  /** Whether the word of encrypted upstreams on DNSSEC is passed on. */
  readonly trustDnssec?: boolean;
  /** Off for upstreams that do not give a name back as it was asked. */
  readonly mixCase?: boolean;
};

export type UpstreamSettings = {
  readonly upstreams: readonly UpstreamAddress[];
  readonly fallback: readonly UpstreamAddress[];
  readonly bootstrap: readonly UpstreamAddress[];
  readonly strategy: Strategy;
  readonly forward: readonly Forward[];
  readonly timeoutMs: number;
  readonly trustDnssec: boolean;
  readonly mixCase: boolean;
  readonly listening: readonly Listener[];
  /** Where nobody is asked, wherever names may lead. */
  readonly isForbidden?: (address: string, port: number) => boolean;
};

type Forward = { readonly domains: readonly Uint8Array[]; readonly upstreams: readonly UpstreamAddress[] };

export type Surroundings = {
  /** Where this program answers DNS. */
  readonly listening: readonly Listener[];
  /** Whom the system asks, as `dns.getServers` tells it. */
  readonly systemServers?: readonly string[];
};

const TIMEOUT_MS = 5000;
const SHORTEST_TIMEOUT_MS = 100;
const LONGEST_TIMEOUT_MS = 30_000;

/** All that is wrong, each in a sentence, or the settings. */
export function readUpstreamSettings(
  texts: UpstreamTexts,
  { listening, systemServers = getServers() }: Surroundings,
): Result<UpstreamSettings, readonly string[]> {
  const problems: string[] = [];
  const isOwn = ownAddresses(listening);
  const read = (list: readonly string[] = []): UpstreamAddress[] =>
    list.flatMap((text) => {
      const parsed = parseUpstream(text);
      if (!parsed.ok) {
        problems.push(parsed.error);
        return [];
      }
      const { host, address, port } = parsed.value;
      const at = address ?? knownAddress(host);
      if (at === undefined || !isOwn(at, port)) return [parsed.value];
      problems.push(
        `upstream "${parsed.value.text}": this program answers there itself, so queries would go round in circles`,
      );
      return [];
    });

  const upstreams = read(texts.upstreams);
  const fallback = read(texts.fallback);
  const bootstrap = read(texts.bootstrap);
  const forward = (texts.forward ?? []).map((one) => ({
    domains: one.domains.flatMap((domain) => readDomain(domain, problems)),
    upstreams: read(one.upstreams),
  }));
  if (texts.upstreams.length === 0) problems.push('there is no upstream');
  for (const { text, host, address } of bootstrap)
    if ((address ?? knownAddress(host)) === undefined)
      problems.push(`bootstrap server "${text}": its own address must be known; write an IP address`);

  const named = [...upstreams, ...fallback, ...forward.flatMap((one) => one.upstreams)].find(
    ({ host, address }) => (address ?? knownAddress(host)) === undefined,
  );
  const asksItself = systemServers.some((server) => isOwn(...serverAndPort(server)));
  if (named && bootstrap.length === 0 && asksItself)
    problems.push(
      `upstream "${named.text}": this system asks this program where ${named.host} is, and this program would have to ask the upstream; ` +
        `name a bootstrap server, or write ${named.kind}://${named.host}#ADDRESS`,
    );

  const strategy = strategies.find((known) => known === (texts.strategy ?? 'fastest'));
  if (!strategy) problems.push(`the strategy is one of ${strategies.join(', ')}`);
  const { timeoutMs = TIMEOUT_MS, trustDnssec = false, mixCase = true } = texts;
  if (!(timeoutMs >= SHORTEST_TIMEOUT_MS && timeoutMs <= LONGEST_TIMEOUT_MS))
    problems.push(`the time for an answer is from ${SHORTEST_TIMEOUT_MS} to ${LONGEST_TIMEOUT_MS} ms`);
  if (problems.length > 0 || !strategy) return err(problems);
  return ok({ upstreams, fallback, bootstrap, strategy, forward, timeoutMs, trustDnssec, mixCase, listening });
}

function readDomain(text: string, problems: string[]): Uint8Array[] {
  const name = wireName(text.trim().replace(/^\*?\./, '') || '.');
  if (name && name.length > 1) return [foldedName(name)];
  problems.push(`forwarding "${text}": it is not the name of a domain`);
  return [];
}

/** As `dns.getServers` writes them: an address, or with a port that is not 53, then in brackets if it is IPv6. */
function serverAndPort(server: string): [string, number] {
  const [, bracketed, plain, port] = /^(?:\[(.*)\]|([^:]*)):(\d+)$/.exec(server) ?? [];
  return port === undefined ? [server, 53] : [(bracketed ?? plain)!, Number(port)];
}
