import { getServers } from 'node:dns';
import { parseUpstream, type UpstreamAddress } from '../../domain/upstream-address.ts';
import { type UpstreamStrategy, upstreamStrategies } from '../../domain/upstream-strategy.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { wireName } from '../../kit/wire-name.ts';
import { knownAddress } from './host-addresses.ts';
import { type Listener, selfAddresses } from './self-addresses.ts';
import { foldedName } from './upstream-query.ts';

/** Settings as text, as written by the operator. */
export type UpstreamTexts = {
  readonly upstreams: readonly string[];
  /** Used when no other upstream answers. */
  readonly fallback?: readonly string[];
  /** Servers with known addresses, which resolve the host names of the other servers; default: the system resolver. */
  readonly bootstrap?: readonly string[];
  readonly strategy?: string;
  /** Upstreams for the names under certain domains; an empty list means the default upstreams. */
  readonly forward?: readonly { readonly domains: readonly string[]; readonly upstreams: readonly string[] }[];
  readonly timeoutMs?: number;
  /** Whether the AD bit of encrypted upstreams is passed on. */
  readonly trustDnssec?: boolean;
  /** Off for upstreams that do not preserve the case of names. */
  readonly mixCase?: boolean;
};

export type UpstreamSettings = {
  readonly upstreams: readonly UpstreamAddress[];
  readonly fallback: readonly UpstreamAddress[];
  readonly bootstrap: readonly UpstreamAddress[];
  readonly strategy: UpstreamStrategy;
  readonly forward: readonly Forward[];
  readonly timeoutMs: number;
  readonly trustDnssec: boolean;
  readonly mixCase: boolean;
  readonly listening: readonly Listener[];
  /** Addresses that are never connected to, whatever names resolve to. */
  readonly isForbidden?: (address: string, port: number) => boolean;
  /** Whether queries for local zones (local-zones.ts) go to the upstreams, too. */
  readonly forwardsLocalZones?: boolean;
};

type Forward = { readonly domains: readonly Uint8Array[]; readonly upstreams: readonly UpstreamAddress[] };

export type Surroundings = {
  /** Addresses on which this program answers DNS. */
  readonly listening: readonly Listener[];
  /** DNS servers of the system, in the format of `dns.getServers`. */
  readonly systemServers?: readonly string[];
};

const TIMEOUT_MS = 5000;
const SHORTEST_TIMEOUT_MS = 100;
const LONGEST_TIMEOUT_MS = 30_000;

/** The parsed settings, or all errors, one sentence each. */
export function readUpstreamSettings(
  texts: UpstreamTexts,
  { listening, systemServers = getServers() }: Surroundings,
): Result<UpstreamSettings, readonly string[]> {
  const problems: string[] = [];
  const isOwn = selfAddresses(listening);
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
      problems.push(`upstream "${parsed.value.text}": this program answers there itself, so queries would loop`);
      return [];
    });

  const upstreams = read(texts.upstreams);
  const fallback = read(texts.fallback);
  const bootstrap = read(texts.bootstrap);
  const forward = (texts.forward ?? []).map((one) => ({
    domains: one.domains.flatMap((domain) => readDomain(domain, problems)),
    upstreams: read(one.upstreams),
  }));
  if (texts.upstreams.length === 0) problems.push('no upstream is configured');
  for (const { text, host, address } of bootstrap)
    if ((address ?? knownAddress(host)) === undefined)
      problems.push(`bootstrap server "${text}": its own address must be known; write an IP address`);

  const named = [...upstreams, ...fallback, ...forward.flatMap((one) => one.upstreams)].find(
    ({ host, address }) => (address ?? knownAddress(host)) === undefined,
  );
  const asksItself = systemServers.some((server) => isOwn(...serverAndPort(server)));
  if (named && bootstrap.length === 0 && asksItself)
    problems.push(
      `upstream "${named.text}": this system resolves ${named.host} through this program, which would need the upstream to answer; ` +
        `set a bootstrap server, or write ${named.kind}://${named.host}#ADDRESS`,
    );

  const strategy = upstreamStrategies.find((candidate) => candidate === (texts.strategy ?? 'fastest'));
  if (!strategy) problems.push(`the strategy is one of ${upstreamStrategies.join(', ')}`);
  const { timeoutMs = TIMEOUT_MS, trustDnssec = false, mixCase = true } = texts;
  if (!(timeoutMs >= SHORTEST_TIMEOUT_MS && timeoutMs <= LONGEST_TIMEOUT_MS))
    problems.push(`the time for an answer is from ${SHORTEST_TIMEOUT_MS} to ${LONGEST_TIMEOUT_MS} ms`);
  if (problems.length > 0 || !strategy) return err(problems);
  return ok({ upstreams, fallback, bootstrap, strategy, forward, timeoutMs, trustDnssec, mixCase, listening });
}

function readDomain(text: string, problems: string[]): Uint8Array[] {
  const name = wireName(text.trim().replace(/^\*?\./, '') || '.');
  if (name && name.length > 1) return [foldedName(name)];
  problems.push(`forwarding "${text}": not a domain name`);
  return [];
}

/** Format of `dns.getServers`: an address, with a port if it is not 53; IPv6 addresses with a port are in brackets. */
function serverAndPort(server: string): [string, number] {
  const [, bracketed, plain, port] = /^(?:\[(.*)\]|([^:]*)):(\d+)$/.exec(server) ?? [];
  return port === undefined ? [server, 53] : [(bracketed ?? plain)!, Number(port)];
}
